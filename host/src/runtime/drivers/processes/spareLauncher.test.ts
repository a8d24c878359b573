import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { driverSource, ProcessBench } from './processes.test-helper.ts';

const signal = new AbortController().signal;

let bench: ProcessBench;
beforeAll(async () => {
  bench = await ProcessBench.open();
});
afterAll(() => bench.close());

/** Launchers among the children of this process that wait for a plan. */
function waiting(): readonly string[] {
  const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
  return children.filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'latin1').endsWith('driver-launcher.cjs\0');
    } catch {
      return false;
    }
  });
}

describe('a spare process', () => {
  it('becomes the next driver, keeps its number, and is followed by another one', async () => {
    const processes = await bench.processes({ limits: { spareIdle: 60_000 } });
    await processes.warm();
    await expect.poll(waiting).toHaveLength(1);
    const [spare] = waiting();
    const driver = await bench.driver(driverSource('async countRows() { return { rows: process.pid, exact: true }; },'));
    const session = await processes.connect({ driver, settings: {}, files: {}, signal });
    expect(readFileSync(`/proc/${spare}/cmdline`, 'latin1')).toContain(`${driver.folder}/index.js`);
    await session.close();
    await expect.poll(waiting).toHaveLength(1);
    expect(waiting()).not.toContain(spare);
    await processes.close();
    await expect.poll(waiting).toEqual([]);
  });

  it('that ended is replaced by a new one', async () => {
    const processes = await bench.processes({ limits: { spareIdle: 60_000 } });
    await processes.warm();
    await expect.poll(waiting).toHaveLength(1);
    process.kill(Number(waiting()[0]), 'SIGKILL');
    const session = await processes.connect({ driver: await bench.driver(driverSource()), settings: {}, files: {}, signal });
    await session.ping({ signal });
    await processes.close();
  });

  it('ends when it is not needed for long', async () => {
    const processes = await bench.processes({ limits: { spareIdle: 300 } });
    await processes.warm();
    await expect.poll(waiting).toEqual([]);
    await processes.close();
  });

  it('is not there where the kernel does not confine drivers, and what an administrator requires is asked', async () => {
    const processes = await bench.processes({
      walls: { kernel: false },
      onUnwalled: (reason) => Promise.reject(new Error(`required: ${reason}`)),
    });
    await processes.warm();
    expect(waiting()).toEqual([]);
    const driver = await bench.driver(driverSource());
    await expect(processes.connect({ driver, settings: {}, files: {}, signal })).rejects.toThrow(
      'required: The kernel sandbox is switched off.',
    );
    await processes.close();
  });
});
