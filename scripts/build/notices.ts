import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { bundledPackages, readPackage } from '../../sdk/src/cli/notices/bundledPackage.ts';
import type { BundledPackage } from '../../sdk/src/cli/notices/bundledPackage.ts';
import { writeNotices } from '../../sdk/src/cli/notices/writeNotices.ts';
import { LockFile } from '../package/lock.ts';
import type { LockedPackage } from '../package/lock.ts';
import { PLATFORM_NAMES, platformOf } from '../package/platforms.ts';
import { workFolder } from '../paths.ts';

/** Beside the fingerprints of the builds, and gone with them: no list is older than what is built. */
const lists = join(workFolder, 'build', 'modules');

/** Keeps the modules of one bundle of the host for {@link writeHostNotices}: the host's bundles are built one by one. */
export async function writeModules(target: string, modules: readonly string[]): Promise<void> {
  await mkdir(lists, { recursive: true });
  await writeFile(join(lists, `${target}.json`), JSON.stringify(modules));
}

/** The notices of a package that is one bundle. @param own - its folder, relative to the repository */
export async function writeBundleNotices(root: string, own: string, folder: string, modules: readonly string[]): Promise<void> {
  const folderOfPackage = join(root, own);
  await writeNotices(folderOfPackage, folder, 'library', await bundledPackages(modules, folderOfPackage));
}

/** The notices of a package that bundles nothing: they speak of what it depends on. */
export async function writeDependencyNotices(root: string, own: string, folder: string): Promise<void> {
  await writeNotices(join(root, own), folder, 'library', await dependencies(root, own));
}

/** The notices of the host: what its bundles contain and what is installed beside them, on any platform. */
export async function writeHostNotices(root: string, folder: string): Promise<void> {
  const own = join(root, 'host');
  const modules: string[] = [];
  for (const name of (await readdir(lists)).sort()) {
    modules.push(...z.array(z.string()).parse(JSON.parse(await readFile(join(lists, name), 'utf8'))));
  }
  const lock = LockFile.of(root);
  const nodes = PLATFORM_NAMES.map((name) => withoutText(lock.at(`node_modules/${platformOf(name).nodePackage}`)));
  const all = [...(await bundledPackages(modules, own)), ...(await dependencies(root, 'host')), ...nodes];
  const once = new Map(all.map((found) => [`${found.name}@${found.version}`, found]));
  const sorted = [...once].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, found]) => found);
  await writeNotices(own, folder, 'application', sorted);
}

/**
 * All that a package needs to run, by the lock file. The licence texts of packages that exist for one platform are left out: only one of them is
 * installed here, and the notices are to be the same wherever they are made. They bring their licence along.
 */
async function dependencies(root: string, own: string): Promise<BundledPackage[]> {
  const found: BundledPackage[] = [];
  for (const locked of LockFile.of(root).closure(own)) {
    found.push(locked.anyPlatform ? await readPackage(join(root, locked.location)) : withoutText(locked));
  }
  return found;
}

function withoutText({ name, version, license }: LockedPackage): BundledPackage {
  return { name, version, license, author: undefined, texts: [] };
}
