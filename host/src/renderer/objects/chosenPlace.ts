import { z } from 'zod';
import { tableName } from '../../common/tableName.ts';
import type { Json } from '../state/documentStore.ts';
import type { ObjectKind, ObjectPlace, TableRef } from '@tabularium/sdk';

/** The place that a person looks at: a kind, with a table and the object that holds these where the kind has them. */
export interface ShownPlace {
  readonly kind: string;
  readonly table?: TableRef;
  readonly within?: string;
}

/** The place as the driver takes it; undefined where the table or the holder is still to be chosen. */
export function chosenPlace(
  { id, scope, within }: ObjectKind,
  shown: ShownPlace,
  tables: readonly TableRef[],
): ObjectPlace | undefined {
  const name = shown.table === undefined ? undefined : tableName(shown.table);
  const table = scope === 'table' ? (tables.find((ref) => tableName(ref) === name) ?? tables[0]) : undefined;
  if (scope === 'table' && table === undefined) return undefined;
  if (within !== undefined && shown.within === undefined) return undefined;
  return {
    kind: id,
    ...(table === undefined ? {} : { table }),
    ...(within === undefined || shown.within === undefined ? {} : { within: shown.within }),
  };
}

const shownPlaceSchema = z.object({
  kind: z.string(),
  table: z.object({ namespace: z.array(z.string()), name: z.string() }).optional(),
  within: z.string().optional(),
});

/** A place as it is remembered. */
export function storablePlace({ kind, table, within }: ShownPlace): Json {
  return {
    kind,
    ...(table === undefined ? {} : { table: { namespace: [...table.namespace], name: table.name } }),
    ...(within === undefined ? {} : { within }),
  };
}

/** A place as it was remembered; undefined for anything else. */
export function storedPlace(stored: unknown): ShownPlace | undefined {
  return shownPlaceSchema.safeParse(stored).data;
}
