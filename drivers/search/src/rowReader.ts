import type { Cell, PageCell } from '@tabularium/sdk';
import { cellOf } from './cells.ts';
import { fieldReader } from './fieldReader.ts';
import type { JsonObject } from './guards.ts';
import type { PageColumn } from './pageColumns.ts';
import { cellPlaceholder } from './placeholder.ts';

type WholeColumn = Pick<PageColumn, 'name' | 'kind'>;

/** Makes rows of documents: one cell per column, every value whole. */
export function rowReader(columns: readonly WholeColumn[]): (document: JsonObject, marked: boolean) => Cell[] {
  const readers = columns.map(({ name, kind }) => ({ kind, read: fieldReader(name) }));
  return (document, marked) => {
    const row: Cell[] = [];
    for (const { read, kind } of readers) row.push(cellOf(read(document), kind, marked));
    return row;
  };
}

/** The same with placeholders where the columns say so. */
export function pageRowReader(columns: readonly PageColumn[]): (document: JsonObject, marked: boolean) => PageCell[] {
  const whole = rowReader(columns);
  if (columns.every(({ over, instead }) => over === undefined && instead === undefined)) return whole;
  return (document, marked) =>
    whole(document, marked).map((cell, place): PageCell => {
      const { instead, over } = columns[place] ?? {};
      return instead ?? (over === undefined ? undefined : cellPlaceholder(cell, over)) ?? cell;
    });
}
