import { join } from 'node:path';
import type { RunningRegistry } from '@tabularium/registry';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DriverProcesses } from '../../host/src/runtime/drivers/processes/driverProcesses.ts';
import { builtRunner, launcherFile } from '../../host/src/runtime/drivers/processes/processes.test-helper.ts';
import { tinyDriver } from '../../registry/src/tinyDriver.test-helper.ts';
import { createPackageHost, createRegistry } from './packageHost.ts';
import type { PackageHost } from './packageHost.ts';

let registry: RunningRegistry;
let runner: string;
let host: PackageHost;
let processes: DriverProcesses | undefined;

beforeAll(async () => {
  [registry, runner] = await Promise.all([createRegistry(), builtRunner()]);
});
afterAll(() => registry.close());
beforeEach(async () => {
  host = await createPackageHost({
    registryFile: registry.registryJsonPath,
    trialLoader: { tryOut: (driver, signal) => (processes as DriverProcesses).tryOut(driver, signal) },
  });
  processes = new DriverProcesses({
    runner,
    launcher: launcherFile,
    node: process.execPath,
    log: () => undefined,
    pidFile: join(host.home, 'processes.json'),
  });
});
afterEach(async () => {
  await processes?.close();
  await host.close();
});

describe('the trial in a real driver process', () => {
  it('passes a driver that starts', async () => {
    await registry.publish(tinyDriver());
    expect(await host.install('tiny')).toMatchObject({ version: '1.0.0' });
  });

  it.each([
    ['is no JavaScript', 'this is no JavaScript'],
    ['exports no driver', 'export const something = 1;'],
    ['throws when it is loaded', 'throw new Error("not today");'],
    ['ends its process', 'process.exit(0);'],
    [
      'reaches for the network when it is loaded',
      `import net from 'node:net'; await new Promise((r, j) => net.connect(1, '127.0.0.1').on('error', j));`,
    ],
    [
      'is another driver than its manifest says',
      `export const driver = { $$type: '@tabularium/driver', contract: '1.0.0', definition: { id: 'other', connect() {} } };`,
    ],
  ])('refuses a driver that %s', async (_what, code) => {
    const id = `broken-${code.length}`;
    await registry.publish(tinyDriver({ id, code }));
    await expect(host.install(id)).rejects.toMatchObject({ code: 'PACKAGE_FAILED_TRIAL' });
    expect(await host.files()).toEqual([]);
    expect(host.records.list()).toEqual([]);
  });

  it('leaves the version before in use', async () => {
    await registry.publish(tinyDriver({ id: 'updated' }));
    await host.install('updated');
    await registry.publish(tinyDriver({ id: 'updated', version: '1.1.0', code: 'throw new Error("worse");' }));
    await expect(host.install('updated')).rejects.toMatchObject({ code: 'PACKAGE_FAILED_TRIAL' });
    expect(await host.installed.current('updated')).toMatchObject({ version: '1.0.0' });
    expect(host.installed.list()).toHaveLength(1);
  });
});
