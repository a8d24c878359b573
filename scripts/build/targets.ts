import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { NOTICE_FILES } from '../../sdk/src/cli/notices/writeNotices.ts';
import { sourceFiles } from '../documentation/sourcePages.ts';
import { bundleAlone, bundleBridge, bundleDriverProgram, bundleHost, bundlePreload, bundleRenderer } from './bundles.ts';
import { cataloguePath, driverFolders, renderCatalogue } from './catalogue.ts';
import { writeBundleNotices, writeDependencyNotices, writeHostNotices, writeModules } from './notices.ts';
import { PACKAGE_SCHEMA, packageSchema } from './packageSchema.ts';
import { buildSdk } from './sdk.ts';
import { writeFileList } from './writeFileList.ts';

export interface Target {
  readonly name: string;
  /** Targets that one asks for together: what the application is made of, for one. */
  readonly group: 'sdk' | 'host' | 'drivers';
  /** Files and folders, relative to the repository, whose content decides whether the target is stale. */
  readonly inputs: readonly string[];
  /** Files and folders, relative to `folder`, that the build produces. Each is replaced as a whole. */
  readonly outputs: readonly string[];
  /** Where the outputs go, relative to the repository. */
  readonly folder: string;
  /** Builds into an empty folder of its own; the caller moves the outputs into place. */
  build(stagingFolder: string): Promise<void>;
}

/** Inputs of every output: the tools themselves, their settings, the versions of packages. */
const tools = ['scripts/build', 'scripts/build.ts', 'package-lock.json', 'tsconfig.base.json'];
const sdkSource = ['sdk/src', 'sdk/package.json'];

/** The entries whose source exists. A host without a bridge yet still builds. */
function present(root: string, entries: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(entries).filter(([, source]) => existsSync(join(root, source))));
}

export function allTargets(root: string): Target[] {
  const targets: Target[] = [];
  const add = (target: Target, sources: readonly string[]): void => {
    if (sources.some((source) => existsSync(join(root, source)))) targets.push(target);
  };

  add(
    {
      name: 'sdk',
      group: 'sdk',
      inputs: [...tools, ...sdkSource, 'sdk/tsconfig.build.json', 'docs/reference/manifest.md'],
      folder: 'sdk',
      outputs: ['dist'],
      async build(staging) {
        await buildSdk(root, join(staging, 'dist'));
        await writeFile(join(staging, 'dist', PACKAGE_SCHEMA), packageSchema(root));
        await writeDependencyNotices(root, 'sdk', join(staging, 'dist'));
      },
    },
    ['sdk/src/index.ts'],
  );

  add(
    {
      name: 'create-driver',
      group: 'sdk',
      inputs: [...tools, 'create-driver/src', 'create-driver/package.json'],
      folder: 'create-driver/dist',
      outputs: ['main.js', ...NOTICE_FILES],
      async build(staging) {
        const modules = await bundleAlone(root, { main: 'create-driver/src/main.ts' }, staging);
        await writeBundleNotices(root, 'create-driver', staging, modules);
      },
    },
    ['create-driver/src/main.ts'],
  );

  targets.push({
    name: 'catalogue',
    group: 'host',
    inputs: [...tools, ...driverFolders(root).map((folder) => `drivers/${folder}/package.json`)],
    folder: dirname(cataloguePath),
    outputs: [basename(cataloguePath)],
    build: (staging) => writeFile(join(staging, basename(cataloguePath)), renderCatalogue(root)),
  });

  const hostEntries = { main: 'host/src/cli/main.ts', 'electron/main': 'host/src/electron/main.ts' };
  add(
    {
      name: 'main',
      group: 'host',
      inputs: [...tools, ...sdkSource, 'host/src', 'host/package.json'],
      folder: 'host/dist',
      outputs: [...Object.keys(present(root, hostEntries)).map((name) => `${name}.js`), 'chunks'],
      async build(staging) {
        await writeModules('main', await bundleHost(root, present(root, hostEntries), staging));
        await writeFileList(join(staging, 'chunks'));
      },
    },
    Object.values(hostEntries),
  );

  add(
    {
      name: 'bridge',
      group: 'host',
      inputs: [...tools, 'host/src/bridge'],
      folder: 'host/dist',
      outputs: ['bridge.cjs'],
      build: async (staging) => writeModules('bridge', await bundleBridge(root, { bridge: 'host/src/bridge/main.ts' }, staging)),
    },
    ['host/src/bridge/main.ts'],
  );

  add(
    {
      name: 'driver-process',
      group: 'host',
      inputs: [...tools, ...sdkSource, 'host/src/driver-process', 'host/src/driver-launcher'],
      folder: 'host/dist',
      outputs: ['driver-process.cjs', 'driver-launcher.cjs'],
      build: async (staging) => {
        const modules = await bundleDriverProgram(root, { 'driver-process': 'host/src/driver-process/main.ts' }, staging);
        const launcher = await bundleDriverProgram(root, { 'driver-launcher': 'host/src/driver-launcher/main.ts' }, staging);
        await writeModules('driver-process', [...modules, ...launcher]);
      },
    },
    ['host/src/driver-process/main.ts'],
  );

  add(
    {
      name: 'electron-preload',
      group: 'host',
      inputs: [...tools, 'host/src/electron', 'host/src/common'],
      folder: 'host/dist',
      outputs: ['electron/preload.cjs'],
      build: async (staging) =>
        writeModules(
          'electron-preload',
          await bundlePreload(root, { 'electron/preload': 'host/src/electron/preload.ts' }, staging),
        ),
    },
    ['host/src/electron/preload.ts'],
  );

  add(
    {
      name: 'renderer',
      group: 'host',
      inputs: [...tools, ...sdkSource, 'host/src/renderer', 'host/src/common'],
      folder: 'host/dist',
      outputs: ['renderer'],
      async build(staging) {
        await writeModules('renderer', await bundleRenderer(root, join(staging, 'renderer')));
        await writeFileList(join(staging, 'renderer'));
      },
    },
    ['host/src/renderer/index.html'],
  );

  add(
    {
      name: 'documentation',
      group: 'host',
      inputs: [
        ...tools,
        ...sourceFiles(root),
        'docs',
        'scripts/documentation',
        'host/package.json',
        'host/src/renderer/icon.svg',
      ],
      folder: 'host/dist',
      outputs: ['documentation'],
      async build(staging) {
        const { buildDocumentation } = await import('../documentation/buildDocumentation.ts');
        const { modules, faults } = await buildDocumentation(root, join(staging, 'documentation'));
        for (const fault of faults) process.stderr.write(`${fault}\n`);
        await writeModules('documentation', modules);
        await writeFileList(join(staging, 'documentation'));
      },
    },
    ['docs/README.md'],
  );

  // After the bundles of the host: it reads what they contain.
  add(
    {
      name: 'host-notices',
      group: 'host',
      inputs: [...tools, ...sdkSource, 'host/src', 'host/package.json', 'scripts/documentation'],
      folder: 'host/dist',
      outputs: [...NOTICE_FILES],
      build: (staging) => writeHostNotices(root, staging),
    },
    Object.values(hostEntries),
  );

  for (const folder of driverFolders(root)) {
    add(
      {
        name: `driver-${folder}`,
        group: 'drivers',
        inputs: [...tools, ...sdkSource, `drivers/${folder}/src`, `drivers/${folder}/package.json`],
        folder: `drivers/${folder}/dist`,
        outputs: ['index.js', ...NOTICE_FILES],
        async build(staging) {
          const modules = await bundleAlone(root, { index: `drivers/${folder}/src/index.ts` }, staging);
          await writeBundleNotices(root, `drivers/${folder}`, staging, modules);
        },
      },
      [`drivers/${folder}/src/index.ts`],
    );
  }
  return targets;
}
