import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { InstalledDriver } from '../../../host/src/runtime/drivers/packages/installedDriver.ts';
import type { ProcessBench } from '../../../host/src/runtime/drivers/processes/processes.test-helper.ts';
import type { Walls } from './attackMatrix.ts';

const signal = new AbortController().signal;

/** Replaces the program of a driver's process: nothing was removed from it. */
const PROGRAM = `
const fs = require('node:fs');
const paths = PATHS;
const tryAll = () => paths.map((path) => {
  try { fs.statSync(path).isDirectory() ? fs.readdirSync(path) : fs.readFileSync(path); return 'reached'; } catch (error) { return error.code; }
});
const before = tryAll();
const exactly = (length) => { const bytes = Buffer.alloc(length); for (let filled = 0; filled < length;) filled += fs.readSync(3, bytes, filled, length - filled, null); return bytes; };
const head = JSON.parse(exactly(exactly(4).readUInt32BE()).toString());
for (const { bytes } of head.files) exactly(bytes);
fs.writeSync(2, 'OUTCOMES ' + JSON.stringify([...before, ...tryAll()]) + '\\n');
`;

/** The files that a process can read if its driver is delivered to it. */
export const Spawned = {
  /** @returns what came of each path before the delivery, and then after it: `reached` or the code of the error */
  async outcomes(bench: ProcessBench, walls: Walls, driver: InstalledDriver, paths: readonly string[]): Promise<string[]> {
    const folder = join(bench.folder, 'programs', String(bench.lines.length));
    await mkdir(folder, { recursive: true });
    const runner = join(folder, 'program.cjs');
    await writeFile(runner, PROGRAM.replace('PATHS', JSON.stringify(paths)));
    const before = bench.lines.length;
    const processes = await bench.processes({ runner, walls });
    await processes
      .tryOut({ folder: driver.folder, entry: driver.entry, manifest: driver.manifest }, signal)
      .catch(() => undefined);
    await processes.close();
    const line = bench.lines.slice(before).find(({ message }) => message.startsWith('OUTCOMES '));
    return z.array(z.string()).parse(JSON.parse(line?.message.slice('OUTCOMES '.length) ?? '[]'));
  },
};
