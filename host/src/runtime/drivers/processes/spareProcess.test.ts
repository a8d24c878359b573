import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { englishOf } from '../../../common/hostSentences.ts';
import type { DriverProcesses, DriverProcessesOptions, RemoteSession } from './driverProcesses.ts';
import { driverSource, ProcessBench, testManifest } from './processes.test-helper.ts';

const signal = new AbortController().signal;

let bench: ProcessBench;
const opened: DriverProcesses[] = [];
beforeAll(async () => {
  bench = await ProcessBench.open();
});
afterAll(() => bench.close());
// One test that fails must not leave processes for the next one to count.
afterEach(async () => {
  await Promise.all(opened.splice(0).map((processes) => processes.close()));
});

async function open(options: Partial<DriverProcessesOptions>): Promise<DriverProcesses> {
  const processes = await bench.processes(options);
  opened.push(processes);
  return processes;
}

/** Children of this process that started as a spare one does, by the end of their command line. */
function children(end: string): readonly number[] {
  const pids = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
  return pids.map(Number).filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'latin1').endsWith(`${end}\0`);
    } catch {
      return false;
    }
  });
}
/** Confined processes, with and without a driver. */
const confined = (): readonly number[] => [...children('--delivered'), ...children('--rehearsed')];
/** Launchers that wait for a plan. */
const launchers = (): readonly number[] => children('driver-launcher.cjs');

const withPid = driverSource('async countRows() { return { rows: process.pid, exact: true }; },');
const readsFiles = `import 'node:fs';\n${withPid}`;

async function pidOf(session: RemoteSession): Promise<number> {
  const table = { namespace: [], name: 'x' };
  return (await session.countRows({ table, filter: { match: 'all', conditions: [] } }, { signal })).rows;
}

describe('a spare process', () => {
  it('becomes the next driver, keeps its number, takes no second driver, and is followed by another one', async () => {
    const processes = await open({ limits: { spareIdle: 60_000 } });
    await processes.warm();
    await expect.poll(confined).toHaveLength(1);
    const [spare] = confined();
    const session = await processes.connect({ driver: await bench.driver(withPid), settings: {}, files: {}, signal });
    expect(await pidOf(session)).toBe(spare);
    const second = await processes.connect({
      driver: await bench.driver(withPid, testManifest(), '2.0.0'),
      settings: {},
      files: {},
      signal,
    });
    expect(await pidOf(second)).not.toBe(spare);
    await expect.poll(confined).toHaveLength(3);
    await processes.close();
    await expect.poll(confined).toEqual([]);
  });

  it('of another kind waits for a driver whose process reads its folder', async () => {
    const processes = await open({ limits: { spareIdle: 60_000 } });
    const session = await processes.connect({ driver: await bench.driver(readsFiles), settings: {}, files: {}, signal });
    await expect.poll(launchers).toHaveLength(1);
    const [spare] = launchers();
    const driver = await bench.driver(readsFiles, testManifest(), '2.0.0');
    const second = await processes.connect({ driver, settings: {}, files: {}, signal });
    expect(await pidOf(second)).toBe(spare);
    expect(readFileSync(`/proc/${spare}/cmdline`, 'latin1')).toContain(`${driver.folder}/index.js`);
    await session.close();
    await processes.close();
    await expect.poll(launchers).toEqual([]);
  });

  it.each(['SIGKILL', 'SIGSTOP'] as const)('that got %s is replaced by a new one', async (deadly) => {
    const processes = await open({ limits: { spareIdle: 60_000, ...(deadly === 'SIGSTOP' ? { ready: 15_000 } : {}) } });
    await processes.warm();
    await expect.poll(confined).toHaveLength(1);
    const [spare = 0] = confined();
    process.kill(spare, deadly);
    const session = await processes.connect({ driver: await bench.driver(withPid), settings: {}, files: {}, signal });
    expect(await pidOf(session)).not.toBe(spare);
    await expect.poll(confined).not.toContain(spare);
    await processes.close();
  });

  it('is in the list of processes that the host after a killed one ends', async () => {
    const pidFile = join(bench.folder, 'spare-pidFile', 'driver-processes.json');
    const processes = await open({ limits: { spareIdle: 60_000 }, pidFile });
    await processes.warm();
    await expect.poll(confined).toHaveLength(1);
    await expect.poll(() => readFile(pidFile, 'utf8').catch(() => '')).toContain(`"pid":${confined()[0]},`);
    const [pid] = confined();
    await processes.close();
    expect(await readFile(pidFile, 'utf8')).not.toContain(`"pid":${pid},`);
  });

  it('is ended where it outgrows its memory', async () => {
    const processes = await open({ limits: { spareIdle: 60_000, residentBytes: 20 * 1024 * 1024 } });
    await processes.warm();
    // A launcher that is on its way to be one.
    expect([...confined(), ...launchers()]).toHaveLength(1);
    await expect.poll(() => [...confined(), ...launchers()]).toEqual([]);
    await processes.close();
  });

  it('ends when it is not needed for long', async () => {
    const processes = await open({ limits: { spareIdle: 300 } });
    await processes.warm();
    // A launcher that is on its way to be one.
    expect([...confined(), ...launchers()]).toHaveLength(1);
    await expect.poll(() => [...confined(), ...launchers()]).toEqual([]);
    await processes.close();
  });

  it('is not there where the kernel does not confine drivers, and what an administrator requires is asked', async () => {
    const processes = await open({
      walls: { kernel: false },
      onUnwalled: (reason) => Promise.reject(new Error(`required: ${englishOf(reason)}`)),
    });
    await processes.warm();
    expect([...confined(), ...launchers()]).toEqual([]);
    const driver = await bench.driver(driverSource());
    await expect(processes.connect({ driver, settings: {}, files: {}, signal })).rejects.toThrow(
      'required: The kernel sandbox is turned off.',
    );
    await processes.close();
  });
});
