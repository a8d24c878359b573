import { once } from 'node:events';
import { isIPv4, isIPv6 } from 'node:net';
import type { Socket } from 'node:net';
import { URL } from 'node:url';

const VERSION = 5;
const NO_SIGN_IN = 0;
const BY_PASSWORD = 2;
const NO_METHOD = 0xff;
const CONNECT = 1;
const ADDRESS_IPV4 = 1;
const ADDRESS_NAME = 3;
const ADDRESS_IPV6 = 4;

/** The answer of a proxy that refuses a connection. */
export type SocksRefusal =
  | 'notSocks'
  | 'signInNeeded'
  | 'signInRefused'
  | 'forbidden'
  | 'unreachable'
  | 'nameUnknown'
  | 'notListening'
  | 'failed'
  | 'ended';

/** A proxy that did not connect, and why. */
export class SocksError extends Error {
  override readonly name = 'SocksError';
  readonly refusal: SocksRefusal;

  constructor(refusal: SocksRefusal) {
    super(`The SOCKS proxy did not connect: ${refusal}.`);
    this.refusal = refusal;
  }
}

const REFUSALS: Readonly<Record<number, SocksRefusal>> = {
  2: 'forbidden',
  3: 'unreachable',
  4: 'nameUnknown',
  5: 'notListening',
  6: 'unreachable',
};

/**
 * Asks a SOCKS5 proxy to connect (RFC 1928, RFC 1929). The name goes to the proxy as it is. Exactly the bytes of the handshake are taken from the socket, so
 * whatever the server behind it sends at once is still to be read.
 *
 * @param onGreeted - the proxy has answered as one; from then on it waits for the server
 * @throws SocksError
 */
export async function socksHandshake(
  socket: Socket,
  target: { readonly host: string; readonly port: number },
  signIn: { readonly user: string; readonly password: string } | undefined,
  signal: AbortSignal,
  onGreeted: () => void = () => undefined,
): Promise<void> {
  const read = (bytes: number): Promise<Buffer> => readExactly(socket, bytes, signal);
  const methods = signIn === undefined ? [NO_SIGN_IN] : [NO_SIGN_IN, BY_PASSWORD];
  socket.write(Buffer.from([VERSION, methods.length, ...methods]));
  const [version, method] = await read(2);
  if (version !== VERSION) throw new SocksError('notSocks');
  if (method === NO_METHOD) throw new SocksError('signInNeeded');
  if (method === BY_PASSWORD && signIn !== undefined) {
    socket.write(Buffer.concat([Buffer.from([1]), sized(signIn.user), sized(signIn.password)]));
    const [, status] = await read(2);
    if (status !== 0) throw new SocksError('signInRefused');
  } else if (method !== NO_SIGN_IN) throw new SocksError('notSocks');
  onGreeted();
  const port = Buffer.alloc(2);
  port.writeUInt16BE(target.port);
  socket.write(Buffer.concat([Buffer.from([VERSION, CONNECT, 0]), addressBytes(target.host), port]));
  const [replied, status = 1, , type] = await read(4);
  if (replied !== VERSION) throw new SocksError('notSocks');
  if (status !== 0) throw new SocksError(REFUSALS[status] ?? 'failed');
  // The address that the proxy says it connects from is of no use here, whatever it is.
  if (type === ADDRESS_IPV4) await read(4 + 2);
  else if (type === ADDRESS_IPV6) await read(16 + 2);
  else if (type === ADDRESS_NAME) await read(((await read(1))[0] ?? 0) + 2);
  else throw new SocksError('notSocks');
}

function sized(text: string): Buffer {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length > 255) throw new SocksError('signInRefused');
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
}

function addressBytes(host: string): Buffer {
  if (isIPv4(host)) return Buffer.from([ADDRESS_IPV4, ...host.split('.').map(Number)]);
  if (isIPv6(host)) return Buffer.from([ADDRESS_IPV6, ...bytesOfIpv6(host)]);
  return Buffer.concat([Buffer.from([ADDRESS_NAME]), sized(host)]);
}

/** By the URL parser, which writes an IPv4 tail as two groups. */
function bytesOfIpv6(address: string): readonly number[] {
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const groups = (part: string): number[] => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)));
  const [before, after] = [groups(head), groups(tail ?? '')];
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => 0);
  return [...before, ...zeros, ...after].flatMap((group) => [group >> 8, group & 255]);
}

/** Takes what there is, piece by piece: to ask a stream for more than it has would make it say again and again, at once, that it can be read. */
async function readExactly(socket: Socket, bytes: number, signal: AbortSignal): Promise<Buffer> {
  let taken = Buffer.alloc(0);
  for (;;) {
    const found: unknown = socket.read();
    if (found instanceof Buffer) {
      taken = Buffer.concat([taken, found]);
      if (taken.length < bytes) continue;
      if (taken.length > bytes) socket.unshift(taken.subarray(bytes));
      return taken.subarray(0, bytes);
    }
    if (socket.readableEnded || socket.destroyed) throw new SocksError('ended');
    const waiting = new AbortController();
    try {
      await Promise.race(
        ['readable', 'end', 'close'].map((event) => once(socket, event, { signal: AbortSignal.any([signal, waiting.signal]) })),
      );
    } finally {
      waiting.abort();
    }
  }
}
