import type { ImportFormat } from '../../common/imports.ts';
import { DelimitedSplitter } from './delimitedSplitter.ts';
import { JsonLinesSplitter } from './jsonLinesSplitter.ts';
import { JsonValuesSplitter } from './jsonValuesSplitter.ts';
import type { RowPlace, RowSplitter, SourceRow } from './rowSplitter.ts';

/** A place to read from, and what the scanner has to know there. */
export interface ReadingPlace extends RowPlace {
  /** json: the rows before were values of a list. Absent at the start. */
  readonly isInList?: boolean | undefined;
}

function splitterOf({ format, separator }: ImportFormat, place: ReadingPlace): RowSplitter {
  switch (format) {
    case 'jsonl':
    case 'rejected':
      return new JsonLinesSplitter(place);
    case 'json':
      return new JsonValuesSplitter(place, place.isInList);
    case 'csv':
      return new DelimitedSplitter(place, separator);
  }
}

/** The rows of a text, those of a chunk at a time. */
export async function* sourceRows(
  text: AsyncIterable<Uint8Array>,
  format: ImportFormat,
  place: ReadingPlace,
): AsyncGenerator<{ readonly rows: readonly SourceRow[]; readonly isInList: boolean }> {
  const splitter = splitterOf(format, place);
  const isInList = (): boolean => splitter instanceof JsonValuesSplitter && splitter.isList;
  for await (const chunk of text) {
    const rows: SourceRow[] = [];
    splitter.push(chunk, rows);
    if (rows.length > 0) yield { rows, isInList: isInList() };
  }
  const rows: SourceRow[] = [];
  splitter.end(rows);
  if (rows.length > 0) yield { rows, isInList: isInList() };
}
