import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox } from '@tabularium/sandbox';
import type { Sandbox } from '@tabularium/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_KEY, admin } from '../../drivers/search/src/fixture.test-helper.ts';
import { TestCertificates } from '../../host/src/runtime/drivers/broker/broker.test-helper.ts';
import { root } from '../../scripts/paths.ts';
import { checkServer } from './checkServer.ts';
import { EXIT_NOT_BEGUN } from './notBegun.ts';
import { RunFile } from './runFile.ts';

const NARROW_KEY = 'key-that-may-only-search';

let folder: string;
let sandbox: Sandbox;
const servers: Server[] = [];
const { signal } = new AbortController();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'not-begun-'));
  sandbox = await startSandbox({ version: '29.0', apiKey: ADMIN_KEY, port: 0, sampleData: false });
  const key = { description: 'narrow', actions: ['documents:search'], collections: ['*'], value: NARROW_KEY };
  await admin(sandbox, 'POST', '/keys', JSON.stringify(key));
});
afterAll(async () => {
  for (const server of servers) server.close();
  await sandbox.close();
  await rm(folder, { recursive: true });
});

/** The port of a server that answers everything in one way. */
async function listen(server: Server): Promise<string> {
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const answering = (status: number, type: string, body: string): RequestListener => {
  return (_request, response) => void response.writeHead(status, { 'content-type': type }).end(body);
};
const json = (status: number, body: string): Promise<string> => listen(createServer(answering(status, 'application/json', body)));

async function free(): Promise<string> {
  const server = createServer();
  const address = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return address;
}

interface Case {
  readonly url: () => Promise<string> | string;
  readonly key?: string;
  readonly says: string | RegExp;
}

const cases: Readonly<Record<string, Case>> = {
  'a wrong key': { url: () => sandbox.url, key: 'wrong', says: /^The server rejects the key; put a key / },
  'a key that may only search': { url: () => sandbox.url, key: NARROW_KEY, says: /^The key may not do everything; use one / },
  'a web server': {
    url: async () => `http://${await listen(createServer(answering(200, 'text/html', '<html><h1>Hello</h1></html>')))}`,
    says: /^A web server answered GET \/collections with 200, not a search server; check the host and port/,
  },
  'another kind of server': {
    url: async () => `http://${await json(404, '{"error":"no such route"}')}`,
    says: /^Another kind of server answers, .*; check the host and port of --url\.$/,
  },
  'a server that is starting': {
    url: async () => `http://${await json(503, '{"message": "Not Ready or Lagging"}')}`,
    says: /^The server is starting, .*; wait a few seconds and try again\.$/,
  },
  'nothing that listens': {
    url: async () => `http://${await free()}`,
    says: /^Nothing is listening at this address; check the host and port/,
  },
  'https where the server has http': {
    url: () => sandbox.url.replace('http:', 'https:'),
    says: 'The server answers http and not https; begin --url with http://.',
  },
  'http where the server has https': {
    url: async () => `http://${await secure()}`,
    says: 'The server answers https and not http; begin --url with https://.',
  },
  'a certificate of an unknown authority': {
    url: async () => `https://${await secure()}`,
    says: /^The certificate of the server isn’t trusted; name its authority in NODE_EXTRA_CA_CERTS\.$/,
  },
};

function secure(): Promise<string> {
  const certificate = new TestCertificates(folder).issue('server', 'IP:127.0.0.1');
  return listen(createTlsServer(certificate, answering(200, 'application/json', '[]')));
}

describe('npm run test:server without a server to check', () => {
  it.each(Object.entries(cases))(
    '%s ends in one sentence before anything is created',
    async (_name, { url, key = ADMIN_KEY, says }) => {
      const before = await admin(sandbox, 'GET', '/keys');
      const address = await url();
      const file = join(folder, 'runs.json');
      const check = checkServer({ url: address, key, runFile: new RunFile(file), signal, short: true, kit: false });
      const message = await check.then(
        () => 'It began.',
        (error: unknown) => (error instanceof Error ? `${error.name}: ${error.message}` : 'no error'),
      );
      expect(message).toMatch(/^CheckNotBegun: /);
      expect(message.replace('CheckNotBegun: ', '')).toMatch(says);
      for (const secret of [key, new URL(address).host]) expect(message).not.toContain(secret);
      await expect(readFile(file)).rejects.toMatchObject({ code: 'ENOENT' });
      expect(await admin(sandbox, 'GET', '/keys')).toBe(before);
    },
  );

  it('has an exit code of its own, and a report instead of the one of an earlier run', async () => {
    const program = join(root, 'tests/server/testServer.ts');
    const file = join(folder, 'report.md');
    await writeFile(file, 'all passed');
    const parameters = ['--url', sandbox.url, '--api-key-env', 'CHECKED_KEY', '--short', '--report', file];
    const child = spawn(process.execPath, ['--conditions=tabularium:source', program, ...parameters], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, CHECKED_KEY: 'wrong-key-of-the-check' },
    });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    expect([code, said.trimEnd()]).toEqual([EXIT_NOT_BEGUN, expect.stringMatching(/^The server rejects the key; [^\n]+$/)]);
    const report = await readFile(file, 'utf8');
    expect(report).toMatch(/^# The check did not begin\n\nThe server rejects the key; /);
    for (const secret of ['wrong-key-of-the-check', new URL(sandbox.url).host]) expect(said + report).not.toContain(secret);
  });
});
