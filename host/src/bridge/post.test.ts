import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Lost, readWholeAnswer } from './post.ts';

const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-length': 10 }).write('half');
});

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function answer(): Promise<IncomingMessage> {
  const sending = request({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
  sending.on('error', () => undefined).end();
  const [response] = (await once(sending, 'response')) as [IncomingMessage];
  return response;
}

describe('reading an answer', () => {
  it('reports an end that comes too early', async () => {
    const response = await answer();
    const reading = readWholeAnswer(response);
    server.closeAllConnections();
    await expect(reading).rejects.toBeInstanceOf(Lost);
  });

  it('reports one that came before it began', async () => {
    const response = await answer();
    response.destroy();
    await once(response, 'close');
    await expect(readWholeAnswer(response)).rejects.toBeInstanceOf(Lost);
  });
});
