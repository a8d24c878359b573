import type { Column, Sort } from '@tabularium/sdk';
import { z } from 'zod';

const sortsSchema = z.array(z.object({ column: z.string().max(1_000), direction: z.enum(['ascending', 'descending']) })).max(100);

/** The sorts of a table as they were left, without those by columns that are gone or can't be sorted by any more. */
export function readSorts(stored: unknown, columns: readonly Column[], maxSorts: number): readonly Sort[] {
  const parsed = sortsSchema.safeParse(stored);
  if (!parsed.success) return [];
  const sortable = new Set(columns.filter((column) => column.sortable.allowed).map(({ name }) => name));
  return parsed.data.filter(({ column }) => sortable.has(column)).slice(0, maxSorts);
}
