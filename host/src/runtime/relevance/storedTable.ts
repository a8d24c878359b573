import type { TableRef } from '@tabularium/sdk';
import { tableRefSchema } from '@tabularium/sdk/protocol';

/** A table as it is stored: one text for one table. */
export function storedTable({ namespace, name }: TableRef): string {
  return JSON.stringify({ namespace, name });
}

export function tableOfStored(key: unknown): TableRef {
  return tableRefSchema.parse(JSON.parse(String(key)));
}
