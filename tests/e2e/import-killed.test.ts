import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { root } from '../../scripts/paths.ts';
import { startApplication } from './application.ts';
import type { Application } from './application.ts';

// A host that is killed in the middle of an import: the next one continues it, without doubles and without losses.

const ROWS = 100_000;

let application: Application;

beforeAll(async () => {
  application = await startApplication({ products: 20 });
  await application.registry.publish(join(root, 'drivers/sqlite'));
  await application.command('drivers', 'install', 'sqlite').catch(() => undefined);
  await application.command('drivers', 'allow', 'sqlite', 'sqlite');
  await application.command('drivers', 'install', 'sqlite');
});
afterAll(async () => {
  await application?.[Symbol.asyncDispose]();
});

it('is resumed by the next host, with each row once', async () => {
  const { home, files } = application;
  const target = join(files, 'target.db');
  const count = (): number => {
    const database = new DatabaseSync(target, { readOnly: true });
    try {
      return Number(database.prepare('SELECT count(*) AS rows FROM killed').get()?.['rows']);
    } finally {
      database.close();
    }
  };
  const made = new DatabaseSync(target);
  made.exec('PRAGMA journal_mode = WAL; CREATE TABLE killed (id TEXT NOT NULL PRIMARY KEY, n INTEGER)');
  made.close();
  await application.command('connections', 'add', '--driver', 'sqlite', '--name', 'Killed', '--set', `file=${target}`);
  const file = join(files, 'rows.jsonl');
  await writeFile(file, Array.from({ length: ROWS }, (_, index) => `{"id":"${index}","n":${index}}`).join('\n'));
  const run = (...words: string[]): Promise<unknown[]> =>
    once(
      spawn(process.execPath, [join(root, 'host/bin/tabularium.mjs'), ...words], {
        env: { ...process.env, TABULARIUM_HOME: home },
        stdio: 'ignore',
      }),
      'exit',
    );
  const ended = run('import', 'Killed', 'killed', '--file', file);
  await expect.poll(count, { interval: 20 }).toBeGreaterThan(0);
  const { pid } = z.looseObject({ pid: z.number() }).parse(JSON.parse(await readFile(join(home, 'host.json'), 'utf8')));
  process.kill(pid, 'SIGKILL');
  expect((await ended)[0]).not.toBe(0);
  const before = count();
  expect(before).toBeLessThan(ROWS);
  expect((await run('import', 'Killed', 'killed', '--file', file, '--resume'))[0]).toBe(0);
  expect(count()).toBe(ROWS);
  // The outcomes too: no row that the killed host wrote counts as rejected.
  const database = new DatabaseSync(join(home, 'tabularium.db'), { readOnly: true });
  const record: unknown = JSON.parse(String(database.prepare('SELECT record FROM imports').get()?.['record']));
  database.close();
  expect(record).toMatchObject({ info: { state: 'done', read: ROWS, written: ROWS, rejected: 0 } });
});
