import { spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NO_FILTER } from '@tabularium/sdk';
import { builtRunner, ProcessBench, testManifest } from '../../host/src/runtime/drivers/processes/processes.test-helper.ts';
import type { DriverProcesses } from '../../host/src/runtime/drivers/processes/driverProcesses.ts';

// Node writes the report of a fatal error without asking the permission model (docs/security/node-report-and-permissions.md).

const { signal } = new AbortController();
const SMALL_HEAP = 24;
const PRECIOUS = 'alias ls="ls --color"\n';
/**
 * Out of memory, in different ways. The first three end in a report unless something prevents it. Each is tried in the data directory and outside.
 */
const OUT_OF_MEMORY = ['strings', 'objects', 'arrays', 'closures', 'maps'] as const;
/** Every other way to the end of a process. Each is tried from a session against one place and while the driver is tried out against the other. */
const OTHER_ENDS = ['buffers', 'webAssembly', 'engine', 'stack', 'exception', 'rejection', 'signal'] as const;

interface Place {
  readonly directory: string;
  readonly file: string;
}

let bench: ProcessBench;
let attack: string;
let versions = 0;

beforeAll(async () => {
  bench = await ProcessBench.open();
  attack = await readFile(join(import.meta.dirname, 'hostile-driver', 'reportAttack.mjs'), 'utf8');
});
afterAll(() => bench.close());

/** A folder with one file that must stay as it is: a home with its database, or the folder above it with the file of a shell. */
async function place(name: string, file: string): Promise<Place> {
  const directory = resolve(bench.folder, name);
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, file), PRECIOUS);
  return { directory, file };
}

const sourceFor = (target: Place, variant: string, atLoad: boolean): string =>
  `const TARGET = ${JSON.stringify({ ...target, variant, atLoad })};\n${attack}`;

async function untouched({ directory, file }: Place): Promise<void> {
  expect(await readdir(directory)).toEqual([file]);
  expect(await readFile(join(directory, file), 'utf8')).toBe(PRECIOUS);
}

/** The content of a file after attacks that not every time end in a report: V8 sometimes ends before Node can write one. */
async function tryUntilWritten(
  { directory, file }: Place,
  rounds: number,
  attempt: (variant: string) => Promise<void>,
): Promise<string> {
  let content = '';
  for (let round = 0; round < rounds; round += 1) {
    await attempt(['objects', 'strings', 'arrays'][round % 3] ?? '');
    content = await readFile(join(directory, file), 'utf8');
    if (content !== PRECIOUS) break;
  }
  return content;
}

/** A session in which the driver attacks, or its trial load. Resolves when its process is gone. */
async function run(processes: DriverProcesses, target: Place, variant: string, atLoad: boolean): Promise<void> {
  // A version of its own: sessions of one version share a process.
  const version = `1.0.${(versions += 1)}`;
  const driver = await bench.driver(sourceFor(target, variant, atLoad), testManifest(), version);
  if (atLoad) {
    await expect(processes.tryOut(driver, signal)).rejects.toThrow();
    return;
  }
  const session = await processes.connect({ driver, settings: {}, files: {}, signal });
  const { rows: pid } = await session.countRows({ table: { namespace: [], name: 't' }, filter: NO_FILTER }, { signal });
  const attacked = expect(session.ping({ signal })).rejects.toThrow();
  if (variant === 'signal') await Promise.race([attacked, delay(300).then(() => process.kill(pid, 'SIGUSR2'))]);
  await attacked;
  await session.close().catch(() => undefined);
}

describe('the report of a fatal error', () => {
  it('overwrites a file of the person if only the permission model protects it', async () => {
    const target = await place('control', '.bashrc');
    const written = await tryUntilWritten(target, 10, async (variant) => {
      const driver = await bench.driver(sourceFor(target, variant, true), testManifest());
      const flags = ['--permission', `--allow-fs-read=${driver.folder}`, '--no-warnings', `--max-old-space-size=${SMALL_HEAP}`];
      spawnSync(process.execPath, [...flags, join(driver.folder, 'index.js')], { env: {}, cwd: driver.folder });
    });
    // When this fails, Node has closed the hole, and docs/security/node-report-and-permissions.md has to say since when.
    expect(written).toMatch(/^\{"header":\{"reportVersion"/);
  });

  for (const atLoad of [false, true]) {
    it(`writes nothing, ${atLoad ? 'while a driver is tried out' : 'from a session'}: every way to end, in the home and outside`, async () => {
      const limits = { heapMegabytes: SMALL_HEAP, ready: 120_000, call: 120_000, crashes: { count: 1_000, within: 1 } };
      const processes = await bench.processes({ limits });
      const mode = atLoad ? 'trial' : 'session';
      const inHome = (variant: string) => ({ variant, name: `${mode}-${variant}/home`, file: 'tabularium.db' });
      const outside = (variant: string) => ({ variant, name: `${mode}-${variant}`, file: '.bashrc' });
      // A signal can't reach a driver in time while it is tried out.
      const otherEnds = OTHER_ENDS.filter((variant) => !(atLoad && variant === 'signal'));
      const runs = [
        ...OUT_OF_MEMORY.flatMap((variant) => [inHome(variant), outside(variant)]),
        ...otherEnds.map((variant, index) => ((index % 2 === 0) === atLoad ? inHome(variant) : outside(variant))),
      ];
      const waiting = [...runs];
      const worker = async (): Promise<void> => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          const target = await place(`targets/${next.name.replace('/', '-')}`, next.file);
          await run(processes, target, next.variant, atLoad);
          await untouched(target);
        }
      };
      await Promise.all([worker(), worker(), worker()]);
    });
  }
});

// Started directly: the program of the process runs without the kernel sandbox here.
describe('each wall against the report holds without the others', () => {
  const disarmed = /\n\tdisarmReport\(\);/;
  const hidden = /\n\tpruneGlobals\(allowedGlobals\(grants\), ours\);\n(?:\tif \(isDelivered\)[^\n]*\n)?\tstripProcess\(real\);/;

  /** The rest of the file if the program lacks these parts. */
  async function without(...parts: readonly RegExp[]): Promise<string> {
    const built = await readFile(await builtRunner(), 'utf8');
    const program = parts.reduce((text, part) => {
      const changed = text.replace(part, '');
      expect(changed).not.toBe(text);
      return changed;
    }, built);
    const folder = join(bench.folder, `runner-${parts.map(({ source }) => source.length).join('-')}`);
    await mkdir(folder);
    await writeFile(join(folder, 'runner.cjs'), program);
    const target = await place(`${folder}-target`, '.bashrc');
    return tryUntilWritten(target, parts.length === 2 ? 10 : 3, async (variant) => {
      const driver = await bench.driver(sourceFor(target, variant, true), testManifest());
      const flags = ['--permission', `--allow-fs-read=${driver.folder}`, '--no-warnings', `--max-old-space-size=${SMALL_HEAP}`];
      const words = [...flags, join(folder, 'runner.cjs'), join(driver.folder, 'index.js'), 'fixture'];
      const { status, signal: killer } = spawnSync(process.execPath, words, {
        env: {},
        cwd: driver.folder,
        stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
      });
      expect([status, killer]).toEqual([null, expect.stringMatching(/SIG(ABRT|TRAP|ILL)/)]);
    });
  }

  it('all of them together', async () => {
    expect(await without()).toBe(PRECIOUS);
  });

  it('the report without its setters, where a driver has the real process', async () => {
    expect(await without(hidden)).toBe(PRECIOUS);
  });

  it('the process without its report, where the report works', async () => {
    expect(await without(disarmed)).toBe(PRECIOUS);
  });

  it('and without both the file is overwritten: the attack is real', async () => {
    expect(await without(disarmed, hidden)).toMatch(/^\{"header":\{"reportVersion"/);
  });
});
