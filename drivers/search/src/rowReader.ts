import type { BatchColumn, Cell } from '@tabularium/sdk';
import { cellOf } from './cells.ts';
import { fieldReader } from './fieldReader.ts';
import type { JsonObject } from './guards.ts';

/** Makes rows of documents: one cell per column. */
export function rowReader(columns: readonly BatchColumn[]): (document: JsonObject, marked: boolean) => Cell[] {
  const readers = columns.map(({ name }) => fieldReader(name));
  const kinds = columns.map(({ kind }) => kind);
  return (document, marked) => readers.map((read, index) => cellOf(read(document), kinds[index] ?? 'text', marked));
}
