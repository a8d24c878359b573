import { execFile } from 'node:child_process';
import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DriverProcesses, RemoteSession } from '../../host/src/runtime/drivers/processes/driverProcesses.ts';
import { driverCommand } from '../../host/src/runtime/drivers/processes/driverCommand.ts';
import { PROCESS_LIMITS } from '../../host/src/runtime/drivers/processes/processLimits.ts';
import { driverSource, ProcessBench } from '../../host/src/runtime/drivers/processes/processes.test-helper.ts';
import { Spawned } from './hostile-driver/spawned.ts';

// A driver that asks for nothing beyond the sandbox is delivered over the wire's pipe: its process may read no folder, not even the driver's own.

const signal = new AbortController().signal;
let bench: ProcessBench;
beforeAll(async () => {
  bench = await ProcessBench.open();
});
afterAll(() => bench.close());

/** A driver whose ping does something and whose error is the answer. */
const doing = (work: string, before = ''): string =>
  driverSource(
    `async ping() { const told = await (async () => { ${work} })(); throw new Error('told ' + JSON.stringify(told)); },`,
    before,
  );

async function reported(session: RemoteSession): Promise<unknown> {
  const error: unknown = await session.ping({ signal }).catch((reason: unknown) => reason);
  const message = error instanceof Error ? error.message : '';
  const text = /told (.*)$/s.exec(message)?.[1];
  return text === undefined ? message : (JSON.parse(text) as unknown);
}

/** With a spare process, and without one. */
async function* both(): AsyncGenerator<DriverProcesses> {
  yield await bench.processes();
  const warm = await bench.processes({ limits: { spareIdle: 60_000 } });
  await warm.warm();
  await delay(300);
  yield warm;
}

async function answers(source: string, files: Readonly<Record<string, string>> = {}): Promise<unknown[]> {
  const driver = await bench.driver(source);
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(driver.folder, name)), { recursive: true });
    await writeFile(join(driver.folder, name), text);
  }
  const all: unknown[] = [];
  for await (const processes of both()) {
    const session = await processes.connect({ driver, settings: {}, files: {}, signal });
    all.push(await reported(session));
    await processes.close();
  }
  return all.map((answer) => JSON.parse(JSON.stringify(answer).replaceAll(driver.folder, 'FOLDER')) as unknown);
}

describe('a driver that is delivered', () => {
  it('imports the files of its package, and has its folder', async () => {
    const work = `
      const { default: data } = await import('./data/de ü%23.json', { with: { type: 'json' } });
      const { resolve } = await import('node:path');
      return [data, sibling, process.cwd(), resolve('x'), import.meta.filename, import.meta.dirname];`;
    const expected = [{ a: 1 }, 'sibling of FOLDER/lib/sibling.js', 'FOLDER', 'FOLDER/x', 'FOLDER/index.js', 'FOLDER'];
    const files = {
      'data/de ü#.json': '{"a":1}',
      'lib/sibling.js': 'export const sibling = "sibling of " + import.meta.filename;',
    };
    expect(await answers(doing(work, "import { sibling } from './lib/sibling.js';"), files)).toEqual([expected, expected]);
  });

  it('imports nothing of another driver, nothing that is missing, and no module of files', async () => {
    const other = await bench.driver('export const secret = 1;');
    const work = `
      const tried = [];
      for (const name of [${JSON.stringify(join(other.folder, 'index.js'))}, './missing.js', './constructor', './__proto__.js', 'node:' + 'f' + 's', 'f' + 's', 'f' + 's/promises'])
        tried.push(await import(name).then(() => 'imported', (error) => error.code));
      const { createRequire } = await import('node:module');
      try { createRequire(import.meta.url)('f' + 's'); } catch (error) { tried.push(error.message); }
      return tried;`;
    const denied = 'ERR_ACCESS_DENIED';
    const expected = [denied, 'MODULE_NOT_FOUND', denied, 'MODULE_NOT_FOUND', denied, denied, denied];
    const all = await answers(doing(work));
    for (const answer of all)
      expect(answer).toEqual([...expected, expect.stringContaining('Write the name as a text in your code')]);
    expect(all).toHaveLength(2);
  });

  it('whose code names the module of files reads its own folder, as every driver may', async () => {
    const work = "return JSON.parse(readFileSync(import.meta.dirname + '/package.json', 'utf8')).name;";
    expect(await answers(doing(work, "import { readFileSync } from 'node:fs';"))).toEqual(['fixture', 'fixture']);
  });

  it('and is too large for a delivery reads its folder and works', async () => {
    const driver = await bench.driver(doing("return (await import('./large.json', { with: { type: 'json' } })).default.length;"));
    await writeFile(join(driver.folder, 'large.json'), JSON.stringify('x'.repeat(17 * 1024 * 1024)));
    const processes = await bench.processes();
    const session = await processes.connect({ driver, settings: {}, files: {}, signal });
    expect(await reported(session)).toBe(17 * 1024 * 1024);
    await processes.close();
  });

  it('says what is wrong with it as every driver does', async () => {
    for await (const processes of both()) {
      const connect = async (source: string): Promise<unknown> =>
        processes.connect({ driver: await bench.driver(source), settings: {}, files: {}, signal });
      await expect(connect('throw new Error("at once")')).rejects.toThrow('could not be loaded. Error: at once');
      await expect(connect('import "node:child_process"')).rejects.toThrow("which drivers can't use");
      await expect(connect('process.exit(3)')).rejects.toThrow(/ended unexpectedly/);
      await processes.close();
    }
  });
});

describe('the process of a driver that is delivered', () => {
  it.each([
    ['the kernel alone', { permissionModel: false, kernel: true }],
    ['both walls', { permissionModel: true, kernel: true }],
  ])('reads no folder of a driver by %s, before it has one and with it', async (_name, walls) => {
    const driver = await bench.driver(driverSource());
    const other = await bench.driver(driverSource());
    const outcomes = await Spawned.outcomes(bench, walls, driver, [
      driver.folder,
      join(driver.folder, 'index.js'),
      join(other.folder, 'index.js'),
      await realpath(bench.folder),
    ]);
    expect(outcomes).toHaveLength(8);
    for (const outcome of outcomes) expect(['EACCES', 'ERR_ACCESS_DENIED']).toContain(outcome);
  });

  it('reads no folder by the flags of Node alone', async () => {
    const driver = await bench.driver(driverSource());
    const command = driverCommand({
      ...{ node: process.execPath, runner: '-p', grants: [], wider: [], limits: PROCESS_LIMITS, endWithHost: true },
    });
    const flags = [command.file, ...command.arguments].slice(0, -1);
    const attempt = `try { fs.readFileSync(${JSON.stringify(join(driver.folder, 'index.js'))}); 'reached' } catch (error) { error.code }`;
    const { stdout } = await promisify(execFile)(flags[0] ?? '', [...flags.slice(1), attempt]);
    expect(stdout.trim()).toBe('ERR_ACCESS_DENIED');
  });
});
