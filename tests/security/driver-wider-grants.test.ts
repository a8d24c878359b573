import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { createSocket } from 'node:dgram';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WiderGrant } from '@tabularium/sdk/manifest';
import type { DriverProcessesOptions } from '../../host/src/runtime/drivers/processes/driverProcesses.ts';
import type { InstalledDriver } from '../../host/src/runtime/drivers/packages/installedDriver.ts';
import { driverSource, ProcessBench, testManifest } from '../../host/src/runtime/drivers/processes/processes.test-helper.ts';
import { root } from '../../scripts/paths.ts';

const signal = new AbortController().signal;
const attemptsFile = join(import.meta.dirname, 'hostile-driver', 'attempts.mjs');
const addonFile = join(root, 'node_modules/@napi-rs/keyring-linux-x64-gnu/keyring.linux-x64-gnu.node');

let bench: ProcessBench;
let target: Record<string, unknown>;
const tcp = createServer((socket) => {
  socket.on('error', () => undefined);
  socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'));
});
const unix = createServer((socket) => socket.end());
const udp = createSocket('udp4');

beforeAll(async () => {
  bench = await ProcessBench.open();
  const outside = join(bench.folder, 'outside');
  await mkdir(outside);
  await writeFile(join(outside, 'secret'), 'secret');
  const socketPath = join(bench.folder, 'socket');
  tcp.listen(0, '127.0.0.1');
  unix.listen(socketPath);
  udp.bind(0, '127.0.0.1');
  await Promise.all([once(tcp, 'listening'), once(unix, 'listening'), once(udp, 'listening')]);
  target = { port: (tcp.address() as AddressInfo).port, udpPort: udp.address().port, socketPath, outside, neighbour: outside };
});
afterAll(async () => {
  await bench.close();
  tcp.close();
  unix.close();
  udp.close();
});

function asking(grants: WiderGrant[]) {
  return testManifest({ permissions: { unconfined: { reason: 'It needs them.', grants } } });
}

/** The attempts that succeed for a driver with these grants. */
async function reached(grants: WiderGrant[], walls: DriverProcessesOptions['walls'] = {}): Promise<string[]> {
  const made = await bench.driver('', asking(grants));
  await copyFile(attemptsFile, join(made.folder, 'index.js'));
  await copyFile(addonFile, join(made.folder, 'addon.node'));
  const driver: InstalledDriver = { ...made, allowedGrants: grants };
  const processes = await bench.processes({ walls });
  const own = { ...target, own: driver.folder, addon: join(driver.folder, 'addon.node') };
  const session = await processes.connect({ driver, settings: { host: JSON.stringify(own) }, files: {}, signal });
  const tables = await session.listTables({ signal });
  await session.close();
  return tables.filter(({ ref }) => ref.name === 'reached').map(({ ref }) => ref.namespace[0] ?? '');
}

describe('a wider grant', () => {
  it('is given only where a person has allowed every part of it', async () => {
    const processes = await bench.processes();
    const source = driverSource();
    const connect = async (manifest: InstalledDriver['manifest'], allowedGrants?: readonly WiderGrant[]): Promise<unknown> =>
      processes.connect({
        driver: { ...(await bench.driver(source, manifest)), ...(allowedGrants === undefined ? {} : { allowedGrants }) },
        settings: {},
        files: {},
        signal,
      });
    await expect(connect(asking(['sqlite']))).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    await expect(connect(asking(['sqlite', 'network']), ['sqlite'])).rejects.toThrow(/\(network\)/);
    // Without a list it is all of them.
    const all = testManifest({ permissions: { unconfined: { reason: 'It needs them.' } } });
    await expect(connect(all, ['sqlite', 'network', 'files'])).rejects.toThrow(/\(addons\)/);
  });

  it('is not given to a driver that does not ask for it, whatever was allowed', async () => {
    const made = await bench.driver(`import 'node:sqlite';\n${driverSource()}`, testManifest());
    const processes = await bench.processes();
    await expect(
      processes.connect({ driver: { ...made, allowedGrants: ['sqlite'] }, settings: {}, files: {}, signal }),
    ).rejects.toThrow(/node:sqlite/);
  });

  it('of node:sqlite opens nothing else: no network, no thread, no other program, no native code, no file but through it', async () => {
    expect(await reached(['sqlite'], { kernel: false })).toEqual(['node:sqlite']);
    expect(await readdir(String(target['outside']))).toContain('base');
  });

  it('of node:sqlite opens no file but the one of its connection, by the kernel', async () => {
    expect(await reached(['sqlite'])).toEqual([]);
  });

  it('of the network opens nothing else', async () => {
    expect(await reached(['network'])).toEqual(
      expect.arrayContaining(['TCP connection', 'HTTP request', 'fetch', 'listening', 'UDP datagram', 'name lookup']),
    );
    expect(await reached(['network'])).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/file|sqlite|worker|child|addon|FFI|WASI/)]),
    );
  });

  it('of native code loads it, and still reads no file in JavaScript', async () => {
    expect(await reached(['addons'])).toEqual(['native addon']);
  });

  it('of files reads and writes them, and connects nowhere', async () => {
    const got = await reached(['files']);
    expect(got).toEqual(expect.arrayContaining(['reading a file outside', 'writing a file outside']));
    expect(got).not.toEqual(expect.arrayContaining([expect.stringMatching(/TCP|fetch|sqlite|worker|child|addon/)]));
  });

  it('of node:sqlite loads no extension, which would be native code', async () => {
    const source = driverSource(
      `async listTables() {
        const { DatabaseSync } = await import('node:sqlite');
        const outcome = (work) => { try { return work() ?? 'reached'; } catch (error) { return error.code ?? error.message; } };
        const plain = new DatabaseSync(':memory:');
        return [
          outcome(() => new DatabaseSync(':memory:', { allowExtension: true })),
          outcome(() => plain.enableLoadExtension(true)),
          outcome(() => plain.loadExtension('x')),
          outcome(() => plain.prepare("SELECT load_extension('x')").get()),
          JSON.stringify(process.env),
        ].map((name) => ({ ref: { namespace: [], name: String(name) }, kind: 'table' }));
      },`,
    );
    const driver: InstalledDriver = { ...(await bench.driver(source, asking(['sqlite']))), allowedGrants: ['sqlite'] };
    const processes = await bench.processes();
    const session = await processes.connect({ driver, settings: {}, files: {}, signal });
    const outcomes = (await session.listTables({ signal })).map(({ ref }) => ref.name);
    await session.close();
    expect(outcomes.slice(0, 4)).not.toContain('reached');
    expect(outcomes[0]).toBe('ERR_LOAD_SQLITE_EXTENSION');
    expect(outcomes[4]).toBe('{}');
  });
});
