import { readdir } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { z } from 'zod';
import { regularFileText } from '../package/regularFileContent.ts';

const packageSchema = z.looseObject({
  name: z.string().min(1),
  version: z.string().min(1),
  license: z.union([z.string(), z.looseObject({ type: z.string() }).transform(({ type }) => type)]).optional(),
  author: z.union([z.string(), z.looseObject({ name: z.string() }).transform(({ name }) => name)]).optional(),
});

/** A package whose code is inside a bundle. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** As the package states it: an SPDX identifier or expression, or words. Undefined when it states none. */
  readonly license: string | undefined;
  readonly author: string | undefined;
  /** The text of each licence and notice file, in the order of the file names. */
  readonly texts: readonly { readonly file: string; readonly text: string }[];
}

const LICENSE_FILE = /^(licen[cs]e|copying|notice)([.-].+)?$/i;

/**
 * The packages that the modules of a bundle come from, by name and version, sorted.
 *
 * @param modules - what the bundler calls its modules: absolute paths, with queries; virtual modules are passed over
 * @param own - the folder of the package that is built, which isn't a third party's
 */
export async function bundledPackages(modules: Iterable<string>, own: string): Promise<BundledPackage[]> {
  const folders = new Map<string, string | undefined>();
  const roots = new Set<string>();
  for (const id of modules) {
    const path = id.split('?')[0] ?? '';
    if (!isAbsolute(path) || path.includes('\0')) continue;
    const root = await packageRoot(dirname(path), folders);
    if (root !== undefined && root !== own) roots.add(root);
  }
  const found = new Map<string, BundledPackage>();
  for (const root of roots) {
    const read = await readPackage(root);
    found.set(`${read.name}@${read.version}`, read);
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, bundled]) => bundled);
}

/** @throws Error when the folder holds no package.json with a name and a version */
export async function readPackage(folder: string): Promise<BundledPackage> {
  const { name, version, license, author } = packageSchema.parse(JSON.parse(await regularFileText(join(folder, 'package.json'))));
  const files = (await readdir(folder)).filter((file) => LICENSE_FILE.test(file)).sort();
  const texts = await Promise.all(
    files.map(async (file) => ({
      file,
      text: (await regularFileText(join(folder, file))).replaceAll('\r\n', '\n').trim(),
    })),
  );
  return { name, version, license, author, texts };
}

/** The nearest folder upwards whose package.json has a name and a version: packages mark inner folders with nameless ones. */
async function packageRoot(folder: string, known: Map<string, string | undefined>): Promise<string | undefined> {
  if (known.has(folder)) return known.get(folder);
  const text = await regularFileText(join(folder, 'package.json')).catch(() => undefined);
  const parent = dirname(folder);
  const root =
    text !== undefined && packageSchema.safeParse(JSON.parse(text)).success
      ? folder
      : parent === folder
        ? undefined
        : await packageRoot(parent, known);
  known.set(folder, root);
  return root;
}
