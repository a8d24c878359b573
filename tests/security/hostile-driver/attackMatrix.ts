import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createHash } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { z } from 'zod';
import { Inspection } from '../../../host/src/runtime/drivers/processes/inspection.ts';
import type { ProcessLimits } from '../../../host/src/runtime/drivers/processes/driverProcesses.ts';
import { driverSource, ProcessBench, testManifest } from '../../../host/src/runtime/drivers/processes/processes.test-helper.ts';
import { root } from '../../../scripts/paths.ts';

const signal = new AbortController().signal;
const runner = join(import.meta.dirname, 'attackRunner.mjs');
const addonFile = join(root, 'node_modules/@napi-rs/keyring-linux-x64-gnu/keyring.linux-x64-gnu.node');

/** The walls around the attacker. */
export interface Walls {
  readonly permissionModel: boolean;
  readonly kernel: boolean;
}

/** `reached`, or why not. */
export type Outcomes = Readonly<Record<string, string>>;

const outcomeSchema = z.tuple([z.string(), z.string()]);

/** Whether the attacker's process may read the driver's folder, has its driver delivered, or reads its folder and is debugged by its author. */
export type AttackerKind = 'readsFolder' | 'delivered' | 'inspected';

/** A place with things to reach, and attackers that try. */
export class AttackMatrix {
  readonly bench: ProcessBench;
  readonly #tcp = createServer((socket) => {
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
  readonly #unix = createServer((socket) => socket.end());
  readonly #udp = createSocket('udp4');
  #runs = 0;

  private constructor(bench: ProcessBench) {
    this.bench = bench;
  }

  static async open(): Promise<AttackMatrix> {
    const matrix = new AttackMatrix(await ProcessBench.open());
    matrix.#tcp.listen(0, '127.0.0.1');
    matrix.#unix.listen(join(matrix.bench.folder, 'socket'));
    matrix.#udp.bind(0, '127.0.0.1');
    await Promise.all([matrix.#tcp, matrix.#unix, matrix.#udp].map((server) => once(server, 'listening')));
    return matrix;
  }

  async close(): Promise<void> {
    await this.bench.close();
    this.#tcp.close();
    this.#unix.close();
    this.#udp.close();
  }

  /**
   * Has a process inside the walls try the named attempts, one after the other. Where an attempt ends the process, it and what follows it
   * have no outcome.
   */
  async attack(
    walls: Walls,
    names: readonly string[],
    limits: Partial<ProcessLimits> = {},
    kind: AttackerKind = 'readsFolder',
  ): Promise<{ readonly outcomes: Outcomes; readonly lines: readonly string[]; readonly outside: string }> {
    this.#runs += 1;
    const outside = join(this.bench.folder, `outside-${this.#runs}`);
    await mkdir(outside);
    for (const name of ['secret', 'victim', 'removable', 'report-target']) await writeFile(join(outside, name), name);
    const driver = await this.bench.driver(driverSource('', kind !== 'delivered' ? "import 'node:fs';" : ''), testManifest());
    await copyFile(addonFile, join(driver.folder, 'addon.node'));
    const target = {
      port: (this.#tcp.address() as AddressInfo).port,
      udpPort: this.#udp.address().port,
      socketPath: join(this.bench.folder, 'socket'),
      outside,
      neighbour: outside,
      own: driver.folder,
      runner,
      addon: join(driver.folder, 'addon.node'),
    };
    await writeFile(join(driver.folder, 'target.json'), JSON.stringify({ names, target }));
    // The runner is three files here, which the permission model and the kernel don't cover: they are in the driver's folder.
    for (const name of ['attackRunner.mjs', 'attempts.mjs', 'rawAttempts.mjs'])
      await copyFile(join(import.meta.dirname, name), join(driver.folder, name));
    const before = this.bench.lines.length;
    const program = kind !== 'delivered' ? join(driver.folder, 'attackRunner.mjs') : await this.#oneFile();
    const inspection = new Inspection();
    const processes = await this.bench.processes({ runner: program, walls, limits, inspection });
    if (kind === 'inspected') {
      const version = `1.0.0+folder.${String(this.#runs).padStart(8, '0')}`;
      inspection.begin(driver.id, version, 0);
      // Only a build for development has a map beside it.
      await writeFile(join(driver.folder, `${driver.entry}.map`), '{}');
      const developed = { ...driver, version, publisher: { ...driver.publisher, origin: 'developerFolder' as const } };
      await processes.connect({ driver: developed, settings: {}, files: {}, signal }).catch(() => undefined);
    } else {
      await processes
        .tryOut({ folder: driver.folder, entry: driver.entry, manifest: driver.manifest }, signal)
        .catch(() => undefined);
    }
    await processes.close();
    await this.#settled(before);
    const lines = this.bench.lines.slice(before).map(({ message }) => message);
    const outcomes = lines
      .filter((line) => line.startsWith('OUTCOME '))
      .map((line) => outcomeSchema.parse(JSON.parse(line.slice('OUTCOME '.length))));
    return { outcomes: Object.fromEntries(outcomes), lines, outside };
  }

  /** The runner in one file: a process that gets its driver delivered reads no other. */
  async #oneFile(): Promise<string> {
    const file = join(this.bench.folder, 'program', 'attackRunner.mjs');
    const build = await rolldown({ input: runner, platform: 'node' });
    await build.write({ file, format: 'es', codeSplitting: false });
    await build.close();
    return file;
  }

  /** The last lines of a process arrive after its end. */
  async #settled(from: number): Promise<void> {
    for (let quiet = 0, known = -1; quiet < 5;) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      const { length } = this.bench.lines;
      quiet = length === known ? quiet + 1 : 0;
      known = length;
      if (this.bench.lines.slice(from).some(({ message }) => message === 'DONE')) return;
    }
  }
}

/** The names of the attempts in a fixture. */
export async function attemptNames(file: string, member: string): Promise<readonly string[]> {
  const script = `import(${JSON.stringify(join(import.meta.dirname, file))}).then((m) => console.log(JSON.stringify(Object.keys(m[${JSON.stringify(member)}]))))`;
  const child = spawn(process.execPath, ['--no-warnings', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(child, 'close');
  return z.array(z.string()).parse(JSON.parse(Buffer.concat(chunks).toString()));
}

/** Traces of a deadly attempt outside: files that are new, or whose content is not their name any more. */
export async function changedFiles(outside: string): Promise<readonly string[]> {
  const entries = await readdir(outside, { withFileTypes: true });
  const changed = await Promise.all(
    // Reading a pipe would wait for a writer.
    entries.map(async (entry) => !entry.isFile() || (await readFile(join(outside, entry.name), 'utf8')) !== entry.name),
  );
  return entries
    .filter((_entry, index) => changed[index] === true)
    .map(({ name }) => name)
    .sort();
}
