import { createHash } from 'node:crypto';
import { PLATFORM_LIMITS } from '@tabularium/sdk/package';
import type { HashedFile } from '@tabularium/sdk/package';
import { openFolderFile } from './openFolderFile.ts';

/** Hashing this much takes about a millisecond, which holds nothing up. */
const PIECE = 512 * 1024;

/**
 * The hash of a file of a platform package, which is too large to hold in memory. It is opened as {@link openFolderFile} does it.
 *
 * @param onPiece - is given the content, piece by piece; a piece counts until the returned promise settles
 */
export async function hashFolderFile(
  folder: string,
  path: string,
  onPiece: (piece: Uint8Array) => Promise<unknown> = () => Promise.resolve(),
): Promise<HashedFile> {
  const { file, size } = await openFolderFile(folder, path, PLATFORM_LIMITS.fileBytes);
  try {
    const hash = createHash('sha512');
    const buffer = Buffer.alloc(Math.min(PIECE, Math.max(size, 1)));
    let bytes = 0;
    // No more than the file had when it was opened: a device never ends.
    while (bytes < size) {
      const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, size - bytes), bytes);
      if (bytesRead === 0) break;
      const piece = buffer.subarray(0, bytesRead);
      hash.update(piece);
      await onPiece(piece);
      bytes += bytesRead;
    }
    return { bytes, integrity: `sha512-${hash.digest('base64')}` };
  } finally {
    await file.close();
  }
}
