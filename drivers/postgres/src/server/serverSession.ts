import type { ChangeOutcome, ExportEvent, WriteOutcome, Session, TableRef } from '@tabularium/sdk';
import type { DatabaseParts } from '../databaseParts.ts';
import { noTable } from '../catalogue/readTable.ts';
import { connectLine } from '../sql/connectLine.ts';
import { createServerConsole } from './serverConsole.ts';
import { createServerExplain } from './serverExplain.ts';
import { createServerTables } from './serverTables.ts';
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
    // Other databases are connected to when they are asked for.
    listTables: (options) => databases.primary.listTables(options),
    describeTable: async (table, options) => (await of(table, options.signal)).describeTable(table, options),
    readPage: async (request, options) => (await of(request.table, options.signal)).readPage(request, options),
    countRows: async (request, options) => (await of(request.table, options.signal)).countRows(request, options),
    console: createServerConsole(databases),
    explain: createServerExplain(databases),
    edits: {
      atomicity: 'all',
      async prepare(table, changes, options) {
        const parts = await of(table, options.signal);
        const prepared = await parts.edits.prepare(table, changes, options);
        return prepared.map((change) => (change.ready ? { ...change, text: inDatabase(parts, change.text) } : change));
      },
      async *apply(table, changes, options): AsyncGenerator<ChangeOutcome, void, undefined> {
        yield* (await of(table, options.signal)).edits.apply(table, changes, options);
      },
    },
    rows: { read: async (request, options) => (await of(request.table, options.signal)).rows.read(request, options) },
    import: {
      async form(table, options) {
        const parts = await of(table, options.signal);
        const form = await parts.import.form(table, options);
        return { ...form, modes: form.modes.map((mode) => ({ ...mode, text: inDatabase(parts, mode.text) })) };
      },
      check: async (target, rows, options) => (await of(target.table, options.signal)).import.check(target, rows, options),
      splice: async (target, options) => (await of(target.table, options.signal)).import.splice(target, options),
      judge: (splice, answer) => databases.primary.import.judge(splice, answer),
      async *write(target, rows, options): AsyncGenerator<WriteOutcome, void, undefined> {
        yield* (await of(target.table, options.signal)).import.write(target, rows, options);
      },
      tables: createServerTables(databases, of),
    },
    tableOperations: {
      list: async (table, options) => (await of(table, options.signal)).tableOperations.list(table, options),
      async plan(table, id, options) {
        const parts = await of(table, options.signal);
        const plan = await parts.tableOperations.plan(table, id, options);
        return { ...plan, text: inDatabase(parts, plan.text) };
      },
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

/** A statement that a person is asked about says in which database it runs. */
function inDatabase({ database }: DatabaseParts, statement: string): string {
  return `${connectLine(database.facts.database)}\n${statement}`;
}
