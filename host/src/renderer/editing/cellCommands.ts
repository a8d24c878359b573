import { ABSENT } from '@tabularium/sdk';
import type { Cell, Column } from '@tabularium/sdk';
import type { Edit, EditedRow } from '../../common/editing.ts';
import { MOST_READ_WHOLE } from '../grid/model/alsoRead.ts';
import type { EditableRow } from '../grid/model/editableRow.ts';
import type { GridColumn } from '../grid/model/gridColumns.ts';
import type { CellPosition } from '../grid/model/navigation.ts';
import { noValueText } from '../grid/model/presetText.ts';
import { isWhole, wholeCell } from '../grid/model/wholeRows.ts';
import type { WithDocuments } from '../grid/model/withDocuments.ts';
import type { WithWhole } from '../grid/model/withWhole.ts';
import { strings } from '../i18n/index.ts';
import { notify } from '../state/notify.ts';
import { refuse } from './cellRefusal.ts';
import { duplicates, isDuplicated } from './duplicates.ts';
import { originalOf } from './originalOf.ts';
import type { PasteColumn } from './pastePlan.ts';
import { MOST_SEEN_CELLS, insertedPlaces, seenRow } from './seenRow.ts';
import type { StagedOverlay } from './stagedRows.ts';
import type { Stage } from './useStage.ts';

/** A column with what may be written into it. */
export interface WritableColumn extends PasteColumn {
  readonly isKey: boolean;
}

/** The cells of one grid, and where their changes are staged. */
export interface EditedCells {
  readonly stage: Stage;
  readonly overlay: Pick<StagedOverlay, 'keyOf'>;
  /** The columns on the screen. */
  readonly columns: readonly GridColumn[];
  readonly described: readonly Column[];
  /** All columns of the table. */
  readonly writable: readonly WritableColumn[];
  readonly rowAt: (index: number) => EditableRow;
  /** A cell is read before it is changed: a change names the old value, and a placeholder has none. */
  readonly whole: WithWhole;
  /** Reads rows as the database returns them. */
  readonly withDocuments: WithDocuments;
  /** After rows were added above all others. @param last - the place of the newest of them, as soon as it is on the screen */
  readonly onInserted: (last: number) => void;
}

/** A person's actions on the cells and rows of a grid. Each call is one step of undo; the status bar says why an action is impossible. */
export interface CellCommands {
  /** Why a cell cannot be edited, or nothing. */
  readonly refusal: (position: CellPosition) => string | undefined;
  /** Stages a value for a cell that was found editable when its editor opened. @returns why it is not staged, which the status bar says, too */
  readonly stageCell: (row: EditableRow, column: GridColumn, value: Cell) => Promise<string | undefined>;
  readonly insert: () => void;
  /** Rows like those, without their keys. */
  readonly duplicate: (rows: readonly EditableRow[]) => void;
  /** Stages the deletion of rows; takes it back where all of them are staged to be deleted. New rows go. */
  readonly toggleDelete: (rows: readonly EditableRow[]) => void;
  /** The same value for several cells. Says how many of them cannot have it. */
  readonly setAll: (rows: readonly EditableRow[], columns: readonly number[], value: Cell) => void;
  /** How the host names a row; undefined while it is being read. */
  readonly editedRow: (row: EditableRow) => EditedRow | undefined;
  readonly revertCell: (position: CellPosition) => void;
  readonly revertRows: (rows: readonly EditableRow[]) => void;
}

export function cellCommands({
  stage,
  overlay,
  columns,
  described,
  writable,
  rowAt,
  whole,
  withDocuments,
  onInserted,
}: EditedCells): CellCommands {
  const { ability } = stage;

  const refusalIn = ({ staged, row }: EditableRow, place: number): string | undefined => {
    const column = columns[place];
    if (ability?.allowed === false) return strings.editing.readOnly(ability.reason);
    if (row === undefined || column === undefined || ability === undefined) return strings.editing.notLoaded;
    if (staged?.kind === 'delete') return strings.editing.rowIsDeleted;
    if (staged?.sending === true || stage.state?.saving === true) return strings.editing.rowIsSending;
    const noValue = staged?.kind === 'insert' ? noValueText(column) : undefined;
    if (noValue !== undefined) return noValue;
    // A new row takes a value in its key, and not in what the database computes.
    if (staged?.kind === 'insert' && column.isKey) return undefined;
    const editable = described.find(({ name }) => name === column.name)?.editable;
    return editable?.allowed === false ? strings.editing.readOnly(editable.reason) : undefined;
  };
  const refusal = ({ row, column }: CellPosition): string | undefined => refusalIn(rowAt(row), column);

  const editedRow = ({ base, staged }: EditableRow): EditedRow | undefined => {
    if (staged?.kind === 'insert') return { inserted: staged.id };
    const key = base === undefined ? undefined : overlay.keyOf(base);
    return key === undefined ? undefined : { key: [...key] };
  };

  const seen = ({ base }: EditableRow) => (base === undefined ? {} : { seen: seenRow(base, writable) });
  const seenWhole = ({ base }: EditableRow) =>
    base !== undefined && isWhole(base, [...base.keys()]) && writable.length === described.length ? { seenWhole: true } : {};
  const keepsSeen = (rows: readonly EditableRow[]): boolean => rows.length * writable.length <= MOST_SEEN_CELLS;

  const editOf = (
    at: EditableRow,
    column: GridColumn | undefined,
    value: Cell,
    isFirst: boolean,
  ): Extract<Edit, { kind: 'update' }> | undefined => {
    const row = editedRow(at);
    if (column === undefined || row === undefined) return undefined;
    const original = originalOf(at, column.name, column.source);
    const cell = { column: column.name, value, ...(original === undefined ? {} : { original }) };
    return { kind: 'update', row, cells: [cell], ...(isFirst ? seen(at) : {}) };
  };

  const sources = (places: readonly number[]): number[] => places.flatMap((place) => columns[place]?.source ?? []);

  const stageCell = async (
    row: EditableRow,
    column: GridColumn,
    value: Cell,
    also = insertedPlaces(writable),
  ): Promise<string | undefined> => {
    let rejected: string | undefined;
    const onRejected = (reason: string): void => {
      rejected = reason;
      refuse(reason);
    };
    let staged: Promise<unknown> | undefined;
    const run = (rows: readonly EditableRow[]): void => {
      const edits = rows.flatMap((at) => editOf(at, column, value, true) ?? []);
      if (edits.length > 0) staged = stage.stage(edits, { onRejected });
      else onRejected(strings.editing.notLoaded);
    };
    if (!(await whole([row], [column.source], run, also))) return strings.editing.notRead;
    await staged;
    return rejected;
  };

  const insertRows = (edits: readonly Edit[]): void => {
    if (ability?.allowed !== true) {
      refuse(ability === undefined ? strings.editing.notLoaded : strings.editing.readOnly(ability.reason));
      return;
    }
    if (edits.length === 0) return;
    void stage.stage(edits).then((change) => (change === undefined ? undefined : onInserted(change.state.inserts - 1)));
  };

  const discard = (rows: readonly EditableRow[]): void => {
    const ids = rows.flatMap(({ staged }) => staged?.id ?? []);
    // Without ids everything would be discarded.
    if (ids.length > 0) void stage.discard(ids);
  };

  return {
    refusal,
    editedRow,
    stageCell,
    insert: () => insertRows([{ kind: 'insert', values: [] }]),
    duplicate: (rows) => {
      const copied = writable.flatMap((column) => (isDuplicated(column) ? [column.source] : []));
      withDocuments(rows, (documents) => {
        // The documents have every value.
        const read = documents === undefined ? copied : [];
        void whole(rows, read, (all) => insertRows(duplicates(all, writable, documents)));
      });
    },
    toggleDelete: (rows) => {
      if (rows.every(({ staged }) => staged?.kind === 'delete')) {
        discard(rows);
        return;
      }
      if (ability?.allowed !== true) {
        refuse(ability?.allowed === false ? strings.editing.readOnly(ability.reason) : strings.editing.notLoaded);
        return;
      }
      const stageDeletion = (all: readonly EditableRow[]): void => {
        const edits = all.flatMap((at): Edit[] => {
          const row = at.staged?.kind === 'delete' ? undefined : editedRow(at);
          return row === undefined ? [] : [{ kind: 'delete', row, ...(keepsSeen(all) ? { ...seen(at), ...seenWhole(at) } : {}) }];
        });
        if (edits.length === 0) refuse(strings.editing.notLoaded);
        else void stage.stage(edits);
      };
      // Before they are deleted, rows are compared with what was seen of them. Of many rows long values are left out.
      if (rows.length > MOST_READ_WHOLE) stageDeletion(rows);
      else {
        void whole(
          rows,
          writable.map(({ source }) => source),
          stageDeletion,
        );
      }
    },
    revertCell: (position) => {
      const at = rowAt(position.row);
      const column = columns[position.column];
      if (column === undefined) return;
      const known = at.staged?.cells.find((cell) => cell.column === column.name)?.original;
      if (known !== undefined || at.staged?.kind === 'insert') void stageCell(at, column, known ?? ABSENT, []);
      else {
        // The merged row has the change; the server's values are in the row below it.
        void whole(
          [{ ...at, staged: undefined, row: at.base }],
          [column.source],
          ([read]) => void stageCell(at, column, wholeCell(read?.base?.[column.source] ?? null), []),
        );
      }
    },
    revertRows: discard,
    setAll: (rows, places, value) => {
      const run = (all: readonly EditableRow[]): void => {
        const wanted = all.flatMap((at) => places.map((place) => ({ at, place, reason: refusalIn(at, place) })));
        const edits = wanted.flatMap(({ at, place, reason }) =>
          reason === undefined ? (editOf(at, columns[place], value, keepsSeen(all) && place === places[0]) ?? []) : [],
        );
        if (edits.length > 0) void stage.stage(edits);
        const reason = wanted.find((one) => one.reason !== undefined)?.reason;
        if (reason !== undefined)
          notify({ tone: 'warning', text: strings.editing.leftOut(wanted.length - edits.length, reason) });
      };
      void whole(rows, sources(places), run, insertedPlaces(writable));
    },
  };
}
