import { z } from 'zod';
import { MAX_COLUMN_WIDTH, MIN_COLUMN_WIDTH } from './gridColumns.ts';
import type { GridColumn } from './gridColumns.ts';

const name = z.string().max(1_000);
const widthsSchema = z.array(z.tuple([name, name, z.number().min(MIN_COLUMN_WIDTH).max(MAX_COLUMN_WIDTH)])).max(10_000);

/** The widths that suited a table's first rows, as JSON: each column's name and type, and its width. */
export function storedFirstWidths(columns: readonly GridColumn[]): z.output<typeof widthsSchema> {
  return columns.map((column) => [column.name, column.type, column.width]);
}

/** The columns with the widths that suited the first rows once; undefined where one is new or has another type now. */
export function withFirstWidths(columns: readonly GridColumn[], stored: unknown): readonly GridColumn[] | undefined {
  const parsed = widthsSchema.safeParse(stored);
  if (!parsed.success) return undefined;
  const widths = new Map(parsed.data.map(([column, type, width]) => [JSON.stringify([column, type]), width]));
  const known = columns.flatMap((column) => {
    const width = widths.get(JSON.stringify([column.name, column.type]));
    return width === undefined ? [] : [{ ...column, width }];
  });
  return known.length === columns.length && known.length > 0 ? known : undefined;
}
