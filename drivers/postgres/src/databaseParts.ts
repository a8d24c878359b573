import type { Session, TableSummary } from '@tabularium/sdk';
import { LIST } from './catalogue/queries.ts';
import { createConsole } from './console/console.ts';
import { createEdits } from './edits/edits.ts';
import { createExplain } from './explain/explain.ts';
import { createImport } from './imports/import.ts';
import type { PgDatabase } from './pgDatabase.ts';
import { Bookmarks } from './rows/bookmarks.ts';
import { countPassing } from './rows/counts.ts';
import { createExport } from './rows/export.ts';
import { createExpressions } from './rows/expressions.ts';
import { readPage } from './rows/pages.ts';
import { createRows } from './rows/readRows.ts';
import { createSuggestions } from './rows/suggestions.ts';
import { createTableOperations } from './tableOperations.ts';
import type { TextRow } from './wire/batch.ts';

type PartNames =
  | 'listTables'
  | 'describeTable'
  | 'readPage'
  | 'countRows'
  | 'console'
  | 'edits'
  | 'rows'
  | 'import'
  | 'tableOperations'
  | 'export'
  | 'suggestions'
  | 'expressions'
  | 'explain';

/** The parts of a session that are about one database. */
export interface DatabaseParts extends Required<Pick<Session, PartNames>> {
  readonly database: PgDatabase;
  /** To be called after a statement that may have changed tables or rows. */
  readonly changed: () => void;
}

export function databaseParts(database: PgDatabase, systemSchemas: boolean): DatabaseParts {
  const bookmarks = new Bookmarks();
  const changed = (): void => {
    bookmarks.clear();
    database.forgetTables();
  };
  const listTables = async (signal: AbortSignal): Promise<readonly TableSummary[]> => {
    const [answer] = await database.read([{ text: LIST, values: [String(systemSchemas)] }], signal);
    return summariesOf(answer?.rows ?? [], database.prefix);
  };
  return {
    database,
    changed,
    listTables: ({ signal }) => listTables(signal),
    describeTable: (table, { signal }) => database.describe(table, signal),
    readPage: (request, { signal }) => readPage(database, bookmarks, request, signal),
    countRows: (request, { signal }) => countPassing(database, request, signal),
    console: createConsole(database, listTables, changed),
    edits: createEdits(database, changed),
    rows: createRows(database),
    import: createImport(database, changed),
    tableOperations: createTableOperations(database, changed),
    export: createExport(database),
    suggestions: createSuggestions(database),
    expressions: createExpressions(database),
    explain: createExplain(database),
  };
}

/** @param prefix - the names before the schema in a path */
export function summariesOf(rows: readonly TextRow[], prefix: readonly string[]): readonly TableSummary[] {
  return rows.map(([schema, name, relkind, estimate, wholeSchema, whole]): TableSummary => {
    const count = Math.round(Number(estimate));
    return {
      ref: { namespace: [...prefix, schema ?? ''], name: name ?? '' },
      kind: relkind === 'v' ? 'view' : relkind === 'm' ? 'materializedView' : 'table',
      ...(relkind === 'v' || !(count >= 0) ? {} : { count: { rows: count, exact: false } }),
      ...(typeof wholeSchema === 'string' && typeof whole === 'string'
        ? { partOf: { namespace: [...prefix, wholeSchema], name: whole } }
        : {}),
    };
  });
}
