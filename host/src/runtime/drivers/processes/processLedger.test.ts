import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CrashBudget } from './crashBudget.ts';
import { ProcessLedger } from './processLedger.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tabularium-ledger-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('the list of driver processes', () => {
  it('ends what it names, and leaves alone what has taken over a number', async () => {
    const file = join(folder, 'list.json');
    const runner = join(folder, 'runner.mjs');
    const other = join(folder, 'other.mjs');
    await Promise.all([runner, other].map((path) => writeFile(path, 'process.stdout.write("up"); setInterval(() => {}, 1000);')));
    const start = (...words: string[]): ReturnType<typeof spawn> =>
      spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'ignore'] });
    const left = start('--permission', runner);
    const strangers = [start('--permission', other), start(runner)];
    const all = [left, ...strangers];
    await Promise.all(all.map(async ({ stdout }) => stdout && once(stdout, 'data')));
    await writeFile(file, JSON.stringify({ version: 1, processes: all.map(({ pid }) => ({ pid, runner })) }));
    const gone = once(left, 'exit');
    expect(await new ProcessLedger(file).sweep()).toEqual([left.pid]);
    expect(await gone).toEqual([null, 'SIGKILL']);
    expect(strangers.map(({ exitCode, signalCode }) => [exitCode, signalCode])).toEqual([
      [null, null],
      [null, null],
    ]);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ version: 1, processes: [] });
    for (const stranger of strangers) stranger.kill('SIGKILL');
  });

  it('names what runs, in a file for its owner alone, and survives a broken file', async () => {
    const file = join(folder, 'deep', 'list.json');
    const ledger = new ProcessLedger(file);
    expect(await ledger.sweep()).toEqual([]);
    await Promise.all([ledger.add(1_000_001, '/r'), ledger.add(1_000_002, '/r')]);
    await ledger.remove(1_000_001);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ version: 1, processes: [{ pid: 1_000_002, runner: '/r' }] });
    await writeFile(file, '{"version":1,"proc');
    expect(await new ProcessLedger(file).sweep()).toEqual([]);
  });
});

describe('the budget for crashes', () => {
  it('counts each driver version by itself, and forgets', () => {
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
