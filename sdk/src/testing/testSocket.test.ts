import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createTestSocket } from './testSocket.ts';
import type { TestSocket, TestSocketOptions } from './testSocket.ts';

const { signal } = new AbortController();
let server: Server | undefined;
let capability: TestSocket | undefined;
const accepted: Socket[] = [];

afterEach(async () => {
  capability?.close();
  for (const socket of accepted.splice(0)) socket.destroy();
  await new Promise((resolve) => server?.close(resolve));
});

async function serve(onSocket: (socket: Socket) => void, options: Partial<TestSocketOptions> = {}): Promise<TestSocket> {
  server = createServer({ allowHalfOpen: true }, (socket) => {
    accepted.push(socket);
    socket.on('error', () => undefined);
    onSocket(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  capability = createTestSocket({ host: '127.0.0.1', port: (server.address() as AddressInfo).port, ...options });
  return capability;
}

describe('the socket capability for tests', () => {
  it('carries bytes both ways and ends after the last one', async () => {
    const { open, endpoint } = await serve((socket) => socket.pipe(socket));
    expect(endpoint).toMatch(/^127\.0\.0\.1:\d+$/);
    const socket = await open({ signal });
    await socket.write(Buffer.from('one '));
    await socket.write(Buffer.from('two'));
    socket.end();
    let text = '';
    for await (const chunk of socket.received) text += Buffer.from(chunk).toString();
    expect(text).toBe('one two');
    await expect(socket.write(Buffer.from('x'))).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
  });

  it('opens as many as the host would', async () => {
    const test = await serve(() => undefined, { maxSockets: 1 });
    const first = await test.open({ signal });
    await expect(test.open({ signal })).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    first.close();
    await expect.poll(() => test.openSockets).toBe(0);
    await test.open({ signal });
  });

  it('sends no more than a request for TLS before it begins, as the host does', async () => {
    const { open } = await serve(() => undefined, { tls: 'upgrade' });
    const socket = await open({ signal });
    await socket.write(new Uint8Array(8));
    await expect(socket.write(new Uint8Array(40))).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  });

  it('says why there is no socket', async () => {
    const { open } = await serve(() => undefined);
    await expect(open({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'CANCELLED' });
    await new Promise((resolve) => server?.close(resolve));
    await expect(open({ signal })).rejects.toMatchObject({ code: 'CONNECTION_REFUSED' });
  });
});
