import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConnectionGuard } from './connectionGuard.ts';

let server: Server;

beforeEach(async () => {
  server = createServer(
    { headersTimeout: 100, requestTimeout: 200, connectionsCheckingInterval: 20, maxHeaderSize: 2_000 },
    (request, response) => {
      if (request.url === '/begun') response.write('begun');
      else if (request.url === '/') response.end('fine');
    },
  );
  const guard = new ConnectionGuard(server, { connections: 10, strangerMilliseconds: 60_000 }, () => undefined);
  expect(guard).toBeDefined();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** All that the server says on a connection until it closes it. */
async function answerTo(sent: string): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  if (sent !== '') socket.write(sent);
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')));
  await new Promise((resolve) => socket.once('close', resolve).once('error', resolve));
  return answer;
}

describe('a connection that is ended', () => {
  it('is closed without an answer where nothing was sent on it: a browser would read it as the answer to its next request', async () => {
    expect(await answerTo('')).toBe('');
  });

  it.each([
    ['with half a head', 'GET / HTTP/1.1\r\nHost: a', '408'],
    ['with half a body', 'POST /never HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx', '408'],
    ['with something else than HTTP', 'hello\r\n\r\n', '400'],
    ['with a head that is too long', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(4_000)}\r\n\r\n`, '431'],
  ])('is answered %s', async (_, sent, status) => {
    expect(await answerTo(sent)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [^\\r]+\\r\\nConnection: close\\r\\n\\r\\n$`));
  });

  it('gets no second head where an answer has begun', async () => {
    const answer = await answerTo('POST /begun HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx');
    expect(answer).toContain('begun');
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });
});
