import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { rawRequest } from '../server/rawRequest.test-helper.ts';
import { protocolRequest } from './protocolRequest.ts';

it('hands the protocol library a request without its token', async () => {
  let handed: Request | undefined;
  const server = createServer((request, response) => {
    handed = protocolRequest(request);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await rawRequest(port, {
    token: 'tbm_secret',
    path: '/mcp?token=tbm_secret',
    headers: { 'mcp-method': 'tools/list' },
    body: {},
  });
  expect(handed?.headers.get('mcp-method')).toBe('tools/list');
  expect(JSON.stringify([handed?.url, ...(handed?.headers ?? [])])).not.toContain('tbm_secret');
  await new Promise((resolve) => server.close(resolve));
});
