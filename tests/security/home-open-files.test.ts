import { spawn, spawnSync } from 'node:child_process';
import type { SpawnSyncReturns } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { HOST_ERRORS } from '../../host/src/common/errors.ts';
import { MIGRATIONS } from '../../host/src/runtime/storage/migrations.ts';
import { Database } from '../../host/src/runtime/storage/database.ts';
import { root } from '../../scripts/paths.ts';

// The limit for open files, at the start and while a host runs. The built program itself: the launcher and the build need descriptors too.

const PROGRAM = join(root, 'host/dist/main.js');
/** More than any machine needs between Node's own needs and those of a command; a search beyond it would mean that nothing ever works. */
const WIDEST = 80;
/** Limits above the first one that works, at which a command has to work too. */
const ABOVE = 1;

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tabularium-open-files-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const underLimit = (limit: number, ...args: string[]): [string, string[]] => [
  '/bin/sh',
  ['-c', `ulimit -n ${limit}; exec "$@"`, 'sh', process.execPath, '--disable-sigusr1', ...args],
];
const environment = (): NodeJS.ProcessEnv => ({ ...process.env, TABULARIUM_HOME: home });

function run(limit: number, ...words: string[]): SpawnSyncReturns<string> {
  const [file, args] = underLimit(limit, PROGRAM, ...words);
  return spawnSync(file, args, { env: environment(), encoding: 'utf8' });
}

const errorSchema = z.object({ error: z.object({ code: z.string(), message: z.string(), advice: z.string() }) });

/** The code of the error that a command answered with `--json`; "works" for any other answer in JSON; else all that it wrote. */
function outcome({ status, stdout, stderr }: SpawnSyncReturns<string>): string {
  try {
    const answer: unknown = JSON.parse(stdout);
    const failed = errorSchema.safeParse(answer);
    if (failed.success) return failed.data.error.code;
    if (status === 0) return 'works';
  } catch {
    // Reported below.
  }
  return `${status} ${stdout.slice(0, 500)} ${stderr.slice(0, 1_000)}`;
}

/** The lowest limit at which Node runs a module that does nothing. It differs between machines: a process inherits descriptors. */
function needsOfNode(): number {
  const folder = mkdtempSync(join(tmpdir(), 'tabularium-empty-'));
  try {
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(join(folder, 'empty.js'), 'export {};');
    for (let limit = 8; limit < 8 + WIDEST; limit += 1) {
      const [file, args] = underLimit(limit, join(folder, 'empty.js'));
      if (spawnSync(file, args).status === 0) return limit;
    }
    throw new Error('Node runs at none of the limits.');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const HOMES: Readonly<Record<string, (folder: string) => void>> = {
  new: () => undefined,
  'of an earlier version': (folder) => openDatabase(folder, MIGRATIONS.slice(0, -1)),
};
const COMMANDS = [['connections', 'list'], ['drivers', 'list'], ['tokens', 'list'], ['backup'], ['tables', 'Nowhere']];

function openDatabase(folder: string, migrations: typeof MIGRATIONS): void {
  new Database(join(folder, 'tabularium.db'), migrations)[Symbol.dispose]();
}

describe('at every limit from where Node runs at all', () => {
  let first: number;
  beforeAll(() => {
    first = needsOfNode();
  });

  describe.each(Object.keys(HOMES))('in a data directory that is %s', (kind) => {
    // Not each command in each directory: what differs between directories happens before the command.
    const commands = kind === 'new' ? COMMANDS : COMMANDS.slice(0, 1);
    it.each(commands.map((words) => [words.join(' '), words] as const))('"%s" answers TOO_MANY_FILES, then works', (_, given) => {
      const words = [...given, '--json'];
      const at = (limit: number): string => {
        rmSync(home, { recursive: true, force: true });
        mkdirSync(home, { mode: 0o700 });
        HOMES[kind]?.(home);
        return outcome(run(limit, ...words));
      };
      const working = at(1_024);
      expect(['works', 'CONNECTION_UNKNOWN']).toContain(working);
      let limit = first;
      while (limit < first + WIDEST) {
        const answer = at(limit);
        if (answer === working) break;
        expect(answer, `at ${limit}`).toBe('TOO_MANY_FILES');
        limit += 1;
      }
      // Otherwise nothing was tried.
      expect(limit).toBeGreaterThan(first);
      for (let above = limit; above <= limit + ABOVE; above += 1) expect(at(above), `at ${above}`).toBe(working);
    });
  });

  it('the answer without --json is two sentences, without a stack', () => {
    const { status, stdout, stderr } = run(first, 'connections', 'list');
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toBe(`${HOST_ERRORS.TOO_MANY_FILES.sentence}\n${HOST_ERRORS.TOO_MANY_FILES.advice}\n`);
  });
});

it('a host that runs out of files keeps running, and answers when there are some again', async () => {
  const [file, args] = underLimit(48, PROGRAM, 'serve');
  const host = spawn(file, args, { env: environment(), stdio: ['ignore', 'pipe', 'pipe'] });
  const sockets: Socket[] = [];
  try {
    const [line] = (await once(createInterface(host.stdout), 'line')) as [string];
    const { ui } = z.looseObject({ ui: z.url() }).parse(JSON.parse(line));
    const port = Number(new URL(ui).port);
    for (let count = 0; count < 120; count += 1) {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      socket.write('GET / HTTP/1.1\r\n');
      sockets.push(socket);
    }
    await delay(1_000);
    for (const socket of sockets) socket.destroy();
    await expect.poll(() => run(1_024, 'connections', 'list', '--json').stdout).toBe('{"connections":[]}\n');
    expect(host.exitCode).toBeNull();
  } finally {
    for (const socket of sockets) socket.destroy();
    host.kill();
    await once(host, 'close');
  }
});
