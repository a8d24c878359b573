import { rowKeyText } from '@tabularium/sdk';
import type { Edit, StagedRow } from '../../common/editing.ts';

/**
 * Staged rows with edits that wait for the host: a person sees what was typed, and types it once. New rows get their names from the host, so they
 * are not among them yet.
 */
export function withWaitingEdits(rows: ReadonlyMap<string, StagedRow>, edits: readonly Edit[]): ReadonlyMap<string, StagedRow> {
  if (edits.length === 0) return rows;
  const all = new Map(rows);
  for (const edit of edits) {
    if (edit.kind === 'insert') continue;
    const id = 'key' in edit.row ? rowKeyText(edit.row.key) : edit.row.inserted;
    const before = all.get(id);
    if (before === undefined && !('key' in edit.row)) continue;
    const named = before ?? { id, ...('key' in edit.row ? { key: edit.row.key } : {}), cells: [], sending: false };
    if (edit.kind === 'delete') all.set(id, { ...named, kind: 'delete' });
    else {
      const changed = new Map(edit.cells.map((cell) => [cell.column, cell]));
      const cells = named.cells.map((cell) => {
        const value = changed.get(cell.column)?.value;
        return value === undefined ? cell : { ...cell, value };
      });
      const known = new Set(named.cells.map(({ column }) => column));
      all.set(id, {
        ...named,
        kind: before?.kind ?? 'update',
        cells: [...cells, ...edit.cells.filter(({ column }) => !known.has(column))],
      });
    }
  }
  return all;
}
