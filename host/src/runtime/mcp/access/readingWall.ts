import type { CallOptions, TableDescription, TableRef } from '@tabularium/sdk';
import type { SharedSession } from '../../data/sessions.ts';

/** Throws where an external client may not read this table. */
type AssertReadable = (description: TableDescription) => void;

/** The members by which no rows of a table are read: a statement is judged by its own text, and a change by what it prepares. The compiler reports one that a later contract adds. */
type Passed =
  | ('server' | 'findings' | 'http' | 'ping' | 'listTables' | 'close' | 'console' | 'explain' | 'edits' | 'import' | 'operations')
  | ('tableOperations' | 'principals' | 'metrics' | 'expressions' | 'namedTables' | 'namespaces' | 'objects' | 'activity');
type Walled = Exclude<keyof SharedSession, Passed>;

/**
 * A session as an external client's call uses it: before a table is read, its description says whether reading it only reads. Every way to rows is walled here, so that no tool has to
 * remember it.
 *
 * @param assertReadable - called with the description of each table that is read
 */
export function readingWall(session: SharedSession, assertReadable: AssertReadable): SharedSession {
  // For this call: most tools describe the table before they read it.
  const described = new Map<string, TableDescription>();
  const describe = async (ref: TableRef, options: CallOptions): Promise<TableDescription> => {
    const description = await session.describeTable(ref, options);
    for (const name of [ref, description.ref]) described.set(nameOf(name), description);
    return description;
  };
  const check = async (ref: TableRef, options: CallOptions): Promise<void> =>
    assertReadable(described.get(nameOf(ref)) ?? (await describe(ref, options)));
  const { rows, export: exports, search, suggestions } = session;
  const recordedQueries = search?.recordedQueries?.bind(search);
  const walled: { readonly [Name in Walled]-?: SharedSession[Name] | undefined } = {
    describeTable: describe,
    async readPage(request, options) {
      await check(request.table, options);
      return session.readPage(request, options);
    },
    async countRows(request, options) {
      await check(request.table, options);
      return session.countRows(request, options);
    },
    rows: rows && {
      async read(request, options) {
        await check(request.table, options);
        return rows.read(request, options);
      },
    },
    export: exports && {
      async splice(request, options) {
        await check(request.table, options);
        return exports.splice(request, options);
      },
      judge: (splice, summary) => exports.judge(splice, summary),
      async *rows(request, options) {
        await check(request.table, options);
        yield* exports.rows(request, options);
      },
    },
    search: search && {
      form: (table, options) => search.form(table, options),
      async search(request, options) {
        for (const table of [request.table, ...(request.alsoIn ?? [])]) await check(table, options);
        return search.search(request, options);
      },
      ...(recordedQueries === undefined ? {} : { recordedQueries }),
    },
    suggestions: suggestions && {
      async values(request, options) {
        await check(request.table, options);
        return suggestions.values(request, options);
      },
    },
  };
  return new Proxy(session, {
    get(target, name): unknown {
      if (Object.hasOwn(walled, name)) return walled[name as Walled];
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}

function nameOf({ namespace, name }: TableRef): string {
  return JSON.stringify([...namespace, name]);
}
