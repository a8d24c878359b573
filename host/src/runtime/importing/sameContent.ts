import { createHash } from 'node:crypto';
import type { ReadStretch } from './readStretch.ts';
import type { SourceFile } from './sourceFile.ts';

/**
 * Whether a file begins with the bytes that were read of it before, whatever its times say: one that was copied back, or checked out again, is the same
 * file to a person. What was not read yet may differ: no row of it was sent.
 *
 * @throws HostError for a file that can't be read
 */
export async function hasSameContent(file: SourceFile, stretches: readonly ReadStretch[], signal: AbortSignal): Promise<boolean> {
  for (const { from, to, sha256 } of stretches) {
    const hash = createHash('sha256');
    let left = to - from;
    for await (const chunk of file.bytesFrom(from, signal)) {
      hash.update(chunk.subarray(0, left));
      left -= chunk.length;
      if (left <= 0) break;
    }
    if (left > 0 || hash.digest('hex') !== sha256) return false;
  }
  return true;
}
