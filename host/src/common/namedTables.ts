import { tableRefSchema } from '@tabularium/sdk/protocol';
import { z } from 'zod';
import type { Shape } from './shape.ts';

// Tables that the credentials of a connection may read and not list.

/** Tables that the window shows beside the list of tables. */
export const namedTablesSchema = z.object({
  /** Why the list lacks tables; absent where a table cannot be opened by its name. */
  reason: z.string().optional(),
  /** Those that a person has opened by name and not forgotten, by their names. */
  tables: z.array(tableRefSchema),
});
export type NamedTablesView = Shape<typeof namedTablesSchema>;

export const openNamedTableSchema = z.object({ connectionId: z.uuid(), name: z.string().min(1).max(1_000) });
export const forgetNamedTableSchema = z.object({ connectionId: z.uuid(), table: tableRefSchema });
