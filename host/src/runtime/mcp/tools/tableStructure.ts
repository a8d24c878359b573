import { wholeStart } from '@tabularium/sdk';
import type { Column, IndexColumn, TableDescription, TableIndex, TableTrigger } from '@tabularium/sdk';
import { fittingEntries } from './fittingEntries.ts';

const INDEX_TOKENS = 2_000;
const TRIGGER_TOKENS = 1_000;
const LABEL_TOKENS = 300;
/** Characters of a text that a database stores, such as a comment or an expression. */
const LONGEST_TEXT = 300;
const LONGEST_TABLE_COMMENT = 1_000;

/** The labels, default, computation and comment of a column, as an answer has them. Labels without an end are left out. */
export function columnStructure({
  values,
  generated,
  comment,
  ...column
}: Pick<Column, 'values' | 'default' | 'generated' | 'comment'>): {
  readonly values?: string[];
  readonly default?: string;
  readonly generated?: string;
  readonly comment?: string;
} {
  return {
    ...(values === undefined || fittingEntries(values, LABEL_TOKENS).length < values.length ? {} : { values: [...values] }),
    ...(column.default === undefined ? {} : { default: cut(column.default) }),
    ...(generated === undefined
      ? {}
      : { generated: `${generated.kind}${generated.expression === undefined ? '' : `: ${cut(generated.expression)}`}` }),
    ...(comment === undefined ? {} : { comment: cut(comment) }),
  };
}

/** Indexes, triggers, order and comment of a table in few tokens, and notes on those that were left out. */
export function tableStructure({
  indexes = [],
  triggers = [],
  defaultSort = [],
  comment,
  definition,
}: Pick<TableDescription, 'indexes' | 'triggers' | 'defaultSort' | 'comment' | 'definition'>): {
  readonly members: {
    readonly comment?: string;
    readonly defaultSort?: unknown[];
    readonly indexes?: unknown[];
    readonly triggers?: unknown[];
  };
  readonly notes: readonly string[];
} {
  const ofIndexes = fittingEntries(indexes.map(indexEntry), INDEX_TOKENS);
  const ofTriggers = fittingEntries(triggers.map(triggerEntry), TRIGGER_TOKENS);
  const left = (count: number, what: string): readonly string[] =>
    count === 0
      ? []
      : [
          `${count} more ${what} were left out.${definition === undefined ? '' : ' get_table_definition has them; read it to its end.'}`,
        ];
  return {
    members: {
      ...(comment === undefined ? {} : { comment: cut(comment, LONGEST_TABLE_COMMENT) }),
      ...(defaultSort.length === 0
        ? {}
        : {
            defaultSort: defaultSort.map(({ column, direction }) =>
              direction === 'descending' ? { column, descending: true } : column,
            ),
          }),
      ...(ofIndexes.length === 0 ? {} : { indexes: [...ofIndexes] }),
      ...(ofTriggers.length === 0 ? {} : { triggers: [...ofTriggers] }),
    },
    notes: [...left(indexes.length - ofIndexes.length, 'indexes'), ...left(triggers.length - ofTriggers.length, 'triggers')],
  };
}

function indexEntry({ name, columns, unique, primary, includes, method, where, note }: TableIndex): object {
  return {
    name,
    columns: columns.map(indexColumnEntry),
    ...(primary === true ? { primary } : unique ? { unique } : {}),
    ...(includes === undefined ? {} : { includes: [...includes] }),
    ...(method === undefined ? {} : { method }),
    ...(where === undefined ? {} : { where: cut(where) }),
    ...(note === undefined ? {} : { note: cut(note) }),
  };
}

/** A text is the name of a column; whatever else is said is in an object, so that no name looks like an expression or an order. */
function indexColumnEntry(column: IndexColumn): unknown {
  const { descending, nulls, detail } = column;
  const order = {
    ...(descending === true ? { descending } : {}),
    ...(nulls === undefined ? {} : { nulls }),
    ...(detail === undefined ? {} : { detail }),
  };
  if (!('name' in column)) return { expression: cut(column.expression), ...order };
  return Object.keys(order).length === 0 ? column.name : { column: column.name, ...order };
}

function triggerEntry({ name, timing, events, columns, level, enabled, when, calls, note }: TableTrigger): object {
  return {
    name,
    timing,
    events: [...events],
    ...(columns === undefined ? {} : { columns: [...columns] }),
    ...(level === undefined ? {} : { level }),
    ...(enabled === false ? { enabled } : {}),
    ...(when === undefined ? {} : { when: cut(when) }),
    ...(calls === undefined ? {} : { calls: cut(calls) }),
    ...(note === undefined ? {} : { note: cut(note) }),
  };
}

function cut(text: string, most = LONGEST_TEXT): string {
  return text.length <= most ? text : `${wholeStart(text, most)}…`;
}
