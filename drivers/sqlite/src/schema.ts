import { DriverError, driverText, listOfNames } from '@tabularium/sdk';
import type {
  Ability,
  Column,
  ColumnKind,
  DriverText,
  ForeignKey,
  NumberRange,
  TableDescription,
  TableKind,
  TableRef,
} from '@tabularium/sdk';
import { LEAST_INTEGER, MOST_INTEGER } from './cells.ts';
import { affinityOf, filterClassOf, kindOf } from './columns.ts';
import type { Affinity } from './columns.ts';
import type { SqliteDatabase, SqlRow } from './database.ts';
import { faultTexts } from './fault.ts';
import { readForeignKeys, readReferringKeys } from './foreignKeys.ts';
import { quoted } from './names.ts';
import { MOST_PARTS, countIndexes, cut, generationOf, readComputed, readIndexes, readTriggers } from './structure.ts';
import type { SqlValue } from './names.ts';

/** A column with what writing and filtering need to know. */
export interface SqlColumn extends Column {
  readonly affinity: Affinity;
  /** Its form in SQL: quoted, or `rowid`. */
  readonly sql: string;
  /** Whether SQLite writes it, or it is read-only. */
  readonly computed: boolean;
}

/** A table or view with all that is known of it. */
export interface SqlTable {
  readonly ref: TableRef;
  /** Quoted, in its schema. */
  readonly sql: string;
  readonly kind: TableKind;
  readonly columns: readonly SqlColumn[];
  readonly byName: ReadonlyMap<string, SqlColumn>;
  readonly key: readonly SqlColumn[];
  /** Why rows cannot be inserted, changed and deleted; undefined where they can. */
  readonly fixed: Fixed | undefined;
  /** Its definition may say what becomes of rows in the way of a new one, which a change of one row overrides. */
  readonly hasConflictClause: boolean;
  readonly description: TableDescription;
}

/** One line of the list of tables. */
export interface ListedTable {
  readonly name: string;
  readonly type: 'table' | 'view' | 'virtual';
  readonly withoutRowid: boolean;
  readonly strict: boolean;
}

const YES: Ability = { allowed: true };
const SAMPLE_ROWS = 20;

function text(value: SqlValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

export function no({ reason, id }: Fixed): Ability {
  return { allowed: false, reason, texts: { reason: { id } } };
}

function noTable({ namespace, name }: TableRef): DriverError {
  const asked = [...namespace, name].join('.');
  return new DriverError('NOT_FOUND', `There is no table or view “${asked}”.`, {
    details: { texts: faultTexts('table.none', { name: asked }) },
  });
}

/** Characters of a name that the contract of drivers carries. */
const LONGEST_NAME = 1_000;

/** Every table and view that is not SQLite's own, by name; without those whose name no answer can carry, which would take all others with them. */
export function listed(database: SqliteDatabase): readonly ListedTable[] {
  return database
    .all(
      "SELECT name, type, wr, strict FROM pragma_table_list WHERE schema = 'main' AND type <> 'shadow' ORDER BY name COLLATE NOCASE, name",
    )
    .filter(([name]) => !text(name).toLowerCase().startsWith('sqlite_') && text(name).length <= LONGEST_NAME)
    .map(([name, type, withoutRowid, strict]) => ({
      name: text(name),
      type: type === 'view' ? 'view' : type === 'virtual' ? 'virtual' : 'table',
      withoutRowid: withoutRowid === 1n,
      strict: strict === 1n,
    }));
}

/** Reads a table's shape. @throws DriverError `NOT_FOUND` */
export function readTable(database: SqliteDatabase, ref: TableRef): SqlTable {
  const all = ref.namespace.length === 0 ? listed(database) : [];
  const found = all.find(({ name }) => name === ref.name);
  if (found === undefined) throw noTable(ref);
  const facts = database.all('SELECT name, type, "notnull", dflt_value, pk, hidden FROM pragma_table_xinfo(?, ?)', [
    found.name,
    'main',
  ]);
  const visible = facts.filter(([, , , , , hidden]) => hidden !== 1n);
  if (visible.some(([name]) => text(name).length > LONGEST_NAME)) {
    throw new DriverError(
      'UNSUPPORTED',
      `A column of this table has a name of more than ${LONGEST_NAME.toLocaleString('en')} characters. Read the table with a statement.`,
      { details: { texts: faultTexts('table.longName', { most: LONGEST_NAME }) } },
    );
  }
  const sql = `main.${quoted(found.name)}`;
  const sample = samples(database, sql, visible);
  const primary = visible.filter(([, , , , pk]) => pk !== 0n).toSorted((a, b) => Number(a[4]) - Number(b[4]));
  const references = foreignKeys(database, found.name);
  const made = database.all(
    "SELECT type, name, sql FROM main.sqlite_schema WHERE tbl_name = ? AND sql IS NOT NULL ORDER BY type = 'trigger', type = 'index', name",
    [found.name],
  );
  const computed = visible.some(([, , , , , hidden]) => hidden === 2n || hidden === 3n)
    ? readComputed(found.name, made)
    : new Map();
  const tables = all.filter(({ type }) => type === 'table').map(({ name }) => name);
  const followable = readForeignKeys(database, found.name, tables);
  const referring = found.type === 'table' ? readReferringKeys(database, found.name, tables) : [];
  const rowid = found.type !== 'table' || found.withoutRowid ? undefined : rowidName(facts);
  // SQLite lets a primary key hold NULL, more than once, unless the table says otherwise.
  const isAlias = primary.length === 1 && text(primary[0]?.[1]).toUpperCase() === 'INTEGER' && rowid !== undefined;
  const isKey = primary.length > 0 && (found.withoutRowid || isAlias || primary.every(([, , notNull]) => notNull === 1n));
  const fixed = fixedBecause(database, found, isKey || rowid !== undefined);
  const columns = visible.map((fact, index): SqlColumn => {
    const [name, type, notNull, preset, pk, hidden] = fact;
    const inKey = isKey && pk !== 0n;
    const declared = text(type);
    const kind = kindOf(
      declared,
      sample.map((row) => row[index] ?? null),
    );
    const generated = hidden === 2n || hidden === 3n;
    const nullable = notNull !== 1n && !(inKey && (found.withoutRowid || isAlias));
    const hasDefault = preset !== null && preset !== undefined;
    // SQLite numbers rows itself where the key is an alias of the rowid.
    const required = !nullable && !hasDefault && !generated && !(inKey && isAlias);
    const isReferring = references.some(({ from }) => from === name);
    // A key that can be followed is described as such.
    const referenced = followable.some(({ columns: own }) => own.length === 1 && own[0] === name)
      ? []
      : references.filter(({ from }) => from === name);
    const notices = [
      ...(pk === 0n ? [] : [primary.length === 1 ? 'Primary key' : `Primary key, part ${String(pk)}`]),
      ...(referenced.length === 0 ? [] : [`References ${listOfNames(referenced.map(({ to }) => to))}`]),
    ];
    // One message makes all of the note, in this order.
    const noteText = driverText('column.note', {
      key: pk === 0n ? 'no' : primary.length === 1 ? 'whole' : 'part',
      part: Number(pk),
      refers: referenced.length > 0 ? 'yes' : 'no',
      tables: referenced.map(({ to }) => to),
    });
    return {
      name: text(name),
      kind,
      type: declared === '' ? 'any' : declared,
      nullable,
      ...(required ? { required } : {}),
      ...(isReferring ? { quantity: false } : {}),
      ...rangeOf(kind),
      ...(generated ? { generated: generationOf(text(name), hidden === 2n ? 'virtual' : 'stored', computed) } : {}),
      ...(hasDefault && !generated && String(preset) !== '' ? { default: cut(String(preset)) } : {}),
      editable: editable(fixed, generated, inKey),
      sortable: kind === 'bytes' ? no({ reason: 'Blobs have no meaningful order.', id: 'column.blobOrder' }) : YES,
      filterClass: filterClassOf(kind),
      ...(notices.length === 0 ? {} : { note: notices.join('. '), texts: { note: noteText } }),
      affinity: affinityOf(declared),
      sql: quoted(text(name)),
      computed: generated,
    };
  });
  if (!isKey && rowid !== undefined) columns.unshift(rowidColumn(rowid));
  const key = isKey
    ? primary.flatMap(([name]) => columns.find((column) => column.name === name) ?? [])
    : rowid === undefined
      ? []
      : columns.slice(0, 1);
  const kind: TableKind = found.type === 'view' ? 'view' : 'table';
  const indexes = found.type === 'table' ? readIndexes(database, found.name, made) : [];
  const triggers = readTriggers(made);
  const { definition, notes, noteTexts } = structure(found, made, unfollowed(references, followable), {
    indexes: indexes.length < MOST_PARTS ? 0 : countIndexes(database, found.name) - MOST_PARTS,
    triggers: made.filter(([type]) => type === 'trigger').length - MOST_PARTS,
  });
  const byName = new Map(columns.map((column) => [column.name, column]));
  return {
    ref: { namespace: [], name: found.name },
    sql,
    kind,
    columns,
    byName,
    key,
    fixed,
    hasConflictClause: /\bCONFLICT\b/i.test(definition),
    description: {
      ref: { namespace: [], name: found.name },
      kind,
      columns: columns.map(({ affinity: _affinity, sql: _sql, computed: _computed, ...column }) => column),
      key: key.map(({ name }) => name),
      ...(followable.length === 0 ? {} : { foreignKeys: followable }),
      ...(referring.length === 0 ? {} : { referredBy: referring }),
      ...(indexes.length === 0 ? {} : { indexes }),
      ...(triggers.length === 0 ? {} : { triggers }),
      ...(key.length === 0 ? {} : { defaultSort: key.map(({ name }) => ({ column: name, direction: 'ascending' })) }),
      paging: 'offset',
      readsFromEnd: key.length > 0,
      notes,
      noteTexts,
      ...(definition === '' ? {} : { definition: { language: 'sql', text: definition } }),
    },
  };
}

/** A table whose rows can't be changed. */
export function unchangeable({ reason, id }: Fixed): DriverError {
  return new DriverError('UNSUPPORTED', reason, { details: { texts: faultTexts(id) } });
}

/** A column that can't be changed, for the reason that its description has. */
export function notEditable(name: string, { reason, texts }: Exclude<Ability, { allowed: true }>): DriverError {
  return new DriverError('UNSUPPORTED', `“${name}”: ${reason}`, {
    details: { field: name, texts: { message: texts?.['reason'] } },
  });
}

function editable(fixed: Fixed | undefined, generated: boolean, inKey: boolean): Ability {
  if (fixed !== undefined) return no(fixed);
  if (generated) return no({ reason: 'SQLite computes this column.', id: 'column.computed' });
  if (!inKey) return YES;
  return no({ reason: 'It is the primary key of the row. Change it in the console, or add a new row.', id: 'column.inKey' });
}

/** Why no row of a table can be changed, and where the manifest has that in other languages. */
export interface Fixed {
  readonly reason: string;
  readonly id: string;
}

export const READ_ONLY: Fixed = { reason: 'The connection opens the file read-only.', id: 'table.readOnly' };

function fixedBecause(database: SqliteDatabase, { type }: ListedTable, hasKey: boolean): Fixed | undefined {
  if (type === 'view') return { reason: 'A view shows what other tables hold; change those.', id: 'table.view' };
  if (type === 'virtual') {
    return { reason: 'A SQLite module manages this virtual table. Change it in the console.', id: 'table.virtual' };
  }
  if (database.readOnly) return READ_ONLY;
  return hasKey ? undefined : { reason: 'It has no key: its columns hide every name of the rowid.', id: 'table.noKey' };
}

/** SQLite turns a whole number beyond 64 bits into a double, which loses its last digits, and a number beyond those into infinity. */
const RANGES: Partial<Record<ColumnKind, NumberRange>> = {
  integer: { least: String(LEAST_INTEGER), greatest: String(MOST_INTEGER) },
  decimal: { least: String(-Number.MAX_VALUE), greatest: String(Number.MAX_VALUE) },
};

function rangeOf(kind: ColumnKind): Pick<Column, 'range'> {
  const range = RANGES[kind];
  return range === undefined ? {} : { range };
}

function rowidColumn(name: string): SqlColumn {
  return {
    name,
    kind: 'integer',
    type: 'rowid',
    nullable: false,
    editable: no({ reason: 'SQLite numbers the rows itself.', id: 'column.rowid' }),
    sortable: YES,
    filterClass: 'integer',
    note: 'The row number of SQLite; the table has no key without nulls',
    texts: { note: { id: 'column.rowidNote' } },
    affinity: 'integer',
    sql: name,
    computed: false,
  };
}

/** The name of the rowid that no column hides. */
function rowidName(facts: readonly SqlRow[]): string | undefined {
  const names = new Set(facts.map(([name]) => text(name).toLowerCase()));
  return ['rowid', '_rowid_', 'oid'].find((name) => !names.has(name));
}

/** Some rows, where a column has no declared type: only the types of its values show its kind, and long ones are not read. */
function samples(database: SqliteDatabase, sql: string, visible: readonly SqlRow[]): readonly SqlRow[] {
  if (visible.every(([, type]) => text(type) !== '')) return [];
  const names = visible.map(([name, type]) => (text(type) === '' ? withoutContent(quoted(text(name))) : 'NULL'));
  try {
    return database.all(`SELECT ${names.join(', ')} FROM ${sql} LIMIT ${SAMPLE_ROWS}`);
  } catch {
    // A view whose tables are gone can still be described.
    return [];
  }
}

function withoutContent(sql: string): string {
  return `CASE typeof(${sql}) WHEN 'text' THEN '' WHEN 'blob' THEN x'' ELSE ${sql} END`;
}

function foreignKeys(database: SqliteDatabase, name: string): readonly Reference[] {
  return database
    .all('SELECT "from", "table", "to" FROM pragma_foreign_key_list(?)', [name])
    .map(([from, table, to]) => ({ from: text(from), to: `${text(table)}${to === null ? '' : `.${text(to)}`}` }));
}

/** A note with its translation. */
function said(
  note: string,
  id: string,
  values?: Parameters<typeof driverText>[1],
): { readonly note: string; readonly translation: DriverText } {
  return { note, translation: driverText(id, values) };
}

interface Reference {
  readonly from: string;
  readonly to: string;
}

/** The references of columns whose key can't be followed, and which the description doesn't have as one. */
function unfollowed(references: readonly Reference[], followed: readonly ForeignKey[]): readonly Reference[] {
  return references.filter(({ from }) => !followed.some(({ columns }) => columns.includes(from)));
}

/** How the table was made, with its indexes and triggers, in SQL, and the rest in sentences. */
function structure(
  found: ListedTable,
  made: readonly SqlRow[],
  references: readonly Reference[],
  more: { readonly indexes: number; readonly triggers: number },
): { readonly definition: string } & Required<Pick<TableDescription, 'notes' | 'noteTexts'>> {
  const all = [
    ...(more.indexes <= 0
      ? []
      : [
          said(`${more.indexes} more ${more.indexes === 1 ? 'index isn’t' : 'indexes aren’t'} described.`, 'note.moreIndexes', {
            count: more.indexes,
          }),
        ]),
    ...(more.triggers <= 0
      ? []
      : [
          said(
            `${more.triggers} more ${more.triggers === 1 ? 'trigger isn’t' : 'triggers aren’t'} described.`,
            'note.moreTriggers',
            { count: more.triggers },
          ),
        ]),
    ...(found.type === 'virtual' ? [said('A virtual table of a module.', 'note.virtual')] : []),
    ...(found.withoutRowid ? [said('Without rowid: stored in the order of its primary key.', 'note.withoutRowid')] : []),
    ...(found.strict ? [said('Strict: values have the types of their columns.', 'note.strict')] : []),
    ...references
      .slice(0, MOST_REFERENCES)
      .map(({ from, to }) => said(`Foreign key: ${from} refers to ${to}.`, 'note.foreignKey', { from, to })),
  ];
  return {
    definition: made.map(([, , sql]) => `${text(sql)};`).join('\n\n'),
    notes: all.map(({ note }) => note),
    noteTexts: all.map(({ translation }) => translation),
  };
}

/** So many notes a description may have, with those before them. */
const MOST_REFERENCES = 90;

export type { ColumnKind };
