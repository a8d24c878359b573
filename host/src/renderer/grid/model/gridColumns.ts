import type { Ability, Column, ColumnGeneration, ColumnKind, NumberRange, TableDescription } from '@tabularium/sdk';
import { columnNote } from '../../../common/columnNote.ts';
import type { DateUnit } from './dateView.ts';
import { isQuantity } from './isQuantity.ts';
import { referencesOf } from './referencesOf.ts';

/** A column as the grid draws it. */
export interface GridColumn {
  readonly name: string;
  /** Its place in a row as the pages hold it, whatever the order on the screen. */
  readonly source: number;
  readonly kind: ColumnKind;
  readonly type: string;
  readonly note?: string;
  /** As the database stores it. */
  readonly comment?: string;
  /** The value of a new row that names none, in the database's own language. */
  readonly default?: string;
  readonly generated?: ColumnGeneration;
  readonly sortable: Ability;
  readonly isKey: boolean;
  /** The table that its values refer to; of several the first one. */
  readonly refersTo?: string;
  /** How many keys of other tables refer to its values. Absent: none. */
  readonly referredTo?: number;
  /** A new row needs a value here. */
  readonly isRequired?: true;
  readonly alignEnd: boolean;
  /** Whether a selection of its numbers is summed and averaged. Absent: it isn't. */
  readonly isQuantity?: boolean;
  /** The numbers that the column can store. */
  readonly range?: NumberRange;
  /** The values that a column of numbers stores besides numbers, such as `NaN`. */
  readonly specialValues?: readonly string[];
  /** Whether it takes null. */
  readonly isNullable?: boolean;
  /** The labels that a column of them takes. */
  readonly values?: readonly string[];
  /** The width until a person chooses another. It depends on the description alone, so nothing moves when rows arrive. */
  readonly width: number;
  /** The integers of the column are shown as moments of this unit. */
  readonly dateUnit?: DateUnit;
}

export interface GridColumns {
  readonly columns: readonly GridColumn[];
  /** How many at the left stay in place. */
  readonly frozen: number;
}

export const MIN_COLUMN_WIDTH = 56;
export const MAX_COLUMN_WIDTH = 1_200;
/** More frozen columns than this leave too little to scroll. */
const MAX_FROZEN = 3;

const WIDTHS: Readonly<Record<ColumnKind, number>> = {
  text: 200,
  // The 19 digits of a 64-bit integer.
  integer: 168,
  decimal: 110,
  boolean: 84,
  date: 110,
  time: 100,
  timestamp: 180,
  interval: 150,
  enum: 130,
  array: 200,
  range: 220,
  vector: 200,
  uuid: 290,
  bytes: 110,
  json: 240,
  geo: 170,
};

/** A name's width is about 7.5 px per character at 13 px; the sort mark and the padding are beside it. */
function widthOf(column: Column): number {
  const forName = Math.ceil(Math.max(column.name.length * 7.5, column.type.length * 6.5)) + 40;
  return Math.min(320, Math.max(WIDTHS[column.kind], forName));
}

function gridColumn(
  column: Column,
  isKey: boolean,
  source: number,
  { refersTo, referredTo }: ReturnType<typeof linksOf>,
): GridColumn {
  const note = columnNote(column);
  return {
    name: column.name,
    source,
    kind: column.kind,
    type: column.type,
    ...(note === undefined ? {} : { note }),
    ...(column.comment === undefined ? {} : { comment: column.comment }),
    ...(column.default === undefined ? {} : { default: column.default }),
    ...(column.generated === undefined ? {} : { generated: column.generated }),
    sortable: column.sortable,
    isKey,
    ...(refersTo === undefined ? {} : { refersTo }),
    ...(referredTo === 0 ? {} : { referredTo }),
    ...(column.required === true ? { isRequired: true } : {}),
    alignEnd: column.kind === 'integer' || column.kind === 'decimal',
    isQuantity: isQuantity(column, isKey),
    ...(column.range === undefined ? {} : { range: column.range }),
    ...(column.specialValues === undefined ? {} : { specialValues: column.specialValues }),
    ...(column.nullable ? { isNullable: true } : {}),
    ...(column.values === undefined ? {} : { values: column.values }),
    width: widthOf(column),
  };
}

function linksOf(description: TableDescription, name: string): { readonly refersTo?: string; readonly referredTo: number } {
  const [first] = referencesOf(description, name);
  const referredTo = (description.referredBy ?? []).filter(({ referencedColumns }) => referencedColumns.includes(name)).length;
  return { ...(first === undefined ? {} : { refersTo: first.references.name }), referredTo };
}

/** The columns in the order of the grid: the key first and in place, then the others as described. */
export function gridColumns(description: TableDescription): GridColumns {
  const byName = new Map(description.columns.map((column) => [column.name, column]));
  const keys = description.key.flatMap((name) => byName.get(name) ?? []);
  const others = description.columns.filter((column) => !description.key.includes(column.name));
  return {
    columns: [...keys, ...others].map((column, place) =>
      gridColumn(column, place < keys.length, place, linksOf(description, column.name)),
    ),
    frozen: keys.length <= MAX_FROZEN ? keys.length : 0,
  };
}
