import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { writeFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildDriver } from '@tabularium/sdk/cli';
import type { InstalledDriver } from '../packages/installedDriver.ts';
import type { DriverProcessesOptions } from './driverProcesses.ts';
import { Inspection } from './inspection.ts';
import { driverSource, ProcessBench, testManifest } from './processes.test-helper.ts';

// Breakpoints in a driver that its author develops, with the walls up.

const { signal } = new AbortController();
let bench: ProcessBench;
const debuggers: Debugger[] = [];
beforeAll(async () => {
  bench = await ProcessBench.open();
});
afterEach(() => {
  for (const one of debuggers.splice(0)) one.close();
});
afterAll(() => bench.close());

const stopping = driverSource(
  `async listTables() {
          const answer = [40, 1].reduce((sum, one) => sum + one);
          debugger;
          return [{ ref: { namespace: [], name: 'answer ' + (answer + 1) }, kind: 'table' }];
        },
        async countRows() { return { rows: await tried(), exact: true }; },`,
  `
async function tried() {
  const modules = ['node:inspector', 'node:http', 'node:dgram', 'node:child_process', 'node:worker_threads'];
  const results = await Promise.all(modules.map((name) => import(name).then(() => 1, () => 0)));
  return results.reduce((sum, one) => sum + one, 0);
}`,
);

/** The side of the author: a client of Chrome's protocol. */
class Debugger {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (result: Record<string, unknown>) => void>();
  readonly #events: { readonly method: string; readonly params: Record<string, unknown> }[] = [];
  #last = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => {
      const message = JSON.parse(String(data)) as {
        id?: number;
        result?: Record<string, unknown>;
        method?: string;
        params?: object;
      };
      if (message.id !== undefined) this.#waiting.get(message.id)?.(message.result ?? {});
      else if (message.method !== undefined) this.#events.push({ method: message.method, params: { ...message.params } });
    });
  }

  static async attach(address: string): Promise<Debugger> {
    const socket = new WebSocket(address);
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve);
      socket.addEventListener('error', () => reject(new Error(`${address} doesn't answer`)));
    });
    const attached = new Debugger(socket);
    debuggers.push(attached);
    return attached;
  }

  send(method: string, params: object = {}): Promise<Record<string, unknown>> {
    const id = ++this.#last;
    this.#socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  async event(method: string): Promise<Record<string, unknown>> {
    await vi.waitFor(() => expect(this.#events.map((one) => one.method)).toContain(method), { timeout: 120_000 });
    return this.#events.find((one) => one.method === method)?.params ?? {};
  }

  close(): void {
    this.#socket.close();
  }
}

/** A build from a folder, as `tabularium-driver dev` makes it. */
async function developed(changes: Partial<InstalledDriver> = {}): Promise<InstalledDriver> {
  const driver = await bench.driver(stopping, testManifest({ id: 'fixture' }), '1.0.0+folder.1a2b3c4d');
  const json = { name: 'fixture', version: '1.0.0', type: 'module', exports: './index.js', tabularium: testManifest() };
  await writeFile(join(driver.folder, 'package.json'), JSON.stringify(json));
  await writeFile(join(bench.folder, 'source.js'), stopping);
  await buildDriver({ folder: driver.folder, source: '../../../source.js', sourceMaps: true });
  return { ...driver, publisher: { ...driver.publisher, origin: 'developerFolder' }, ...changes };
}

/** @returns the addresses of inspectors that processes have printed since */
function addresses(from: number): string[] {
  return bench.lines.slice(from).flatMap(({ message }) => /^Debugger listening on (\S+)$/.exec(message)?.[1] ?? []);
}

async function inspected(
  driver: InstalledDriver,
  options: Partial<DriverProcessesOptions> = {},
  port = 0,
): Promise<{ session: Awaited<ReturnType<Awaited<ReturnType<ProcessBench['processes']>>['connect']>>; from: number }> {
  const inspection = new Inspection();
  inspection.begin(driver.id, driver.version, port);
  const from = bench.lines.length;
  const processes = await bench.processes({ ...options, inspection });
  return { session: await processes.connect({ driver, settings: {}, files: {}, signal }), from };
}

async function addressOf(from: number): Promise<string> {
  await vi.waitFor(() => expect(addresses(from)).toHaveLength(1), { timeout: 120_000 });
  return addresses(from)[0] ?? '';
}

describe('a build that its author inspects', () => {
  it('stops at a breakpoint for longer than any limit, shows its variables, and continues', async () => {
    const limits = { loopSilence: 200, call: 300, cancelGrace: 100 };
    const { session, from } = await inspected(await developed(), { limits });
    const attached = await Debugger.attach(await addressOf(from));
    await attached.send('Runtime.enable');
    await attached.send('Debugger.enable');
    const listed = session.listTables({ signal });
    const { callFrames } = (await attached.event('Debugger.paused')) as { callFrames: { callFrameId: string }[] };
    const evaluated = await attached.send('Debugger.evaluateOnCallFrame', {
      callFrameId: callFrames[0]?.callFrameId,
      expression: 'answer',
      returnByValue: true,
    });
    expect(evaluated).toMatchObject({ result: { value: 41 } });
    await new Promise((resolve) => setTimeout(resolve, 900));
    await attached.send('Debugger.resume');
    expect(await listed).toMatchObject([{ ref: { name: 'answer 42' } }]);
    await session.close();
  });

  it('has its walls up all the same', async () => {
    const { session, from } = await inspected(await developed());
    await addressOf(from);
    expect(
      await session.countRows({ table: { namespace: [], name: 'x' }, filter: { match: 'all', conditions: [] } }, { signal }),
    ).toEqual({ rows: 0, exact: true });
  });

  it('gets another port while the one that was asked for is taken', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = server.address() as AddressInfo;
      const { from } = await inspected(await developed(), {}, port);
      const taken = new URL(await addressOf(from)).port;
      expect(Number(taken)).not.toBe(port);
    } finally {
      server.close();
    }
  });
});

describe('no inspector', () => {
  it.each<[string, Partial<InstalledDriver>]>([
    ['an installed driver', { publisher: { id: 'x', name: 'X', fingerprint: '', origin: 'thirdParty' } }],
    ['a version that no folder has', { version: '1.0.0' }],
  ])('belongs to %s, even where one is asked for', async (_name, changes) => {
    const driver = await developed(changes);
    const { session, from } = await inspected(driver);
    await session.ping({ signal });
    expect(addresses(from)).toEqual([]);
  });

  it('belongs to a build without a map, as it is published', async () => {
    const driver = await bench.driver(stopping, testManifest(), '1.0.0+folder.1a2b3c4d');
    const { session, from } = await inspected({ ...driver, publisher: { ...driver.publisher, origin: 'developerFolder' } });
    await session.ping({ signal });
    expect(addresses(from)).toEqual([]);
  });
});
