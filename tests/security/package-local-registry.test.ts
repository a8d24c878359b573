import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tinyDriver } from '../../registry/src/tinyDriver.test-helper.ts';
import { createPackageHost, createRegistry } from './packageHost.ts';

const never = new AbortController().signal;

it('the local registry is trusted by the root in its own file, and a new one is a new registry', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tabularium-local-'));
  const file = join(folder, 'registry.json');
  const host = await createPackageHost({ registries: () => [], registryFile: file });
  try {
    const first = await createRegistry();
    await first.publish(tinyDriver());
    await copyFile(first.registryJsonPath, file);
    await host.catalogue.refresh(never);
    expect(await host.registryManagement.registries()).toMatchObject([{ from: 'thisMachine', catalogue: { state: 'signed' } }]);
    await first.close();
    const second = await createRegistry();
    await second.publish(tinyDriver());
    await copyFile(second.registryJsonPath, file);
    expect((await host.catalogue.refresh(never)).problem).toBeUndefined();
    await second.close();
  } finally {
    await host.close();
    await rm(folder, { recursive: true, force: true });
  }
});
