import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CrashBudget } from './crashBudget.ts';
import { PidFile } from './pidFile.ts';
import { startOf } from './processTable.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tabularium-pidFile-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** A program that is up, and does nothing. */
async function program(first: string, ...flags: readonly string[]): Promise<ChildProcess> {
  const script = `${first}; process.stdout.write("up"); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, [...flags, '--eval', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  await once(child.stdout, 'data');
  return child;
}

function pidOf(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error('The program was not started.');
  return child.pid;
}

describe('the list of driver processes', () => {
  it('ends the processes it names, also one that has changed its name and command line', async () => {
    const file = join(folder, 'list.json');
    const hidden = await program('process.title = "systemd"; process.argv.length = 0;');
    const pidFile = new PidFile(file);
    await pidFile.add(pidOf(hidden));
    // Another host reads the list: the first was killed.
    const gone = once(hidden, 'exit');
    expect(await new PidFile(file).sweep()).toEqual([hidden.pid]);
    expect(await gone).toEqual([null, 'SIGKILL']);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ version: 2, processes: [] });
  });

  it('leaves alone a program that has taken over a number, whatever its command line says', async () => {
    const file = join(folder, 'reused.json');
    const stranger = await program('', '--permission');
    const started = await startOf(pidOf(stranger));
    expect(started).toEqual(await startOf(pidOf(stranger)));
    // The same number at another time: before, after, at another start of the machine.
    const [boot, ticks] = (started ?? '').split(' ');
    const others = [`${boot} ${Number(ticks) - 1}`, `${boot} ${Number(ticks) + 1}`, `00000000-${boot} ${ticks}`];
    for (const other of others) {
      await writeFile(file, JSON.stringify({ version: 2, processes: [{ pid: stranger.pid, started: other }] }));
      expect(await new PidFile(file).sweep()).toEqual([]);
    }
    // A list of the version before names no start: nothing is ended on its word.
    await writeFile(file, JSON.stringify({ version: 1, processes: [{ pid: stranger.pid, runner: process.execPath }] }));
    expect(await new PidFile(file).sweep()).toEqual([]);
    expect([stranger.exitCode, stranger.signalCode]).toEqual([null, null]);
    stranger.kill('SIGKILL');
  });

  it('distinguishes two processes by their start time', async () => {
    const first = await program('');
    await delay(20);
    const second = await program('');
    expect(await startOf(pidOf(first))).not.toBe(await startOf(pidOf(second)));
    expect(await startOf(2 ** 30)).toBeUndefined();
    for (const each of [first, second]) each.kill('SIGKILL');
  });

  it('names the running processes, in a file for its owner alone, and survives a broken file', async () => {
    const file = join(folder, 'deep', 'list.json');
    const pidFile = new PidFile(file);
    expect(await pidFile.sweep()).toEqual([]);
    const running = await Promise.all([program(''), program('')]);
    await Promise.all(running.map((each) => pidFile.add(pidOf(each))));
    const [first, second] = running.map(pidOf) as [number, number];
    await pidFile.remove(first);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      version: 2,
      processes: [{ pid: second, started: await startOf(second) }],
    });
    // One that ended before its start could be read is not listed.
    await Promise.all([pidFile.add(first), pidFile.remove(first)]);
    expect(await readFile(file, 'utf8')).not.toContain(`"pid":${first},`);
    await writeFile(file, '{"version":2,"proc');
    expect(await new PidFile(file).sweep()).toEqual([]);
    for (const each of running) each.kill('SIGKILL');
  });
});

describe('the budget for crashes', () => {
  it('counts crashes per driver version, and resets the count', () => {
    let now = 0;
    const budget = new CrashBudget({ count: 2, within: 60_000 }, () => now);
    budget.add('a@1');
    expect(budget.refusal('a@1')).toBeUndefined();
    now = 10_000;
    budget.add('a@1');
    expect(budget.refusal('a@1')).toMatch(/2 times in 1 minutes; it is started again in 50 s/);
    expect(budget.refusal('a@2')).toBeUndefined();
    now = 60_001;
    expect(budget.refusal('a@1')).toBeUndefined();
  });
});
