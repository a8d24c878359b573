import type { TableDescription } from '@tabularium/sdk';
import type { ReactNode } from 'react';
import type { Edit } from '../../common/editing.ts';
import type { EditableRow } from '../grid/model/editableRow.ts';
import type { RowSource } from '../grid/model/rowSource.ts';
import { wholeCell } from '../grid/model/wholeRows.ts';
import { withWhole } from '../grid/model/withWhole.ts';
import { isInserted } from '../editing/seenRow.ts';
import type { Stage } from '../editing/useStage.ts';
import type { GridColumn } from '../grid/model/gridColumns.ts';
import { strings } from '../i18n/index.ts';
import { Inspector } from './Inspector.tsx';
import { duplicateEdit, editOfRow, fieldRefusal, isDuplicated, rowRefusal } from './rowEdits.ts';

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
  /** Where the row comes from: what its page left out is read there. */
  readonly source: RowSource;
  readonly active: ActiveRow;
  readonly onPlace: (place: number) => void;
  /** After a row was added above the others. @param last - its place, as soon as it is on the screen */
  readonly onInserted: (last: number) => void;
  readonly onClose: () => void;
}

const NO_ROW: EditableRow = { base: undefined, staged: undefined, row: undefined };

/** The inspector of a table's rows: what is changed in it is staged, each change as one step. */
export function RowInspector(props: Props): ReactNode {
  const { description, columns, stage, source, active, onInserted } = props;
  const whole = withWhole(source);
  const at = active.row ?? NO_ROW;
  const names = columns.map(({ name }) => name);
  const describedAt = (place: number) => description.columns.find(({ name }) => name === names[place]);
  const insertedToo = columns.flatMap(({ isKey }, place) => {
    const described = describedAt(place);
    return described !== undefined && isInserted({ isKey, editable: described.editable }) ? [place] : [];
  });
  const insert = (edit: Edit): void => {
    void stage.stage([edit]).then((change) => (change === undefined ? undefined : onInserted(change.state.inserts - 1)));
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
          const places = changes.map(({ place }) => place);
          const run = (rows: readonly EditableRow[]): void => {
            const edits = rows.flatMap((row) => editOfRow(row, description.key, names, changes) ?? []);
            if (edits.length > 0) void stage.stage(edits);
          };
          whole([at], places, run, insertedToo);
        },
        insert: () => insert({ kind: 'insert', values: [] }),
        duplicate: () => {
          const copied = [...names.keys()].filter((place) => isDuplicated(names[place] ?? '', description));
          whole([at], copied, ([read]) =>
            read?.row === undefined ? undefined : insert(duplicateEdit(read.row, description, names)),
          );
        },
        read: (places, use) =>
          whole([at], places, ([read]) => use?.(places.map((place) => wholeCell(read?.row?.[place] ?? null)))),
        close: props.onClose,
      }}
    />
  );
}
