import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import {
  pathInPlatformFolder,
  PACKAGE_LIMITS,
  PLATFORM_LIMITS,
  readDriverPackageJson,
  readPlatformPackageJson,
} from '@tabularium/sdk/package';
import type { PackageFiles } from '@tabularium/sdk/package';
import { HostError } from '../../../common/errors.ts';
import { hostSentence } from '../../../common/hostSentences.ts';
import { packedArchiveName } from './packedArchiveName.ts';
import { readTarball } from './readTarball.ts';
import { streamArchive } from './streamArchive.ts';
import type { EntrySink } from './streamArchive.ts';

/** A file of a driver and the files of one platform together, as `drivers bundle` writes it. */
const BUNDLE_LIMITS = {
  files: PACKAGE_LIMITS.files + PLATFORM_LIMITS.files,
  fileBytes: PLATFORM_LIMITS.fileBytes,
  totalBytes: PACKAGE_LIMITS.totalBytes + PLATFORM_LIMITS.totalBytes,
} as const;

/** Bytes of the largest file that a driver is installed from. */
export const MOST_FILE_BYTES = PACKAGE_LIMITS.archiveBytes + PLATFORM_LIMITS.archiveBytes;

/** A driver's archive in a file. */
export interface ArchiveFile {
  /** Without the files of a platform. */
  readonly files: PackageFiles;
  /** `sha512-…` of the whole file. */
  readonly integrity: string;
  /** Whether the files of a platform are in it, too. */
  readonly hasPlatformFiles: boolean;
}

/**
 * Reads a driver's archive from a file. The files of a platform, which may be large, are passed over: see {@link extractPlatformFiles}.
 *
 * @throws HostError `PACKAGE_INVALID`, `PACKAGE_TRUNCATED`, `CANCELLED`
 */
export async function readArchiveFile(file: string, packageText: string, signal: AbortSignal): Promise<ArchiveFile> {
  const { size } = await stat(file);
  const tooLarge = (most: number): HostError => new HostError('PACKAGE_INVALID', `${packageText} has more than ${most} bytes.`);
  if (size > MOST_FILE_BYTES) throw tooLarge(MOST_FILE_BYTES);
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  let hasPlatformFiles = false;
  let ownBytes = 0;
  let fault: HostError | undefined;
  const take = (path: string, bytes: number): EntrySink | undefined => {
    if (pathInPlatformFolder(path) !== undefined) {
      hasPlatformFiles = true;
      return undefined;
    }
    ownBytes += bytes;
    if (bytes > PACKAGE_LIMITS.fileBytes || ownBytes > PACKAGE_LIMITS.totalBytes) {
      fault ??= new HostError('PACKAGE_INVALID', `${packageText}: The file ${JSON.stringify(path)} is too large for a package.`);
      // A platform package has such files: its package.json may come after them.
      if (path !== 'package.json') return undefined;
      ownBytes -= bytes;
      if (bytes > PACKAGE_LIMITS.fileBytes) return undefined;
    }
    const content = new Uint8Array(bytes);
    let at = 0;
    return {
      write: (chunk) => {
        content.set(chunk, at);
        at += chunk.length;
      },
      close: () => void files.set(path, content),
    };
  };
  await streamArchive(file, { packageText, limits: BUNDLE_LIMITS, signal, sinkFor: take });
  refusePlatformPackage(files.get('package.json'), packageText);
  if (fault !== undefined) throw fault;
  const isBundle = hasPlatformFiles && declaresPlatforms(files.get('package.json'));
  if (!isBundle && size > PACKAGE_LIMITS.archiveBytes) throw tooLarge(PACKAGE_LIMITS.archiveBytes);
  const integrity = await integrityOfFile(file, signal);
  if (isBundle || !hasPlatformFiles) return { files, integrity, hasPlatformFiles };
  // A driver that lists no platforms may have a folder of this name of its own.
  return { files: await readTarball(await readFile(file), packageText, signal), integrity, hasPlatformFiles: false };
}

/** A person has taken the archive beside the right one. @throws HostError `PACKAGE_INVALID` */
function refusePlatformPackage(packageJson: Uint8Array | undefined, packageText: string): void {
  const read = packageJson === undefined ? undefined : readPlatformPackageJson(packageJson);
  if (read?.ok !== true) return;
  const { driver, platform, version } = read.packageJson;
  throw new HostError(
    'PLATFORM_FILES_ALONE',
    hostSentence('platformAlone', { file: packageText, driver, platform, archive: packedArchiveName(driver, version) }),
  );
}

/**
 * Whether a manifest lists platforms: their folder is then the platform package's alone. What the bytes say is believed only when the signature has
 * been verified; until then it decides no more than which files are read.
 */
export function declaresPlatforms(packageJson: Uint8Array | undefined): boolean {
  const read = packageJson === undefined ? undefined : readDriverPackageJson(packageJson);
  return read?.ok === true && read.packageJson.manifest.platforms !== undefined;
}

async function integrityOfFile(file: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha512');
  for await (const chunk of createReadStream(file, { signal, highWaterMark: 1024 * 1024 })) hash.update(chunk as Buffer);
  return `sha512-${hash.digest('base64')}`;
}
