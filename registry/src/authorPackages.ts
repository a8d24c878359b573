import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { packPackage } from '@tabularium/sdk/cli';
import { z } from 'zod';
import { publishedVersions, publishPackage, unpublishPackage } from './publish.ts';
import type { PublishTarget } from './publish.ts';

const packageSchema = z.object({ files: z.array(z.string()) });
/** The files that npm always packs. */
const ALWAYS: readonly string[] = ['package.json', 'README.md', 'LICENSE'];

/**
 * Publishes a package that authors of drivers install, such as the SDK, as `npm publish` would: under the version of its package.json. What changed
 * at that version takes the place of what was there, because a new project names the exact version.
 *
 * @param folder - of the package, which has been built
 * @returns whether anything was published
 */
export async function publishAuthorPackage(target: PublishTarget, folder: string, signal?: AbortSignal): Promise<boolean> {
  const { files } = packageSchema.parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')));
  const paths = (await Promise.all([...new Set([...ALWAYS, ...files])].map((path) => filesBelow(folder, path)))).flat();
  const content = await Promise.all(
    paths.map(async (path): Promise<[string, Uint8Array<ArrayBuffer>]> => [
      path,
      new Uint8Array(await readFile(join(folder, path))),
    ]),
  );
  const packed = await packPackage(new Map(content));
  const { name, version } = packed.packageJson;
  const published = (await publishedVersions(target.url, name, signal)).get(version);
  if (published === packed.integrity) return false;
  if (published !== undefined) await unpublishPackage(target, name, signal);
  await publishPackage(target, packed, signal);
  return true;
}

async function filesBelow(folder: string, path: string): Promise<string[]> {
  if (!(await stat(join(folder, path))).isDirectory()) return [path];
  const names = await readdir(join(folder, path));
  return (await Promise.all(names.map((name) => filesBelow(folder, `${path}/${name}`)))).flat();
}
