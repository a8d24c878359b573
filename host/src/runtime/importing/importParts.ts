import type { ImportFormat } from '../../common/imports.ts';
import { YoungGarbage } from '../transfer/youngGarbage.ts';
import { ImportPart, PartMemory } from './importPart.ts';
import type { ReadingPlace } from './sourceRows.ts';
import { sourceRows } from './sourceRows.ts';
import type { RowMapping } from './rowMapping.ts';
import type { SourceFile } from './sourceFile.ts';

/** Bytes of the objects that a row is for a moment, about. */
const ROW_GARBAGE = 500;

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
  const memory = new PartMemory();
  let part = new ImportPart(mapping, place, memory);
  let toSkip = skip;
  const young = new YoungGarbage();
  for await (const { rows, isInList } of sourceRows(file.text(format.gzip, place.offset, signal), format, place)) {
    for (const row of rows) {
      if (toSkip > 0) {
        toSkip -= 1;
        part.skipTo({ ...row.next, isInList });
        continue;
      }
      part.add(row, isInList);
      if (!part.isFull) continue;
      const { next } = part;
      part.bytesRead = file.bytesRead;
      yield part;
      part = new ImportPart(mapping, next, memory);
    }
    // Of small rows the objects weigh more than the bytes.
    young.passed(rows.length * ROW_GARBAGE);
  }
  part.bytesRead = file.bytesRead;
  if (!part.isEmpty) yield part;
}
