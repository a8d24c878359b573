import { DriverError } from '@tabularium/sdk';
import type { ListPageOptions, NamespacesFacet } from '@tabularium/sdk';
import { SCHEMA, SCHEMA_TABLES, SCHEMAS } from '../catalogue/queries.ts';
import { summariesOf } from '../databaseParts.ts';
import { faultTexts, stopIfCancelled } from '../fault.ts';
import type { PgAnswer } from '../wire/batch.ts';
import type { ServerDatabases } from './serverDatabases.ts';

/** Before the name of an entry in a cursor: it is the last one of its page. */
const BEHIND = 'behind ';

/** The databases of a server, their schemas and the tables of these. Only the database that is asked for is connected to. */
export function createServerNamespaces(databases: ServerDatabases, systemSchemas: boolean): NamespacesFacet {
  const system = String(systemSchemas);
  /** Whether a schema is there, and some answer of its database with it. */
  const readSchema = async (
    [name = '', schema = '']: readonly string[],
    signal: AbortSignal,
    more: readonly { readonly text: string; readonly values: readonly (string | null)[] }[] = [],
  ): Promise<PgAnswer | undefined> => {
    const { database } = await databases.get(name, signal);
    const [there, answer] = await database.read([{ text: SCHEMA, values: [system, schema] }, ...more], signal);
    if (there?.rows.length === 0) throw noSchema(name, schema);
    return answer;
  };
  return {
    initial: [[databases.named]],
    async list(parent, { signal, ...page }) {
      stopIfCancelled(signal);
      const { after, limit } = cursorOf(page);
      const [name, schema, ...more] = parent;
      if (name === undefined) {
        const found = await databases.page(after, limit + 1, signal);
        const { entries, next } = pageOf(found, limit, (one) => one);
        return { namespaces: entries.map((one) => ({ path: [one], hasNamespaces: true, hasTables: false })), ...next };
      }
      if (schema !== undefined) {
        if (more.length > 0) throw noSchema(name, [schema, ...more].join('.'));
        await readSchema(parent, signal);
        return { namespaces: [] };
      }
      const { database } = await databases.get(name, signal);
      const [answer] = await database.read([{ text: SCHEMAS, values: [system, after, `${limit + 1}`] }], signal);
      const { entries, next } = pageOf(answer?.rows ?? [], limit, ([one]) => one ?? '');
      return {
        namespaces: entries.map(([one]) => ({ path: [name, one ?? ''], hasNamespaces: false, hasTables: true })),
        ...next,
      };
    },
    async listTables(namespace, { signal, ...page }) {
      stopIfCancelled(signal);
      const { after, limit } = cursorOf(page);
      const [name, schema, ...more] = namespace;
      if (name === undefined) return { tables: [] };
      if (schema === undefined) {
        await databases.get(name, signal);
        return { tables: [] };
      }
      if (more.length > 0) throw noSchema(name, [schema, ...more].join('.'));
      const values = [system, schema, after, `${limit + 1}`];
      const answer = await readSchema(namespace, signal, [{ text: SCHEMA_TABLES, values }]);
      const { entries, next } = pageOf(answer?.rows ?? [], limit, ([, table]) => table ?? '');
      return { tables: summariesOf(entries, [name]), ...next };
    },
  };
}

/** @throws DriverError `INVALID_INPUT` */
function cursorOf({ after, limit }: Omit<ListPageOptions, 'signal'>): { readonly after: string | null; readonly limit: number } {
  if (after === undefined) return { after: null, limit };
  if (after.startsWith(BEHIND) && !after.includes('\0')) return { after: after.slice(BEHIND.length), limit };
  throw new DriverError('INVALID_INPUT', "The list can't continue there: this isn't the end of one of its pages.", {
    details: { texts: faultTexts('server.noCursor') },
  });
}

/** @param found - one more than the page may have, where there are more */
function pageOf<Entry>(
  found: readonly Entry[],
  limit: number,
  nameOf: (entry: Entry) => string,
): { readonly entries: readonly Entry[]; readonly next: { readonly next?: string } } {
  const entries = found.slice(0, limit);
  const last = entries.at(-1);
  return { entries, next: last === undefined || found.length <= limit ? {} : { next: `${BEHIND}${nameOf(last)}` } };
}

function noSchema(name: string, schema: string): DriverError {
  return new DriverError('NOT_FOUND', `There is no schema “${schema}” in the database “${name}” that you may use.`, {
    details: { texts: faultTexts('server.noSchema', { name, schema }) },
  });
}
