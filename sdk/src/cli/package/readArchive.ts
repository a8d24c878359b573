import { stat } from 'node:fs/promises';
import { Parser } from 'tar';
import type { ReadEntry } from 'tar';
import { faultOfFiles, PACKAGE_LIMITS } from '../../package/files.ts';
import { isPlatformPackageJson, PLATFORM_LIMITS } from '../../package/platforms.ts';
import type { PackageFiles } from '../../package/files.ts';
import { CliError, systemCodeOf } from '../cliError.ts';
import { NotRegularFile, regularFileContent } from './regularFileContent.ts';

const ADVICE = 'Name an archive that was made by tabularium-driver pack.';

function isPlatformPackage(json: Uint8Array): boolean {
  try {
    return isPlatformPackageJson(JSON.parse(new TextDecoder().decode(json)));
  } catch {
    return false;
  }
}

/**
 * The files of a packed driver, or of one of its platform packages.
 *
 * @throws CliError `ARCHIVE_INVALID` for bytes that aren't an archive, or that hold files a package must not have
 */
export async function readArchive(path: string): Promise<PackageFiles> {
  const refuse = (why: string, cause?: unknown): CliError =>
    new CliError('ARCHIVE_INVALID', `${path} isn't a driver package: ${why}.`, ADVICE, { cause });
  const unreadable = (cause: unknown): never => {
    throw refuse(
      cause instanceof NotRegularFile ? `it is ${cause.kind}` : `it cannot be read (${systemCodeOf(cause) ?? 'no reason given'})`,
      cause,
    );
  };
  const { size } = await stat(path).catch(unreadable);
  if (size > PLATFORM_LIMITS.archiveBytes) throw refuse(`it has more than ${PLATFORM_LIMITS.archiveBytes} bytes`);
  const archive = await regularFileContent(path).catch(unreadable);
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  let total = 0;
  await new Promise<void>((resolve, reject) => {
    const parser = new Parser({
      strict: true,
      onReadEntry: (entry: ReadEntry) => {
        const chunks: Buffer[] = [];
        entry.on('data', (chunk: Buffer) => {
          total += chunk.byteLength;
          if (total > PLATFORM_LIMITS.totalBytes)
            parser.abort(new Error(`its files have more than ${PLATFORM_LIMITS.totalBytes} bytes`));
          else chunks.push(chunk);
        });
        entry.on('end', () => {
          if (entry.type !== 'File' || !entry.path.startsWith('package/')) reject(refuse(`it holds "${entry.path}"`));
          files.set(entry.path.slice('package/'.length), new Uint8Array(Buffer.concat(chunks)));
        });
      },
    });
    parser.on('end', () => resolve());
    parser.on('error', (cause: unknown) => reject(refuse(cause instanceof Error ? cause.message : 'it is damaged', cause)));
    parser.end(archive);
  });
  const json = files.get('package.json');
  if (json === undefined) throw refuse('it has no package.json');
  const limits = isPlatformPackage(json) ? PLATFORM_LIMITS : PACKAGE_LIMITS;
  if (size > limits.archiveBytes) throw refuse(`it has more than ${limits.archiveBytes} bytes`);
  const fault = faultOfFiles(new Map([...files].map(([name, bytes]) => [name, bytes.length])), limits);
  if (fault !== undefined) throw refuse(fault.replace(/\.$/, ''));
  return files;
}
