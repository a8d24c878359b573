import type { DriverError } from '@tabularium/sdk';

const TOO_MANY_CONNECTIONS = '53300';
/** The server is shut down, has crashed or starts. Others of this class, such as a statement_timeout, can be of one database alone. */
const OF_SERVER: ReadonlySet<string> = new Set(['57P01', '57P02', '57P03']);
/** Without an answer of the server: it isn't there, it didn't let in in time, or the connection leads elsewhere. */
const ALONE: ReadonlySet<string> = new Set(['NOT_FOUND', 'TIMEOUT', 'CONFLICT']);

/** Whether an error keeps only one database from being used: the server isn't shutting down, or without a free connection for any. */
export function isOfDatabase({ code, details }: DriverError, name: string): boolean {
  const { status, serverMessage } = details;
  if (status === undefined) return ALONE.has(code);
  if (OF_SERVER.has(status)) return false;
  // The server names the database in every language, where the limit is that database's own.
  return status !== TOO_MANY_CONNECTIONS || serverMessage?.includes(`"${name}"`) === true;
}
