import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { copyFile, mkdir, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises';
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { inspect, promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { approvedGrant } from '../../host/src/runtime/drivers/broker/sealed.test-helper.ts';
import type { InstalledDriver } from '../../host/src/runtime/drivers/packages/installedDriver.ts';
import { driverCommand } from '../../host/src/runtime/drivers/processes/driverCommand.ts';
import { realDriverFolder } from '../../host/src/runtime/drivers/processes/driverFolder.ts';
import { PROCESS_LIMITS } from '../../host/src/runtime/drivers/processes/processLimits.ts';
import { driverSource, ProcessBench, testManifest } from '../../host/src/runtime/drivers/processes/processes.test-helper.ts';
import { root } from '../../scripts/paths.ts';

const run = promisify(execFile);
const signal = new AbortController().signal;
const attemptsFile = join(import.meta.dirname, 'hostile-driver', 'attempts.mjs');
const addonFile = join(root, 'node_modules/@napi-rs/keyring-linux-x64-gnu/keyring.linux-x64-gnu.node');

let bench: ProcessBench;
let driver: InstalledDriver;
let outside: string;
let target: Record<string, unknown>;
const connections: string[] = [];
const tcp = createServer((socket) => {
  connections.push('tcp');
  socket.on('error', () => undefined);
  socket.once('data', (data) => {
    const key = /sec-websocket-key: (\S+)/i.exec(data.toString('latin1'))?.[1];
    if (key === undefined) {
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
      return;
    }
    const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
    const head = `upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: ${accept}`;
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n${head}\r\n\r\n`);
  });
});
const unix = createServer((socket) => {
  connections.push('unix');
  socket.end();
});
const udp = createSocket('udp4');
udp.on('message', () => connections.push('udp'));

beforeAll(async () => {
  bench = await ProcessBench.open();
  driver = await bench.driver('', testManifest());
  await copyFile(attemptsFile, join(driver.folder, 'index.js'));
  await copyFile(addonFile, join(driver.folder, 'addon.node'));
  outside = join(bench.folder, 'outside');
  const neighbour = `${driver.folder}-neighbour`;
  for (const folder of [outside, neighbour]) {
    await mkdir(folder);
    await writeFile(join(folder, 'secret'), 'secret');
  }
  const socketPath = join(bench.folder, 'socket');
  tcp.listen(0, '127.0.0.1');
  unix.listen(socketPath);
  udp.bind(0, '127.0.0.1');
  await Promise.all([once(tcp, 'listening'), once(unix, 'listening'), once(udp, 'listening')]);
  target = {
    port: (tcp.address() as AddressInfo).port,
    udpPort: udp.address().port,
    socketPath,
    outside,
    neighbour,
    own: driver.folder,
    addon: join(driver.folder, 'addon.node'),
  };
});
afterAll(async () => {
  await bench.close();
  tcp.close();
  unix.close();
  udp.close();
});

async function outcomesOf(node: readonly string[], names?: readonly string[]): Promise<Record<string, string>> {
  const { stdout } = await run(
    node[0] ?? process.execPath,
    [...node.slice(1), attemptsFile, '--try', JSON.stringify(target), ...(names === undefined ? [] : [JSON.stringify(names)])],
    { cwd: bench.folder },
  );
  // V8 prints of its own, before.
  return JSON.parse(stdout.slice(stdout.lastIndexOf('\n') + 1)) as Record<string, string>;
}

describe('what a driver can reach with JavaScript', () => {
  it('is nothing, of all that an ordinary program reaches', async () => {
    const own = join(bench.folder, 'control');
    await mkdir(own);
    const before = { ...target };
    target = { ...target, own };
    const control = await outcomesOf([process.execPath, '--experimental-ffi', '--no-warnings']);
    target = before;
    // Every attempt is real: it succeeds where nothing prevents it.
    expect(Object.entries(control).filter(([, outcome]) => outcome !== 'reached')).toEqual([]);
    expect(connections).toEqual(expect.arrayContaining(['tcp', 'unix', 'udp']));

    connections.length = 0;
    const files = await readdir(outside);
    const processes = await bench.processes();
    const session = await processes.connect({ driver, settings: { host: JSON.stringify(target) }, files: {}, signal });
    const tables = await session.listTables({ signal });
    const outcomes = Object.fromEntries(tables.map(({ ref }) => [ref.namespace[0] ?? '', ref.name] as const));
    await session.close();
    expect(Object.keys(outcomes)).toEqual(Object.keys(control));
    expect(Object.entries(outcomes).filter(([, outcome]) => outcome === 'reached')).toEqual([]);
    expect(connections).toEqual([]);
    expect(await readdir(outside)).toEqual(files);
    expect(await readdir(driver.folder)).toEqual(['addon.node', 'index.js', 'package.json']);
  });

  it('is nothing by the flags alone, without the functions that the program removes, but for signals and priorities', async () => {
    const command = driverCommand({
      node: process.execPath,
      runner: 'runner',
      driver: { folder: driver.folder, entry: 'entry', id: 'fixture' },
      grants: [],
      limits: PROCESS_LIMITS,
      endWithHost: true,
    });
    const flags = [command.file, ...command.arguments].slice(0, -3);
    const { stdout } = await run(process.execPath, [attemptsFile, '--names']);
    const names = (JSON.parse(stdout) as string[]).filter((name) => name !== 'V8 flags');
    connections.length = 0;
    const outcomes = await outcomesOf(flags, names);
    const open = ['signal to the host', 'debug signal to the host', 'priority of the host'];
    expect(Object.keys(outcomes).filter((name) => outcomes[name] === 'reached')).toEqual(open);
    expect(connections).toEqual([]);

    // Setting a V8 flag after the start ends the process; without --freeze-flags-after-init it writes files.
    const before = await readdir(outside);
    await expect(outcomesOf(flags, ['V8 flags'])).rejects.toThrow();
    expect(await readdir(outside)).toEqual(before);
    const thawed = flags.filter((flag) => flag !== '--freeze-flags-after-init');
    await outcomesOf(thawed, ['V8 flags']).catch(() => undefined);
    expect((await readdir(outside)).length).toBeGreaterThan(before.length);
  });

  it('is not widened by a symbolic link in its folder, which is refused before it starts', async () => {
    const linked = await bench.driver(driverSource());
    await symlink(outside, join(linked.folder, 'link'));
    const processes = await bench.processes();
    await expect(processes.connect({ driver: linked, settings: {}, files: {}, signal })).rejects.toThrow(
      /holds "link", which is neither a file nor a folder/,
    );
    // Node itself follows it out of what was granted.
    const reader = join(linked.folder, 'reader.mjs');
    await writeFile(
      reader,
      `import fs from 'node:fs'; fs.writeSync(1, fs.readFileSync('${join(linked.folder, 'link', 'secret')}'));`,
    );
    const { stdout } = await run(process.execPath, ['--permission', `--allow-fs-read=${linked.folder}`, reader]);
    expect(stdout).toBe('secret');
  });

  it('is not widened by a path with a star', async () => {
    const folder = join(bench.folder, 'st*r');
    await mkdir(folder);
    await expect(realDriverFolder(folder)).rejects.toThrow(/contains a "\*"/);
  });
});

describe('the permissions that a driver sees', () => {
  const key = 'the-key-that-nobody-may-see';

  it('is never the key: not by its environment, its arguments, its frames or an echoing server', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', (data) => {
        const sent = /x-test-key: (\S+)/i.exec(data.toString())?.[1] ?? 'none';
        const head = `HTTP/1.1 200 OK\r\nx-echo: ${sent}\r\nx-prefixed: Bearer ${sent}\r\nx-kept: yes\r\ncontent-length: 2\r\n\r\n`;
        socket.end(`${head}${sent === key ? 'ok' : 'no'}`);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const settings = { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
    const http = await approvedGrant(driver.manifest, settings, { key }, () => Promise.reject(new Error('no files')));
    const processes = await bench.processes();
    const session = await processes.connect({ driver, settings: { ...settings, key }, files: { key }, http, signal });
    const { definition } = await session.describeTable({ namespace: [], name: 't' }, { signal });
    const known = definition?.text ?? '';
    expect(known).toContain('"x-kept":"yes"');
    expect(known).toContain('\nok\n');
    expect(known).toContain('describeTable');
    expect(known).not.toContain(key);
    expect(known).toMatch(/^\[\{\},/);
    expect(bench.lines.map(({ message }) => message).join('\n')).not.toContain(key);
    expect(JSON.stringify(http) + inspect(http)).not.toContain(key);

    const pid = await childOf(process.pid, driver.folder);
    expect((await readFile(`/proc/${pid}/environ`, 'latin1')).replaceAll('\0', '')).toBe('');
    expect(await readFile(`/proc/${pid}/cmdline`, 'latin1')).not.toContain(key);
    await session.close();
    server.close();
  });

  it('is nothing that could be written to: it inherits no file', async () => {
    const processes = await bench.processes();
    const session = await processes.connect({ driver, settings: {}, files: {}, signal });
    const pid = await childOf(process.pid, driver.folder);
    const descriptors = await Promise.all(
      [0, 1, 2, 3].map((descriptor) => readlink(`/proc/${pid}/fd/${descriptor}`).then((path) => path.replace(/\[.*/, ''))),
    );
    expect(descriptors).toEqual(['/dev/null', '/dev/null', 'socket:', 'socket:']);
    const all = await Promise.all(
      (await readdir(`/proc/${pid}/fd`)).map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')),
    );
    expect(all.filter((path) => path.startsWith('/') && !path.startsWith('/dev/null'))).toEqual([]);
    await session.close();
  });
});

/** The number of the process that works for a driver's folder. */
async function childOf(parent: number, folder: string): Promise<string> {
  const children = (await readFile(`/proc/${parent}/task/${parent}/children`, 'utf8')).trim().split(' ');
  for (const child of children) {
    const command = await readFile(`/proc/${child}/cmdline`, 'latin1').catch(() => '');
    if (command.includes(`--allow-fs-read=${folder}\0`)) return child;
  }
  throw new Error('The driver has no process.');
}
