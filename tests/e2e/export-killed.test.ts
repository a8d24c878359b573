import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { root } from '../../scripts/paths.ts';
import { startApplication } from './application.ts';
import type { Application } from './application.ts';

// A host that is killed while it writes an export: the next start deletes the unfinished file, and no file of another program.

let application: Application;
let proxy: Server;

beforeAll(async () => {
  application = await startApplication({ products: 20 });
  const { port, apiKey } = application.sandbox;
  proxy = createServer((request, response) => {
    void (async () => {
      if (request.url?.includes('/documents/export') === true) {
        // The rest never comes.
        response.writeHead(200).write(`${JSON.stringify({ id: '1', name: 'x'.repeat(100_000) })}\n`);
        return;
      }
      const chunks: Buffer[] = [];
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
      const answer = await fetch(`http://127.0.0.1:${port}${request.url ?? '/'}`, {
        method: request.method ?? 'GET',
        headers: { 'x-typesense-api-key': apiKey, 'content-type': 'application/json' },
        ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks).toString() }),
      });
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(Buffer.from(await answer.arrayBuffer()));
    })();
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  await application.command('drivers', 'install', 'search');
  await application.command(
    ...['connections', 'add', '--driver', 'search', '--name', 'Slow', '--api-key-env', 'E2E_API_KEY'],
    ...['--set', 'host=127.0.0.1', '--set', `port=${(proxy.address() as AddressInfo).port}`, '--set', 'sslMode=disabled'],
  );
});
afterAll(async () => {
  proxy?.closeAllConnections();
  proxy?.close();
  await application?.[Symbol.asyncDispose]();
});

it('leaves a .part file, which the next start deletes, and no other', async () => {
  const { home, files: folder } = application;
  const [ours, theirs] = ['killed.jsonl.part', 'other.jsonl.part'];
  await writeFile(join(folder, theirs), 'of another program');
  const run = (...words: string[]): Promise<unknown[]> =>
    once(
      spawn(process.execPath, [join(root, 'host/bin/tabularium.mjs'), ...words], {
        env: { ...process.env, TABULARIUM_HOME: home },
        stdio: 'ignore',
      }),
      'exit',
    );
  const ended = run('export', 'Slow', 'products', '--format', 'jsonl', '--output', join(folder, 'killed.jsonl'));
  await expect.poll(() => readdir(folder)).toContain(ours);
  const { pid } = z.looseObject({ pid: z.number() }).parse(JSON.parse(await readFile(join(home, 'host.json'), 'utf8')));
  process.kill(pid, 'SIGKILL');
  expect((await ended)[0]).not.toBe(0);
  expect(await readdir(folder)).toContain(ours);
  // A command is a start of its own where no host runs.
  expect((await run('connections', 'list'))[0]).toBe(0);
  const left = await readdir(folder);
  expect(left).not.toContain(ours);
  expect(left).not.toContain('killed.jsonl');
  expect(await readFile(join(folder, theirs), 'utf8')).toBe('of another program');
});
