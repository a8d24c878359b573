import { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Socket } from 'node:net';

const STATUS: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
};

/**
 * Ends a connection whose request is faulty or too slow, with the status that Node would answer.
 *
 * A connection on which nothing was ever sent is closed without an answer. Browsers keep such spare connections, and Node would answer one with 408 after
 * its time: a browser that takes it for its next request reads that answer as the answer to the request.
 */
export function refuseFaulty(error: NodeJS.ErrnoException, socket: Duplex): void {
  const isUnused = socket instanceof Socket && socket.bytesRead === 0;
  if (isUnused || !socket.writable || hasAnswerBegun(socket) || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  socket.end(`HTTP/1.1 ${STATUS[error.code ?? ''] ?? '400 Bad Request'}\r\nConnection: close\r\n\r\n`);
}

/** Bytes behind the head of an answer would be read as a part of its body. Node keeps the answer of a connection under this name, and nowhere else. */
function hasAnswerBegun(socket: Duplex): boolean {
  const answer: unknown = Reflect.get(socket, '_httpMessage');
  return answer instanceof ServerResponse && answer.headersSent;
}
