import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildDriver } from '@tabularium/sdk/cli';
import { driverSource, ProcessBench, testManifest } from './processes.test-helper.ts';

// Places in the sources of a driver that is being developed, under the permission model.

const { signal } = new AbortController();
let bench: ProcessBench;
beforeAll(async () => {
  bench = await ProcessBench.open();
});
afterAll(() => bench.close());

const failing = driverSource(
  `async listTables() { return fail(); },`,
  `
function fail() {
  throw new RangeError('no luck');
}`,
);

/** Installs a driver that was built for development, from a source elsewhere. */
async function developed(): Promise<{ driver: Awaited<ReturnType<ProcessBench['driver']>>; source: string }> {
  const driver = await bench.driver(failing);
  const source = join(bench.folder, 'source.js');
  await writeFile(source, failing);
  await writeFile(
    join(driver.folder, 'package.json'),
    JSON.stringify({
      name: 'fixture',
      version: '1.0.0',
      type: 'module',
      exports: './index.js',
      tabularium: { ...testManifest() },
    }),
  );
  await buildDriver({ folder: driver.folder, source: `../../../source.js`, sourceMaps: true });
  return { driver, source };
}

describe('an error of a driver that has a map beside it', () => {
  it('names the place in the source, and its stack is in the log', async () => {
    const { driver, source } = await developed();
    const session = await (await bench.processes()).connect({ driver, settings: {}, files: {}, signal });
    const line = failing.split('\n').findIndex((text) => text.includes('no luck')) + 1;
    await expect(session.listTables({ signal })).rejects.toMatchObject({
      code: 'DRIVER_FAULT',
      message: `The driver "fixture" failed. RangeError: no luck (${source}:${line}:9)`,
    });
    await session.close();
    expect(bench.lines.map(({ message }) => message).join('\n')).not.toContain('driver-process.cjs');
    expect(bench.lines.filter((one) => one.source === 'stderr').map(({ message }) => message)).toEqual(
      expect.arrayContaining(['RangeError: no luck', expect.stringContaining(`${source}:${line}:9`)]),
    );
  });

  it('is as it was where there is no map', async () => {
    const session = await (
      await bench.processes()
    ).connect({ driver: await bench.driver(failing), settings: {}, files: {}, signal });
    await expect(session.listTables({ signal })).rejects.toMatchObject({
      message: 'The driver "fixture" failed. RangeError: no luck',
    });
  });
});

describe('a map', () => {
  it.each([
    ['outside the folder is not read', 'outside', ['ERR_ACCESS_DENIED', false]],
    ['beside the entry is', 'inside', [null, true]],
  ])('%s', async (_name, place, expected) => {
    const outside = join(bench.folder, 'outside.map');
    const map = JSON.stringify({ version: 3, sources: ['mapped.ts'], names: [], mappings: 'AAAA' });
    await writeFile(outside, map);
    const source = driverSource(
      `get server() {
        let denied = null;
        try { readFileSync(${JSON.stringify(outside)}); } catch (error) { denied = error.code; }
        const found = new Error('where').stack.includes('mapped.ts');
        return { product: JSON.stringify([denied, found]) };
      },`,
      `import { readFileSync } from 'node:fs';`,
    );
    const reference = place === 'outside' ? outside : 'index.js.map';
    const driver = await bench.driver(`${source}\n//# sourceMappingURL=${reference}\n`);
    await writeFile(join(driver.folder, 'index.js.map'), map);
    const session = await (await bench.processes()).connect({ driver, settings: {}, files: {}, signal });
    const [denied, found] = JSON.parse(session.server.product) as [string | null, boolean];
    expect([place === 'outside' ? denied : null, found]).toEqual(expected);
  });
});
