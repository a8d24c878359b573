import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NO_FILTER } from '@tabularium/sdk';
import type { RowCount } from '@tabularium/sdk';
import type { DriverProcesses, RemoteSession } from './driverProcesses.ts';
import { driverSource, ProcessBench, testManifest } from './processes.test-helper.ts';

const signal = new AbortController().signal;
const table = { namespace: [], name: 'notes' };
const manifest = testManifest({ blocking: true, permissions: {} });

/** Counting returns the process's number; a page never ends, and blocks; listing ends the process. */
const source = driverSource(`
  async countRows() { return { rows: process.pid, exact: true }; },
  async readPage() { for (;;); },
  async describeTable(table) {
    const until = Date.now() + 50;
    while (Date.now() < until);
    return { ref: table, kind: 'table', columns: [], key: [], paging: 'offset', readsFromEnd: false, notes: [String(process.pid)] };
  },
  async listTables() { process.exit(7); },
  console: {
    split: () => [],
    async classify() { return { effect: 'read', tables: [], summary: '' }; },
    async *run() {
      yield { type: 'text', mediaType: 'text/plain', text: String(process.pid) };
      await new Promise((resolve) => setTimeout(resolve, 5));
      for (;;);
    },
  },`);

let bench: ProcessBench;
let processes: DriverProcesses;

beforeAll(async () => {
  bench = await ProcessBench.open();
  processes = await bench.processes();
});
afterAll(() => bench.close());

async function connect(): Promise<RemoteSession> {
  return processes.connect({ driver: await bench.driver(source, manifest), settings: {}, files: {}, signal });
}
const count = (session: RemoteSession): Promise<RowCount> => session.countRows({ table, filter: NO_FILTER }, { signal });
const page = (session: RemoteSession, own: AbortSignal): Promise<unknown> =>
  session.readPage({ table, filter: NO_FILTER, sorts: [], position: { from: 'start' }, limit: 1 }, { signal: own });

describe('a connection whose driver blocks its process', () => {
  it('answers other calls while one runs, and is not lost when that one is cancelled', async () => {
    const session = await connect();
    let lost = false;
    session.onClosed(() => (lost = true));
    const first = (await count(session)).rows;
    const stuck = new AbortController();
    const reading = page(session, stuck.signal);
    const second = (await count(session)).rows;
    expect(second).not.toBe(first);
    stuck.abort();
    await expect(reading).rejects.toMatchObject({ code: 'CANCELLED' });
    expect((await count(session)).rows).toBe(second);
    // The process that was blocked is gone.
    await expect.poll(() => alive(first)).toBe(false);
    expect(lost).toBe(false);
    expect(bench.lines.filter(({ level }) => level === 'error')).toEqual([]);
    await session.close();
    await expect.poll(() => alive(second)).toBe(false);
  });

  it('shares no process with another connection', async () => {
    const driver = await bench.driver(source, manifest);
    const sessions = await Promise.all([1, 2].map(() => processes.connect({ driver, settings: {}, files: {}, signal })));
    const pids = await Promise.all(sessions.map(count));
    expect(pids[0]?.rows).not.toBe(pids[1]?.rows);
    for (const session of sessions) await session.close();
  });

  it('has so many processes and no more; further calls wait for their turn', async () => {
    const session = await connect();
    const described = await Promise.all(Array.from({ length: 20 }, () => session.describeTable(table, { signal })));
    expect(new Set(described.map(({ notes }) => notes[0])).size).toBeLessThanOrEqual(4);
    await session.close();
  });

  it('stops a statement that blocks after its first row, and continues with the next', async () => {
    const session = await connect();
    for (let round = 0; round < 6; round += 1) {
      const own = new AbortController();
      const events = session.console?.run('x', { maxRows: 1, signal: own.signal })[Symbol.asyncIterator]();
      expect(await events?.next()).toMatchObject({ done: false });
      own.abort();
      await expect(events?.next()).rejects.toMatchObject({ code: 'CANCELLED' });
    }
    expect((await count(session)).rows).toBeGreaterThan(0);
    await session.close();
  });

  it('serves every caller, even if others give up meanwhile', async () => {
    const session = await connect();
    const calls = Array.from({ length: 60 }, (_, index) => {
      const own = new AbortController();
      if (index % 3 !== 0) setTimeout(() => own.abort(), (index * 7) % 120);
      return session.describeTable(table, { signal: own.signal }).then(
        () => 'answered',
        (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
      );
    });
    const outcomes = await Promise.all(calls);
    expect(outcomes.filter((_, index) => index % 3 === 0)).toEqual(Array.from({ length: 20 }, () => 'answered'));
    expect(new Set(outcomes)).toEqual(new Set(['answered', 'CANCELLED']));
    await session.close();
  });

  it('is lost when its driver crashes', async () => {
    const session = await connect();
    const closed = new Promise((resolve) => session.onClosed(resolve));
    await expect(session.listTables({ signal })).rejects.toMatchObject({ code: 'DRIVER_CRASHED' });
    expect(await closed).toMatchObject({ code: 'DRIVER_CRASHED' });
    await session.close();
  });

  it('ends with all its calls in flight', async () => {
    const session = await connect();
    const reading = expect(page(session, signal)).rejects.toMatchObject({ code: 'CANCELLED' });
    await count(session);
    await session.close();
    await reading;
    await expect(count(session)).rejects.toMatchObject({ code: 'CANCELLED' });
  });
});

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
