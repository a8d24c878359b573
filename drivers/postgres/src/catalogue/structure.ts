import { driverText } from '@tabularium/sdk';
import type { Column, IndexColumn, TableIndex, TableTrigger, TriggerEvent } from '@tabularium/sdk';
import { shortenedText } from '../cutText.ts';
import type { TextRow } from '../wire/batch.ts';
import type { ColumnFacts, TableFacts } from './tableFacts.ts';

// Indexes, triggers, defaults and comments, from the catalogue's answers to what a description has.

/** As many indexes or triggers as a description may have. */
export const MOST_PARTS = 1_000;
const LONGEST_EXPRESSION = 4_000;
const LONGEST_COMMENT = 10_000;

/** A text within the bounds of a description. */
export function cut(text: string, most = LONGEST_EXPRESSION): string {
  return shortenedText(text, most);
}

/** One value of an index: whether the index orders by it, its column, or its expression, and how it orders and compares. */
type Part = readonly [orders: boolean, ...IndexedValue];
type IndexedValue = readonly [
  column: string | null,
  expression: string | null,
  descending: boolean | null,
  nullsFirst: boolean | null,
  collation: string | null,
  operatorClass: string | null,
];

/** Whether an index was dropped while the catalogue was asked about it: its row is there, and the server can't write out its definition, or the expression of a column, any more. */
export function isDroppedIndex(row: TextRow): boolean {
  const parts = JSON.parse(row[10] ?? '[]') as readonly Part[];
  return (row[3] ?? '') === '' || parts.some(([, column, expression]) => (column ?? expression ?? '') === '');
}

/** An index in the answer to `INDEXES`. */
export function indexOf(row: TextRow, columns: readonly ColumnFacts[]): TableIndex {
  const readable = new Set(columns.flatMap(({ name, mayRead }) => (mayRead ? [name] : [])));
  const parts = JSON.parse(row[10] ?? '[]') as readonly Part[];
  const includes = parts.flatMap(([orders, column]) => (orders || column === null || !readable.has(column) ? [] : [column]));
  const where = row[11] ?? '';
  return {
    name: row[2] ?? '',
    columns: parts.flatMap(([orders, ...part]) => (orders ? [indexColumnOf(part, readable)] : [])),
    unique: row[12] === 't',
    ...(row[0] === 't' ? { primary: true } : {}),
    ...(includes.length === 0 ? {} : { includes }),
    ...(row[9] === null || row[9] === undefined ? {} : { method: row[9] }),
    ...(where === '' ? {} : { where: cut(where) }),
    ...indexNote(row),
  };
}

function indexColumnOf(
  [column, expression, descending, nullsFirst, collation, operatorClass]: IndexedValue,
  readable: ReadonlySet<string>,
): IndexColumn {
  const detail = [...(collation === null ? [] : [`COLLATE ${collation}`]), ...(operatorClass === null ? [] : [operatorClass])];
  const order = {
    ...(descending === true ? { descending } : {}),
    // Unless it is said, the greatest first means those without a value first.
    ...(nullsFirst === descending ? {} : { nulls: nullsFirst === true ? ('first' as const) : ('last' as const) }),
    ...(detail.length === 0 ? {} : { detail: detail.join(' ') }),
  };
  if (column !== null && readable.has(column)) return { name: column, ...order };
  return { expression: cut(column ?? expression ?? ''), ...order };
}

/** A comment within a note. */
const LONGEST_NOTED = 500;

function indexNote(row: TextRow): Pick<TableIndex, 'note' | 'texts'> {
  const isInvalid = row[13] === 'f';
  const excludes = row[14] === 't';
  const isDeferrable = row[15] === 'f' && !excludes;
  const joinsNulls = row[16] === 'true';
  const comment = cut(row[17] ?? '', LONGEST_NOTED);
  const said = [
    isInvalid ? 'Invalid: it isn’t used, because making it failed or is still in progress.' : '',
    excludes ? 'An exclusion constraint.' : '',
    isDeferrable ? 'Deferrable: checked at the end of a statement or transaction.' : '',
    joinsNulls ? 'NULL is equal to NULL.' : '',
    comment === '' ? '' : `Comment: ${comment}`,
  ].filter((part) => part !== '');
  if (said.length === 0) return {};
  const texts = {
    note: driverText('note.ofIndex', {
      invalid: isInvalid ? 'yes' : 'no',
      excludes: excludes ? 'yes' : 'no',
      deferrable: isDeferrable ? 'yes' : 'no',
      nulls: joinsNulls ? 'yes' : 'no',
      commented: comment === '' ? 'no' : 'yes',
      comment,
    }),
  };
  return { note: said.join(' '), texts };
}

/** Of `pg_trigger.tgtype`. */
const FOR_EACH_ROW = 1;
const BEFORE = 2;
const INSTEAD_OF = 64;
const EVENTS: readonly (readonly [bit: number, event: TriggerEvent])[] = [
  [4, 'insert'],
  [16, 'update'],
  [8, 'delete'],
  [32, 'truncate'],
];

/** A trigger in the answer to `TRIGGERS`. */
export function triggerOf(row: TextRow): TableTrigger {
  const type = Number(row[2] ?? 0);
  const columns = JSON.parse(row[4] ?? '[]') as readonly string[];
  const { when, calls } = actionOf(row[1] ?? '', row[6] ?? '');
  const state = row[3] ?? 'O';
  const parent = row[5] ?? '';
  const comment = cut(row[7] ?? '', LONGEST_NOTED);
  const said = [
    parent === '' ? '' : `From the table ${parent}.`,
    state === 'R' ? 'It fires on a replica only.' : state === 'A' ? 'It fires on a replica, too.' : '',
    comment === '' ? '' : `Comment: ${comment}`,
  ].filter((part) => part !== '');
  return {
    name: row[0] ?? '',
    timing: (type & INSTEAD_OF) !== 0 ? 'insteadOf' : (type & BEFORE) !== 0 ? 'before' : 'after',
    events: EVENTS.flatMap(([bit, event]) => ((type & bit) === 0 ? [] : [event])),
    ...(columns.length === 0 ? {} : { columns: columns.slice(0, 64) }),
    level: (type & FOR_EACH_ROW) === 0 ? 'statement' : 'row',
    ...(state === 'D' || state === 'R' ? { enabled: false } : {}),
    ...(when === '' ? {} : { when: cut(when) }),
    ...(calls === '' ? {} : { calls: cut(calls) }),
    ...(said.length === 0
      ? {}
      : {
          note: said.join(' '),
          texts: {
            note: driverText('note.ofTrigger', {
              inherited: parent === '' ? 'no' : 'yes',
              parent,
              replica: state === 'R' ? 'only' : state === 'A' ? 'too' : 'no',
              commented: comment === '' ? 'no' : 'yes',
              comment,
            }),
          },
        }),
  };
}

/** The condition and the call of a trigger: the catalogue has the condition as text within the whole statement alone. */
function actionOf(definition: string, functionName: string): { readonly when: string; readonly calls: string } {
  const at = definition.indexOf(` EXECUTE FUNCTION ${functionName}(`);
  if (at === -1) return { when: '', calls: functionName === '' ? '' : `${functionName}()` };
  const [, when = ''] = / FOR EACH (?:ROW|STATEMENT) WHEN \((.*)\)$/s.exec(definition.slice(0, at)) ?? [];
  return { when, calls: definition.slice(at + ' EXECUTE FUNCTION '.length) };
}

/** The default, generation and comment of a column. */
export function writtenBy(facts: ColumnFacts | undefined): Pick<Column, 'default' | 'generated' | 'comment'> {
  if (facts === undefined) return {};
  const { preset = '', generated, identity, comment = '' } = facts;
  const said = comment === '' ? {} : { comment: cut(comment, LONGEST_COMMENT) };
  if (generated !== '') {
    const expression = preset === '' ? {} : { expression: cut(preset) };
    return { generated: { kind: generated === 's' ? 'stored' : 'virtual', ...expression }, ...said };
  }
  if (identity !== '') return { generated: { kind: identity === 'a' ? 'identityAlways' : 'identityByDefault' }, ...said };
  return { ...(preset === '' ? {} : { default: cut(preset) }), ...said };
}

/** Indexes, triggers and the comment of a table. */
export function structureOf({ indexes, triggers, row }: TableFacts): {
  readonly indexes?: readonly TableIndex[];
  readonly triggers?: readonly TableTrigger[];
  readonly comment?: string;
} {
  const comment = row[5] ?? '';
  return {
    ...(indexes.length === 0 ? {} : { indexes: indexes.slice(0, MOST_PARTS).map(({ described }) => described) }),
    ...(triggers.length === 0 ? {} : { triggers: triggers.slice(0, MOST_PARTS).map(({ described }) => described) }),
    ...(comment === '' ? {} : { comment: cut(comment, LONGEST_COMMENT) }),
  };
}
