import { open, rm, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { FileHandle } from 'node:fs/promises';
import { HostError } from '../../common/errors.ts';
import type { Sessions } from '../data/sessions.ts';
import { rowsDifferenceOf } from '../transfer/exportRun.ts';
import type { ExportTurns } from '../transfer/exportTurns.ts';
import { YoungGarbage } from '../transfer/youngGarbage.ts';
import type { ImportRecord } from './importJournal.ts';
import { SourceFile } from './sourceFile.ts';
import { exportCopied } from './tableSource.ts';
import { DISK_RESERVE } from './uploads.ts';

/** Bytes after which the room of the disk is looked at again. */
const LOOK_EVERY = 32 * 1024 * 1024;

interface ReadOptions {
  readonly sessions: Pick<Sessions, 'use'>;
  readonly turns: ExportTurns;
  readonly onProgress: (reading: NonNullable<ImportRecord['info']['reading']>) => void;
  readonly signal: AbortSignal;
}

/**
 * Reads the rows of a copy into a file of the data directory. They are written only when all of them were read: so the copy is of one moment, an
 * interrupted one continues with the same rows in the same order, and a source that fails in the middle has changed nothing.
 *
 * @returns the record with its file
 * @throws DriverError, HostError where not all rows could be read; nothing is left of them then
 */
export async function readCopied(record: ImportRecord, options: ReadOptions): Promise<ImportRecord> {
  const { source, path, info } = record;
  if (source.is !== 'table') return record;
  const { sessions, turns, onProgress, signal } = options;
  let rows = 0;
  let difference: ImportRecord['info']['rowsDiffer'];
  const handle = await open(path, 'w', 0o600);
  try {
    const file = new Spool(handle, path);
    try {
      await turns.inTurn(source.connectionId, signal, () =>
        exportCopied(
          sessions,
          source,
          file,
          (written) => {
            rows = written.rows;
            onProgress({ rows, ...(written.expected === undefined ? {} : { expected: written.expected }) });
          },
          signal,
        ),
      );
    } catch (error) {
      // Every row was read, and somebody added or deleted some meanwhile.
      difference = rowsDifferenceOf(error, rows);
      if (difference === undefined) throw error;
    }
    signal.throwIfAborted();
    await handle.sync();
    await handle.close();
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(path, { force: true });
    throw error;
  }
  await using file = await SourceFile.open(path);
  const { reading: _reading, ...rest } = info;
  const { unread: _unread, ...others } = record;
  return {
    ...others,
    file: file.state,
    info: { ...rest, state: 'running', totalBytes: file.bytes, ...(difference === undefined ? {} : { rowsDiffer: difference }) },
  };
}

/** The file that the rows are read into. */
class Spool {
  readonly #handle: FileHandle;
  readonly #path: string;
  readonly #young = new YoungGarbage();
  #unlooked = LOOK_EVERY;
  bytes = 0;

  constructor(handle: FileHandle, path: string) {
    this.#handle = handle;
    this.#path = path;
  }

  /** @throws HostError `FILE_UNWRITABLE` where the disk has no room */
  async write(data: Uint8Array): Promise<void> {
    this.#unlooked += data.length;
    if (this.#unlooked >= LOOK_EVERY) {
      this.#unlooked = 0;
      const { bavail, bsize } = await statfs(dirname(this.#path));
      if (bavail * bsize < DISK_RESERVE + LOOK_EVERY) throw noRoom();
    }
    try {
      for (let rest = data; rest.length > 0;) {
        const { bytesWritten } = await this.#handle.write(rest);
        rest = rest.subarray(bytesWritten);
      }
    } catch (cause) {
      throw noRoom(cause);
    }
    this.bytes += data.length;
    this.#young.passed(data.length);
  }
}

function noRoom(cause?: unknown): HostError {
  return new HostError('FILE_UNWRITABLE', 'The disk of the data directory has no room for the rows of the copy.', {
    ...(cause === undefined ? {} : { cause }),
    details: { advice: 'Free some space, then resume.' },
  });
}
