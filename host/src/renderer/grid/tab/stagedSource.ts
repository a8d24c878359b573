import type { StagedOverlay } from '../../editing/stagedRows.ts';
import type { EditableRow } from '../model/editableRow.ts';
import type { GridRow, PageCache } from '../model/pageCache.ts';
import type { RowSource } from '../model/rowSource.ts';

/** The rows of a cache under an overlay; those to be inserted are above. */
export function stagedSource(cache: PageCache, overlay: StagedOverlay): RowSource {
  const above = overlay.inserted.length;
  const staged = (base: GridRow): EditableRow => {
    const change = overlay.stagedFor(base);
    return { base, staged: change, row: change === undefined ? base : overlay.merged(base, change) };
  };
  const rowAt = (index: number): EditableRow => {
    const inserted = overlay.inserted[index];
    if (inserted !== undefined) return { base: undefined, staged: inserted, row: overlay.merged(undefined, inserted) };
    const base = cache.row(index - above);
    return base === undefined ? { base, staged: undefined, row: undefined } : staged(base);
  };
  return { cache, above, rowAt, staged };
}
