import { DriverError, driverText, listOfNames } from '@tabularium/sdk';
import type { Ability, Column, DriverText, TableDescription, TableRef } from '@tabularium/sdk';
import { faultTexts } from '../fault.ts';
import { qualified, quoted, shown } from '../names.ts';
import type { PgAnswer, PgStep } from '../wire/batch.ts';
import { arrayOf } from '../sql/arrayOf.ts';
import { MOST_LOCKED, reachedBy, READS, TOO_MANY_TABLES } from '../locks/reached.ts';
import { callsOfReading, foundIn } from '../sql/judge.ts';
import { definitionOf } from './definition.ts';
import type { PgColumn, PgTable } from './pgTable.ts';
import { FOREIGN_KEYS, foreignKeysOf } from './foreignKeys.ts';
import { REFERRING_KEYS, referringKeysOf } from './referringKeys.ts';
import { COLUMNS, CONSTRAINTS, INDEXES, MONEY_SAMPLE, RULES, TABLE, TRIGGERS, TYPES } from './queries.ts';
import { STANDBY, SYSTEM_CATALOGUE, no } from './reasons.ts';
import type { Fixed } from './reasons.ts';
import { isSystemSchema } from './systemSchema.ts';
import { OID, filterClassOf, kindOfType, rangeOf, specialValuesOf } from './types.ts';
import { storedType } from '../stored/storedType.ts';
import type { ReadTypes } from '../stored/storedType.ts';
import { MOST_PARTS, cut, indexOf, isDroppedIndex, structureOf, triggerOf, writtenBy } from './structure.ts';
import type { ColumnFacts, TableFacts } from './tableFacts.ts';

const YES = { allowed: true } as const;
/** As many as a description may have. */
const MOST_NOTES = 100;
const LONGEST_CALLS = 300;

/** In the order of their answers. To plan them takes the server longer than to answer them. */
const QUESTIONS: readonly PgStep[] = [
  { name: 'table', text: TABLE },
  { name: 'columns', text: COLUMNS },
  { name: 'indexes', text: INDEXES },
  { name: 'constraints', text: CONSTRAINTS },
  { name: 'triggers', text: TRIGGERS },
  { name: 'rules', text: RULES },
  { name: 'foreignKeys', text: FOREIGN_KEYS },
  { name: 'referringKeys', text: REFERRING_KEYS },
  { name: 'types', text: TYPES },
];
const RULES_AT = QUESTIONS.findIndex(({ text }) => text === RULES);
const TYPES_AT = QUESTIONS.findIndex(({ text }) => text === TYPES);

/** The database that a table is read from. */
interface ReadDatabase {
  /** Answers of statements that only read. */
  read(steps: readonly PgStep[], signal: AbortSignal): Promise<readonly PgAnswer[]>;
  /** The names before the schema in a path. */
  readonly prefix: readonly string[];
  /** Schemas in which the driver's reads look for names, beside those of the session. */
  readonly path: readonly string[];
}

/** @throws DriverError `NOT_FOUND` */
export async function readTable(database: ReadDatabase, ref: TableRef, signal: AbortSignal): Promise<PgTable> {
  const { prefix } = database;
  const [schema, ...more] = ref.namespace.slice(prefix.length);
  const isHere = prefix.every((name, place) => ref.namespace[place] === name);
  if (!isHere || schema === undefined || more.length > 0 || `${schema}${ref.name}`.includes('\0')) throw noTable(ref);
  const values = [schema, ref.name];
  const questions = [...QUESTIONS.map((question) => ({ ...question, values })), callsOfReading(schema, ref.name, database.path)];
  const all = await database.read([...questions, reachedBy([arrayOf(values)], READS)], signal);
  const answers = all.slice(0, questions.length);
  const types = await typesOf(database, answers, signal);
  const isTooWide = (all.at(-1)?.rows.length ?? 0) > MOST_LOCKED;
  const calls = await foundIn(database, answers.slice(QUESTIONS.length), signal);
  const facts = factsOf(ref, prefix, answers, types, isTooWide ? [...calls, TOO_MANY_TABLES] : calls);
  if (facts === undefined) throw noTable(ref);
  const hasRules = answers[RULES_AT]?.rows[0]?.[0] === 't';
  return tableOf(facts, schema, hasRules);
}

async function typesOf(database: ReadDatabase, answers: readonly PgAnswer[], signal: AbortSignal): Promise<ReadTypes> {
  const rows = new Map((answers[TYPES_AT]?.rows ?? []).map((type) => [Number(type[0]), type]));
  if (!rows.has(OID.money)) return { rows, samples: new Map() };
  const [answer] = await database.read([{ text: MONEY_SAMPLE }], signal);
  return { rows, samples: new Map([[OID.money, answer?.rows[0]?.[0] ?? '']]) };
}

export function noTable(ref: TableRef): DriverError {
  return new DriverError('NOT_FOUND', `There is no table “${shown(ref)}” that you may see.`, {
    details: { texts: faultTexts('table.none', { name: shown(ref) }) },
  });
}

function factsOf(
  ref: TableRef,
  prefix: readonly string[],
  [table, columns, indexes, constraints, triggers, , foreignKeys, referredBy]: readonly PgAnswer[],
  types: ReadTypes,
  readingCalls: readonly string[],
): TableFacts | undefined {
  const row = table?.rows[0];
  if (row === undefined) return undefined;
  const ofColumns = (columns?.rows ?? []).map((column): ColumnFacts => ({
    name: column[0] ?? '',
    type: {
      oid: Number(column[1]),
      sort: column[2] ?? 'b',
      cast: column[4] ?? 'text',
      labels: namesOf(column[13]),
      stored: storedType(Number(column[1]), Number(column[18] ?? -1), types),
      // Comparing by a collation under which different texts are equal, rows would have no certain order.
      ordered: column[14] === 't' && column[15] !== 't',
    },
    declared: column[3] ?? '',
    notNull: column[5] === 't',
    isFilled: column[17] === 't',
    preset: column[6] ?? undefined,
    generated: column[7] ?? '',
    identity: column[8] ?? '',
    comment: column[9] ?? undefined,
    mayRead: column[10] === 't',
    mayUpdate: column[11] === 't',
    mayInsert: column[12] === 't',
  }));
  return {
    ref,
    row,
    relkind: row[1] ?? 'r',
    columns: ofColumns,
    indexes: (indexes?.rows ?? [])
      .filter((index) => !isDroppedIndex(index))
      .map((index) => ({
        isPrimary: index[0] === 't',
        names: index[5] === 't' && (index[0] === 't' ? index[7] === 't' : index[1] === 't'),
        name: index[2] ?? '',
        definition: index[3] ?? '',
        columns: namesOf(index[4]),
        ofConstraint: index[6] === 't',
        namesInHeirs: index[8] === 't',
        described: indexOf(index, ofColumns),
      })),
    // Without a definition it was dropped while the catalogue was asked.
    constraints: (constraints?.rows ?? []).flatMap(([name, type, definition]) =>
      definition === null || definition === undefined ? [] : [{ name: name ?? '', type: type ?? '', definition }],
    ),
    triggers: (triggers?.rows ?? []).flatMap((trigger) =>
      trigger[1] === null || trigger[1] === undefined ? [] : [{ definition: trigger[1], described: triggerOf(trigger) }],
    ),
    foreignKeys: foreignKeysOf(foreignKeys, prefix),
    referredBy: referringKeysOf(referredBy, prefix),
    readingCalls,
  };
}

/** A list of names that the server wrote as JSON. */
function namesOf(text: string | null | undefined): readonly string[] {
  return text === null || text === undefined ? [] : (JSON.parse(text) as string[]);
}

function tableOf(facts: TableFacts, schema: string, hasRules: boolean): PgTable {
  const { ref, row, relkind, indexes } = facts;
  const readable = facts.columns.filter(({ mayRead }) => mayRead);
  const keyIndex =
    relkind === 'r' || relkind === 'p' || relkind === 'm'
      ? indexes.find(({ names, columns }) => names && columns.every((name) => readable.some((column) => column.name === name)))
      : undefined;
  const keyNames = keyIndex?.columns ?? [];
  const fixed = isSystemSchema(schema) ? SYSTEM_CATALOGUE : fixedReason(facts, keyNames);
  const isKey = new Set(keyNames);
  const columns = readable.map((column) => pgColumn(column, fixed, isKey.has(column.name), facts));
  const byName = new Map(columns.map((column) => [column.name, column]));
  const estimate = Number(row[2]);
  return {
    oid: row[0] ?? '',
    schema,
    name: ref.name,
    sql: qualified(schema, ref.name),
    relkind,
    takesCopies: (relkind === 'r' || relkind === 'p') && !hasRules && row[ROW_SECURITY_AT] !== 't',
    hasHeirs: hasHeirs(facts),
    keyNamesInHeirs: keyIndex?.namesInHeirs === true,
    lacksPlaces: row[15] === 't',
    mayReadPlaces: row[16] === 't',
    columns,
    hidesAll: columns.length === 0 && facts.columns.length > 0,
    byName,
    key: keyNames.flatMap((name) => byName.get(name) ?? []),
    fixed,
    estimate: Number.isFinite(estimate) && estimate >= 0 ? Math.round(estimate) : undefined,
    description: describe(facts, columns, keyNames),
    readingCalls: facts.readingCalls,
  };
}

/** In the answer to {@link TABLE}. */
const ROW_SECURITY_AT = 4;

function hasHeirs({ row }: TableFacts): boolean {
  return row[14] === 't';
}

/** Why no row of the table can be changed. */
function fixedReason({ relkind, row, indexes }: TableFacts, key: readonly string[]): Fixed | undefined {
  if (relkind === 'v')
    return { reason: 'A view shows rows of other tables. Change those, or use the console.', id: 'table.view' };
  if (relkind === 'm')
    return {
      reason: 'A materialized view stores the result of a query. Refresh it with REFRESH MATERIALIZED VIEW.',
      id: 'table.materialized',
    };
  if (relkind === 'f') return { reason: 'A foreign table stores its rows elsewhere, and has no key here.', id: 'table.foreign' };
  if (row[12] === 't') return STANDBY;
  if (key.length === 0 && indexes.some(({ names }) => names))
    return { reason: 'You may not read all columns of its key.', id: 'table.hiddenKey' };
  if (key.length === 0)
    return {
      reason: 'The table has neither a primary key nor a unique index on columns that are never NULL.',
      id: 'table.noKey',
    };
  return undefined;
}

/** Of `character(10)` and `character varying(10)`: a length is in characters. Other types, such as a domain, have none. */
function mostBytesOf(declared: string): number | undefined {
  const [, length] = /^character(?: varying)?\((\d+)\)$/.exec(declared) ?? [];
  return length === undefined ? undefined : Number(length) * MOST_BYTES_OF_CHARACTER;
}

/** Of all encodings of a server. */
const MOST_BYTES_OF_CHARACTER = 4;

function pgColumn(facts: ColumnFacts, fixed: Fixed | undefined, isKey: boolean, table: TableFacts): PgColumn {
  const { name, type } = facts;
  const { relkind } = table;
  const kind = kindOfType(type);
  const computed = facts.generated !== '' || facts.identity === 'a';
  return {
    name,
    sql: quoted(name),
    type,
    kind,
    filterClass: filterClassOf(type),
    mostBytes: mostBytesOf(facts.declared),
    nullable: !facts.notNull,
    isFilled: facts.isFilled && relkind !== 'v' && relkind !== 'f' && !hasHeirs(table),
    sortable:
      type.ordered && kind !== 'json'
        ? YES
        : no(
            { reason: `Values of the type ${facts.declared} have no order that means something.`, id: 'column.noOrder' },
            {
              type: facts.declared,
            },
          ),
    editable: fixed === undefined ? editable(facts, isKey) : no(fixed),
    fixed: computed
      ? `PostgreSQL computes “${name}”. Leave this column out.`
      : facts.mayInsert
        ? undefined
        : `You don't have the permission to insert into “${name}” of “${shown(table.ref)}”.`,
    isNumbered: facts.identity === 'a' && facts.mayInsert,
    hasDefault: facts.preset !== undefined || facts.identity !== '',
  };
}

function editable(facts: ColumnFacts, isKey: boolean): Ability {
  if (facts.generated !== '') return no({ reason: 'PostgreSQL computes this column.', id: 'column.generated' });
  if (facts.identity === 'a')
    return no({ reason: 'PostgreSQL numbers the rows in this column (GENERATED ALWAYS AS IDENTITY).', id: 'column.identity' });
  if (!facts.mayUpdate) return no({ reason: "You don't have the permission to change this column.", id: 'column.noRight' });
  if (isKey) return no({ reason: "It is the row's key. Change it in the console, or insert a new row.", id: 'column.inKey' });
  return YES;
}

function describe(facts: TableFacts, columns: readonly PgColumn[], key: readonly string[]): TableDescription {
  const { ref, relkind, row } = facts;
  const byName = new Map(facts.columns.map((column) => [column.name, column]));
  const references = referencesOf(facts);
  const { notes, noteTexts } = notesOf(facts, columns);
  const calls = calledByReading(facts);
  return {
    ref,
    kind: relkind === 'v' ? 'view' : relkind === 'm' ? 'materializedView' : 'table',
    // A database that is made from another one has its tables with their numbers.
    identity: `${shown(ref).slice(0, 900)}, oid ${row[0] ?? ''} in the database ${row[17] ?? ''}`,
    columns: columns.map((column) => described(column, byName.get(column.name), references.get(column.name), key)),
    key,
    ...(facts.foreignKeys.length === 0 ? {} : { foreignKeys: facts.foreignKeys }),
    ...(facts.referredBy.length === 0 ? {} : { referredBy: facts.referredBy }),
    ...structureOf(facts),
    ...(key.length === 0 ? {} : { defaultSort: key.map((column) => ({ column, direction: 'ascending' as const })) }),
    ...(calls === '' ? {} : { uncertainRead: calls }),
    paging: 'offset',
    readsFromEnd: true,
    notes,
    noteTexts,
    definition: { language: 'sql', text: definitionOf(facts) },
  };
}

/** The contract takes no longer list. */
const MOST_LABELS = 1_000;

function described(
  column: PgColumn,
  facts: ColumnFacts | undefined,
  refers: Reference | undefined,
  key: readonly string[],
): Column {
  const range = rangeOf(column.type.oid);
  const specialValues = specialValuesOf(column.type);
  const { labels } = column.type;
  const place = key.indexOf(column.name);
  // A key that can be followed is described as such.
  const shownRefers = refers?.isFollowed === false ? refers.table : undefined;
  const said = [
    place < 0 ? '' : key.length === 1 ? 'Key.' : `Key, part ${place + 1}.`,
    shownRefers === undefined ? '' : `Refers to ${shownRefers}.`,
  ].filter((part) => part !== '');
  return {
    name: column.name,
    kind: column.kind,
    type: facts?.declared ?? '',
    nullable: column.nullable,
    required: !column.nullable && !column.hasDefault && facts?.generated === '',
    ...(range === undefined ? {} : { range }),
    ...(specialValues === undefined ? {} : { specialValues }),
    ...(column.kind === 'enum' && labels.length > 0 && labels.length <= MOST_LABELS ? { values: labels } : {}),
    ...writtenBy(facts),
    editable: column.editable,
    sortable: column.sortable,
    filterClass: column.filterClass,
    ...(refers === undefined ? {} : { quantity: false }),
    ...(said.length === 0
      ? {}
      : {
          note: said.join(' '),
          texts: {
            note: driverText('column.note', {
              key: place < 0 ? 'none' : key.length === 1 ? 'whole' : 'part',
              part: place + 1,
              refers: shownRefers === undefined ? 'no' : 'yes',
              tables: shownRefers ?? '',
            }),
          },
        }),
  };
}

/** The table that a column's foreign key refers to. */
interface Reference {
  /** As the constraint writes it. */
  readonly table: string;
  /** Whether the description has the key, because it can be followed. */
  readonly isFollowed: boolean;
}

/** Columns with the table that a foreign key of theirs refers to. */
function referencesOf({ constraints, foreignKeys }: TableFacts): ReadonlyMap<string, Reference> {
  const found = new Map<string, Reference>();
  const followed = new Set(foreignKeys.map(({ name }) => name));
  for (const { name: constraint, type, definition } of constraints) {
    if (type !== 'f') continue;
    const [, own = '', target = ''] = /^FOREIGN KEY \((.+?)\) REFERENCES ([^(]+?)\(/.exec(definition) ?? [];
    if (own.includes(',')) continue;
    const name = own.startsWith('"') ? own.slice(1, -1).replaceAll('""', '"') : own;
    found.set(name, { table: target, isFollowed: followed.has(constraint) });
  }
  return found;
}

/** The calls of reading a table that may do more than read, in a few words. */
function calledByReading({ readingCalls }: TableFacts): string {
  return readingCalls.slice(0, 3).join('; ').slice(0, LONGEST_CALLS);
}

function notesOf(
  facts: TableFacts,
  columns: readonly PgColumn[],
): { readonly notes: readonly string[]; readonly noteTexts: readonly DriverText[] } {
  const { row, relkind, constraints, foreignKeys } = facts;
  const all: { readonly note: string; readonly text: DriverText }[] = [];
  const say = (note: string, id: string, values: Parameters<typeof driverText>[1] = {}): void => {
    all.push({ note: cut(note), text: driverText(id, values) });
  };
  const moreIndexes = facts.indexes.length - MOST_PARTS;
  if (moreIndexes > 0)
    say(`${moreIndexes} more ${moreIndexes === 1 ? 'index isn’t' : 'indexes aren’t'} described.`, 'note.moreIndexes', {
      count: moreIndexes,
    });
  const moreTriggers = facts.triggers.length - MOST_PARTS;
  if (moreTriggers > 0)
    say(`${moreTriggers} more ${moreTriggers === 1 ? 'trigger isn’t' : 'triggers aren’t'} described.`, 'note.moreTriggers', {
      count: moreTriggers,
    });
  const [, , , isPartition, hasPolicies, , , partitioning, bound, parent] = row;
  if (partitioning !== null && partitioning !== undefined)
    say(`Partitioned by ${partitioning}.`, 'note.partitioned', { by: partitioning });
  if (isPartition === 't')
    say(`A partition of ${parent ?? ''}: ${bound ?? ''}.`, 'note.partition', { parent: parent ?? '', bound: bound ?? '' });
  const parents = namesOf(row[18]);
  if (parents.length > 0) say(`Inherits from ${listOfNames(parents)}.`, 'note.inherits', { names: parents });
  const heirs = namesOf(row[19]);
  if (heirs.length > 0) say(`Inherited by ${listOfNames(heirs)}, whose rows it shows too.`, 'note.inherited', { names: heirs });
  const calls = calledByReading(facts);
  if (calls !== '') say(`Reading it may do more than read: ${calls}.`, 'note.calls', { calls });
  if (relkind === 'f') say('A foreign table: its rows are in another database or file.', 'note.foreign');
  if (row[13] === 'u') say('Unlogged: a crash of the server empties it.', 'note.unlogged');
  if (hasPolicies === 't') say('Row-level security is on: you may see and change some rows only.', 'note.policies');
  const hidden = facts.columns.filter(({ mayRead }) => !mayRead).map(({ name }) => name);
  if (hidden.length > 0)
    say(
      `Left out, because you may not read their values: ${listOfNames(hidden)}. Expressions and the definition may name them.`,
      'note.hidden',
      { names: hidden },
    );
  if (columns.length === 0) say('It has no columns that you may read.', 'note.noColumns');
  const isStructured = new Set(foreignKeys.map(({ name }) => name));
  for (const { name, type, definition } of constraints)
    if (type !== 'p' && type !== 'u' && !(type === 'f' && isStructured.has(name)))
      say(`${definition}.`, 'note.constraint', { definition });
  const shownNotes = all.slice(0, MOST_NOTES);
  return { notes: shownNotes.map(({ note }) => note), noteTexts: shownNotes.map(({ text }) => text) };
}
