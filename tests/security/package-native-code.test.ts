import { copyFile, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { buildDriver, checkDriver } from '@tabularium/sdk/cli';
import { createSigningKey } from '@tabularium/sdk/package';
import { packPackage, signPackage } from '@tabularium/registry';
import type { RunningRegistry } from '@tabularium/registry';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HostError } from '../../host/src/common/errors.ts';
import { hostPlatform } from '../../host/src/runtime/drivers/packages/hostPlatform.ts';
import type { InstalledDriver } from '../../host/src/runtime/drivers/packages/installedDriver.ts';
import { driverSource, ProcessBench } from '../../host/src/runtime/drivers/processes/processes.test-helper.ts';
import type { DriverProcesses } from '../../host/src/runtime/drivers/processes/driverProcesses.ts';
import { tinyManifest } from '../../registry/src/tinyDriver.test-helper.ts';
import { createPackageHost, createRegistry } from './packageHost.ts';
import type { PackageHost } from './packageHost.ts';
import { platformPackage } from './nativeDriver.ts';

const { signal } = new AbortController();
/** A compiler of style sheets in native code: what it answers was computed there. */
const NATIVE = createRequire(createRequire(import.meta.url).resolve('lightningcss')).resolve(
  `lightningcss-${hostPlatform()
    .replace(/^(linux-\w+)$/, '$1-gnu')
    .replace(/^(win32-\w+)$/, '$1-msvc')}`,
);

const source = driverSource(
  `async listTables() {
    const table = (name, said) => ({ ref: { namespace: [said], name }, kind: 'table' });
    return [
      table('computed', minified(native, 'a { color: #ff0000 }')),
      // Only a host takes the address itself.
      table('byAddress', minified(require(place.href), 'b { color: #0000ff }')),
      table('file', denied(() => readFileSync('/etc/passwd'))),
      table('network', await reaching()),
    ];
  },`,
  `import { createRequire } from 'node:module';
  import { readFileSync } from 'node:fs';
  import { connect } from 'node:net';
  import { fileURLToPath } from 'node:url';
  const require = createRequire(import.meta.url);
  const place = new URL('../platform/lightningcss.node', import.meta.url);
  const native = require(fileURLToPath(place));
  const minified = (compiler, text) =>
    compiler.transform({ filename: 'a.css', code: Buffer.from(text), minify: true }).code.toString();
  const denied = (work) => { try { work(); return 'reached'; } catch { return 'denied'; } };
  const reaching = () => new Promise((resolve) => {
    try { connect(1, '127.0.0.1').on('error', ({ code }) => resolve(code === 'ECONNREFUSED' ? 'reached' : 'denied')); }
    catch { resolve('denied'); }
  });`,
  'styles',
);

const EXPECTED = { computed: 'a{color:red}', byAddress: 'b{color:#00f}', file: 'denied', network: 'denied' };

let registry: RunningRegistry;
let bench: ProcessBench;
let processes: DriverProcesses;
let host: PackageHost;
let project: string;

beforeAll(async () => {
  [registry, bench, project] = await Promise.all([
    createRegistry(),
    ProcessBench.open(),
    mkdtemp(join(tmpdir(), 'tabularium native project ')),
  ]);
  processes = await bench.processes();
  host = await createPackageHost({
    // As the folder of applications on macOS.
    home: await realpath(await mkdtemp(join(tmpdir(), 'tabularium home '))),
    registryFile: registry.registryJsonPath,
    trialLoader: { tryOut: (driver, aborted) => processes.tryOut(driver, aborted) },
  });
  await writeProject();
});
afterAll(async () => {
  await host.close();
  await bench.close();
  await registry.close();
  await rm(project, { recursive: true, force: true });
});

async function writeProject(): Promise<void> {
  const packageJson = {
    name: '@tabularium-test/driver-styles',
    version: '1.0.0',
    description: 'A Tabularium driver that computes in native code.',
    license: 'MIT',
    type: 'module',
    exports: './dist/index.js',
    files: ['dist/index.js'],
    tabularium: {
      ...tinyManifest('styles', '^1.1'),
      permissions: { unconfined: { reason: 'It computes in native code.', grants: ['addons'] } },
      platforms: [hostPlatform(), 'win32-arm64'],
    },
  };
  await mkdir(join(project, 'src'));
  await writeFile(join(project, 'package.json'), JSON.stringify(packageJson));
  await writeFile(join(project, 'README.md'), '# Styles\n');
  await writeFile(join(project, 'LICENSE'), 'MIT\n');
  await writeFile(join(project, 'src/index.js'), source);
  for (const platform of packageJson.tabularium.platforms) {
    await mkdir(join(project, 'platforms', platform), { recursive: true });
    await writeFile(join(project, 'platforms', platform, 'lightningcss.node'), 'native code of another platform');
  }
  await copyFile(NATIVE, join(project, 'platforms', hostPlatform(), 'lightningcss.node'));
}

/** The answers of the driver in a process of its own. */
async function answers(
  driver: InstalledDriver,
  started: DriverProcesses = processes,
): Promise<Readonly<Record<string, string | undefined>>> {
  const session = await started.connect({ driver, settings: { name: 'x' }, files: {}, signal });
  const tables = await session.listTables({ signal });
  await session.close();
  return Object.fromEntries(tables.map(({ ref }) => [ref.name, ref.namespace[0]]));
}

/** Asks the registry for the driver, with the grants that a person gives. */
async function install(): Promise<InstalledDriver> {
  await host.install('styles').catch((error: unknown) => {
    if (!(error instanceof HostError) || error.code !== 'GRANT_NEEDED') throw error;
    host.management.allowGrants('styles', ['addons']);
  });
  return host.install('styles');
}

describe('a driver with native code', () => {
  it('is built, checked, published and installed, and computes in it behind both walls', async () => {
    await buildDriver({ folder: project, sourceMaps: false });
    // Where tests of the author find it, as in the host.
    expect((await readFile(join(project, 'platform/lightningcss.node'))).length).toBeGreaterThan(1_000_000);
    const checks = await checkDriver(project, { env: process.env, signal });
    expect(checks.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
    expect(checks.find(({ id }) => id === 'platforms')).toMatchObject({
      outcome: 'passed',
      findings: [
        expect.stringContaining(`driver-styles-${hostPlatform()}: `) as string,
        expect.stringContaining('win32-arm64') as string,
      ],
    });
    expect(checks.find(({ id }) => id === 'entry')).toMatchObject({ outcome: 'passed' });

    expect(await registry.publish(project)).toMatchObject({ version: '1.0.0', changed: true });
    expect(await registry.publish(project)).toMatchObject({ version: '1.0.0', changed: false });
    await install();
    expect(await answers(await host.installed.current('styles'))).toEqual(EXPECTED);
  });

  it('computes in it behind each of the walls alone', async () => {
    const driver = await install();
    for (const walls of [{ permissionModel: false }, { kernel: false }]) {
      const others = await bench.processes({ walls });
      expect(await answers(driver, others)).toEqual(EXPECTED);
    }
  });

  it('gets the next version with a changed native file, although package.json says the same', async () => {
    await writeFile(join(project, `platforms/${hostPlatform()}/more.txt`), 'more');
    expect(await registry.publish(project)).toMatchObject({ version: '1.0.1', changed: true });
    const { folder } = await install();
    expect(await readFile(join(folder, 'platform/more.txt'), 'utf8')).toBe('more');
  });

  it('does not start where its native file is another than it expects', async () => {
    const key = await createSigningKey();
    const broken = { id: 'broken', name: 'Broken' };
    await host.trust.trust({ ...broken, publicKey: key.publicKey });
    const files = await host.installed.filesOf('styles', '1.0.1');
    const json = JSON.parse(new TextDecoder().decode(files.get('package.json'))) as Record<string, unknown>;
    const main = new Map(files).set('package.json', new TextEncoder().encode(JSON.stringify({ ...json, version: '2.0.0' })));
    const part = platformPackage(main, hostPlatform(), { files: { 'lightningcss.node': 'no native code' } });
    await registry.publishPacked(await packPackage(await signPackage(part, broken, key)));
    await registry.publishPacked(await packPackage(await signPackage(main, broken, key)));
    await host.install('styles').catch(() => host.management.allowGrants('styles', ['addons']));
    await expect(host.install('styles')).rejects.toMatchObject({ code: 'PACKAGE_FAILED_TRIAL' });
    expect(await answers(await host.installed.current('styles'))).toMatchObject({ computed: 'a{color:red}' });
  });

  it('is loaded from its folder by an author', async () => {
    const load = () => host.management.loadFolder(project, signal);
    await load().catch(() => host.management.allowGrants('styles', ['addons']));
    await load();
    expect(await answers(await host.installed.current('styles'))).toMatchObject({ computed: 'a{color:red}' });
    await host.management.forgetFolder('styles');
  });
});
