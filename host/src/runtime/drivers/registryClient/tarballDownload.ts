import { gunzipSync } from 'node:zlib';
import { PACKAGE_LIMITS } from '@tabularium/sdk/package';
import type pacoteModule from 'pacote';
import ssri from 'ssri';
import { HostError } from '../../../common/errors.ts';
import type { DownloadNetwork } from './registryNetwork.ts';

/** How long a download may stand still. */
const STALL_MILLISECONDS = 30_000;
/** A registry that is starting or restarting gets one more chance. */
const RETRY = { retries: 1, minTimeout: 250, maxTimeout: 250 } as const;

export interface DownloadOptions {
  readonly url: string;
  /** What {@link announcedSha512} found. */
  readonly integrity: string;
  /** The registry that announced it; relative names and credentials belong to it. */
  readonly registryUrl: string;
  readonly network: DownloadNetwork;
  /** What is downloaded, for messages: name and version. */
  readonly packageText: string;
  readonly signal: AbortSignal;
  readonly onBytes: (receivedBytes: number) => void;
}

/** Loading pacote takes 200 ms, which most runs of the host never need. Started early, it is over when the registry has answered. */
export async function loadPacote(): Promise<typeof pacoteModule> {
  return (await import('pacote')).default;
}

/** The parts of an npm stream that are used. */
interface ByteStream {
  on(event: 'data', listener: (chunk: Buffer) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
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

/** The SHA-512 among the hashes that a registry announced. @throws HostError `PACKAGE_INVALID` */
export function announcedSha512(integrity: string | undefined, packageText: string): string {
  const hash = ssri.parse(integrity ?? '')?.['sha512']?.[0];
  if (hash !== undefined) return `sha512-${hash.digest}`;
  throw new HostError('PACKAGE_INVALID', `The registry announces no SHA-512 for ${packageText}, so it cannot be checked.`);
}

/**
 * Downloads an archive into memory and checks its SHA-512.
 *
 * @throws HostError `PACKAGE_TAMPERED`, `PACKAGE_TRUNCATED`, `PACKAGE_NOT_FOUND`, `PACKAGE_INVALID`, `REGISTRY_UNREACHABLE`, `CANCELLED`
 */
export async function downloadTarball(options: DownloadOptions): Promise<Buffer> {
  const { packageText, integrity } = options;
  if (options.registryUrl.startsWith('https:') && !options.url.startsWith('https:')) {
    throw new HostError('PACKAGE_INVALID', `The registry offers ${packageText} without TLS, at ${options.url}.`, {
      details: { advice: 'Report this to the operator of the registry. Nothing was downloaded.' },
    });
  }
  const pacote = await loadPacote();
  const stalled = new AbortController();
  const signal = AbortSignal.any([options.signal, stalled.signal]);
  const watchdog = setTimeout(() => stalled.abort(), STALL_MILLISECONDS);
  let chunks: Buffer[] = [];
  let received = 0;

  const collect = (stream: ByteStream): Promise<Buffer> =>
    new Promise((resolve, reject) => {
      // pacote calls again when its own files vanish under it: begin anew.
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
    // No cache: pacote writes to it as fast as a registry sends, whatever its reader takes (900 MB were seen for 24 MB read), and what
    // was refused must not be found there later. The hash is checked here: pacote's error comes before the last bytes do, and whether
    // an archive was changed or cut off shows only in all of them.
    const archive = await pacote.tarball.stream<Buffer>(options.url, collect, {
      registry: options.registryUrl,
      preferOnline: true,
      ...options.network,
      retry: RETRY,
      timeout: STALL_MILLISECONDS,
      signal,
    });
    if (ssri.checkData(archive, integrity) === false)
      throw endsEarly(archive) ? truncated(packageText, received) : tampered(packageText);
    return archive;
  } catch (cause) {
    if (options.signal.aborted) throw new HostError('CANCELLED', undefined, { cause });
    throw refusal(cause, packageText, received);
  } finally {
    clearTimeout(watchdog);
  }
}

function truncated(packageText: string, received: number, cause?: unknown): HostError {
  return new HostError('PACKAGE_TRUNCATED', `The download of ${packageText} ended early, after ${received} bytes.`, { cause });
}

function tampered(packageText: string): HostError {
  return new HostError('PACKAGE_TAMPERED', `The bytes of ${packageText} do not have the SHA-512 that the registry announced.`);
}

function refusal(cause: unknown, packageText: string, received: number): HostError {
  if (cause instanceof HostError) return cause;
  if (received > PACKAGE_LIMITS.archiveBytes) {
    return new HostError('PACKAGE_INVALID', `${packageText} has more than ${PACKAGE_LIMITS.archiveBytes} bytes.`, { cause });
  }
  if (received > 0) return truncated(packageText, received, cause);
  const code = codeOf(cause);
  if (code === 'E404') return new HostError('PACKAGE_NOT_FOUND', `The registry has no archive of ${packageText}.`, { cause });
  if (code === 'E401' || code === 'E403') {
    const message = `The registry does not give out ${packageText}: it wants a token, or does not accept the one it got (${code.slice(1)}).`;
    return new HostError('REGISTRY_UNREACHABLE', message, { cause });
  }
  const why = code === '' ? '' : ` (${code})`;
  return new HostError('REGISTRY_UNREACHABLE', `${packageText} could not be downloaded${why}.`, { cause });
}
