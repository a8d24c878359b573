import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { copyFile, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NO_FILTER } from '@tabularium/sdk';
import type { PageRequest } from '@tabularium/sdk';
import { approvedGrant } from '../../host/src/runtime/drivers/broker/sealed.test-helper.ts';
import type { InstalledDriver } from '../../host/src/runtime/drivers/packages/installedDriver.ts';
import type { DriverProcesses, ProcessLimits, RemoteSession } from '../../host/src/runtime/drivers/processes/driverProcesses.ts';
import {
  builtRunner,
  driverSource,
  launcherFile,
  ProcessBench,
  testManifest,
} from '../../host/src/runtime/drivers/processes/processes.test-helper.ts';
import { residentBytes } from '../../host/src/runtime/drivers/processes/processTable.ts';

const signal = new AbortController().signal;
const MEGABYTE = 1024 * 1024;
const manifest = testManifest();

let bench: ProcessBench;
let driver: InstalledDriver;
let bystander: RemoteSession;
const server = createServer((_request, response) => {
  const timer = setInterval(() => response.write('x'.repeat(1_000)), 5);
  response.on('close', () => clearInterval(timer));
});

const page = (name: string): PageRequest => ({
  table: { namespace: [], name },
  filter: NO_FILTER,
  sorts: [],
  position: { from: 'start' },
  limit: 1,
});
const pidOf = async (session: RemoteSession): Promise<number> => (await session.countRows(page('t'), { signal })).rows;

async function open(
  limits: Partial<ProcessLimits> = {},
): Promise<{ processes: DriverProcesses; session: RemoteSession; pid: number }> {
  const processes = await bench.processes({
    limits: { call: 1_000, callMargin: 0, cancelGrace: 100, exitGrace: 100, ...limits },
  });
  const settings = { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
  const http = await approvedGrant(manifest, settings, {}, () => Promise.reject(new Error('no files')));
  const session = await processes.connect({ driver, settings, files: {}, http, signal });
  return { processes, session, pid: await pidOf(session) };
}

beforeAll(async () => {
  bench = await ProcessBench.open();
  driver = await bench.driver('', manifest);
  await copyFile(join(import.meta.dirname, 'hostile-driver', 'greedy.mjs'), join(driver.folder, 'index.js'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const processes = await bench.processes();
  bystander = await processes.connect({ driver: await bench.driver(driverSource()), settings: {}, files: {}, signal });
});
// Whatever the hostile one did, the others continue.
beforeEach(() => bystander.ping({ signal }));
afterAll(async () => {
  await bystander.ping({ signal });
  await bench.close();
  server.closeAllConnections();
  server.close();
});

/** The most memory that a process held while something ran. */
async function highest(pid: number, work: () => Promise<unknown>): Promise<number> {
  let most = 0;
  const timer = setInterval(() => {
    void residentBytes([pid]).then((sizes) => {
      most = Math.max(most, sizes.get(pid) ?? 0);
    });
  }, 5);
  await work();
  clearInterval(timer);
  return most;
}

const patient = { call: 20_000 };
/** So far off that the defence does not act. */
const off = 2 ** 46;

describe('memory', () => {
  it.each([
    ['heap: V8 ends it', 'heap', { residentBytes: off, dataBytes: off }, /ended unexpectedly/, 500],
    ['buffers: the watch ends it', 'buffers', { dataBytes: off }, /used \d+ MB, more than its limit of 600 MB/, 1_100],
    ['WebAssembly: the watch ends it', 'webAssembly', { dataBytes: off }, /used \d+ MB, more than its limit of 600 MB/, 1_100],
    [
      'buffers: the kernel gives it no more',
      'buffersWithoutPause',
      { residentBytes: off },
      /Failed to allocate memory|Array buffer allocation failed|ended unexpectedly/,
      1_100,
    ],
  ] as const)('has a limit: %s', async (_name, behaviour, limits, message, megabytes) => {
    const { session, pid } = await open({ ...patient, ...limits });
    const most = await highest(pid, () => expect(session.readPage(page(behaviour), { signal })).rejects.toThrow(message));
    expect(most).toBeLessThan(megabytes * MEGABYTE);
    await session.close();
  });
});

describe('time', () => {
  it.each(['never', 'busy'])('has a limit, after it a grace, and after that an end: %s', async (behaviour) => {
    const { session, pid } = await open();
    const lost = new Promise<string>((resolve) => session.onClosed((error) => resolve(error.message)));
    await expect(session.readPage(page(behaviour), { signal })).rejects.toMatchObject({ code: 'TIMEOUT' });
    expect(await lost).toMatch(/ignored the cancellation of readPage and was stopped/);
    await expect.poll(() => isAlive(pid)).toBe(false);
    await expect(session.ping({ signal })).rejects.toMatchObject({ code: 'DRIVER_CRASHED' });
  });

  it.each(['busy', 'readsLog'])(
    'has a limit also for a stream, which has no deadline, when the process is blocked: %s',
    async (statement) => {
      const { session, pid } = await open({ loopSilence: 1_000, call: 60_000 });
      const lost = new Promise<string>((resolve) => session.onClosed((error) => resolve(error.message)));
      await expect(drain(session.console?.run(statement, { maxRows: 1, signal })[Symbol.asyncIterator]())).rejects.toMatchObject({
        code: 'DRIVER_CRASHED',
        message: 'The driver "fixture" 1.0.0 blocked its process for 1 s and was stopped (last call: console.run).',
      });
      expect(await lost).toMatch(/blocked its process/);
      await expect.poll(() => isAlive(pid)).toBe(false);
    },
  );

  it('does not end a process that computes between its answers, nor one that waits without blocking, nor an idle one', async () => {
    const { session, pid } = await open({ loopSilence: 1_500, call: 60_000, cancelGrace: 10_000 });
    const computing = session.console?.run('computes', { maxRows: 1_000, signal })[Symbol.asyncIterator]();
    for (let events = 0; events < 5; events += 1) await computing?.next();
    await computing?.return?.();
    const stop = new AbortController();
    const waiting = session.console?.run('waits', { maxRows: 1_000, signal: stop.signal })[Symbol.asyncIterator]();
    await waiting?.next();
    await waiting?.next();
    await Promise.all([
      expect(waiting?.next()).rejects.toMatchObject({ code: 'CANCELLED' }),
      pause(3_000).then(() => stop.abort()),
    ]);
    await pause(2_000);
    expect(await pidOf(session)).toBe(pid);
    await session.close();
  });

  // A small share, because the machine of the test may be busy with other things; more than a start needs behind its answer there.
  const idleProcessor = { share: 0.25, window: 4_000 };

  it('ends a process that computes although no call is open', async () => {
    bench.lines.length = 0;
    const { session, pid } = await open({ idleProcessor });
    const lost = new Promise<string>((resolve) => session.onClosed((error) => resolve(error.message)));
    await session.readPage(page('busyLater'), { signal });
    expect(await lost).toMatch(/used \d+ % of a processor for 4 s although no call was running, and was stopped/);
    await expect.poll(() => isAlive(pid)).toBe(false);
    expect(bench.lines).toContainEqual(
      expect.objectContaining({
        level: 'error',
        source: 'host',
        message: expect.stringContaining('no call was running') as string,
      }),
    );
  });

  it('does not end a process that computes in its calls, nor one that rests', async () => {
    const { session, pid } = await open({ idleProcessor, call: 60_000 });
    for (let calls = 0; calls < 4; calls += 1) await session.readPage(page('computes'), { signal });
    await pause(6_000);
    expect(await pidOf(session)).toBe(pid);
    await session.close();
  });

  it('ends a process that ignores signals and works on', async () => {
    const { processes, session, pid } = await open({ call: 60_000 });
    const reading = session.readPage(page('busy'), { signal });
    await Promise.all([expect(reading).rejects.toMatchObject({ code: 'CANCELLED' }), processes.close()]);
    expect(isAlive(pid)).toBe(false);
  });
});

describe('an end in the middle', () => {
  it('rejects all calls in flight, and names driver, version and call', async () => {
    const { session } = await open({ call: 60_000 });
    const never = session.readPage(page('never'), { signal });
    const iterator = session.console?.run('exit', { maxRows: 1, signal })[Symbol.asyncIterator]();
    await iterator?.next();
    await Promise.all([
      expect(never).rejects.toMatchObject({
        code: 'DRIVER_CRASHED',
        message: 'The driver "fixture" 1.0.0 ended unexpectedly (exit code 5) (last call: readPage).',
      }),
      expect(drain(iterator)).rejects.toMatchObject({ code: 'DRIVER_CRASHED' }),
    ]);
    // And what it had open at the server is closed.
    await expect.poll(() => connectionsOf(server)).toBe(0);
  });

  it.each(['throwLater', 'rejectLater'])('ends the process, not the host: %s', async (behaviour) => {
    bench.lines.length = 0;
    const { session } = await open({ call: 60_000 });
    await expect(session.readPage(page(behaviour), { signal })).rejects.toMatchObject({ code: 'DRIVER_CRASHED' });
    await expect.poll(() => bench.lines.some(({ message }) => /nobody (catches|listens)/.test(message))).toBe(true);
  });

  it('opens again with the next session', async () => {
    const { processes, session, pid } = await open();
    await expect(session.readPage(page('exit'), { signal })).rejects.toMatchObject({ code: 'DRIVER_CRASHED' });
    const again = await processes.connect({ driver, settings: {}, files: {}, signal });
    expect(await pidOf(again)).not.toBe(pid);
  });
});

describe('the outcomes of changes', () => {
  it('are as many as there were changes, however many the driver sends', async () => {
    const { session } = await open(patient);
    const insert = { kind: 'insert' as const, values: [] };
    const outcomes = session.edits?.apply(page('t').table, [insert, insert], { signal })[Symbol.asyncIterator]();
    expect((await outcomes?.next())?.value).toEqual({ index: 0, outcome: 'saved' });
    expect((await outcomes?.next())?.value).toEqual({ index: 1, outcome: 'saved' });
    await expect(outcomes?.next()).rejects.toMatchObject({
      code: 'DRIVER_FAULT',
      message: expect.stringContaining('it reported change 0 twice') as string,
    });
    await session.close();
  });
});

describe('the log', () => {
  it("stays within its limit, and the driver doesn't stall", async () => {
    bench.lines.length = 0;
    const { session } = await open({ ...patient, logBytes: 50_000 });
    await session.readPage(page('chatter'), { signal });
    await session.close();
    const bytes = bench.lines.reduce((sum, { message }) => sum + message.length, 0);
    expect(bytes).toBeGreaterThan(49_000);
    expect(bytes).toBeLessThan(52_500);
  });
});

describe('a host that is killed', () => {
  const orphans: number[] = [];
  // One that outlives its test would keep a core busy for ever.
  afterAll(() => {
    for (const pid of orphans) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  });

  async function kill(endWithHost: boolean): Promise<{ pid: number; pidFile: string }> {
    const pidFile = join(bench.folder, `killed-${String(endWithHost)}`, 'driver-processes.json');
    const host = spawn(
      process.execPath,
      ['--conditions=tabularium:source', join(import.meta.dirname, 'hostile-driver', 'host.ts')],
      {
        stdio: ['pipe', 'pipe', 'inherit'],
      },
    );
    host.stdin.end(JSON.stringify({ driver, runner: await builtRunner(), launcher: launcherFile, pidFile, endWithHost }));
    const [line] = (await once(host.stdout, 'data')) as [Buffer];
    const pid = Number(line.toString());
    orphans.push(pid);
    await expect.poll(() => readFile(pidFile, 'utf8').catch(() => '')).toContain(String(pid));
    await expect.poll(() => processorTime(pid)).toBeGreaterThan(20);
    host.kill('SIGKILL');
    await once(host, 'exit');
    return { pid, pidFile };
  }

  it('takes its drivers with it, also one in a busy loop', async () => {
    const { pid } = await kill(true);
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it('has its drivers ended by the next host, where the kernel does not', async () => {
    const { pid, pidFile } = await kill(false);
    expect(isAlive(pid)).toBe(true);
    const next = await bench.processes({ pidFile });
    await next.sweep();
    await expect.poll(() => isAlive(pid)).toBe(false);
    expect(JSON.parse(await readFile(pidFile, 'utf8'))).toEqual({ version: 2, processes: [] });
  });
});

async function drain(iterator: AsyncIterator<unknown> | undefined): Promise<void> {
  while ((await iterator?.next())?.done === false);
}

function connectionsOf(of: typeof server): Promise<number> {
  return new Promise((resolve, reject) => of.getConnections((error, count) => (error === null ? resolve(count) : reject(error))));
}

/** Hundredths of a second that a process has worked. */
async function processorTime(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
  return Number(fields[11]);
}

/** A process that is dead but not yet collected by its parent is not alive. */
function isAlive(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}
