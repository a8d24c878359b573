import { gunzipSync } from 'node:zlib';
import { PACKAGE_LIMITS } from '@tabularium/sdk/package';
import ssri from 'ssri';
import { HostError } from '../../../common/errors.ts';
import { noProxy } from './noProxy.ts';

/** How long a download may stand still. */
const STALL_MILLISECONDS = 30_000;
/** A registry that is starting or restarting gets one more chance. */
const RETRY = { retries: 1, minTimeout: 250, maxTimeout: 250 } as const;

export interface DownloadOptions {
  readonly url: string;
  /** As the registry announced it. */
  readonly integrity: string | undefined;
  /** The registry that announced it; relative names and credentials belong to it. */
  readonly registryUrl: string;
  /** What is downloaded, for messages: name and version. */
  readonly packageText: string;
  /** Where pacote writes while it downloads. Removed by the caller, so that what was refused can never be taken from a cache. */
  readonly cacheFolder: string;
  readonly signal: AbortSignal;
  readonly onBytes: (receivedBytes: number) => void;
}

/** The parts of an npm stream that are used. */
interface ByteStream {
  on(event: 'data', listener: (chunk: Buffer) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

function sha512Of(integrity: string | undefined): string | undefined {
  const hash = ssri.parse(integrity ?? '')?.['sha512']?.[0];
  return hash === undefined ? undefined : `sha512-${hash.digest}`;
}

/** Bytes that are not what was announced: an archive that merely ends early was cut off, anything else was changed. */
function endsEarly(archive: Buffer): boolean {
  try {
    gunzipSync(archive, { maxOutputLength: PACKAGE_LIMITS.totalBytes * 2 });
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'Z_BUF_ERROR';
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/**
 * Downloads an archive into memory and checks its SHA-512.
 *
 * @throws HostError `PACKAGE_TAMPERED`, `PACKAGE_TRUNCATED`, `PACKAGE_NOT_FOUND`, `PACKAGE_INVALID`, `REGISTRY_UNREACHABLE`, `CANCELLED`
 */
export async function downloadTarball(options: DownloadOptions): Promise<Buffer> {
  const { packageText } = options;
  const integrity = sha512Of(options.integrity);
  if (integrity === undefined) {
    throw new HostError('PACKAGE_INVALID', `The registry announces no SHA-512 for ${packageText}, so it cannot be checked.`);
  }
  // 26 MB of packages that most runs of the host never need.
  const { default: pacote } = await import('pacote');
  const stalled = new AbortController();
  const signal = AbortSignal.any([options.signal, stalled.signal]);
  const watchdog = setTimeout(() => stalled.abort(), STALL_MILLISECONDS);
  let chunks: Buffer[] = [];
  let received = 0;

  const collect = (stream: ByteStream): Promise<Buffer> =>
    new Promise((resolve, reject) => {
      // pacote calls again after a failed integrity check: begin anew.
      chunks = [];
      received = 0;
      const stop = (): void => reject(new Error('The download was stopped.'));
      signal.addEventListener('abort', stop, { once: true });
      stream.on('error', reject);
      stream.on('end', () => resolve(Buffer.concat(chunks)));
      stream.on('data', (chunk) => {
        received += chunk.length;
        if (received > PACKAGE_LIMITS.archiveBytes) {
          stalled.abort();
          return;
        }
        watchdog.refresh();
        chunks.push(chunk);
        options.onBytes(received);
      });
    });

  try {
    signal.throwIfAborted();
    return await pacote.tarball.stream<Buffer>(options.url, collect, {
      cache: options.cacheFolder,
      integrity,
      registry: options.registryUrl,
      preferOnline: true,
      noProxy: noProxy(),
      retry: RETRY,
      timeout: STALL_MILLISECONDS,
      signal,
    });
  } catch (cause) {
    if (options.signal.aborted) throw new HostError('CANCELLED', undefined, { cause });
    throw refusal(cause, { packageText, received, archive: chunks });
  } finally {
    clearTimeout(watchdog);
  }
}

function refusal(
  cause: unknown,
  {
    packageText,
    received,
    archive,
  }: { readonly packageText: string; readonly received: number; readonly archive: readonly Buffer[] },
): HostError {
  const code = codeOf(cause);
  if (received > PACKAGE_LIMITS.archiveBytes) {
    return new HostError('PACKAGE_INVALID', `${packageText} has more than ${PACKAGE_LIMITS.archiveBytes} bytes.`, { cause });
  }
  if (code === 'EINTEGRITY' && !endsEarly(Buffer.concat(archive))) {
    return new HostError('PACKAGE_TAMPERED', `The bytes of ${packageText} do not have the SHA-512 that the registry announced.`, {
      cause,
    });
  }
  if (code === 'EINTEGRITY' || received > 0) {
    return new HostError('PACKAGE_TRUNCATED', `The download of ${packageText} ended early, after ${received} bytes.`, { cause });
  }
  if (code === 'E404') return new HostError('PACKAGE_NOT_FOUND', `The registry has no archive of ${packageText}.`, { cause });
  const why = code === '' ? '' : ` (${code})`;
  return new HostError('REGISTRY_UNREACHABLE', `${packageText} could not be downloaded${why}.`, { cause });
}
