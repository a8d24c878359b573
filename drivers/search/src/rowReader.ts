import type { BatchColumn, Cell } from '@tabularium/sdk';
import { cellOf } from './cells.ts';
import { fieldReader } from './fieldReader.ts';
import type { JsonObject } from './guards.ts';

/** Makes rows of documents: one cell per column. */
export function rowReader(columns: readonly BatchColumn[]): (document: JsonObject, marked: boolean) => Cell[] {
  const readers = columns.map(({ name, kind }) => ({ kind, read: fieldReader(name) }));
  return (document, marked) => {
    const row: Cell[] = [];
    for (const { read, kind } of readers) row.push(cellOf(read(document), kind, marked));
    return row;
  };
}
