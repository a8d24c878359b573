import { execFile } from 'node:child_process';
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { checkStream } from 'ssri';
import { extract } from 'tar';
import { z } from 'zod';
import type { LockedPackage } from './lock.ts';

const packedSchema = z.array(z.object({ filename: z.string() })).min(1);
/** Of one download, whatever npm itself waits for. */
const FETCH_MILLISECONDS = 240_000;
/** Names the package that it carries, for the error of a wrong one. */
const manifestSchema = z.object({ version: z.string() });

/**
 * The folder of a package: the installed one, or for other platforms one that npm fetches, held to the integrity of the lock file.
 *
 * @param cache - where fetched ones are kept between runs
 * @throws Error when it can be had neither way
 */
export async function packageFolder(root: string, cache: string, locked: LockedPackage): Promise<string> {
  const installed = join(root, locked.location);
  if (isVersion(installed, locked.version)) return installed;
  const folder = join(cache, `${locked.name.replace('/', '+')}-${locked.version}`);
  if (isVersion(folder, locked.version)) return folder;
  await fetchPackage(cache, folder, locked);
  return folder;
}

function isVersion(folder: string, version: string): boolean {
  const file = join(folder, 'package.json');
  return existsSync(file) && manifestSchema.parse(JSON.parse(readFileSync(file, 'utf8'))).version === version;
}

async function fetchPackage(cache: string, folder: string, { name, version, integrity }: LockedPackage): Promise<void> {
  const staging = `${folder}.staging-${process.pid}`;
  await rm(staging, { recursive: true, force: true });
  await mkdir(join(staging, 'content'), { recursive: true });
  try {
    const args = ['pack', `${name}@${version}`, '--json', '--ignore-scripts', '--pack-destination', staging];
    // A shell on Windows alone: npm is a script there. Nothing in these words needs quoting.
    const { stdout } = await promisify(execFile)('npm', args, {
      ...{ cwd: cache, shell: process.platform === 'win32' },
      timeout: FETCH_MILLISECONDS,
    });
    const packed: unknown = JSON.parse(stdout);
    const [only] = packedSchema.parse(Array.isArray(packed) ? packed : Object.values(packed as object));
    const tarball = join(staging, only?.filename ?? '');
    await checkStream(createReadStream(tarball), integrity);
    await extract({ file: tarball, cwd: join(staging, 'content'), strip: 1 });
    await rm(folder, { recursive: true, force: true });
    await rename(join(staging, 'content'), folder);
  } catch (cause) {
    throw new Error(`${name}@${version} could not be fetched: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}
