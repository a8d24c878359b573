import { readFile } from 'node:fs/promises';
import { DriverError } from '@tabularium/sdk';
import type { DriverContext, Settings } from '@tabularium/sdk';
import type { Row } from './rows.ts';

/** Where the rows come from. */
export interface Source {
  readonly product: string;
  /** What connecting found, one sentence. */
  readonly finding: string;
  tables(signal: AbortSignal): Promise<readonly string[]>;
  /** Undefined: there is no such table. */
  rows(table: string, signal: AbortSignal): Promise<readonly Row[] | undefined>;
}

type Tables = Readonly<Record<string, readonly Row[]>>;

/** A file of JSON: lists of rows, by the name of their table. It is read anew each time. */
async function readTables(path: string, signal: AbortSignal): Promise<Tables> {
  const text = await readFile(path, { encoding: 'utf8', signal });
  try {
    // Numbers beyond 2^53 would lose digits here: `numeralCell` of the SDK keeps them.
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && Object.values(value).every(Array.isArray)) return value as Tables;
  } catch {
    // Told below.
  }
  throw new DriverError('INVALID_INPUT', 'The file does not hold lists of rows as JSON.', { details: { field: 'file' } });
}

/** The file that was chosen in the form: the one file that this driver may read. */
export async function openSource(_settings: Settings, context: DriverContext, signal: AbortSignal): Promise<Source> {
  const path = context.file?.paths['file'];
  if (path === undefined) throw new DriverError('INVALID_INPUT', 'No file is chosen.', { details: { field: 'file' } });
  const tables = Object.keys(await readTables(path, signal));
  return {
    product: '{{title}}',
    finding: `The file has ${tables.length} tables.`,
    tables: async (callSignal) => Object.keys(await readTables(path, callSignal)),
    rows: async (table, callSignal) => {
      const all = await readTables(path, callSignal);
      return Object.hasOwn(all, table) ? all[table] : undefined;
    },
  };
}
