import { DriverError } from '@tabularium/sdk';
import type { ObjectPlace, ObjectsFacet, PlannedChange, TableRef } from '@tabularium/sdk';
import { cutText } from '../cutText.ts';
import { faultTexts } from '../fault.ts';
import { shown } from '../names.ts';
import type { PgDatabase } from '../pgDatabase.ts';
import type { TextRow } from '../wire/batch.ts';
import { OBJECT_KINDS } from './objectKinds.ts';
import type { PgObjectKind } from './objectKinds.ts';

/** Objects of one part of a list. */
const PART = 1_000;
/** Characters of a name and of a fact that the contract carries. */
const LONGEST = 1_000;

const SCHEMA_IS_THERE = `SELECT FROM pg_catalog.pg_namespace n WHERE n.nspname = $1 AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')`;

/** Functions, types, sequences, triggers, extensions and schemas: listed and read, and changed by statements in the console. */
export function createObjects(database: PgDatabase, systemSchemas: boolean): ObjectsFacet {
  /** The kind of a place, and the first two parameters of its query. */
  const placed = async (
    { kind: id, table, within }: ObjectPlace,
    signal: AbortSignal,
  ): Promise<{ readonly known: PgObjectKind; readonly values: readonly (string | null)[] }> => {
    const known = OBJECT_KINDS.find(({ kind }) => kind.id === id);
    if (known === undefined) throw noPlace(`There are no objects of the kind “${id}”.`, 'object.noKind', { kind: id });
    const { scope, within: holder, term } = known.kind;
    if ((scope === 'table') !== (table !== undefined) || (holder !== undefined) !== (within !== undefined))
      throw noPlace(`${term.other} aren't in this place.`, 'object.noPlace', { kind: term.other });
    if (table !== undefined) {
      const { schema, name } = await database.table(table, signal);
      return { known, values: [schema, name] };
    }
    if (within === undefined) return { known, values: [String(systemSchemas), null] };
    const [answer] = within.includes('\0') ? [] : await database.read([{ text: SCHEMA_IS_THERE, values: [within] }], signal);
    if (answer === undefined || answer.rows.length === 0) throw gone(within);
    return { known, values: [within, null] };
  };
  const rowsOf = async (
    { source, kind }: PgObjectKind,
    wanted: 'facts' | 'document',
    values: readonly (string | null)[],
    condition: string,
    subject: TableRef,
    signal: AbortSignal,
  ): Promise<readonly TextRow[]> => {
    const facts = kind.columns.map((_column, index) => `f${index}`).join(', ');
    // The server works out what is selected and nothing else: a list needs no definitions.
    const selected = wanted === 'facts' ? `o.name, ${facts}` : 'pg_catalog.json_strip_nulls(o.document)';
    const text = `SELECT ${selected} FROM (${source}) AS o (name, ${facts}, document) WHERE ${condition}`;
    const [answer] = await database.readPatiently(subject, [{ text, values }], signal);
    return answer?.rows ?? [];
  };
  const refuse = async (change: { readonly object: ObjectPlace }, signal: AbortSignal): Promise<PlannedChange> => {
    await placed(change.object, signal);
    throw new DriverError('UNSUPPORTED', 'Objects of PostgreSQL are shown here. Change them by a statement in the console.', {
      details: { texts: faultTexts('object.fixed') },
    });
  };
  return {
    async kinds({ signal }) {
      signal.throwIfAborted();
      return OBJECT_KINDS.map(({ kind }) => kind);
    },
    async list(place, next, { signal }) {
      const { known, values } = await placed(place, signal);
      const { columns } = known.kind;
      // By bytes, so that no collation of the database moves a name to another part.
      const found = await rowsOf(
        known,
        'facts',
        [...values, next ?? ''],
        `pg_catalog.length(o.name) BETWEEN 1 AND ${LONGEST} AND o.name COLLATE "C" > $3 ORDER BY o.name COLLATE "C" LIMIT ${PART + 1}`,
        place.table ?? { namespace: values.slice(0, 1).map((value) => value ?? ''), name: known.kind.term.other },
        signal,
      );
      const part = found.slice(0, PART);
      return {
        objects: part.map(([name, ...facts]) => ({
          name: name ?? '',
          facts: Object.fromEntries(
            columns.flatMap(({ id }, index) => {
              const fact = facts[index];
              return fact === null || fact === undefined || fact === '' ? [] : [[id, cutText(fact, LONGEST)]];
            }),
          ),
        })),
        ...(found.length > PART ? { next: part.at(-1)?.[0] ?? '' } : {}),
      };
    },
    async get(object, { signal }) {
      const { known, values } = await placed(object, signal);
      const [row] = object.name.includes('\0')
        ? []
        : await rowsOf(known, 'document', [...values, object.name], 'o.name = $3', subjectOf(object), signal);
      if (row === undefined) throw gone(object.table === undefined ? object.name : `${shown(object.table)}: ${object.name}`);
      return { name: object.name, document: row[0] ?? '{}' };
    },
    plan: (change, { signal }) => refuse(change, signal),
    async apply(change, { signal }) {
      await refuse(change, signal);
    },
  };
}

/** For what an error says that something waits. */
function subjectOf({ table, within, name }: ObjectPlace & { readonly name: string }): TableRef {
  return table ?? { namespace: within === undefined ? [] : [within], name };
}

function noPlace(message: string, id: string, values: Readonly<Record<string, string>>): DriverError {
  return new DriverError('INVALID_INPUT', message, { details: { texts: faultTexts(id, values) } });
}

function gone(name: string): DriverError {
  const short = name.slice(0, 200);
  return new DriverError('NOT_FOUND', `“${short}” doesn't exist, or you may not see it.`, {
    details: { texts: faultTexts('object.gone', { name: short }) },
  });
}
