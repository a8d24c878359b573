import { lstat, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { create } from 'tar';
import { onPath } from '../testing/onPath.ts';
import { buildDebianPackage } from './debianPackage.ts';
import type { LaidOut } from './layOut.ts';
import { makeLinuxTree } from './linuxTree.ts';
import type { Platform } from './platforms.ts';

/** Of every file in an archive, so that the same content is the same archive. `SOURCE_DATE_EPOCH` is another one. */
const USUAL_DATE = Date.UTC(2026, 0, 1) / 1_000;

export interface LinuxArchivesOptions {
  readonly root: string;
  readonly platform: Platform;
  readonly laidOut: LaidOut;
  /** The folder that the archives go into. */
  readonly output: string;
  /** Tests save the time of the smallest files. */
  readonly compression?: 'small' | 'fast';
  readonly env?: NodeJS.ProcessEnv;
}

export interface LinuxArchives {
  readonly archive: string;
  /** Undefined where this machine has no dpkg-deb. */
  readonly debianPackage: string | undefined;
}

/** Packs a laid out application for Linux: as an archive that is unpacked below a prefix, and as a Debian package of the same tree. */
export async function makeLinuxArchives(options: LinuxArchivesOptions): Promise<LinuxArchives> {
  const { root, platform, laidOut, output, compression = 'small', env = process.env } = options;
  const name = `tabularium-${laidOut.version}-${platform.name}`;
  const staging = join(output, `${name}.staging-${process.pid}`);
  const date = Number(env['SOURCE_DATE_EPOCH'] ?? USUAL_DATE);
  await rm(staging, { recursive: true, force: true });
  try {
    const tree = join(staging, 'package', 'usr');
    await mkdir(tree, { recursive: true });
    await makeLinuxTree({ root, laidOut: laidOut.folder, output: tree });

    const archive = join(output, `${name}.tar.gz`);
    const packed = join(staging, 'packed.tar.gz');
    const entries = await entriesOf(tree);
    await writeTreeArchive(tree, { file: packed, prefix: name, date, level: compression === 'fast' ? 1 : 9 });
    await rename(packed, archive);

    if (onPath('dpkg-deb') === undefined) return { archive, debianPackage: undefined };
    const debianPackage = await buildDebianPackage({
      tree: join(staging, 'package'),
      version: laidOut.version,
      cpu: platform.cpu,
      bytes: entries.reduce((sum, { size }) => sum + size, 0),
      date,
      output,
      compression,
      env,
    });
    return { archive, debianPackage };
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** Folders that are ours alone. Others below a prefix belong to its owner: an entry for one would change its mode and time. */
const OWN_FOLDERS = ['lib/tabularium', 'share/doc/tabularium'];

/** Packs what is below a prefix, to be unpacked over one that has files of others. `tar` makes the folders that are missing. */
export async function writeTreeArchive(
  tree: string,
  options: { readonly file: string; readonly prefix: string; readonly date: number; readonly level: number },
): Promise<void> {
  const { file, prefix, date, level } = options;
  const isOurs = (path: string): boolean => OWN_FOLDERS.some((own) => path === own || path.startsWith(`${own}/`));
  const entries = (await entriesOf(tree)).filter(({ path, isFolder }) => !isFolder || isOurs(path));
  await create(
    {
      ...{ file, cwd: tree, prefix, portable: true, noDirRecurse: true },
      ...{ mtime: new Date(date * 1_000), gzip: { level } },
    },
    entries.map(({ path }) => path),
  );
}

/** Everything below a folder, folders before their content. */
async function entriesOf(tree: string): Promise<{ readonly path: string; readonly size: number; readonly isFolder: boolean }[]> {
  const paths = (await readdir(tree, { recursive: true })).sort();
  return Promise.all(
    paths.map(async (path) => {
      const state = await lstat(join(tree, path));
      return { path, size: state.isFile() ? state.size : 1_024, isFolder: state.isDirectory() };
    }),
  );
}
