import { join } from 'node:path';
import type { RunningRegistry } from '@tabularium/registry';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SealedSecrets } from '../../host/src/runtime/credentials/sealedSecrets.ts';
import { DriverUse } from '../../host/src/runtime/drivers/driverUse.ts';
import { DriverProcesses } from '../../host/src/runtime/drivers/processes/driverProcesses.ts';
import { builtRunner, launcherFile, driverSource } from '../../host/src/runtime/drivers/processes/processes.test-helper.ts';
import { silentLogger } from '../../host/src/runtime/storage/logger.ts';
import type { ConnectedSession } from '../../host/src/runtime/data/sessions.ts';
import { tinyDriver } from '../../registry/src/tinyDriver.test-helper.ts';
import { createPackageHost, createRegistry } from './packageHost.ts';
import type { PackageHost } from './packageHost.ts';

const never = new AbortController().signal;

let registry: RunningRegistry;
let runner: string;
let host: PackageHost;
let processes: DriverProcesses;
let use: DriverUse;

beforeAll(async () => {
  [registry, runner] = await Promise.all([createRegistry(), builtRunner()]);
  const source = (version: string, members: string, before = '') =>
    registry.publish(tinyDriver({ version, code: driverSource(members, before, 'tiny') }));
  await source('1.0.0', '');
  await source('1.1.0', 'async ping() { process.exit(3); },');
  await registry.publish(
    tinyDriver({
      version: '1.3.0',
      code: driverSource('', '', 'tiny').replace('const session = {', 'process.exit(4); const session = {'),
    }),
  );
});
afterAll(() => registry.close());
beforeEach(async () => {
  host = await createPackageHost({ registryFile: registry.registryJsonPath });
  processes = new DriverProcesses({
    runner,
    launcher: launcherFile,
    node: process.execPath,
    log: () => undefined,
    pidFile: join(host.home, 'processes.json'),
  });
  use = new DriverUse({
    connector: {
      connect: ({ driver, settings, signal }) => processes.connect({ driver, settings, files: {}, signal }),
    },
    installed: host.installed,
    records: host.records,
    choices: host.choices,
    logger: silentLogger,
  });
});
afterEach(async () => {
  await processes.close();
  await host.close();
});

async function open(): Promise<ConnectedSession> {
  return use.connect({
    driver: await host.installed.current('tiny'),
    settings: {},
    secrets: new SealedSecrets(new Map()),
    signal: never,
  });
}

describe('a new version on its first use', () => {
  it('that crashes while it connects gives way to the version before, and the next session works', async () => {
    await host.install('tiny', '1.0.0');
    await host.install('tiny', '1.3.0');
    await expect(open()).rejects.toMatchObject({
      code: 'DRIVER_ROLLED_BACK',
      message: expect.stringMatching(/1\.3\.0 crashed.*1\.0\.0 is in use again.*last call: connect/) as string,
    });
    const session = await open();
    await session.ping({ signal: never });
    await session.close();
    expect(host.records.current('tiny')).toMatchObject({ version: '1.0.0', proven: true });
    const { drivers } = await host.management.overview();
    expect(drivers.find(({ id }) => id === 'tiny')).toMatchObject({
      updateOffered: false,
      fault: expect.stringMatching(/exit code 4.*Version 1\.0\.0 is in use again\.$/) as string,
    });
  });

  it('that crashes in its first session gives way too', async () => {
    await host.install('tiny', '1.0.0');
    await host.install('tiny', '1.1.0');
    const session = await open();
    const closed = new Promise((resolve) => session.onClosed(resolve));
    await expect(session.ping({ signal: never })).rejects.toMatchObject({ code: 'DRIVER_CRASHED' });
    await closed;
    expect(host.records.current('tiny')).toMatchObject({ version: '1.0.0' });
    expect(use.isInUse('tiny', '1.1.0')).toBe(false);
  });

  it('stays when it is the only one, and is named', async () => {
    await host.install('tiny', '1.3.0');
    await expect(open()).rejects.toMatchObject({ code: 'DRIVER_CRASHED', message: expect.stringContaining('1.3.0') as string });
    expect(host.records.current('tiny')).toMatchObject({ version: '1.3.0' });
  });

  it('stays once it has proven itself, whatever happens later', async () => {
    await host.install('tiny', '1.0.0');
    await host.install('tiny', '1.1.0');
    await (await open()).close();
    const session = await open();
    const closed = new Promise((resolve) => session.onClosed(resolve));
    await expect(session.ping({ signal: never })).rejects.toMatchObject({ code: 'DRIVER_CRASHED' });
    await closed;
    expect(host.records.current('tiny')).toMatchObject({ version: '1.1.0', proven: true });
  });

  it('is installed again when a person asks for it by its number', async () => {
    await host.install('tiny', '1.0.0');
    await host.install('tiny', '1.3.0');
    await expect(open()).rejects.toMatchObject({ code: 'DRIVER_ROLLED_BACK' });
    await host.install('tiny', '1.3.0');
    expect(host.records.current('tiny')).toMatchObject({ version: '1.3.0' });
    expect(host.choices.refused('tiny')).toEqual([]);
  });
});
