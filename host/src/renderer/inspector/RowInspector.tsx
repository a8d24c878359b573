import type { TableDescription } from '@tabularium/sdk';
import type { ReactNode } from 'react';
import type { Edit } from '../../common/editing.ts';
import type { EditableRow } from '../grid/model/editableRow.ts';
import type { Stage } from '../editing/useStage.ts';
import type { GridColumn } from '../grid/model/gridColumns.ts';
import { strings } from '../i18n/index.ts';
import { Inspector } from './Inspector.tsx';
import { duplicateEdit, editOfRow, fieldRefusal, rowRefusal } from './rowEdits.ts';

/** The row and the column of the active cell. */
export interface ActiveRow {
  /** Undefined while no cell is chosen. */
  readonly row: EditableRow | undefined;
  readonly number: number | undefined;
  /** The place of the active cell in the row. */
  readonly place: number | undefined;
}

interface Props {
  readonly description: TableDescription;
  /** Every column in the order of a row's cells, also those that the grid hides. */
  readonly columns: readonly GridColumn[];
  readonly stage: Stage;
  readonly active: ActiveRow;
  readonly onPlace: (place: number) => void;
  /** After a row was added above the others. */
  readonly onInserted: () => void;
  readonly onClose: () => void;
}

const NO_ROW: EditableRow = { base: undefined, staged: undefined, row: undefined };

/** The inspector of a table's rows: what is changed in it is staged, each change as one step. */
export function RowInspector(props: Props): ReactNode {
  const { description, columns, stage, active, onInserted } = props;
  const at = active.row ?? NO_ROW;
  const names = columns.map(({ name }) => name);
  const describedAt = (place: number) => description.columns.find(({ name }) => name === names[place]);
  const insert = (edit: Edit): void => {
    void stage.stage([edit]).then((change) => (change === undefined ? undefined : onInserted()));
  };
  const { ability } = stage;
  const changed = new Set(at.staged?.cells.map(({ column }) => names.indexOf(column)));
  return (
    <Inspector
      columns={columns}
      described={description.columns}
      place={active.place}
      row={{
        cells: at.row,
        number: active.number,
        changed,
        refusal: (place) => fieldRefusal(stage, at, describedAt(place)),
        rowRefusal: rowRefusal(stage, at),
        tableRefusal: ability?.allowed === false ? strings.editing.readOnly(ability.reason) : undefined,
      }}
      commands={{
        goTo: props.onPlace,
        set: (changes) => {
          const edit = editOfRow(at, description.key, names, changes);
          if (edit !== undefined) void stage.stage([edit]);
        },
        insert: () => insert({ kind: 'insert', values: [] }),
        duplicate: () => (at.row === undefined ? undefined : insert(duplicateEdit(at.row, description, names))),
        close: props.onClose,
      }}
    />
  );
}
