import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HostError } from '../../../common/errors.ts';
import { storageFailure } from '../../errors/storageFailure.ts';
import { MOST_FILE_BYTES } from './readArchiveFile.ts';
import { StagingFolder } from './stagingFolder.ts';

/**
 * Writes an archive that somebody sends into a file, without holding it in memory. The file is removed when the result is disposed of.
 *
 * @param name - of the archive, for messages
 * @param staging - the folder of what is being installed
 * @throws HostError `PACKAGE_INVALID` for one that is too large, `DISK_FULL`, `CANCELLED`
 */
export async function receiveArchive(
  archive: Uint8Array | AsyncIterable<Uint8Array>,
  name: string,
  staging: string,
  signal: AbortSignal,
): Promise<AsyncDisposable & { readonly file: string }> {
  const folder = await StagingFolder.create(staging);
  const file = join(folder.path, 'archive.tgz');
  try {
    await writeFile(file, bounded(archive instanceof Uint8Array ? [archive] : archive, name), { mode: 0o600, signal });
  } catch (cause) {
    await folder[Symbol.asyncDispose]();
    if (signal.aborted) throw new HostError('CANCELLED', undefined, { cause });
    throw storageFailure(cause) ?? cause;
  }
  return { file, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

async function* bounded(pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  let received = 0;
  for await (const piece of pieces) {
    received += piece.length;
    if (received > MOST_FILE_BYTES) throw new HostError('PACKAGE_INVALID', `${name} has more than ${MOST_FILE_BYTES} bytes.`);
    yield piece;
  }
}
