import { connect as connectTls } from 'node:tls';
import { isDriverError } from '@tabularium/sdk';
import type { Session } from '@tabularium/sdk';
import type { Ask } from './guardedHttp.ts';

/** The exit code of a check that found no server to check. */
export const EXIT_NOT_BEGUN = 3;

const PROBE_MILLISECONDS = 5_000;
/** Faults behind which a server of the other scheme may be: it closes the connection, or a proxy sends a page. */
const MAY_BE_OTHER_SCHEME = new Set(['CONNECTION_LOST', 'BAD_ANSWER', 'TIMEOUT']);
const CERTIFICATE_FAULT = /CERT|SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET_ISSUER)/;

/** There is no server in order at the address, or the key is not good for the check. The message has neither of them. */
export class CheckNotBegun extends Error {
  override readonly name = 'CheckNotBegun';
}

/**
 * Opens the session that the check uses.
 *
 * @throws CheckNotBegun with one sentence on what is wrong and what to do
 */
export async function opened(url: URL, open: () => Promise<Session>, ask: Ask, signal: AbortSignal): Promise<Session> {
  try {
    const session = await open();
    await checkKey(session, ask).catch(async (error: unknown) => {
      await session.close();
      throw error;
    });
    return session;
  } catch (error) {
    if (signal.aborted || !isDriverError(error)) throw error;
    if (CERTIFICATE_FAULT.test(codeOf(error.cause)))
      throw new CheckNotBegun('The certificate of the server isn’t trusted; name its authority in NODE_EXTRA_CA_CERTS.');
    if (MAY_BE_OTHER_SCHEME.has(error.code) && (await answersOtherScheme(url))) {
      const [answers, given] = url.protocol === 'https:' ? ['http', 'https'] : ['https', 'http'];
      throw new CheckNotBegun(`The server answers ${answers} and not ${given}; begin --url with ${answers}://.`);
    }
    if (error.code === 'NOT_FOUND')
      throw new CheckNotBegun('Another kind of server answers, which knows no collections; check the host and port of --url.');
    throw new CheckNotBegun(`${error.message.replace(/\.$/, '')}; ${lowered(error.advice)}`);
  }
}

/** Refuses a key that some scenario would fail with: one of the rights is to list keys, which only a key for everything has of itself. */
async function checkKey({ findings }: Session, ask: Ask): Promise<void> {
  const failed = findings.some(({ outcome }) => outcome === 'failed');
  if (!failed && (await ask('GET', '/keys')).status < 400) return;
  throw new CheckNotBegun(
    failed
      ? 'The server rejects the key; put a key that may do everything into the environment variable of --api-key-env.'
      : 'The key may not do everything; use one with all actions on all collections, such as that of the server itself.',
  );
}

/** Whether a server of the other scheme listens there. The key is not sent. */
async function answersOtherScheme({ protocol, hostname, port }: URL): Promise<boolean> {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (protocol === 'https:') {
    const plain = new URL(`http://${hostname}:${port === '' ? 443 : port}/health`);
    return fetch(plain, { signal: AbortSignal.timeout(PROBE_MILLISECONDS), redirect: 'manual' }).then(
      () => true,
      () => false,
    );
  }
  return new Promise((resolve) => {
    // Whether anybody speaks TLS is asked, and nothing is sent: whose certificate it is doesn't matter.
    const socket = connectTls({ host, port: port === '' ? 80 : Number(port), rejectUnauthorized: false });
    const end = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(PROBE_MILLISECONDS, () => end(false));
    socket.once('secureConnect', () => end(true));
    socket.once('error', () => end(false));
  });
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
}

function lowered(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
