import { z } from 'zod';
import type { DateUnit } from './dateView.ts';
import { DATE_UNITS } from './dateView.ts';
import { MAX_COLUMN_WIDTH, MIN_COLUMN_WIDTH } from './gridColumns.ts';
import type { GridColumn, GridColumns } from './gridColumns.ts';

/** More frozen columns than this leave too little to scroll. */
export const MOST_FROZEN = 5;

const name = z.string().max(1_000);

/**
 * Values by columns' names, stored as pairs: an object would lose a column named `__proto__`. Objects are how they were stored before.
 */
const byColumn = <T>(value: z.ZodType<T>) =>
  z
    .union([z.array(z.tuple([name, value])).max(10_000), z.record(name, value).transform((stored) => Object.entries(stored))])
    .transform((pairs): ReadonlyMap<string, T> => new Map(pairs));

export const columnLayoutSchema = z.object({
  /** The columns a person put into an order of their own; those that are not named follow as described. */
  order: z.array(name).max(10_000),
  hidden: z.array(name).max(10_000),
  widths: byColumn(z.number().min(MIN_COLUMN_WIDTH).max(MAX_COLUMN_WIDTH)),
  /** How many columns at the left stay in place; absent: the key. */
  frozen: z.number().int().min(0).max(MOST_FROZEN).optional(),
  /** Integers that are shown as dates. */
  dates: byColumn(z.enum(DATE_UNITS)),
});
/** How a person arranged the columns of one table. Names that the table does not have are kept: it may have them again. */
export type ColumnLayout = z.output<typeof columnLayoutSchema>;

export const DESCRIBED_LAYOUT: ColumnLayout = { order: [], hidden: [], widths: new Map(), dates: new Map() };

/** The layout as JSON, from which {@link columnLayoutSchema} makes it again. */
export function storedLayout({ order, hidden, widths, dates, frozen }: ColumnLayout) {
  const arrangement = { order: [...order], hidden: [...hidden], widths: [...widths], dates: [...dates] };
  return frozen === undefined ? arrangement : { ...arrangement, frozen };
}

/** The columns as a grid draws them. `source` is each one's place in a row. */
export function arranged(described: GridColumns, layout: ColumnLayout): GridColumns {
  const all = inOrder(described.columns, layout.order);
  const hidden = new Set(layout.hidden);
  const shown = all.filter((column) => !hidden.has(column.name));
  // A grid without columns could not show what to do about it.
  const columns = (shown.length === 0 ? all : shown).map((column): GridColumn => {
    const dateUnit = layout.dates.get(column.name);
    return {
      ...column,
      width: layout.widths.get(column.name) ?? column.width,
      ...(dateUnit === undefined || column.kind !== 'integer' ? {} : { dateUnit, isQuantity: false }),
    };
  });
  return { columns, frozen: Math.min(columns.length - 1, layout.frozen ?? keysAtStart(columns, described.frozen)) };
}

/** The driver's first columns are frozen only while they are first. */
function keysAtStart(columns: readonly GridColumn[], most: number): number {
  const other = columns.findIndex(({ isKey }) => !isKey);
  return Math.min(most, other === -1 ? columns.length : other);
}

function inOrder(columns: readonly GridColumn[], order: readonly string[]): readonly GridColumn[] {
  if (order.length === 0) return columns;
  const places = new Map(order.map((column, place) => [column, place]));
  const named = columns.filter((column) => places.has(column.name));
  const inTheirOrder = named.toSorted((one, other) => (places.get(one.name) ?? 0) - (places.get(other.name) ?? 0));
  return [...inTheirOrder, ...columns.filter((column) => !places.has(column.name))];
}

/**
 * Moves a column beside another one.
 *
 * @param to - the place among the columns that are shown, counted in their present order
 */
export function moved(described: GridColumns, layout: ColumnLayout, column: string, to: number): ColumnLayout {
  const shown = arranged(described, layout).columns.map((one) => one.name);
  const from = shown.indexOf(column);
  const target = shown[Math.min(Math.max(0, to), shown.length - 1)];
  if (from === -1 || target === undefined || target === column) return layout;
  const all = inOrder(described.columns, layout.order).map((one) => one.name);
  const others = all.filter((one) => one !== column);
  const place = others.indexOf(target) + (from < to ? 1 : 0);
  return { ...layout, order: [...others.slice(0, place), column, ...others.slice(place)] };
}

export function withHidden(layout: ColumnLayout, column: string, isHidden: boolean): ColumnLayout {
  const others = layout.hidden.filter((one) => one !== column);
  return { ...layout, hidden: isHidden ? [...others, column] : others };
}

export function withWidths(layout: ColumnLayout, widths: Readonly<Record<string, number>>): ColumnLayout {
  const changed = Object.entries(widths).map(
    ([column, width]) => [column, Math.round(Math.min(MAX_COLUMN_WIDTH, Math.max(MIN_COLUMN_WIDTH, width)))] as const,
  );
  return { ...layout, widths: new Map([...layout.widths, ...changed]) };
}

export function withDate(layout: ColumnLayout, column: string, unit: DateUnit | undefined): ColumnLayout {
  const others = [...layout.dates].filter(([name]) => name !== column);
  return { ...layout, dates: new Map(unit === undefined ? others : [...others, [column, unit]]) };
}

export function isDescribed(layout: ColumnLayout): boolean {
  return (
    layout.order.length === 0 &&
    layout.hidden.length === 0 &&
    layout.frozen === undefined &&
    layout.widths.size === 0 &&
    layout.dates.size === 0
  );
}
