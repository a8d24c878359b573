import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HostHealth } from '../../host/src/common/hostHealth.ts';
import { silentLogger } from '../../host/src/runtime/storage/logger.ts';
import { BrowserTransport } from '../../host/src/web/browserTransport.ts';
import { requestText, sendRaw } from '../support/rawHttp.ts';
import type { RawAnswer } from '../support/rawHttp.ts';

let folder: string;
let transport: BrowserTransport;
let port: number;
let status: HostHealth['status'];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tabularium-health-'));
  status = 'ready';
  transport = await BrowserTransport.start({
    rendererFolder: folder,
    logger: silentLogger,
    handler: async () => Response.json({ name: 'MARKED' }),
    health: () => ({ status }),
  });
  port = Number(new URL(transport.origin).port);
});
afterEach(async () => {
  await transport[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const send = (line: string, headers: Record<string, string> = {}): Promise<RawAnswer> =>
  sendRaw(port, requestText(line, { host: `127.0.0.1:${port}`, ...headers }, ''));

describe('/health', () => {
  it.each([
    ['starting', 503],
    ['ready', 200],
    ['stopping', 503],
  ] as const)('says "%s" with %i and nothing else, without a key', async (state, code) => {
    status = state;
    const answer = await send('GET /health');
    expect(answer.status).toBe(code);
    expect(JSON.parse(answer.body)).toEqual({ status: state });
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('answers to no other name, page or method', async () => {
    const refused = [
      [421, 'GET /health', { host: `evil.example:${port}` }],
      [421, 'GET /health', { host: 'evil.example' }],
      [421, 'GET /health', { host: '127.0.0.1' }],
      [403, 'GET /health', { origin: 'https://evil.example' }],
      [403, 'GET /health', { origin: 'null' }],
      [403, 'GET /health', { 'sec-fetch-site': 'cross-site' }],
      [403, 'GET /health', { 'sec-fetch-site': 'same-site' }],
      [405, 'POST /health', { 'content-length': '0' }],
      [405, 'DELETE /health', {}],
    ] as const;
    for (const [code, line, headers] of refused) {
      const answer = await send(line, headers);
      expect([answer.status, line, headers]).toEqual([code, line, headers]);
      expect(answer.body).not.toMatch(/ready|MARKED/);
    }
  });
});
