import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { FileLimits } from '@tabularium/sdk/package';
import { Parser } from 'tar';
import { HostError } from '../../../common/errors.ts';
import { ArchiveEntries } from './archiveEntries.ts';
import { archiveFault } from './archiveFault.ts';

/** Headers and padding beside the files themselves; more than that is a bomb. */
const ROOM_FOR_HEADERS = 1024 * 1024;
const UNZIP_CHUNK = 256 * 1024;

/** Takes the content of one file. */
export interface EntrySink {
  write(chunk: Uint8Array): void | Promise<void>;
  close(): void | Promise<void>;
}

export interface StreamArchiveOptions {
  /** Names the package in messages. */
  readonly packageText: string;
  readonly limits: FileLimits;
  readonly signal: AbortSignal;
  /** @returns undefined to pass a file over */
  readonly sinkFor: (path: string, size: number) => EntrySink | undefined;
}

/**
 * Reads an archive piece by piece: one of 128 MiB that unpacks to 256 MiB takes a few hundred kilobytes of memory at a time. No path of it is used
 * before it was checked.
 *
 * @param file - on this machine
 * @throws HostError `PACKAGE_INVALID`, `PACKAGE_TRUNCATED`, `DISK_FULL`, `CANCELLED`
 */
export async function streamArchive(file: string, options: StreamArchiveOptions): Promise<void> {
  const { packageText, limits, signal, sinkFor } = options;
  const entries = new ArchiveEntries(limits);
  const mostUnpackedBytes = limits.totalBytes + ROOM_FOR_HEADERS;
  // The parser calls synchronously; what it gave is worked off before the next piece is read.
  let waiting: (() => void | Promise<void>)[] = [];
  const open = new Set<EntrySink>();
  const parser = new Parser({
    strict: true,
    onReadEntry: (entry) => {
      const path = entries.accept(entry);
      const sink = path === undefined ? undefined : sinkFor(path, entry.size);
      if (sink === undefined) {
        entry.resume();
        return;
      }
      open.add(sink);
      entry.on('data', (chunk: Buffer) => waiting.push(() => sink.write(chunk)));
      entry.on('end', () =>
        waiting.push(() => {
          open.delete(sink);
          return sink.close();
        }),
      );
    },
  });
  const ended = Promise.withResolvers<void>();
  ended.promise.catch(() => undefined);
  parser.on('end', ended.resolve);
  parser.on('error', ended.reject);
  const settle = async (): Promise<void> => {
    if (entries.fault !== undefined) throw new Error(entries.fault);
    const now = waiting;
    waiting = [];
    for (const work of now) await work();
  };
  let unpacked = 0;
  try {
    await pipeline(
      createReadStream(file),
      createGunzip({ chunkSize: UNZIP_CHUNK }),
      async (pieces: AsyncIterable<Buffer>) => {
        for await (const piece of pieces) {
          unpacked += piece.length;
          if (unpacked > mostUnpackedBytes) throw Object.assign(new Error('too large'), { code: 'ERR_BUFFER_TOO_LARGE' });
          parser.write(piece);
          await settle();
        }
        parser.end();
        await ended.promise;
        await settle();
      },
      { signal },
    );
  } catch (cause) {
    if (signal.aborted) throw new HostError('CANCELLED', undefined, { cause });
    throw archiveFault(cause, { packageText, fault: entries.fault, mostUnpackedBytes });
  } finally {
    // A refused archive leaves a file open.
    await Promise.allSettled([...open].map(async (sink) => sink.close()));
  }
}
