import { constants } from 'node:fs';
import { lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { accessAdvice } from '../storage/accessAdvice.ts';
import { LOG_FILE } from '../storage/fileLogger.ts';
import type { Home } from '../storage/home.ts';
import type { CheckupFact } from './checked.ts';

/** As the log is opened: no link is followed and no pipe waited for. Windows has neither flag. */
const FLAGS = constants.O_RDWR | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The rest of the name: nothing for the newest file, a number for an older one. */
const OLDER = /^(\.\d+)?$/;

/** Whether the files of the log can be written and read. A host works without its log, so that a fault shows when the log is needed. */
export async function logFinding({ logs }: Pick<Home, 'logs'>): Promise<CheckupFact> {
  const names = (await readdir(logs)).filter((name) => name.startsWith(LOG_FILE) && OLDER.test(name.slice(LOG_FILE.length)));
  for (const name of names.toSorted()) {
    const file = join(logs, name);
    const fault = await faultOf(file);
    if (fault === undefined) continue;
    const advice = accessAdvice('HOME_UNUSABLE', file) ?? `Move ${file} elsewhere. The host then makes a new one.`;
    return { finding: `The log ${file} ${fault}. The host works without it, and its entries are lost.`, advice };
  }
  return { finding: names.length === 0 ? `There is no log in ${logs} yet.` : `The log ${join(logs, LOG_FILE)} can be written.` };
}

async function faultOf(file: string): Promise<string | undefined> {
  const entry = await lstat(file);
  if (entry.isSymbolicLink()) return 'is a symbolic link, and no log is written through one';
  if (!entry.isFile()) return "isn't a file";
  if (process.getuid !== undefined && entry.uid !== process.getuid()) return 'belongs to another user';
  try {
    await (await open(file, FLAGS)).close();
    return undefined;
  } catch (error) {
    return `can't be read and written (${error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'})`;
  }
}
