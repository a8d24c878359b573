import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { loadPart } from '../../errors/loadPart.ts';
import { HostError } from '../../../common/errors.ts';
import { storageFailure } from '../../errors/storageFailure.ts';
import { SERVER_NAME } from './clients.ts';
import type { EntryValues, McpClient } from './clients.ts';
import { NotAFile, readRegularText } from '../../storage/regularFile.ts';

const BYTE_ORDER_MARK = '\u{FEFF}';

/** The changes that an entry would make. */
export interface ConfigChange {
  readonly file: string;
  /** Absent: there is no file yet. */
  readonly before: string | undefined;
  readonly after: string;
}

/**
 * Looks what a client's file would be with our entry. Nothing is written.
 *
 * @throws HostError `INVALID_REQUEST` where the file cannot be changed without losing something of it
 */
export async function planChange(client: McpClient, values: EntryValues, file: string): Promise<ConfigChange> {
  const before = await readIfThere(file);
  const { key = '' } = client;
  const entry = client.entry(values);
  // Loaded when they are needed: a host starts without them.
  const withEntry = await loadPart(() =>
    client.format === 'yaml'
      ? import('./yamlSettings.ts').then((part) => part.withYamlEntry)
      : import('./jsonSettings.ts').then((part) => part.withJsonEntry),
  );
  const mark = before?.startsWith(BYTE_ORDER_MARK) === true ? BYTE_ORDER_MARK : '';
  const outcome = withEntry((before ?? '').slice(mark.length), { key, name: SERVER_NAME, entry });
  if ('refused' in outcome) throw refused(file, outcome.refused, 'Put the entry in by hand.');
  return { file, before, after: mark + outcome.after };
}

/**
 * Writes the change, and keeps what was there beside it. Returns the backup's name.
 *
 * @throws HostError `INVALID_REQUEST`, `DISK_FULL` and others of the file system: the file is as it was
 */
export async function writeChange(change: ConfigChange): Promise<string | undefined> {
  try {
    return await written(change);
  } catch (error) {
    throw unusable(error, change.file, 'written');
  }
}

async function written({ file, before, after }: ConfigChange): Promise<string | undefined> {
  // A file that is a link (as in a folder of settings under version control) stays one.
  const real = before === undefined ? file : await realpath(file);
  if ((await readIfThere(real)) !== before) throw refused(file, 'was changed in the meantime', 'Review the file, and try again.');
  await mkdir(dirname(real), { recursive: true });
  let backup: string | undefined;
  let mode = 0o600;
  if (before !== undefined) {
    backup = `${real}.before-tabularium-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
    await copyFile(real, backup);
    mode = (await stat(real)).mode & 0o777;
  }
  const staged = `${real}.${randomUUID()}.new`;
  try {
    await writeFile(staged, after, { mode, flag: 'wx' });
    await rename(staged, real);
  } catch (error) {
    // Beside settings of another program nothing half written stays.
    await rm(staged, { force: true });
    throw error;
  }
  return backup;
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readRegularText(file);
  } catch (error) {
    if (error instanceof NotAFile)
      throw new HostError('INVALID_REQUEST', error.message, { details: { advice: 'Name a file.' }, cause: error });
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return undefined;
    throw unusable(error, file, 'read');
  }
}

function unusable(cause: unknown, file: string, why: 'read' | 'written'): unknown {
  if (cause instanceof HostError || !(cause instanceof Error && 'code' in cause)) return cause;
  const subject = `${file} cannot be ${why} (${String(cause.code)}).`;
  const advice = 'Check its folder and permissions, name another file with --file, or put the entry in by hand.';
  return (
    storageFailure(cause, `${file} cannot be ${why}.`, dirname(file)) ??
    new HostError('INVALID_REQUEST', subject, { cause, details: { advice } })
  );
}

function refused(file: string, what: string, advice: string): HostError {
  return new HostError('INVALID_REQUEST', `${file} ${what}.`, { details: { advice } });
}
