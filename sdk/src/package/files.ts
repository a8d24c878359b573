import { webCryptography } from './cryptography.ts';
import type { PackageCryptography } from './cryptography.ts';
import { toBase64 } from './encoding.ts';

/** The content of a package by path: relative, with forward slashes. */
export type PackageFiles = ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

/** The limits of a package. A driver is two or three files; the limits leave room and stop an archive bomb. */
export const PACKAGE_LIMITS = {
  files: 32,
  /** Bytes of one file, unpacked. */
  fileBytes: 32 * 1024 * 1024,
  /** Bytes of all files together, unpacked. */
  totalBytes: 48 * 1024 * 1024,
  /** Bytes of the archive as it is downloaded. */
  archiveBytes: 24 * 1024 * 1024,
  /** Characters of a path. */
  pathLength: 200,
  /** Folders in a path. */
  pathDepth: 6,
} as const;

/** The limits of a set of files: those of a driver's package, or of a platform package. */
export type FileLimits = Readonly<Record<'files' | 'fileBytes' | 'totalBytes', number>>;

const SEGMENT = /^[A-Za-z0-9_@+-][A-Za-z0-9._@+-]*$/;
/** Names that mean a device on Windows, whatever their extension. */
const WINDOWS_DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** A fault of a path or of a set of files. */
export interface FilesFault {
  readonly kind: 'hidden' | 'path' | 'deep' | 'case' | 'count' | 'size' | 'total';
  /** One sentence. */
  readonly message: string;
}

function faultInPath(path: string): FilesFault | undefined {
  if (path.length > PACKAGE_LIMITS.pathLength)
    return { kind: 'path', message: `The path of a file has more than ${PACKAGE_LIMITS.pathLength} characters.` };
  const segments = path.split('/');
  if (segments.length > PACKAGE_LIMITS.pathDepth)
    return { kind: 'deep', message: `The file ${JSON.stringify(path)} lies too deep.` };
  const fault = segments.some((segment) => !SEGMENT.test(segment) || segment.endsWith('.') || WINDOWS_DEVICE.test(segment));
  if (!fault) return undefined;
  const isHidden = segments.some((segment) => /^\.[^.]/.test(segment));
  return { kind: isHidden ? 'hidden' : 'path', message: `${JSON.stringify(path)} isn't an allowed path in a package.` };
}

/**
 * The fault of a path inside a package, in one sentence. Only paths that mean the same file on every system are allowed: plain
 * characters, no `..`, no hidden files, no device names, no dot at the end.
 */
export function faultOfPath(path: string): string | undefined {
  return faultInPath(path)?.message;
}

/** The first fault of a set of paths and sizes: too many, too large, or two that are one where case does not count. */
export function faultInFiles(sizes: ReadonlyMap<string, number>, limits: FileLimits = PACKAGE_LIMITS): FilesFault | undefined {
  if (sizes.size > limits.files) return { kind: 'count', message: `The package has more than ${limits.files} files.` };
  const seen = new Map<string, string>();
  let total = 0;
  for (const [path, size] of sizes) {
    const fault = faultInPath(path);
    if (fault !== undefined) return fault;
    const other = seen.get(path.toLowerCase());
    if (other !== undefined)
      return {
        kind: 'case',
        message: `The files ${JSON.stringify(other)} and ${JSON.stringify(path)} differ only in letter case.`,
      };
    seen.set(path.toLowerCase(), path);
    if (size > limits.fileBytes)
      return { kind: 'size', message: `The file ${JSON.stringify(path)} is larger than ${limits.fileBytes} bytes.` };
    total += size;
  }
  if (total > limits.totalBytes)
    return { kind: 'total', message: `The files together are larger than ${limits.totalBytes} bytes.` };
  return undefined;
}

/** As {@link faultInFiles}, in one sentence. */
export function faultOfFiles(sizes: ReadonlyMap<string, number>, limits: FileLimits = PACKAGE_LIMITS): string | undefined {
  return faultInFiles(sizes, limits)?.message;
}

/** A file's hash as an integrity string, `sha512-…`. */
export async function integrityOf(
  bytes: Uint8Array<ArrayBuffer>,
  cryptography: Pick<PackageCryptography, 'sha512'> = webCryptography,
): Promise<string> {
  return `sha512-${toBase64(await cryptography.sha512(bytes))}`;
}
