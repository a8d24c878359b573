import type { ImportFormat } from '../../common/imports.ts';
import { ImportPart } from './importPart.ts';
import type { ReadingPlace } from './sourceRows.ts';
import { sourceRows } from './sourceRows.ts';
import type { RowMapping } from './rowMapping.ts';
import type { SourceFile } from './sourceFile.ts';

/**
 * The rows of a file in parts, from a place.
 *
 * @param skip - rows at the place that are passed over
 */
export async function* importParts(
  file: SourceFile,
  format: ImportFormat,
  mapping: RowMapping,
  place: ReadingPlace,
  skip: number,
  signal: AbortSignal,
): AsyncGenerator<ImportPart> {
  let part = new ImportPart(mapping, place);
  let toSkip = skip;
  for await (const { rows, isInList } of sourceRows(file.text(format.gzip, place.offset, signal), format, place)) {
    for (const row of rows) {
      if (toSkip > 0) {
        toSkip -= 1;
        part.next = { ...row.next, isInList };
        continue;
      }
      part.add(row, isInList);
      if (!part.isFull) continue;
      const { next } = part;
      yield part;
      part = new ImportPart(mapping, next);
    }
  }
  if (!part.isEmpty) yield part;
}
