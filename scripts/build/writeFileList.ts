import { createHash } from 'node:crypto';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/** Writes `files.json` into a built folder, the hash of each file by its name: `tabularium doctor` compares every installation with it. */
export async function writeFileList(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const hashed = await Promise.all(
    paths.toSorted().map(async (path) => {
      const hash = createHash('sha256').update(await readFile(path));
      return [relative(folder, path).split(sep).join('/'), hash.digest('base64url')] as const;
    }),
  );
  await writeFile(join(folder, 'files.json'), `${JSON.stringify(Object.fromEntries(hashed))}\n`);
}
