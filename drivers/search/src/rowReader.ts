import type { BatchColumn, Cell } from '@tabularium/sdk';
import { cellOf } from './cells.ts';
import { fieldReader } from './fieldReader.ts';
import type { JsonObject } from './guards.ts';

/** Makes rows of documents: one cell per column. */
export function rowReader(columns: readonly BatchColumn[]): (document: JsonObject, marked: boolean) => Cell[] {
  const readers = columns.map(({ name, kind }) => ({ kind, read: fieldReader(name) }));
  return (document, marked) => readers.map(({ kind, read }) => cellOf(read(document), kind, marked));
}
