import type { Column } from '@tabularium/sdk';
import type { ImportFormatChoice } from '../../common/imports.ts';
import { ImportPart } from './importPart.ts';
import { prepareSource, resolvedFields } from './prepareSource.ts';
import { sourceRows } from './sourceRows.ts';
import { RowMapping } from './rowMapping.ts';

/**
 * The rows of a short text, ready to be sent.
 *
 * @param columns - of the table
 * @throws HostError `INVALID_REQUEST` for a text without rows
 */
export async function partOfText(
  text: string,
  chosen: ImportFormatChoice,
  columns: readonly Column[],
  signal: AbortSignal,
): Promise<ImportPart> {
  const bytes = new TextEncoder().encode(text);
  async function* whole(offset: number): AsyncGenerator<Uint8Array> {
    if (offset < bytes.length) yield bytes.slice(offset);
  }
  const source = {
    head: async (most: number) => bytes.subarray(0, most),
    text: (_gzip: boolean, offset: number) => whole(offset),
  };
  const prepared = await prepareSource(source, { ...chosen, gzip: false }, columns, signal);
  const { format, names, start } = prepared;
  const part = new ImportPart(new RowMapping(format, names, resolvedFields(prepared, undefined)), start);
  for await (const { rows, isInList } of sourceRows(whole(start.offset), format, start))
    for (const row of rows) part.add(row, isInList);
  return part;
}
