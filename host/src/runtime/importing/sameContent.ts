import { createHash } from 'node:crypto';
import type { ReadStretch } from './readStretch.ts';
import type { SourceFile } from './sourceFile.ts';

/** The hash of the bytes between two places; undefined for a file that ends before. @throws HostError for a file that can't be read */
export async function stretchOf(
  file: SourceFile,
  from: number,
  to: number,
  signal: AbortSignal,
): Promise<ReadStretch | undefined> {
  const hash = createHash('sha256');
  let left = to - from;
  for await (const chunk of left === 0 ? [] : file.bytesFrom(from, signal)) {
    hash.update(chunk.subarray(0, left));
    left -= chunk.length;
    if (left <= 0) break;
  }
  return left > 0 ? undefined : { from, to, sha256: hash.digest('hex') };
}

/**
 * Whether a file begins with the bytes that were read of it before, whatever its times say: one that was copied back, or checked out again, is the same
 * file to a person. What was not read yet may differ: no row of it was sent.
 *
 * @throws HostError for a file that can't be read
 */
export async function hasSameContent(file: SourceFile, stretches: readonly ReadStretch[], signal: AbortSignal): Promise<boolean> {
  for (const { from, to, sha256 } of stretches) {
    if ((await stretchOf(file, from, to, signal))?.sha256 !== sha256) return false;
  }
  return true;
}
