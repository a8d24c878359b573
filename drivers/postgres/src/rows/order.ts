import { driverText } from '@tabularium/sdk';
import type { Ability, DroppedSort, Sort } from '@tabularium/sdk';
import type { PgColumn, PgTable } from '../catalogue/pgTable.ts';
import { OID } from '../catalogue/types.ts';
import { scaleOf } from '../stored/storedType.ts';
import type { PgType } from '../catalogue/types.ts';
import { quoted } from '../names.ts';
import type { Values } from './values.ts';

/** As many as the manifest says. */
const MOST_SORTS = 16;

/** An order in which pages of a table are read: the same one from one page to the next, as rows that are equal by all of its terms are equal in every column. */
export interface RowOrder {
  readonly terms: readonly OrderTerm[];
  /** Whether no two rows are equal by all terms. Only then is every row either before or behind another. */
  readonly isTotal: boolean;
}

/** One term of an order. */
export interface OrderTerm {
  /** The compared expression, as SQL. */
  readonly sql: string;
  readonly descending: boolean;
  /** NULL comes last ascending and first descending, as the server does it. */
  readonly nullable: boolean;
  /** The type that a value read before is cast to. */
  readonly cast: string;
  /** The place of its value in a page's row; undefined where it has to be read beside the columns. */
  readonly column: PgColumn | undefined;
}

/** The sorts that are done, and those that are not. */
export function sortsOf(
  sorts: readonly Sort[],
  { byName }: PgTable,
): {
  readonly done: readonly { readonly column: PgColumn; readonly descending: boolean }[];
  readonly dropped: readonly DroppedSort[];
} {
  const done: { column: PgColumn; descending: boolean }[] = [];
  const dropped: DroppedSort[] = [];
  for (const { column: name, direction } of sorts) {
    const column = byName.get(name);
    if (column === undefined)
      dropped.push({ column: name, reason: "The column doesn't exist.", texts: { reason: driverText('sort.noColumn') } });
    else if (!column.sortable.allowed) dropped.push(refusedSort(name, column.sortable));
    else if (done.length >= MOST_SORTS)
      dropped.push({
        column: name,
        reason: `At most ${MOST_SORTS} columns can be sorted by.`,
        texts: { reason: driverText('sort.most', { most: MOST_SORTS }) },
      });
    else if (!done.some((other) => other.column === column)) done.push({ column, descending: direction === 'descending' });
  }
  return { done, dropped };
}

function refusedSort(column: string, { reason, texts }: Exclude<Ability, { allowed: true }>): DroppedSort {
  return { column, reason, ...(texts === undefined ? {} : { texts }) };
}

/**
 * The whole order of a table's rows. Rows that the sorts leave equal are ordered by the key; where there is none, by the place where a row is stored, and
 * in views and foreign tables by every column: the server keeps to no order among equals from one page to the next.
 */
export function orderOf(sorts: readonly Sort[], table: PgTable): RowOrder {
  const { done } = sortsOf(sorts, table);
  const terms: OrderTerm[] = done.map(({ column, descending }) => ({
    sql: inTable(table, column.sql),
    descending,
    nullable: !column.isFilled,
    cast: column.type.cast,
    column,
  }));
  const used = new Set(done.map(({ column }) => column));
  // Sorted one way, the rest goes the same way: then an index on both serves the whole order.
  const descending = terms.length > 0 && terms.every((term) => term.descending);
  const naming = namingTerms(table);
  for (const term of naming ?? everyColumn(table)) {
    if (term.column === undefined || !used.has(term.column)) terms.push({ ...term, descending });
  }
  return { terms, isTotal: naming !== undefined };
}

/** With the table's name before it: without, a name in ORDER BY means a column of the result first. */
function inTable({ name }: PgTable, sql: string): string {
  return `${quoted(name)}.${sql}`;
}

type Unordered = Omit<OrderTerm, 'descending'>;

/** The terms that are different in each row; undefined where there are none, as in views. */
function namingTerms(table: PgTable): readonly Unordered[] | undefined {
  const { key, hasHeirs, keyNamesInHeirs, mayReadPlaces } = table;
  const byKey = key.map((column) => ({
    sql: inTable(table, column.sql),
    nullable: !column.isFilled,
    cast: column.type.cast,
    column,
  }));
  if (key.length > 0 && !hasHeirs) return byKey;
  if (key.length > 0 && keyNamesInHeirs && mayReadPlaces)
    return [...byKey.map((term) => ({ ...term, nullable: false })), storingTable(table)];
  const place = placeTerms(table);
  return place === undefined ? undefined : [...byKey, ...place];
}

/** Where a row is stored; undefined where that names no row, or can't be read. */
function placeTerms(table: PgTable): readonly Unordered[] | undefined {
  const { relkind, hasHeirs, lacksPlaces, mayReadPlaces } = table;
  if (relkind === 'v' || lacksPlaces || !mayReadPlaces) return undefined;
  const place = { sql: inTable(table, 'ctid'), nullable: false, cast: 'pg_catalog.tid', column: undefined };
  return relkind !== 'p' && !hasHeirs ? [place] : [storingTable(table), place];
}

/** Which of a table, its partitions and heirs a row is stored in. */
function storingTable(table: PgTable): Unordered {
  return { sql: inTable(table, 'tableoid'), nullable: false, cast: 'pg_catalog.oid', column: undefined };
}

/** Every column, and at the end how those are written that can be equal and written in two ways, such as 1.0 and 1.00. */
function everyColumn(table: PgTable): readonly Unordered[] {
  const { columns } = table;
  const terms = columns.map((column) =>
    column.type.ordered
      ? { sql: inTable(table, column.sql), nullable: true, cast: column.type.cast, column }
      : {
          sql: `${inTable(table, column.sql)}::pg_catalog.text COLLATE pg_catalog."C"`,
          nullable: true,
          cast: 'pg_catalog.text',
          column: undefined,
        },
  );
  const forms = columns.flatMap(({ type, sql }) => (type.ordered ? (formOf(type, inTable(table, sql)) ?? []) : []));
  if (forms.length === 0) return terms;
  const sql = `ROW(${forms.join(', ')})::pg_catalog.text COLLATE pg_catalog."C"`;
  return [...terms, { sql, nullable: true, cast: 'pg_catalog.text', column: undefined }];
}

/** Types of which equal values are written alike. */
const WRITTEN_ONE_WAY: ReadonlySet<number> = new Set([
  ...[OID.bool, OID.bytea, OID.char, OID.name, OID.int8, OID.int2, OID.int4, OID.text, OID.oid, OID.varchar],
  ...[OID.date, OID.time, OID.timestamp, OID.timestamptz, OID.timetz, OID.uuid],
]);

/** An expression that differs between equal values of a type that are written in different ways; undefined where there are none. */
function formOf({ oid, sort, stored }: PgType, sql: string): string | undefined {
  if (sort === 'e' || WRITTEN_ONE_WAY.has(oid)) return undefined;
  // Cheaper than the text of each row's number.
  if (oid === OID.numeric) return scaleOf(stored) === undefined ? `pg_catalog.scale(${sql})` : undefined;
  if (oid === OID.float4) return `pg_catalog.float4send(${sql})`;
  return oid === OID.float8 ? `pg_catalog.float8send(${sql})` : sql;
}

export function orderBy(terms: readonly OrderTerm[], reversed: boolean): string {
  if (terms.length === 0) return '';
  return ` ORDER BY ${terms.map(({ sql, descending }) => `${sql}${descending === reversed ? '' : ' DESC'}`).join(', ')}`;
}

/** The condition that a row comes behind another, of which the values of the terms of a total order are known. */
export function isBehind(terms: readonly OrderTerm[], known: readonly (string | null)[], values: Values): string {
  /** A value that is never compared with must not be sent: its type would be unknown. */
  const places = new Map<number, string>();
  const placeOf = (index: number): string => {
    const place = places.get(index) ?? values.add(known[index] ?? null, terms[index]?.cast ?? 'pg_catalog.text');
    places.set(index, place);
    return place;
  };
  const [first] = terms;
  // Rows compare as a whole where nothing is null and all go one way: an index finds the place at once.
  if (first !== undefined && terms.every(({ nullable, descending }) => !nullable && descending === first.descending)) {
    const own = terms.map(({ sql }) => sql).join(', ');
    return `(${own}) ${first.descending ? '<' : '>'} (${terms.map((_, index) => placeOf(index)).join(', ')})`;
  }
  const from = (index: number): string | undefined => {
    const term = terms[index];
    if (term === undefined) return undefined;
    const { sql, descending, nullable } = term;
    const isNull = (known[index] ?? null) === null;
    // NULL is the last in ascending order and the first in descending order.
    const strictly = isNull
      ? descending
        ? `${sql} IS NOT NULL`
        : undefined
      : descending
        ? `${sql} < ${placeOf(index)}`
        : nullable
          ? `(${sql} > ${placeOf(index)} OR ${sql} IS NULL)`
          : `${sql} > ${placeOf(index)}`;
    const rest = from(index + 1);
    const same = rest === undefined ? undefined : `(${isNull ? `${sql} IS NULL` : `${sql} = ${placeOf(index)}`} AND ${rest})`;
    const parts = [strictly, same].filter((part) => part !== undefined);
    return parts.length === 0 ? undefined : `(${parts.join(' OR ')})`;
  };
  return from(0) ?? 'false';
}
