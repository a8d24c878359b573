/**
 * The floors of the house. Imports go down only: a file may import from its own floor and from those its floor names, nothing else.
 * Test files are exempt; they may import from everywhere.
 */
export interface Floor {
  readonly name: string;
  /** Relative to the repository. The longest one that contains a file decides. */
  readonly folder: string;
  /** How other packages of the repository import it, where they can: exact specifiers. */
  readonly specifiers?: readonly string[];
  readonly mayImport: readonly string[];
  /** Floors of which it may import types only: nothing of theirs may be in its bundle. */
  readonly mayImportTypesOf?: readonly string[];
  readonly node: boolean;
  /** npm packages: any, or the named ones. */
  readonly packages: 'any' | readonly string[];
}

export const floors: readonly Floor[] = [
  {
    name: 'sdk',
    folder: 'sdk/src',
    specifiers: ['@tabularium/sdk', '@tabularium/sdk/manifest', '@tabularium/sdk/package', '@tabularium/sdk/protocol'],
    mayImport: [],
    node: false,
    packages: ['zod'],
  },
  {
    name: 'sdk/testing',
    folder: 'sdk/src/testing',
    specifiers: ['@tabularium/sdk/testing'],
    mayImport: ['sdk'],
    node: true,
    packages: ['zod'],
  },
  {
    name: 'sdk/cli',
    folder: 'sdk/src/cli',
    specifiers: ['@tabularium/sdk/cli'],
    mayImport: ['sdk', 'sdk/testing'],
    node: true,
    packages: ['@napi-rs/keyring', 'rolldown', 'semver', 'tar', 'zod'],
  },
  // Runs alone, from any folder that npm has put it into: it has no dependencies.
  { name: 'create-driver', folder: 'create-driver', mayImport: [], node: true, packages: [] },
  { name: 'host/common', folder: 'host/src/common', mayImport: ['sdk'], node: false, packages: ['zod'] },
  // Loaded before every driver: it brings nothing along. The runtime and the program of a driver's process share the forms of its messages.
  { name: 'host/driver-launcher', folder: 'host/src/driver-launcher', mayImport: [], node: true, packages: [] },
  {
    name: 'host/runtime',
    folder: 'host/src/runtime',
    mayImport: ['sdk', 'host/common', 'host/driver-launcher'],
    node: true,
    packages: 'any',
  },
  {
    name: 'host/driver-process',
    folder: 'host/src/driver-process',
    mayImport: ['sdk', 'host/driver-launcher'],
    node: true,
    packages: [],
  },
  { name: 'host/bridge', folder: 'host/src/bridge', mayImport: [], node: true, packages: [] },
  { name: 'host/web', folder: 'host/src/web', mayImport: ['sdk', 'host/common', 'host/runtime'], node: true, packages: 'any' },
  {
    name: 'host/cli',
    folder: 'host/src/cli',
    mayImport: ['sdk', 'host/common', 'host/runtime', 'host/web'],
    node: true,
    packages: 'any',
  },
  {
    name: 'host/electron',
    folder: 'host/src/electron',
    mayImport: ['sdk', 'host/common', 'host/runtime', 'host/web', 'host/cli'],
    node: true,
    packages: ['electron', 'reflect-metadata'],
  },
  {
    name: 'host/renderer',
    folder: 'host/src/renderer',
    mayImport: ['sdk', 'host/common'],
    // The type of the router is the whole of its API: tRPC derives the client from it.
    mayImportTypesOf: ['host/runtime'],
    node: false,
    packages: 'any',
  },
  { name: 'driver', folder: 'drivers', mayImport: ['sdk'], node: true, packages: 'any' },
  {
    name: 'registry',
    folder: 'registry',
    specifiers: ['@tabularium/registry'],
    mayImport: ['sdk', 'sdk/cli'],
    node: true,
    packages: 'any',
  },
  { name: 'sandbox', folder: 'tests/sandbox', specifiers: ['@tabularium/sandbox'], mayImport: [], node: true, packages: 'any' },
  // The scripts of the documentation's pages, in a browser.
  { name: 'documentation', folder: 'scripts/documentation/page', mayImport: [], node: false, packages: ['minisearch'] },
  // The development server is behind the guards of the window's transport.
  {
    name: 'scripts',
    folder: 'scripts',
    mayImport: ['sdk', 'sdk/cli', 'host/common', 'host/web', 'registry', 'sandbox', 'documentation'],
    node: true,
    packages: 'any',
  },
];

/** Drivers share a floor but not code: each is published alone. */
export const separatePackages: readonly string[] = ['drivers'];

const byDepth = [...floors].sort((a, b) => b.folder.length - a.folder.length);

/** @param path - relative to the repository, with forward slashes */
export function floorOf(path: string): Floor | undefined {
  return byDepth.find(({ folder }) => path === folder || path.startsWith(`${folder}/`));
}

export function floorOfSpecifier(specifier: string): Floor | undefined {
  return floors.find(({ specifiers = [] }) => specifiers.includes(specifier));
}

export function isTestFile(path: string): boolean {
  return /\.(test|test-helper)\.tsx?$/.test(path) || (path.startsWith('tests/') && !path.startsWith('tests/sandbox/'));
}
