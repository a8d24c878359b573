import { setTimeout as pause } from 'node:timers/promises';
import ssri from 'ssri';
import { HostError } from '../../../common/errors.ts';
import { storageFailure } from '../../errors/storageFailure.ts';
import { MemorySink } from './archiveSink.ts';
import type { ArchiveSink } from './archiveSink.ts';
import { codeOf, registryUnreachable, whyNoAnswer } from './registryFaults.ts';
import type { RegistryNetwork } from './registryNetwork.ts';
import type { RegistrySource } from '../trust/registrySource.ts';

/** A download that broke is retried once, after this time: a registry may be restarting. */
const AGAIN_AFTER_MILLISECONDS = 250;

export interface DownloadOptions {
  readonly url: string;
  /** The result of {@link announcedSha512}. */
  readonly integrity: string;
  /** The registry that announced it; a token belongs to it. */
  readonly registry: RegistrySource;
  readonly network: RegistryNetwork;
  /** The package, for messages: name and version. */
  readonly packageText: string;
  readonly signal: AbortSignal;
  readonly onBytes: (receivedBytes: number, totalBytes: number | undefined) => void;
}

/** The SHA-512 among the hashes that a registry announced. @throws HostError `PACKAGE_INVALID` */
export function announcedSha512(integrity: string | undefined, packageText: string): string {
  const hash = ssri.parse(integrity ?? '')?.['sha512']?.[0];
  if (hash !== undefined) return `sha512-${hash.digest}`;
  throw new HostError('PACKAGE_INVALID', `The registry announces no SHA-512 for ${packageText}, so it cannot be checked.`);
}

/**
 * Downloads an archive into memory and checks its SHA-512. One that was cut off, or could not be asked for, is asked for once more.
 *
 * @throws HostError `PACKAGE_TAMPERED`, `PACKAGE_TRUNCATED`, `PACKAGE_NOT_FOUND`, `PACKAGE_INVALID`, `REGISTRY_UNREACHABLE`, `CANCELLED`
 */
export function downloadTarball(options: DownloadOptions): Promise<Buffer> {
  return downloadArchive(options, () => new MemorySink());
}

/**
 * As {@link downloadTarball}, to where `sink` keeps it.
 *
 * @throws HostError the same, and `DISK_FULL`
 */
export async function downloadArchive<Result>(options: DownloadOptions, sink: () => ArchiveSink<Result>): Promise<Result> {
  try {
    const first = await downloadOnce(options, sink).catch((error: unknown) => {
      if (error instanceof BrokenDownload && !options.signal.aborted) return error;
      throw error;
    });
    if (!(first instanceof BrokenDownload)) return first;
    await pause(AGAIN_AFTER_MILLISECONDS, undefined, { signal: options.signal });
    return await downloadOnce(options, sink);
  } catch (error) {
    if (options.signal.aborted) throw new HostError('CANCELLED', undefined, { cause: error });
    throw error instanceof BrokenDownload ? error.reported : error;
  }
}

/** A download that another attempt may mend. */
class BrokenDownload extends Error {
  readonly reported: HostError;

  constructor(reported: HostError) {
    super(reported.message, { cause: reported });
    this.reported = reported;
  }
}

async function downloadOnce<Result>(options: DownloadOptions, sinkOf: () => ArchiveSink<Result>): Promise<Result> {
  const { url, registry, network, packageText, integrity, signal, onBytes } = options;
  let received = 0;
  await using sink = sinkOf();
  try {
    const { statusCode, headers, body } = await network.askForArchive(registry, url, signal);
    if (statusCode !== 200) {
      await body.dump({ limit: 0 }).catch(() => undefined);
      throw refusedBy(registry, statusCode, packageText);
    }
    const length = Number(headers['content-length']);
    const total = Number.isSafeInteger(length) && length > 0 ? length : undefined;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      received += chunk.length;
      if (received > sink.mostBytes)
        throw new HostError('PACKAGE_INVALID', `${packageText} has more than ${sink.mostBytes} bytes.`);
      await sink.write(chunk);
      onBytes(received, total);
    }
  } catch (cause) {
    if (cause instanceof HostError || cause instanceof BrokenDownload) throw cause;
    throw storageFailure(cause) ?? broken(cause, options, received);
  }
  const result = await sink.finish(integrity);
  if (result !== undefined) return result;
  if (await sink.endsEarly()) throw new BrokenDownload(truncated(packageText, received));
  throw new HostError('PACKAGE_TAMPERED', `The bytes of ${packageText} do not have the SHA-512 that the registry announced.`);
}

function truncated(packageText: string, received: number, cause?: unknown): HostError {
  return new HostError('PACKAGE_TRUNCATED', `The download of ${packageText} ended early, after ${received} bytes.`, { cause });
}

/** A connection that failed or broke off. One that stalled has been waited for long enough, and isn't retried. */
function broken(cause: unknown, { packageText, registry, network, url }: DownloadOptions, received: number): Error {
  if (codeOf(cause) === 'UND_ERR_BODY_TIMEOUT') {
    const seconds = network.times.archivePause / 1_000;
    return new HostError(
      'PACKAGE_TRUNCATED',
      `The download of ${packageText} was given up: after ${received} bytes nothing came for ${seconds} seconds.`,
      { cause },
    );
  }
  if (received > 0) return new BrokenDownload(truncated(packageText, received, cause));
  const why = `${packageText} could not be downloaded. ${whyNoAnswer(cause, network.proxyFor(new URL(url)))}`;
  return new BrokenDownload(registryUnreachable(registry, why, cause));
}

function refusedBy(registry: RegistrySource, status: number, packageText: string): Error {
  if (status === 404) return new HostError('PACKAGE_NOT_FOUND', `The registry has no archive of ${packageText}.`);
  if (status === 401 || status === 403) {
    const why = `It denied access to ${packageText}: it needs a token, or rejected the one that was sent (${status})`;
    return registryUnreachable(registry, why);
  }
  const reported = registryUnreachable(registry, `It answered ${status} when it was asked for ${packageText}`);
  return status >= 500 ? new BrokenDownload(reported) : reported;
}
