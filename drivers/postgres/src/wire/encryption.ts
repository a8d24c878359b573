import { DriverError } from '@tabularium/sdk';
import type { DriverSocket } from '@tabularium/sdk';
import { CHECK_SERVER, faultTexts, notProtocol } from '../fault.ts';

/** Length 8, code 80877103. */
const REQUEST = Uint8Array.of(0, 0, 0, 8, 4, 210, 22, 47);
const YES = 'S'.charCodeAt(0);
const NO = 'N'.charCodeAt(0);
/** A server answers at once, and the host gives the driver thirty seconds to connect. */
const ANSWER_MILLISECONDS = 8_000;

/**
 * Asks the server for TLS and begins it. The host does the handshake and checks the certificate.
 *
 * @param server - host and port, for errors
 * @throws DriverError `TIMEOUT` where it says nothing, `TLS_FAILED` where the server doesn't encrypt or its certificate doesn't pass, `BAD_ANSWER` for another kind of server
 */
export async function beginEncryption(
  socket: DriverSocket,
  received: AsyncIterator<Uint8Array>,
  server: string,
  milliseconds = ANSWER_MILLISECONDS,
): Promise<void> {
  await socket.write(REQUEST);
  const next = await answerOf(received, server, milliseconds);
  if (next.done === true)
    throw new DriverError('CONNECTION_LOST', 'The server closed the connection when it was asked for TLS.', {
      details: { texts: faultTexts('tls.ended') },
    });
  const [answer] = next.value;
  if (next.value.length > 1 && (answer === YES || answer === NO))
    throw new DriverError('TLS_FAILED', 'The server sent data before the encryption began.', {
      details: { texts: faultTexts('tls.early') },
    });
  if (answer === NO)
    throw new DriverError('TLS_FAILED', "The server doesn't offer TLS.", {
      details: {
        field: 'sslMode',
        advice: 'Switch TLS on at the server, or choose the SSL mode “Disabled”.',
        texts: faultTexts('tls.none', {}, 'tls.none.advice'),
      },
    });
  if (answer !== YES) throw notProtocol();
  await socket.startTls();
}

async function answerOf(
  received: AsyncIterator<Uint8Array>,
  server: string,
  milliseconds: number,
): Promise<IteratorResult<Uint8Array, unknown>> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const seconds = milliseconds / 1_000;
      reject(
        new DriverError('TIMEOUT', `${server} didn't answer the request for TLS within ${seconds} s.`, {
          details: { advice: CHECK_SERVER, texts: faultTexts('tls.silent', { server, seconds }, 'signIn.check') },
        }),
      );
    }, milliseconds);
  });
  const next = received.next();
  // It fails when the socket is closed after the wait.
  next.catch(() => undefined);
  try {
    return await Promise.race([next, late]);
  } finally {
    clearTimeout(timer);
  }
}
