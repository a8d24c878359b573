import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { FileLogger, LOG_FILE } from '../runtime/storage/fileLogger.ts';
import type { Home } from '../runtime/storage/home.ts';
import { StreamLog } from './streamLog.ts';
import type { LogChoices } from './program/programContext.ts';

/** The log of a home, as the command line needs it. A file that can't be written is said once on standard error. */
export function openLog(
  home: Home,
  stderr: Writable,
  { format, level }: LogChoices = {},
): { readonly logger: FileLogger; readonly flush: () => Promise<void> } {
  const stream = new StreamLog(stderr, format ?? 'text');
  const logger = new FileLogger({
    folder: home.logs,
    level,
    alsoTo: format === undefined ? undefined : (entry) => stream.add(entry),
    onTrouble: (error) => {
      const message = `The log ${join(home.logs, LOG_FILE)} can't be written, and Tabularium works on without it. Entries are lost until there is space and the folder is yours to write to`;
      stream.add({ time: new Date().toISOString(), level: 'warn', component: 'log', message, error: String(error) });
    },
  });
  return {
    logger,
    flush: async () => {
      await logger.flush();
      await stream.flush();
    },
  };
}
