import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DevelopedDriver, DevelopmentLogLine } from '../../../common/development.ts';
import type { InstalledDriverInfo } from '../../../common/drivers.ts';
import { HostError } from '../../../common/errors.ts';
import type { OpenSession } from '../../data/sessions.ts';
import { Inspection } from '../processes/inspection.ts';
import { DriverDevelopment } from './driverDevelopment.ts';

const session = (id: string, driver: string, driverVersion: string): OpenSession =>
  ({ connection: { id, name: id.toUpperCase() }, manifest: { id: driver }, driverVersion }) as OpenSession;

let folder: string;
let open: OpenSession[];
let version: string;
let refusal: HostError | undefined;
const reopened: string[] = [];
const closed: string[] = [];
const stopped: string[] = [];
let inspection: Inspection;
let development: DriverDevelopment;
let ending: AbortController;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'tabularium-development-')));
  version = '1.0.0+folder.1';
  refusal = undefined;
  open = [];
  reopened.length = 0;
  closed.length = 0;
  stopped.length = 0;
  inspection = new Inspection();
  ending = new AbortController();
  development = new DriverDevelopment({
    loadFolder: async () => {
      if (refusal !== undefined) throw refusal;
      return { id: 'fixture', version } as InstalledDriverInfo;
    },
    titleOf: async () => 'Fixture',
    sessions: {
      openSessions: () => open,
      close: async (id) => void closed.push(id),
      use: async (id) => {
        if (id === 'broken') throw new HostError('INTERNAL', 'It does not open.');
        reopened.push(id);
        return undefined as never;
      },
    },
    inspection,
    processes: { stopDriver: async (id, stoppedVersion) => void stopped.push(`${id}@${stoppedVersion}`) },
  });
});
afterEach(async () => {
  ending.abort();
  await rm(folder, { recursive: true });
});

const { signal } = new AbortController();

/** The list in the window, whenever it changes. */
function watched(): { now(): readonly DevelopedDriver[] } {
  let last: readonly DevelopedDriver[] = [];
  void (async () => {
    for await (const list of development.watch(ending.signal)) last = list;
  })();
  return { now: () => last };
}

async function followed(): Promise<DevelopmentLogLine[]> {
  const lines: DevelopmentLogLine[] = [];
  const following = await development.follow(folder, ending.signal);
  void (async () => {
    for await (const line of following) lines.push(line);
  })();
  return lines;
}

describe('a build', () => {
  it('is loaded, and connections that use another build continue with it', async () => {
    open = [
      session('a', 'fixture', '1.0.0'),
      session('b', 'fixture', version),
      session('c', 'other', '1.0.0'),
      session('broken', 'fixture', '0.9.0'),
    ];
    expect(await development.built(folder, [], signal)).toEqual({
      driver: 'fixture',
      version,
      sessions: [{ connection: 'A' }, { connection: 'BROKEN', problem: 'It does not open.' }],
      inspects: false,
    });
    expect(closed).toEqual(['a', 'broken']);
    expect(reopened).toEqual(['a']);
  });

  it('that failed is shown, and loads nothing', async () => {
    const window = watched();
    await followed();
    await development.built(folder, [], signal);
    const problems = [{ message: 'Unexpected token', file: `${folder}/src/index.ts`, line: 3, column: 4 }];
    expect(await development.built(folder, problems, signal)).toBeUndefined();
    await vi.waitFor(
      () => expect(window.now()).toMatchObject([{ folder, driver: 'fixture', title: 'Fixture', version, loads: 1, problems }]),
      { timeout: 120_000 },
    );
    version = '1.0.0+folder.2';
    await development.built(folder, [], signal);
    await vi.waitFor(() => expect(window.now()).toMatchObject([{ version, loads: 2, problems: [] }]), { timeout: 120_000 });
  });

  it('that is refused is shown with the reason, and the next one takes that away', async () => {
    const window = watched();
    await followed();
    refusal = new HostError('PACKAGE_FAILED_TRIAL', 'It did not start.');
    await expect(development.built(folder, [], signal)).rejects.toBe(refusal);
    await vi.waitFor(() => expect(window.now()).toMatchObject([{ refusal: 'It did not start.', loads: 0 }]), {
      timeout: 120_000,
    });
    refusal = undefined;
    await development.built(folder, [], signal);
    await vi.waitFor(() => expect(window.now()).toHaveLength(1), { timeout: 120_000 });
    await vi.waitFor(() => expect(window.now()[0]).not.toHaveProperty('refusal'), { timeout: 120_000 });
  });

  it('of a folder that does not exist is refused', async () => {
    await expect(development.built(join(folder, 'none'), [], signal)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });
});

describe('what a driver says', () => {
  it('goes to its author, and its errors to the window until the next build', async () => {
    const window = watched();
    const lines = await followed();
    await development.built(folder, [], signal);
    const line = (message: string, change: object = {}) =>
      development.log({ driver: 'fixture', version, level: 'error', source: 'stderr', message, ...change });
    line('TypeError: x');
    line('hello', { level: 'info' });
    line('of another driver', { driver: 'other' });
    line('of an installed version', { version: '1.0.0' });
    await vi.waitFor(
      () =>
        expect(lines).toEqual([
          { level: 'error', message: 'TypeError: x' },
          { level: 'info', message: 'hello' },
        ]),
      { timeout: 120_000 },
    );
    await vi.waitFor(() => expect(window.now()).toMatchObject([{ lines: [{ level: 'error', message: 'TypeError: x' }] }]), {
      timeout: 120_000,
    });
    version = '1.0.0+folder.2';
    await development.built(folder, [], signal);
    await vi.waitFor(() => expect(window.now()).toMatchObject([{ lines: [] }]), { timeout: 120_000 });
  });

  it('ends when its author disconnects', async () => {
    const window = watched();
    const author = new AbortController();
    await development.follow(folder, author.signal);
    await development.built(folder, [], signal);
    await vi.waitFor(() => expect(window.now()).toHaveLength(1), { timeout: 120_000 });
    author.abort();
    await vi.waitFor(() => expect(window.now()).toEqual([]), { timeout: 120_000 });
    await development.built(folder, [], signal);
    expect(window.now()).toEqual([]);
  });
});

describe('an author who debugs', () => {
  const driver = { id: 'fixture', publisher: { id: 'd', name: 'D', fingerprint: '', origin: 'developerFolder' as const } };
  const address = 'ws://127.0.0.1:9229/0b4c1c1e-8e0e-4a55-9b5d-2a8b8a6d7f10';

  it('has each build inspected in turn, and its open connections moved even when the build is the same', async () => {
    const author = new AbortController();
    open = [session('a', 'fixture', version)];
    await development.follow(folder, author.signal, 9_229);
    expect(await development.built(folder, [], signal)).toMatchObject({ inspects: true, sessions: [{ connection: 'A' }] });
    expect(inspection.covers({ ...driver, version })).toBe(true);
    expect(closed).toEqual(['a']);
    expect(await development.built(folder, [], signal)).toMatchObject({ inspects: true, sessions: [] });
    const before = version;
    version = '1.0.0+folder.2';
    open = [];
    await development.built(folder, [], signal);
    expect(stopped).toEqual([`fixture@${before}`]);
    expect([before, version].map((one) => inspection.covers({ ...driver, version: one }))).toEqual([false, true]);
    author.abort();
    await vi.waitFor(() => expect(stopped).toEqual([`fixture@${before}`, `fixture@${version}`]), { timeout: 120_000 });
    expect(inspection.covers({ ...driver, version })).toBe(false);
  });

  it('gets the address of the inspector, which the window does not show as a fault', async () => {
    const window = watched();
    const lines: DevelopmentLogLine[] = [];
    const following = await development.follow(folder, ending.signal, 0);
    void (async () => {
      for await (const line of following) lines.push(line);
    })();
    await development.built(folder, [], signal);
    const message = `Debugger listening on ${address}`;
    development.log({ driver: 'fixture', version, level: 'error', source: 'stderr', message });
    for (const chatter of [
      'For help, see: https://nodejs.org/en/docs/inspector',
      'Debugger attached.',
      `Debugger ending on ${address}`,
    ])
      development.log({ driver: 'fixture', version, level: 'error', source: 'stderr', message: chatter });
    development.log({ driver: 'fixture', version, level: 'error', source: 'driver', message });
    await vi.waitFor(
      () =>
        expect(lines).toEqual([
          { level: 'info', message, inspector: address },
          { level: 'error', message },
        ]),
      { timeout: 120_000 },
    );
    await vi.waitFor(() => expect(window.now()).toMatchObject([{ lines: [{ message }] }]), { timeout: 120_000 });
  });

  it('of a build without an inspector is said so', async () => {
    await followed();
    expect(await development.built(folder, [], signal)).toMatchObject({ inspects: false });
  });
});
