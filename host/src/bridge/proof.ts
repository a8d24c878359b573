import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import type { HandshakeRead } from './handshakeFile.ts';

const LOOPBACK = '127.0.0.1';
/** How long connecting may take: loopback answers at once, or its queue is full. */
export const CONNECT_MILLISECONDS = 3_000;
/** How long an endpoint may take to prove itself. A busy host may be slow. */
export const PROOF_MILLISECONDS = 5_000;
const LARGEST_ANSWER_BYTES = 4_096;

/** No program listens at the port, or the one that does closed the connection before any proof. */
class NoConnection extends Error {
  override readonly name = 'NoConnection';
}

/** Something listens at the port, and it is not the application. */
export class NotProven extends Error {
  override readonly name = 'NotProven';
}

/** The text that an endpoint signs. Bound to port, instance and direction, so that nothing signed elsewhere or for others fits. */
function proofText(handshake: HandshakeRead, nonce: string): string {
  return `tabularium mcp proof 1\nhost to bridge\n${handshake.port}\n${handshake.instanceId}\n${nonce}`;
}

/**
 * Opens a connection and lets the other end prove that it has the handshake's secret. Every byte on this connection goes to the
 * process that has proven it, whatever happens to the port later; that is why each connection is proven, and not the port once.
 *
 * @throws NoConnection, NotProven
 */
export async function openProven(handshake: HandshakeRead): Promise<Socket> {
  const socket = await openSocket(handshake.port);
  try {
    const nonce = randomBytes(32).toString('base64url');
    const body = JSON.stringify({ version: 1, instanceId: handshake.instanceId, nonce });
    const answer = readAnswer(socket);
    socket.write(
      `POST /proof HTTP/1.1\r\nhost: ${LOOPBACK}:${handshake.port}\r\ncontent-type: application/json\r\n` +
        `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    const expected = createHmac('sha256', Buffer.from(handshake.proofSecret, 'hex')).update(proofText(handshake, nonce)).digest();
    const given = proofIn(await answer);
    if (given === undefined || !timingSafeEqual(given, expected)) throw new NotProven('Its proof is wrong.');
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

function openSocket(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: LOOPBACK, port, noDelay: true });
    const fail = (cause: string): void => {
      socket.destroy();
      reject(new NoConnection(cause));
    };
    socket.setTimeout(CONNECT_MILLISECONDS, () => fail(`Port ${port} does not answer.`));
    const onError = (): void => fail(`Nothing is listening on port ${port}.`);
    socket.once('error', onError);
    socket.once('connect', () => {
      socket.setTimeout(0);
      socket.removeAllListeners('timeout');
      socket.off('error', onError);
      resolve(socket);
    });
  });
}

/** The body of the one answer that comes. Only an HTTP/1.1 answer of a known length can be a proof. */
function readAnswer(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    const timer = setTimeout(
      () => finish(new NotProven(`It sent no proof within ${PROOF_MILLISECONDS / 1_000} seconds.`)),
      PROOF_MILLISECONDS,
    );
    const finish = (result: string | Error): void => {
      clearTimeout(timer);
      socket.off('data', onData).off('error', onEnd).off('close', onEnd);
      if (typeof result === 'string') resolve(result);
      else reject(result);
    };
    const onEnd = (): void =>
      finish(received.length === 0 ? new NoConnection('The connection was closed.') : new NotProven('It sent no proof.'));
    const onData = (chunk: Buffer): void => {
      received = Buffer.concat([received, chunk]);
      const body = bodyOf(received);
      if (body !== undefined) finish(body);
    };
    socket.on('data', onData).once('error', onEnd).once('close', onEnd);
  });
}

function bodyOf(received: Buffer): string | Error | undefined {
  if (received.length > LARGEST_ANSWER_BYTES) return new NotProven("Its response isn't a proof.");
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const head = received.toString('latin1', 0, headEnd);
  const length = /^content-length: *(\d{1,4})$/im.exec(head)?.[1];
  if (!/^HTTP\/1\.1 200 /.test(head) || length === undefined) return new NotProven("Its response isn't a proof.");
  const body = received.subarray(headEnd + 4);
  if (body.length < Number(length)) return undefined;
  return body.length === Number(length) ? body.toString('utf8') : new NotProven("Its response isn't a proof.");
}

function proofIn(text: string): Buffer | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const proof = typeof value === 'object' && value !== null && 'proof' in value ? value.proof : undefined;
    return typeof proof === 'string' && /^[0-9a-f]{64}$/.test(proof) ? Buffer.from(proof, 'hex') : undefined;
  } catch {
    return undefined;
  }
}
