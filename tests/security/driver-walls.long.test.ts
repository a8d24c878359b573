import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NO_FILTER } from '@tabularium/sdk';
import { testManifest } from '../../host/src/runtime/drivers/processes/processes.test-helper.ts';
import { AttackMatrix, attemptNames, changedFiles } from './hostile-driver/attackMatrix.ts';

// The slower attempts: those that end the process, without walls and with each of them alone, and the greedy driver inside each of them.

const signal = new AbortController().signal;
const limits = { heapMegabytes: 60 };

let matrix: AttackMatrix;
let deadly: readonly string[];
beforeAll(async () => {
  matrix = await AttackMatrix.open();
  deadly = [...(await attemptNames('rawAttempts.mjs', 'deadlyAttempts')), 'V8 flags'];
});
afterAll(() => matrix.close());

describe('an attempt that ends the process', () => {
  it('succeeds without walls, and never with the kernel alone', async () => {
    for (const name of deadly) {
      const free = await matrix.attack({ permissionModel: false, kernel: false }, [name], limits);
      expect([name, free.lines.includes('ALIVE') || (await changedFiles(free.outside)).length > 0]).toEqual([name, true]);
      const walled = await matrix.attack({ permissionModel: false, kernel: true }, [name], limits);
      expect([name, walled.lines.includes('ALIVE'), await changedFiles(walled.outside)]).toEqual([name, false, []]);
    }
  });

  it('is contained by the permission model alone, but for the fatal error report', async () => {
    for (const name of deadly.filter((other) => other !== 'fatal error report')) {
      const { outside, lines } = await matrix.attack({ permissionModel: true, kernel: false }, [name], limits);
      expect([name, lines.includes('ALIVE'), await changedFiles(outside)]).toEqual([name, false, []]);
    }
  });
});

describe.each([
  ['the permission model', { permissionModel: true, kernel: false }],
  ['the kernel', { permissionModel: false, kernel: true }],
])('a greedy driver inside %s alone', (_name, walls) => {
  it.each(['heap', 'buffers', 'buffersWithoutPause', 'webAssembly', 'busy', 'exit'])('is ended: %s', async (behaviour) => {
    const driver = await matrix.bench.driver('', testManifest());
    await copyFile(join(import.meta.dirname, 'hostile-driver', 'greedy.mjs'), join(driver.folder, 'index.js'));
    const processes = await matrix.bench.processes({
      walls,
      limits: { call: 20_000, cancelGrace: 100, ...(behaviour === 'busy' ? { call: 500 } : {}) },
    });
    const session = await processes.connect({ driver, settings: {}, files: {}, signal });
    const table = { namespace: [], name: behaviour };
    const reading = session.readPage({ table, filter: NO_FILTER, sorts: [], position: { from: 'start' }, limit: 1 }, { signal });
    await expect(reading).rejects.toThrow();
    await expect
      .poll(() =>
        session.ping({ signal }).then(
          () => 'alive',
          () => 'gone',
        ),
      )
      .toBe('gone');
    await processes.close();
  });
});
