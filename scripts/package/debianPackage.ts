import { execFile } from 'node:child_process';
import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Platform } from './platforms.ts';

const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' } as const;

export interface DebianPackageOptions {
  /** The folder with the files below it, as they are installed below the root. */
  readonly tree: string;
  readonly version: string;
  readonly cpu: Platform['cpu'];
  /** Together, of all files. */
  readonly bytes: number;
  /** Of every file, in seconds. */
  readonly date: number;
  readonly output: string;
  readonly compression: 'small' | 'fast';
  readonly env: NodeJS.ProcessEnv;
}

/** Builds a Debian package without scripts: all that it does is to bring files. @returns the file */
export async function buildDebianPackage(options: DebianPackageOptions): Promise<string> {
  const { tree, version, cpu, bytes, date, output, compression, env } = options;
  const architecture = ARCHITECTURES[cpu];
  const control = debianControl({ version, architecture, kibibytes: Math.ceil(bytes / 1_024) });
  const controlFolder = join(tree, 'DEBIAN');
  await mkdir(controlFolder);
  await writeFile(join(controlFolder, 'control'), control);
  // The modes at creation are reduced by the umask. dpkg-deb refuses a narrower folder, and takes over that of the root.
  for (const path of [tree, controlFolder]) await chmod(path, 0o755);
  await chmod(join(controlFolder, 'control'), 0o644);
  const file = join(output, `tabularium_${debianVersion(version)}_${architecture}.deb`);
  const staged = `${file}.new-${process.pid}`;
  // Of the bundled Node, xz makes 36 MB in 37 s of processor time, zstd 40 MB in 9 s. Debian reads zstd since 12, Ubuntu since 21.10.
  const how = ['-Zzstd', compression === 'fast' ? '-z1' : '-z12'];
  try {
    await promisify(execFile)('dpkg-deb', [...how, '--root-owner-group', '--build', tree, staged], {
      env: { ...env, SOURCE_DATE_EPOCH: String(date) },
    });
    await rename(staged, file);
  } finally {
    await rm(staged, { force: true });
  }
  return file;
}

/** A version of npm as Debian sorts it: `1.0.0-beta.1` comes before `1.0.0`. */
export function debianVersion(version: string): string {
  return version.replace('-', '~');
}

interface ControlOptions {
  readonly version: string;
  readonly architecture: string;
  readonly kibibytes: number;
}

/** The libraries are those of the bundled Node, at the versions that its makers build for. */
export function debianControl({ version, architecture, kibibytes }: ControlOptions): string {
  const fields = {
    Package: 'tabularium',
    Version: debianVersion(version),
    Architecture: architecture,
    Maintainer: 'The Tabularium authors <authors@tabularium.invalid>',
    'Installed-Size': String(kibibytes),
    Depends: 'libc6 (>= 2.28), libgcc-s1, libstdc++6 (>= 5.2), libatomic1',
    Recommends: 'xdg-utils, gnome-keyring | keepassxc | kwalletmanager',
    Section: 'database',
    Priority: 'optional',
    Description: 'database client whose drivers are plug-ins',
  };
  const more = [
    'Browses, searches and edits databases in a window, on the command line, and for',
    'AI clients as an MCP server on 127.0.0.1. The driver of a database is a signed',
    'package that is downloaded when it is needed and runs in a process of its own.',
    '.',
    'The package brings its own Node.',
  ];
  return [...Object.entries(fields).map(([key, value]) => `${key}: ${value}`), ...more.map((line) => ` ${line}`), ''].join('\n');
}
