import type { ChangeOutcome, ExportEvent, RowOutcome, Session, TableRef } from '@tabularium/sdk';
import type { DatabaseParts } from '../databaseParts.ts';
import { noTable } from '../catalogue/readTable.ts';
import { createServerConsole } from './serverConsole.ts';
import { createServerExplain } from './serverExplain.ts';
import type { ServerDatabases } from './serverDatabases.ts';

type Routed = Omit<DatabaseParts, 'database' | 'changed'>;

/** The parts of a session that reaches all databases of a server: the first name of a table's path says which one a call is for. */
export function serverParts(databases: ServerDatabases): Routed {
  /** @throws DriverError `NOT_FOUND`: no table is looked for in a database that a path doesn't name */
  const of = async ({ namespace, name }: TableRef, signal: AbortSignal): Promise<DatabaseParts> => {
    const [database] = namespace;
    if (database === undefined) throw noTable({ namespace, name });
    return await databases.get(database, signal);
  };
  return {
    listTables: ({ signal }) => databases.listTables(signal),
    describeTable: async (table, options) => (await of(table, options.signal)).describeTable(table, options),
    readPage: async (request, options) => (await of(request.table, options.signal)).readPage(request, options),
    countRows: async (request, options) => (await of(request.table, options.signal)).countRows(request, options),
    console: createServerConsole(databases),
    explain: createServerExplain(databases),
    edits: {
      atomicity: 'all',
      prepare: async (table, changes, options) => (await of(table, options.signal)).edits.prepare(table, changes, options),
      async *apply(table, changes, options): AsyncGenerator<ChangeOutcome, void, undefined> {
        yield* (await of(table, options.signal)).edits.apply(table, changes, options);
      },
    },
    rows: { read: async (request, options) => (await of(request.table, options.signal)).rows.read(request, options) },
    import: {
      form: async (table, options) => (await of(table, options.signal)).import.form(table, options),
      check: async (target, rows, options) => (await of(target.table, options.signal)).import.check(target, rows, options),
      splice: async (target, options) => (await of(target.table, options.signal)).import.splice(target, options),
      judge: (splice, answer) => databases.primary.import.judge(splice, answer),
      async *write(target, rows, options): AsyncGenerator<RowOutcome, void, undefined> {
        yield* (await of(target.table, options.signal)).import.write(target, rows, options);
      },
    },
    tableOperations: {
      list: async (table, options) => (await of(table, options.signal)).tableOperations.list(table, options),
      plan: async (table, id, options) => (await of(table, options.signal)).tableOperations.plan(table, id, options),
      run: async (table, id, confirmed, options) =>
        (await of(table, options.signal)).tableOperations.run(table, id, confirmed, options),
    },
    export: {
      splice: async (request, options) => (await of(request.table, options.signal)).export.splice(request, options),
      judge: (splice, summary) => databases.primary.export.judge(splice, summary),
      async *rows(request, options): AsyncGenerator<ExportEvent, void, undefined> {
        yield* (await of(request.table, options.signal)).export.rows(request, options);
      },
    },
    suggestions: {
      values: async (request, options) => (await of(request.table, options.signal)).suggestions.values(request, options),
    },
    expressions: {
      ofRead: async (request, options) => (await of(request.table, options.signal)).expressions.ofRead(request, options),
    },
  } satisfies Routed & Partial<Session>;
}
