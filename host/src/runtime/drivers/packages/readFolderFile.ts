import { PACKAGE_LIMITS } from '@tabularium/sdk/package';
import { openFolderFile } from './openFolderFile.ts';

/**
 * Reads one regular file below `folder`, opened as {@link openFolderFile} does it. Reads no more than the file had when it was opened: a device never
 * ends.
 *
 * @param folder - absolute; links in it are the caller's concern
 * @param path - relative to `folder`, with forward slashes and without `..`
 * @returns the whole content
 * @throws HostError `PACKAGE_INVALID` for a link, a device, a pipe, or a file larger than a package may have; the error of the system, such
 *   as `ENOENT`, where there is no file
 */
export async function readFolderFile(folder: string, path: string): Promise<Uint8Array<ArrayBuffer>> {
  const { file, size } = await openFolderFile(folder, path, PACKAGE_LIMITS.fileBytes);
  try {
    const bytes = new Uint8Array(size);
    let filled = 0;
    while (filled < size) {
      const { bytesRead } = await file.read(bytes, filled, size - filled, filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return bytes.subarray(0, filled);
  } finally {
    await file.close();
  }
}
