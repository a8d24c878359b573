import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';

/** An answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly text: string;
}

/** Sends bytes to 127.0.0.1 unchanged, past everything that a client library would correct, and reads until the server closes. */
export async function sendRaw(port: number, request: string | Uint8Array): Promise<RawAnswer> {
  const socket = await openRaw(port);
  socket.write(request);
  return readRaw(socket);
}

/** A connection that the caller writes to; destroy it at the end. */
export async function openRaw(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' });
  await once(socket, 'connect');
  return socket;
}

/** Everything up to the end of the connection. A reset ends it too: a server may close on a client that is still sending. */
export async function readRaw(socket: Socket): Promise<RawAnswer> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => undefined);
  if (!socket.closed) await once(socket, 'close');
  return parse(Buffer.concat(chunks).toString('utf8'));
}

function parse(text: string): RawAnswer {
  const end = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  const rest = text.slice(end + 4);
  const body = headers['transfer-encoding'] === 'chunked' ? withoutChunks(rest) : rest;
  return { status: Number(statusLine.split(' ')[1] ?? 0), headers, body, text };
}

/** Chunk sizes count bytes; the answers read here are ASCII. */
function withoutChunks(text: string): string {
  const end = text.indexOf('\r\n');
  const size = Number.parseInt(text.slice(0, end), 16);
  if (end < 0 || !(size > 0)) return '';
  return text.slice(end + 2, end + 2 + size) + withoutChunks(text.slice(end + 2 + size + 2));
}

/** A request's text. Every connection carries one, so that the end of the answer is the end of the connection. */
export function requestText(line: string, headers: Readonly<Record<string, string | undefined>>, body = ''): string {
  const all: Record<string, string | undefined> = {
    connection: 'close',
    ...(body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
    ...headers,
  };
  const fields = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}\r\n`]));
  return `${line} HTTP/1.1\r\n${fields.join('')}\r\n${body}`;
}
