import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { NOTICE_FILES } from '../../sdk/src/cli/notices/writeNotices.ts';
import { buildBridgeExecutable } from './bridgeExecutable.ts';
import { LockFile } from './lock.ts';
import { packageFolder } from './packages.ts';
import { platformOf } from './platforms.ts';
import type { Platform } from './platforms.ts';

/** The same as the host's, which a test holds it to. */
const URL_SCHEME = 'tabularium';

const hostSchema = z.looseObject({ version: z.string(), license: z.string(), files: z.array(z.string()) });

export interface LayOutOptions {
  readonly root: string;
  readonly platform: Platform;
  /** The folder that becomes the package. Replaced as a whole. */
  readonly output: string;
  /** Where fetched packages are kept between runs. */
  readonly cache: string;
  readonly log: (line: string) => void;
}

/** The laid out package, and the steps that a person has yet to do. */
export interface LaidOut {
  readonly folder: string;
  readonly platform: string;
  readonly version: string;
  readonly node: string;
  /** The executable that clients start. */
  readonly bridge: string;
  readonly missing: readonly string[];
}

/** The places inside a package. macOS needs a bundle; elsewhere Electron's own folder is the model. */
function places(platform: Platform, folder: string): { readonly programs: string; readonly resources: string } {
  if (platform.os !== 'darwin') return { programs: folder, resources: join(folder, 'resources') };
  const contents = join(folder, 'Tabularium.app', 'Contents');
  return { programs: join(contents, 'MacOS'), resources: join(contents, 'Resources') };
}

/** Lays out the application for one platform: the host with what it needs to run, the bundled Node, and the bridge as an executable. */
export async function layOut({ root, platform, output, cache, log }: LayOutOptions): Promise<LaidOut> {
  const staging = `${output}.staging-${process.pid}`;
  await rm(staging, { recursive: true, force: true });
  await mkdir(cache, { recursive: true });
  try {
    const { programs, resources } = places(platform, staging);
    const host = join(resources, 'app', 'host');
    await mkdir(programs, { recursive: true });
    await mkdir(host, { recursive: true });
    const { version, license } = await copyHost(root, host);
    await writeJson(join(resources, 'app', 'package.json'), {
      name: 'tabularium',
      productName: 'Tabularium',
      version,
      license,
      private: true,
      type: 'module',
      main: 'host/dist/electron/main.js',
    });

    const lock = LockFile.of(root);
    const closure = lock.closure('host', platform);
    for (const locked of closure) {
      // Its own node_modules are entries of their own: some of those are for development.
      await copyPackage(await packageFolder(root, cache, locked), join(resources, 'app', locked.location));
    }
    log(`${closure.length} packages`);

    const lockedNode = lock.at(`node_modules/${platform.nodePackage}`);
    const nodeFolder = await packageFolder(root, cache, lockedNode);
    const node = join(resources, 'node', `node${platform.executableSuffix}`);
    await mkdir(join(resources, 'node'));
    await cp(join(nodeFolder, platform.nodeBinary), node, { mode: 0 });
    // The package for Windows has no copy of it.
    const licensed = existsSync(join(nodeFolder, 'LICENSE'))
      ? nodeFolder
      : await packageFolder(root, cache, lock.at(`node_modules/${platformOf('linux-x64').nodePackage}`));
    await cp(join(licensed, 'LICENSE'), join(resources, 'node', 'LICENSE'));
    log(`Node ${lockedNode.version}`);

    const bridge = `tabularium-mcp${platform.executableSuffix}`;
    const program = join(root, 'host/dist/bridge.cjs');
    await buildBridgeExecutable({ program, node, output: join(programs, bridge), platform });
    log(bridge);
    await writeLauncher(platform, programs);
    if (platform.os === 'darwin') await writeFile(join(programs, '..', 'Info.plist'), infoPlist(version));

    // Where a person looks, beside the programs; the host's own copy is inside.
    for (const name of NOTICE_FILES) await cp(join(root, 'host/dist', name), join(staging, name));
    const missing = whatIsMissing(platform);
    await writeFile(join(staging, 'READ-ME.txt'), `${[`Tabularium ${version} for ${platform.name}`, ...missing].join('\n\n')}\n`);
    await rm(output, { recursive: true, force: true });
    await mkdir(join(output, '..'), { recursive: true });
    await rename(staging, output);
    return {
      folder: output,
      platform: platform.name,
      version,
      node: lockedNode.version,
      bridge: join(places(platform, output).programs, bridge),
      missing,
    };
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** The host as `npm pack` has it. */
async function copyHost(root: string, to: string): Promise<{ readonly version: string; readonly license: string }> {
  const from = join(root, 'host');
  const whole = hostSchema.parse(JSON.parse(await readFile(join(from, 'package.json'), 'utf8')));
  const { scripts: _, devDependencies: __, optionalDependencies: ___, ...published } = whole;
  await writeJson(join(to, 'package.json'), published);
  for (const name of whole.files) {
    if (existsSync(join(from, name))) await cp(join(from, name), join(to, name), { recursive: true });
  }
  return whole;
}

async function copyPackage(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true, filter: (source) => source === from || !source.startsWith(join(from, 'node_modules')) });
}

/** The `tabularium` command on the bundled Node: in a package no other may be there. */
async function writeLauncher(platform: Platform, programs: string): Promise<void> {
  const main = ['app', 'host', 'dist', 'main.js'];
  if (platform.os === 'win32') {
    const lines = ['@echo off', `"%~dp0resources\\node\\node.exe" --disable-sigusr1 "%~dp0resources\\${main.join('\\')}" %*`, ''];
    await writeFile(join(programs, 'tabularium.cmd'), lines.join('\r\n'));
    return;
  }
  const resources = platform.os === 'darwin' ? '$here/../Resources' : '$here/resources';
  const lines = [
    '#!/bin/sh',
    'here=$(dirname "$(readlink -f "$0")")',
    `exec "${resources}/node/node" --disable-sigusr1 "${resources}/${main.join('/')}" "$@"`,
    '',
  ];
  await writeFile(join(programs, 'tabularium'), lines.join('\n'), { mode: 0o755 });
}

/** The bundle's properties for macOS; above all, that it opens addresses of our scheme. */
function infoPlist(version: string): string {
  const entries = Object.entries({
    CFBundleDisplayName: 'Tabularium',
    CFBundleExecutable: 'Electron',
    CFBundleIdentifier: 'app.tabularium',
    CFBundleName: 'Tabularium',
    CFBundlePackageType: 'APPL',
    CFBundleShortVersionString: version,
    CFBundleVersion: version,
    NSPrincipalClass: 'AtomApplication',
  }).map(([key, value]) => `  <key>${key}</key>\n  <string>${value}</string>`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0">',
    '<dict>',
    ...entries,
    '  <key>NSHighResolutionCapable</key>\n  <true/>',
    '  <key>CFBundleURLTypes</key>',
    '  <array><dict>',
    '    <key>CFBundleURLName</key><string>Tabularium</string>',
    `    <key>CFBundleURLSchemes</key><array><string>${URL_SCHEME}</string></array>`,
    '  </dict></array>',
    '</dict>',
    '</plist>',
    '',
  ].join('\n');
}

function whatIsMissing(platform: Platform): string[] {
  const electron = {
    linux: 'Electron. Copy this folder over a copy of its own, and delete resources/default_app.asar there.',
    win32: 'Electron. Copy this folder over a copy of its own, and delete resources\\default_app.asar there.',
    darwin: 'Electron. Copy Tabularium.app over a copy of Electron.app, and delete Contents/Resources/default_app.asar there.',
  }[platform.os];
  const signature = {
    linux: [],
    win32: ['A signature: nothing here is signed. Sign the .exe files with your own certificate.'],
    darwin: [
      process.platform === 'darwin'
        ? 'A signature of a developer, and notarisation: the bridge is signed ad hoc ("codesign --sign -").'
        : 'A signature: macOS starts nothing without one. On a Mac, run: codesign --sign - --force Tabularium.app/Contents/MacOS/tabularium-mcp',
    ],
  }[platform.os];
  return [electron, ...signature].map((line) => `Not in here: ${line}`);
}

async function writeJson(file: string, value: unknown): Promise<void> {
  await writeFile(file, `${JSON.stringify(value, null, 2)}\n`);
}
