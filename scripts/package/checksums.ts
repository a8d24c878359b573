import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** Writes the list that `sha256sum --check` reads, beside the files that it is about. @returns the list */
export async function writeChecksums(output: string, files: readonly string[]): Promise<string> {
  const list = join(output, 'SHA256SUMS');
  const lines: string[] = [];
  for (const file of files.toSorted((a, b) => (basename(a) < basename(b) ? -1 : 1))) {
    const hash = createHash('sha256');
    await pipeline(createReadStream(file), hash);
    lines.push(`${hash.digest('hex')}  ${basename(file)}\n`);
  }
  await writeFile(`${list}.new`, lines.join(''));
  await rename(`${list}.new`, list);
  return list;
}
