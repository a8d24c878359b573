import { mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApplication } from '../e2e/application.ts';
import type { Application } from '../e2e/application.ts';

// Every command that writes a file whose place its caller chooses, aimed at the data directory of the running host.

let application: Application | undefined;
let home: string;

beforeAll(async () => {
  application = await startApplication({ products: 20 });
  ({ home } = application);
  const { port } = application.sandbox;
  await application.command(
    ...['connections', 'add', '--driver', 'search', '--name', 'Cluster', '--host', '127.0.0.1'],
    ...['--port', String(port), '--ssl-mode', 'Disabled', '--api-key-env', 'E2E_API_KEY'],
  );
  await application.command('tables', 'Cluster');
  await symlink(home, join(application.files, 'linked'));
  await mkdir(join(application.files, 'folder'));
});
afterAll(() => application?.[Symbol.asyncDispose]());

/** The places to write to, as a caller names them. */
const places: readonly [string, (name: string) => string][] = [
  ['the database', () => join(home, 'tabularium.db')],
  ['a new file', (name) => join(home, name)],
  ['a file of a driver', (name) => join(home, 'drivers', name)],
  ['a backup', (name) => join(home, 'backups', name)],
  ['through a link', (name) => join(application?.files ?? '', 'linked', name)],
];
const writers: readonly [string, string, (file: string) => string[]][] = [
  ['export', 'rows.jsonl', (file) => ['export', 'Cluster', 'products', '--format', 'jsonl', '--output', file, '--overwrite']],
  ['connections export', 'restore.json', (file) => ['connections', 'export', '--file', file, '--overwrite']],
  ['drivers bundle', 'search.tgz', (file) => ['drivers', 'bundle', 'search', file]],
  ['backup', 'copy.db', (file) => ['backup', '--output', file, '--overwrite']],
];

/** The files of the data directory that only the host may change. */
async function held(): Promise<readonly string[]> {
  const names = await readdir(home, { recursive: true });
  return names.filter((name) => !/^(logs|cache)\b|\.db-(wal|shm|journal)$/.test(name)).toSorted();
}

describe.each(writers)('%s', (_, name, words) => {
  it.each(places)('is refused in the data directory: %s', async (_place, placeOf) => {
    if (application === undefined) throw new Error('The application did not start.');
    const before = await held();
    await expect(application.command(...words(placeOf(name)))).rejects.toThrow(/data directory/);
    expect(await held()).toEqual(before);
    expect((await readFile(join(home, 'tabularium.db'))).subarray(0, 15).toString()).toBe('SQLite format 3');
  });

  it('writes elsewhere', async () => {
    const file = join(application?.files ?? '', 'folder', name);
    await application?.command(...words(file));
    expect((await readFile(file)).length).toBeGreaterThan(0);
  });
});
