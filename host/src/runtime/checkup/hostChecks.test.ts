import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningRegistry } from '@tabularium/registry';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { tinyDriver } from '../../../../registry/src/tinyDriver.test-helper.ts';
import { MemoryStore } from '../../../../tests/security/memoryStore.ts';
import { createRegistry } from '../../../../tests/security/packageHost.ts';
import type { InstallationCheck } from '../../common/checkup.ts';
import { englishOf } from '../../common/hostSentences.ts';
import { builtRunner } from '../drivers/processes/processes.test-helper.ts';
import { kernelWall } from '../drivers/processes/walls/kernelWall.ts';
import { Runtime } from '../runtime.ts';
import { openHome } from '../storage/home.ts';
import { silentLogger } from '../storage/logger.ts';
import { HostChecks } from './hostChecks.ts';
import type { HostCheckParts } from './hostChecks.ts';

// The checks that a command can't bring to fail: a real installed driver that was changed, a real bridge that is turned away, a real launcher that fails.

const never = new AbortController().signal;

let registry: RunningRegistry;
let folder: string;
let runtime: Runtime;

beforeAll(async () => {
  [registry] = await Promise.all([createRegistry(), builtRunner()]);
  await registry.publish(tinyDriver());
});
afterAll(() => registry.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tabularium-checks-'));
  runtime = await start();
});
afterEach(async () => {
  await runtime[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function start(): Promise<Runtime> {
  return Runtime.start({
    home: await openHome(join(folder, 'home'), never),
    env: { HOME: folder, TABULARIUM_LOCAL_REGISTRY: registry.registryJsonPath },
    logger: silentLogger,
    secureStore: new MemoryStore(),
    policyFile: join(folder, 'none.json'),
    spareDriver: false,
  });
}

async function checkOf(name: string, checks: HostChecks = runtime.services.hostChecks): Promise<InstallationCheck | undefined> {
  for await (const check of checks.run(true, never)) if (check.name === name) return check;
  return undefined;
}

describe('the checks of a host', () => {
  it('find a driver whose files were changed, and say what can be done', async () => {
    for await (const step of runtime.services.drivers.install('tiny', {}, never)) void step;
    expect(await checkOf('drivers')).toMatchObject({ ok: true, finding: 'Installed: tiny 1.0.0.', advice: null });
    const [version = ''] = await readdir(join(folder, 'home/drivers/tiny'));
    await runtime[Symbol.asyncDispose]();
    await writeFile(join(folder, 'home/drivers/tiny', version, 'dist/index.js'), 'changed');
    runtime = await start();
    expect(await checkOf('drivers')).toMatchObject({
      ok: false,
      finding: expect.stringMatching(/^tiny: The installed driver .* is not as it was installed/) as string,
      advice: expect.stringContaining('tabularium drivers install') as string,
    });
  });

  it('find an MCP server that does not run, and one that turns the bridge away', async () => {
    expect(await checkOf('mcpServer')).toMatchObject({
      ok: false,
      finding: 'The MCP server is turned on but does not run.',
      advice: expect.stringContaining('port') as string,
    });
    await runtime.startMcp(0);
    expect(await checkOf('mcpServer')).toMatchObject({ ok: true, finding: expect.stringContaining('reaches it') as string });
    await chmod(join(folder, 'home'), 0o755);
    expect(await checkOf('mcpServer')).toMatchObject({
      ok: false,
      finding: expect.stringMatching(
        /but the bridge failed: The handshake of Tabularium can't be trusted\. .*: chmod 700 /,
      ) as string,
      advice: expect.stringContaining('start the host again') as string,
    });
  });

  it('find a kernel sandbox whose test fails, which is a fault on Linux alone', async () => {
    const launcher = join(folder, 'launcher.cjs');
    await writeFile(launcher, 'process.exit(7);');
    const wall = await kernelWall(process.execPath, launcher);
    const kernelSandboxMissing = wall.present ? '' : englishOf(wall.reason);
    const checks = new HostChecks({
      ...({} as HostCheckParts),
      drivers: { overview: async () => ({ drivers: [], offline: false, policy: [], policySentences: [], kernelSandboxMissing }) },
    });
    expect(await checkOf('sandbox', checks)).toMatchObject({
      ok: process.platform !== 'linux',
      finding: kernelSandboxMissing,
      advice: expect.stringContaining('whose publisher you trust') as string,
    });
  });
});
