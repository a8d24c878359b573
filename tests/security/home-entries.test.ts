import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { HostError } from '../../host/src/common/errors.ts';
import { openHome } from '../../host/src/runtime/storage/home.ts';
import { HOME_FILES, HOME_FOLDERS } from '../../host/src/runtime/storage/homeEntries.ts';
import { root } from '../../scripts/paths.ts';

// Each entry of the data directory in each wrong kind: never a wait without an end, never an error without the path and what to do.

const KINDS: Readonly<Record<string, (path: string) => void>> = {
  'a folder': (path) => mkdirSync(path),
  'a file': (path) => writeFileSync(path, 'something else'),
  'a symbolic link that leads nowhere': (path) => symlinkSync('/nonexistent/target', path),
  'a symbolic link to itself': (path) => symlinkSync(path, path),
  'a named pipe': (path) => void execFileSync('mkfifo', [path]),
};
/** Seconds; a command takes one on a busy machine. */
const PATIENCE = 30;

let folder: string;
let next = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tabularium-entries-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function homeWith(entry: string, kind: string): { readonly home: string; readonly path: string } {
  const home = join(folder, String((next += 1)));
  const path = join(home, entry);
  mkdirSync(home, { mode: 0o700 });
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  KINDS[kind]?.(path);
  return { home, path };
}

const wrong = [
  ...HOME_FILES.flatMap((entry) => Object.keys(KINDS).map((kind) => [entry, kind] as const)),
  ...HOME_FOLDERS.flatMap((entry) => Object.keys(KINDS).map((kind) => [entry, kind] as const)),
  ['host.sock', 'a folder'] as const,
  ['logs/host.log', 'a named pipe'] as const,
  ['cache/catalogue.json', 'a named pipe'] as const,
  ['trust/registry.json', 'a named pipe'] as const,
].filter(([entry, kind]) => kind !== ((HOME_FOLDERS as readonly string[]).includes(entry) ? 'a folder' : 'a file'));

it.each(wrong)('%s as %s is refused with its path, what it is and what to do', async (entry, kind) => {
  const { home, path } = homeWith(entry, kind);
  const error = await openHome(home).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(HostError);
  const { code, message, advice } = error as HostError;
  expect(code).toBe('HOME_UNUSABLE');
  expect(message).toContain(path);
  expect(message).toMatch(/ is (a folder|a file|a named pipe|a symbolic link)/);
  expect(advice).toMatch(/Move it elsewhere/);
});

it('a command answers in JSON whatever the database, the lock and the socket are, and does not wait', () => {
  const entries = ['tabularium.db', 'tabularium.db-wal', 'host.lock', 'host.sock', 'mcp-handshake.json'];
  for (const [entry, kind] of entries.flatMap((each) => ['a folder', 'a named pipe'].map((kind) => [each, kind] as const))) {
    const { home, path } = homeWith(entry, kind);
    const { stdout, stderr, signal } = spawnSync(
      process.execPath,
      [join(root, 'host/dist/main.js'), 'connections', 'list', '--json'],
      { env: { ...process.env, TABULARIUM_HOME: home }, encoding: 'utf8', timeout: PATIENCE * 1_000 },
    );
    expect([entry, kind, signal, stderr]).toEqual([entry, kind, null, '']);
    // An entry that is removed before a host listens doesn't matter to a command.
    if (entry === 'host.sock' && kind === 'a named pipe') expect(JSON.parse(stdout)).toEqual({ connections: [] });
    else {
      const { error } = JSON.parse(stdout) as { error: { code: string; message: string; advice: string } };
      expect(['HOME_UNUSABLE', 'DATABASE_FOREIGN']).toContain(error.code);
      expect(error.message).toContain(path);
      expect(error.advice).toMatch(/[Mm]ove /);
    }
  }
});
