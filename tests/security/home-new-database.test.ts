import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRegistry } from '@tabularium/registry';
import type { RunningRegistry } from '@tabularium/registry';
import { tmpdir } from 'node:os';
import { tinyDriver } from '../../registry/src/tinyDriver.test-helper.ts';
import { createPackageHost } from './packageHost.ts';

let folder: string;
let registry: RunningRegistry;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tabularium-new-database-'));
  registry = await startRegistry({ stateFolder: folder });
  await registry.publish(tinyDriver({ version: '1.0.0' }));
});
afterAll(async () => {
  await registry.close();
  await rm(folder, { recursive: true, force: true });
});

describe('a new database', () => {
  it.each([
    ['lists the drivers on disk again whose publisher it trusts', true],
    ['keeps the drivers on disk whose publisher it does not trust', false],
  ])('%s', async (_what, trusted) => {
    const before = await createPackageHost({ registryFile: registry.registryJsonPath });
    await before.install('tiny');
    const files = await before.files();
    await before.stop();
    for (const suffix of ['', '-wal', '-shm']) await rm(join(before.home, `tabularium.db${suffix}`), { force: true });
    const after = await createPackageHost({ home: before.home, ...(trusted ? { registryFile: registry.registryJsonPath } : {}) });
    expect(await after.files()).toEqual(files);
    expect(after.installed.list().map(({ id, version, current }) => ({ id, version, current }))).toEqual(
      trusted ? [{ id: 'tiny', version: '1.0.0', current: true }] : [],
    );
    await after.stop();
    await rm(before.home, { recursive: true, force: true });
  });
});
