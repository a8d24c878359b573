import { readFile, stat, writeFile } from 'node:fs/promises';
import { LARGEST_CONNECTION_FILE } from '../common/connectionFile.ts';
import { HostError } from '../common/errors.ts';

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/** @throws HostError `INVALID_REQUEST` for a file that is not there, is none, or is too large */
export async function readTextFile(path: string): Promise<string> {
  try {
    const { size } = await stat(path);
    if (size > LARGEST_CONNECTION_FILE) throw new HostError('INVALID_REQUEST', `${path} is too large: it has ${size} bytes.`);
    return await readFile(path, 'utf8');
  } catch (cause) {
    if (cause instanceof HostError) throw cause;
    const why = codeOf(cause) === 'ENOENT' ? 'does not exist' : 'cannot be read';
    throw new HostError('INVALID_REQUEST', `${path} ${why}.`, { cause, details: { advice: 'Name another file.' } });
  }
}

/** Writes a file that only its owner reads. @throws HostError `INVALID_REQUEST` for one that exists, unless it is to be replaced */
export async function writeNewFile(path: string, text: string, overwrite: boolean): Promise<void> {
  try {
    await writeFile(path, text, { flag: overwrite ? 'w' : 'wx', mode: 0o600 });
  } catch (cause) {
    const exists = codeOf(cause) === 'EEXIST';
    throw new HostError('INVALID_REQUEST', exists ? `${path} exists already.` : `${path} cannot be written.`, {
      cause,
      details: { advice: exists ? 'Name another file, or add --overwrite.' : 'Name a file in a folder that you may write to.' },
    });
  }
}
