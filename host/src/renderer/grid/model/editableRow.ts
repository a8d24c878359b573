import type { StagedRow } from '../../../common/editing.ts';
import type { GridRow } from './pageCache.ts';

/** One row of the grid: as the server has it, and as it is staged. */
export interface EditableRow {
  readonly base: GridRow | undefined;
  readonly staged: StagedRow | undefined;
  readonly row: GridRow | undefined;
}
