import type { TableDescription } from '@tabularium/sdk';
import type { ReactNode } from 'react';
import type { Edit } from '../../common/editing.ts';
import type { EditableRow } from '../grid/model/editableRow.ts';
import type { Stage } from '../editing/useStage.ts';
import type { GridColumn } from '../grid/model/gridColumns.ts';
import { strings } from '../i18n/index.ts';
import { Inspector } from './Inspector.tsx';
import { duplicateEdit, editOfRow, fieldRefusal, rowRefusal } from './rowEdits.ts';

interface Props {
  readonly description: TableDescription;
  /** Every column in the order of a row's cells, also those that the grid hides. */
  readonly columns: readonly GridColumn[];
  readonly stage: Stage;
  /** The active row; undefined while no cell is chosen. */
  readonly at: EditableRow | undefined;
  readonly rowNumber: number | undefined;
  /** The active cell's place in the row. */
  readonly place: number | undefined;
  readonly onPlace: (place: number) => void;
  /** After a row was added above the others. */
  readonly onInserted: () => void;
  readonly onClose: () => void;
}

const NO_ROW: EditableRow = { base: undefined, staged: undefined, row: undefined };

/** The inspector of a table's rows: what is changed in it is staged, each change as one step. */
export function RowInspector({ description, columns, stage, at = NO_ROW, onInserted, ...rest }: Props): ReactNode {
  const names = columns.map(({ name }) => name);
  const describedAt = (place: number) => description.columns.find(({ name }) => name === names[place]);
  const insert = (edit: Edit): void => {
    void stage.stage([edit]).then((change) => (change === undefined ? undefined : onInserted()));
  };
  const { ability } = stage;
  const changed = new Set(at.staged?.cells.map(({ column }) => names.indexOf(column)));
  return (
    <Inspector
      {...rest}
      columns={columns}
      described={description.columns}
      row={at.row}
      changed={changed}
      refusal={(place) => fieldRefusal(stage, at, describedAt(place))}
      rowRefusal={rowRefusal(stage, at)}
      tableRefusal={ability?.allowed === false ? strings.editing.readOnly(ability.reason) : undefined}
      onSet={(changes) => {
        const edit = editOfRow(at, description.key, names, changes);
        if (edit !== undefined) void stage.stage([edit]);
      }}
      onInsert={() => insert({ kind: 'insert', values: [] })}
      onDuplicate={() => (at.row === undefined ? undefined : insert(duplicateEdit(at.row, description, names)))}
    />
  );
}
