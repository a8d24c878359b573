import type { ColumnKind } from '@tabularium/sdk';
import { jsonText, parseDocument, EMPTY_DOCUMENT, withCells } from '../model/rowDocument.ts';
import type { EditableRow } from '../model/editableRow.ts';
import type { RowDocuments } from '../model/rowDocuments.ts';

/** Rows as the database returned them, as JSON texts, with what is staged for them. Undefined where rows are nothing but their cells. @throws what reading throws */
export async function documentLines(
  rows: readonly EditableRow[],
  documents: RowDocuments,
  kinds: ReadonlyMap<string, ColumnKind>,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  const bases = rows.flatMap(({ base }) => (base === undefined ? [] : [base]));
  const read = await documents.ofRows(bases, signal);
  return read === undefined
    ? undefined
    : rows.map(({ base, staged }) => {
        const text = base === undefined ? undefined : read.get(base);
        const cells = staged?.cells ?? [];
        // A document that is too deep to be changed has nothing staged for it.
        if (text !== undefined && cells.length === 0) return text;
        return jsonText(withCells(text === undefined ? EMPTY_DOCUMENT : parseDocument(text), cells, kinds));
      });
}
