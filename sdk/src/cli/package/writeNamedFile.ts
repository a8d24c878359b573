import { randomUUID } from 'node:crypto';
import { lstat, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { CliError, systemCodeOf } from '../cliError.ts';
import { kindOfEntry } from './regularFileContent.ts';

/** Whether a file that is there may be replaced. */
export interface WriteChoice {
  readonly overwrite: boolean;
}

/**
 * Makes sure that a file may be written, before the work that makes its content, and before another file of the same command.
 *
 * @throws CliError `FILE_EXISTS` for a file that may not be replaced, and for what isn't a file; a symbolic link is never replaced itself
 */
export async function assertWritable(file: string, { overwrite }: WriteChoice): Promise<void> {
  const found = await lstat(file).catch(() => undefined);
  if (found === undefined) return;
  const kind = found.isSymbolicLink() ? await kindBehind(file) : kindOfEntry(found);
  if (kind !== undefined) throw new CliError('FILE_EXISTS', `${file} is ${kind}, not a file.`, 'Name another file.');
  if (overwrite) return;
  const what = found.isSymbolicLink() ? 'is a symbolic link to a file that exists' : 'exists already';
  throw new CliError('FILE_EXISTS', `${file} ${what}.`, 'Name another file, or add --overwrite.');
}

/** The kind of what a link leads to; undefined for a file. */
async function kindBehind(link: string): Promise<string | undefined> {
  const real = await realpath(link).catch(() => undefined);
  return real === undefined ? 'a symbolic link that leads nowhere' : kindOfEntry(await lstat(real));
}

/**
 * Writes a file whole or not at all. With `overwrite`, a link stays and the file that it leads to is replaced.
 *
 * @throws CliError as {@link assertWritable}, and `PROJECT_INVALID` for a place that can't be written
 */
export async function writeNamedFile(file: string, content: string | Uint8Array, choice: WriteChoice): Promise<void> {
  await assertWritable(file, choice);
  const place = choice.overwrite ? await realpath(file).catch(() => file) : file;
  const temporary = `${place}.${randomUUID()}.part`;
  try {
    await writeFile(temporary, content, { flag: 'wx' });
    // Opening it so takes the name, or fails where another program was first; the rename then puts the content there.
    if (!choice.overwrite) await writeFile(place, '', { flag: 'wx' });
    await rename(temporary, place);
  } catch (cause) {
    await rm(temporary, { force: true });
    const code = systemCodeOf(cause);
    if (code === 'EEXIST')
      throw new CliError('FILE_EXISTS', `${file} exists already.`, 'Name another file, or add --overwrite.', { cause });
    throw new CliError(
      'PROJECT_INVALID',
      `The file ${file} cannot be written (${code ?? 'no reason given'}).`,
      'Choose another with --output.',
      { cause },
    );
  }
}
