import { isDriverError, NO_FILTER, rowKeyText } from '@tabularium/sdk';
import type { Cell, ColumnKind, FilterCondition, FilterOperator, RowBatch, RowKey, TableDescription } from '@tabularium/sdk';
import type { Manifest } from '@tabularium/sdk/manifest';
import type { OpenSession } from '../data/sessions.ts';
import { driverBatch } from '../data/driverBatch.ts';

/** Rows that a driver reads by their keys at a time. */
const ROWS_AT_ONCE = 100;
/** A filter may find more rows than it names: text may be compared without letter case. */
const ROWS_PER_KEY = 10;
/** Errors that say that these rows can't be read this way, as opposed to not now. */
const UNREADABLE = new Set(['ACCESS_REFUSED', 'UNSUPPORTED', 'INVALID_INPUT']);

/** The values of a row by their columns; `gone`: the row doesn't exist. */
export type CurrentRow = ReadonlyMap<string, Cell> | 'gone';

/** Rows as they are now, by the texts of their keys. A row that is missing could not be looked for. */
export type CurrentRows = ReadonlyMap<string, CurrentRow>;

type Reading = Pick<OpenSession, 'session' | 'manifest'>;

/**
 * Reads rows by their keys: through the driver's facet `rows`, else through pages with a filter on the key.
 *
 * @param columns - those whose values are wanted; undefined: all
 * @returns undefined where this database can do neither
 * @throws what reading throws when the database can't be reached
 */
export async function currentRows(
  open: Reading,
  description: TableDescription,
  keys: readonly RowKey[],
  columns: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<CurrentRows | undefined> {
  if (keys.length === 0) return new Map();
  const found = new Map<string, CurrentRow>();
  const names = columns === undefined ? undefined : [...new Set([...description.key, ...columns])];
  const read = open.session.rows === undefined ? byFilter : byKey;
  for (let done = 0; done < keys.length; done += ROWS_AT_ONCE) {
    let some: CurrentRows | undefined;
    try {
      some = await read(open, description, keys.slice(done, done + ROWS_AT_ONCE), names, signal);
    } catch (error) {
      if (!isDriverError(error) || !UNREADABLE.has(error.code)) throw error;
    }
    if (some === undefined) return undefined;
    for (const [key, row] of some) found.set(key, row);
  }
  return found;
}

async function byKey(
  open: Reading,
  description: TableDescription,
  keys: readonly RowKey[],
  columns: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<CurrentRows | undefined> {
  const { rows } = open.session;
  if (rows === undefined) return undefined;
  try {
    const { batch } = await rows.read(
      { table: description.ref, keys, ...(columns === undefined ? {} : { columns }) },
      { signal },
    );
    return keyed(driverBatch(batch), description, keys, true);
  } catch (error) {
    if (keys.length === 1 || !isDriverError(error) || error.code !== 'TOO_LARGE') throw error;
    const half = keys.length >> 1;
    const [first, second] = [
      await byKey(open, description, keys.slice(0, half), columns, signal),
      await byKey(open, description, keys.slice(half), columns, signal),
    ];
    return first === undefined || second === undefined ? undefined : new Map([...first, ...second]);
  }
}

async function byFilter(
  { session, manifest }: Reading,
  description: TableDescription,
  keys: readonly RowKey[],
  columns: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<CurrentRows | undefined> {
  const isSingle = description.key.length === 1;
  const operator: FilterOperator = isSingle ? 'in' : 'equals';
  if (!description.key.every((name) => hasOperator(manifest, description, name, operator))) return undefined;
  const found = new Map<string, CurrentRow>();
  // A filter can name many values of one column, and one row by several.
  for (const some of isSingle ? [keys] : keys.map((key) => [key])) {
    const values = some.map((key) => key.map(filterText));
    if (values.some((texts) => texts.includes(undefined))) return undefined;
    const conditions = description.key.map((column, place): FilterCondition => ({
      column,
      operator,
      values: values.flatMap((texts) => texts[place] ?? []),
    }));
    const limit = some.length * ROWS_PER_KEY;
    const page = await session.readPage(
      {
        table: description.ref,
        filter: { ...NO_FILTER, match: 'all', conditions },
        sorts: [],
        position: { from: 'start' },
        limit,
        ...(columns === undefined ? {} : { columns }),
      },
      { signal },
    );
    for (const [key, row] of keyed(driverBatch(page.batch), description, some, page.atEnd)) found.set(key, row);
  }
  return found;
}

/** @param isAll - whether a row that is not in the batch is gone */
function keyed(
  { columns, rows }: RowBatch,
  { key, columns: described }: TableDescription,
  wanted: readonly RowKey[],
  isAll: boolean,
): CurrentRows {
  const known = new Set(described.map(({ name }) => name));
  const places = key.map((name) => columns.findIndex((column) => column.name === name));
  const byText = new Map(rows.map((row) => [rowKeyText(places.map((place) => row[place] ?? null)), row]));
  return new Map(
    wanted.flatMap((one): [string, CurrentRow][] => {
      const text = rowKeyText(one);
      const row = byText.get(text);
      if (row === undefined) return isAll ? [[text, 'gone']] : [];
      return [
        [
          text,
          new Map(
            columns.map(({ name, kind }, place) => {
              const cell = row[place] ?? null;
              // A member of a document has no described kind: it is seen and staged as the document writes it.
              return [name, known.has(name) ? cell : memberCell(cell, kind)];
            }),
          ),
        ],
      ];
    }),
  );
}

/** A value as a document writes it. */
function memberCell(cell: Cell, kind: ColumnKind): Cell {
  if (Array.isArray(cell)) {
    const [tag, text] = cell as readonly [string, string?];
    return tag === 'number' || tag === 'boolean' ? ['json', text ?? ''] : tag === 'text' ? ['json', JSON.stringify(text)] : cell;
  }
  if (typeof cell === 'string' && (kind === 'json' || kind === 'integer' || kind === 'decimal')) return ['json', cell];
  return ['json', JSON.stringify(cell)];
}

function hasOperator({ filtering }: Manifest, { columns }: TableDescription, name: string, operator: FilterOperator): boolean {
  const filterClass = columns.find((column) => column.name === name)?.filterClass;
  const operators = filterClass === undefined ? undefined : filtering?.classes[filterClass]?.operators;
  return (
    operators?.some((one) =>
      typeof one === 'string' ? one === operator : one.operator === operator && one.refused === undefined,
    ) === true
  );
}

/** A value of a key as a person would type it into a filter; undefined for one that can't be typed. */
function filterText(cell: Cell): string | undefined {
  if (cell === null) return undefined;
  if (!Array.isArray(cell)) return String(cell);
  const [tag, text] = cell as readonly [string, string?];
  return tag === 'number' || tag === 'text' ? text : undefined;
}
