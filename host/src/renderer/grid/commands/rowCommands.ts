import { ABSENT } from '@tabularium/sdk';
import { MOST_STAGED_ROWS } from '../../../common/editing.ts';
import { notify } from '../../state/notify.ts';
import { collectRows } from '../model/collectRows.ts';
import type { EditableRow } from '../model/editableRow.ts';
import type { TabModel } from '../tab/tabModel.ts';
import type { SelectedCells } from './selectedCells.ts';

/** The changes that can be staged for the selected rows and cells. Rows that are not here are read first. */
export interface RowCommands {
  readonly edit: () => void;
  readonly setNull: () => void;
  readonly setAbsent: () => void;
  readonly revertCell: () => void;
  readonly revertRows: () => void;
  readonly deleteRows: () => void;
  readonly duplicateRows: () => void;
}

export function rowCommands({ edited, cells }: Pick<TabModel, 'edited' | 'cells'>, selected: SelectedCells): RowCommands {
  const { active, rows, places } = selected;
  const withRows = (run: (rows: readonly EditableRow[]) => void): void => {
    void collectRows(edited.source, rows, MOST_STAGED_ROWS).then((all) =>
      all === undefined || all.length === 0 ? undefined : run(all),
    );
  };
  return {
    edit: () => (active === undefined ? undefined : cells.begin(active)),
    setNull: () => withRows((all) => cells.setAll(all, places, null)),
    setAbsent: () => withRows((all) => cells.setAll(all, places, ABSENT)),
    revertCell: () => (active === undefined ? undefined : cells.revertCell(active)),
    revertRows: () => withRows(cells.revertRows),
    deleteRows: () => {
      if (edited.readOnly === undefined) withRows(cells.toggleDelete);
      else notify({ tone: 'warning', text: edited.readOnly });
    },
    duplicateRows: () => withRows(cells.duplicate),
  };
}
