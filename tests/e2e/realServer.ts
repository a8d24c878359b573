import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startSandbox } from '@tabularium/sandbox';
import type { SandboxOptions } from '@tabularium/sandbox';

/**
 * Names a program that starts a real search server, to run these tests by hand against it instead of the sample server. It is called with a port,
 * a data directory and a key, and ends on SIGTERM.
 */
const PROGRAM = process.env['TABULARIUM_E2E_SERVER'];
/** The version of that program's server, as the sample server has it. */
const VERSION = process.env['TABULARIUM_E2E_SERVER_VERSION'] ?? '29.0';

const START_MILLISECONDS = 30_000;

export interface RealServer extends AsyncDisposable {
  readonly port: number;
  close(): Promise<void>;
}

/** A real server with the sample data; undefined where none is named. */
export async function startRealServer(options: Pick<SandboxOptions, 'apiKey' | 'sampleData'>): Promise<RealServer | undefined> {
  if (PROGRAM === undefined) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'tabularium-server-'));
  const port = await freePort();
  const child = spawn(PROGRAM, [String(port), folder, options.apiKey], { stdio: 'ignore' });
  const close = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL')) await once(child, 'exit');
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    await copySample(`http://127.0.0.1:${port}`, options);
  } catch (error) {
    await close();
    throw error;
  }
  return { port, close, [Symbol.asyncDispose]: close };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

type Ask = (method: string, path: string, body?: string) => Promise<string>;

/** Everything that the sample server has, written to another one. */
async function copySample(url: string, options: Pick<SandboxOptions, 'apiKey' | 'sampleData'>): Promise<void> {
  const version = VERSION === '30.0' ? '30.0' : '29.0';
  await using sample = await startSandbox({ ...options, version });
  const askOf =
    (origin: string): Ask =>
    async (method, path, body) => {
      const headers = { 'x-typesense-api-key': options.apiKey };
      const response = await fetch(`${origin}${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return text;
    };
  const from = askOf(sample.url);
  const to = askOf(url);
  await answers(to);
  const listed = async (path: string): Promise<Record<string, unknown>[]> =>
    JSON.parse(await from('GET', path)) as Record<string, unknown>[];
  if (version === '30.0') {
    for (const kind of ['synonym_sets', 'curation_sets'])
      for (const set of await listed(`/${kind}`))
        await to('PUT', `/${kind}/${String(set['name'])}`, JSON.stringify({ items: set['items'] }));
  }
  for (const { num_documents: _count, created_at: _made, ...schema } of await listed('/collections')) {
    const name = encodeURIComponent(String(schema['name']));
    await to('POST', '/collections', JSON.stringify(schema));
    const documents = await from('GET', `/collections/${name}/documents/export`);
    await to('POST', `/collections/${name}/documents/import?action=create`, documents);
    if (version === '30.0') continue;
    for (const kind of ['synonyms', 'overrides']) {
      const members = JSON.parse(await from('GET', `/collections/${name}/${kind}`)) as Record<string, { id: string }[]>;
      for (const { id, ...rule } of members[kind] ?? [])
        await to('PUT', `/collections/${name}/${kind}/${encodeURIComponent(id)}`, JSON.stringify(rule));
    }
  }
  const { aliases } = JSON.parse(await from('GET', '/aliases')) as { aliases: { name: string; collection_name: string }[] };
  for (const { name, collection_name } of aliases) await to('PUT', `/aliases/${name}`, JSON.stringify({ collection_name }));
}

async function answers(ask: Ask): Promise<void> {
  const end = Date.now() + START_MILLISECONDS;
  for (;;) {
    const isReady = await ask('GET', '/health').then(
      (text) => text.includes('true'),
      () => false,
    );
    if (isReady) return;
    if (Date.now() > end) throw new Error('The search server didn’t start.');
    await delay(200);
  }
}
