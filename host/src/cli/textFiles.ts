import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { constants, copyFile, open, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { HostError } from '../common/errors.ts';
import { NotUtf8, utf8Text } from '../common/utf8Text.ts';
import { refuseInDataDirectory } from '../runtime/storage/dataDirectory.ts';
import { storageFailure } from '../runtime/errors/storageFailure.ts';

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/** Pipes that a shell has made, which have a writer: `/dev/stdin`, `/dev/fd/63`, `/proc/self/fd/0`. */
const SHELL_PIPE = /^\/(?:dev\/stdin$|dev\/fd\/|proc\/)/;

/**
 * The text of a file without a byte order mark, which editors of some systems write and JSON has none of.
 *
 * @param most - bytes
 * @throws HostError `INVALID_REQUEST` for a file that is not there, is none, is too large, or isn't UTF-8
 */
export async function readTextFile(path: string, most: number): Promise<string> {
  try {
    const found = await stat(path);
    if (found.size > most) throw tooLarge(path, most);
    // Opening one waits for another program to write, for ever and past every Ctrl-C.
    if (found.isFIFO() && !SHELL_PIPE.test(path)) {
      throw new HostError('INVALID_REQUEST', `${path} is a named pipe, not a file.`, { details: { advice: 'Name a file.' } });
    }
    // A device or a pipe says nothing of its size, and may not end.
    return await boundedText(createReadStream(path), path, most);
  } catch (cause) {
    if (cause instanceof HostError) throw cause;
    const why = codeOf(cause) === 'ENOENT' ? 'does not exist' : 'cannot be read';
    throw new HostError('INVALID_REQUEST', `${path} ${why}.`, { cause, details: { advice: 'Name another file.' } });
  }
}

/**
 * Everything that a stream gives, as text without a byte order mark.
 *
 * @param most - bytes
 * @throws HostError `INVALID_REQUEST` for more, and for another encoding than UTF-8
 */
export async function boundedText(stream: AsyncIterable<Buffer | string>, name: string, most: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    const buffer = Buffer.from(chunk);
    bytes += buffer.length;
    if (bytes > most) throw tooLarge(name, most);
    chunks.push(buffer);
  }
  try {
    return utf8Text(Buffer.concat(chunks));
  } catch (cause) {
    if (!(cause instanceof NotUtf8)) throw cause;
    throw new HostError('INVALID_REQUEST', `Line ${cause.line} of ${name} isn't UTF-8.`, {
      cause,
      details: { advice: 'Save it as UTF-8.' },
    });
  }
}

function tooLarge(name: string, most: number): HostError {
  return new HostError('INVALID_REQUEST', `${name} is too large: at most ${most} bytes are read.`);
}

/**
 * Writes a file that only its owner reads, whole or not at all: on a full disk, the file that was to be replaced stays.
 *
 * @throws HostError `FILE_EXISTS` for one that exists, unless it is to be replaced; `INVALID_REQUEST` for one in the data directory; `DISK_FULL` and others of the file system
 */
export async function writeNewFile(path: string, text: string, overwrite: boolean, dataDirectory: string): Promise<void> {
  refuseInDataDirectory(path, dataDirectory);
  const there = overwrite ? await stat(path).catch(() => undefined) : undefined;
  try {
    // A device or a pipe takes the bytes itself.
    if (there !== undefined && !there.isFile()) await writeFile(path, text);
    else if (there === undefined) await writeOrRemove(path, text);
    else {
      const real = await realpath(path);
      const part = `${real}.${randomUUID()}.part`;
      await writeOrRemove(part, text);
      await rename(part, real).catch(async (error: unknown) => {
        await rm(part, { force: true });
        throw error;
      });
    }
  } catch (cause) {
    throw unwritable(path, cause, 'Name another file, or add --overwrite.');
  }
}

/**
 * Makes sure that a file can be written later: for a command whose work is done before it has the content. Nothing is left of it.
 *
 * @throws HostError as {@link writeNewFile}
 */
export async function assertCreatable(path: string, dataDirectory: string): Promise<void> {
  refuseInDataDirectory(path, dataDirectory);
  try {
    await writeOrRemove(path, '');
    await rm(path);
  } catch (cause) {
    throw unwritable(path, cause, 'Name another file.');
  }
}

/** Copies a file to a new one. @throws HostError as {@link writeNewFile} */
export async function copyToNewFile(from: string, path: string): Promise<void> {
  try {
    await copyFile(from, path, constants.COPYFILE_EXCL);
  } catch (cause) {
    throw unwritable(path, cause, 'Name another file.');
  }
}

/** @param adviceWhereExists - for a file that is there already */
function unwritable(path: string, cause: unknown, adviceWhereExists: string): HostError {
  const exists = codeOf(cause) === 'EEXIST';
  return (
    storageFailure(cause, `${path} cannot be written.`, dirname(path)) ??
    new HostError(exists ? 'FILE_EXISTS' : 'INVALID_REQUEST', exists ? `${path} exists already.` : `${path} cannot be written.`, {
      cause,
      details: { advice: exists ? adviceWhereExists : 'Name a file in a folder that you may write to.' },
    })
  );
}

/** Creates a file; one that was created and could not be filled is removed, and no other. */
async function writeOrRemove(path: string, text: string): Promise<void> {
  const handle = await open(path, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.close();
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(path, { force: true }).catch(() => undefined);
    throw error;
  }
}
