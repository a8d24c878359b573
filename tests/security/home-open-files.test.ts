import { spawn, spawnSync } from 'node:child_process';
import type { SpawnSyncReturns } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { root } from '../../scripts/paths.ts';

// The limit for open files, at the start and while a host runs. The built program itself: the launcher and the build need descriptors too.

const PROGRAM = join(root, 'host/dist/main.js');
/** Below this Node cannot load the program. */
const NODE_NEEDS = 22;
const ENOUGH = 33;

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tabularium-open-files-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const limited = (limit: number, ...args: string[]): [string, string[]] => [
  '/bin/sh',
  ['-c', `ulimit -n ${limit}; exec "$@"`, 'sh', process.execPath, '--disable-sigusr1', PROGRAM, ...args],
];
const environment = (): NodeJS.ProcessEnv => ({ ...process.env, TABULARIUM_HOME: home });

function list(limit: number): SpawnSyncReturns<string> {
  const [file, args] = limited(limit, 'connections', 'list', '--json');
  return spawnSync(file, args, { env: environment(), encoding: 'utf8' });
}

it('a command works, or reports the limit, at every limit', { timeout: 240_000 }, () => {
  expect(JSON.parse(list(1_024).stdout)).toEqual({ connections: [] });
  const answers = Array.from({ length: ENOUGH - NODE_NEEDS + 1 }, (_, place) => {
    const limit = NODE_NEEDS + place;
    const { status, stdout, stderr } = list(limit);
    if (status === 0) return 'works';
    const answer = z.object({ error: z.object({ code: z.string() }) }).safeParse(JSON.parse(stdout === '' ? '{}' : stdout));
    return answer.success ? answer.data.error.code : `${limit}: ${status} ${stderr.slice(0, 200)}`;
  });
  expect(answers[0]).toBe('TOO_MANY_FILES');
  expect(answers.at(-1)).toBe('works');
  expect([...new Set(answers)].toSorted()).toEqual(['TOO_MANY_FILES', 'works']);
});

it('a host that runs out of files keeps running, and answers when there are some again', { timeout: 120_000 }, async () => {
  const [file, args] = limited(48, 'serve');
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
    await expect.poll(() => list(1_024).stdout, { timeout: 30_000 }).toBe('{"connections":[]}\n');
    expect(host.exitCode).toBeNull();
  } finally {
    for (const socket of sockets) socket.destroy();
    host.kill();
    await once(host, 'close');
  }
});
