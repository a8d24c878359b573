import { ABSENT } from '@tabularium/sdk';
import type { Cell, Column } from '@tabularium/sdk';
import { useRef, useState } from 'react';
import type { Edit, EditedRow } from '../../common/editing.ts';
import type { GridColumn } from '../grid/model/gridColumns.ts';
import type { CellPosition } from '../grid/model/navigation.ts';
import { strings } from '../i18n/index.ts';
import { notify } from '../state/notify.ts';
import { editText, valueOf } from './editValue.ts';
import { duplicateOf } from './pastePlan.ts';
import type { PasteColumn } from './pastePlan.ts';
import type { StagedOverlay } from './stagedRows.ts';
import type { Stage } from './useStage.ts';
import type { EditableRow } from '../grid/model/editableRow.ts';

export type Direction = 'down' | 'left' | 'right';

/** A cell that is being edited. */
export interface CellEditing {
  readonly position: CellPosition;
  readonly text: string;
  /** Whether typing began it, so that what was there is replaced. */
  readonly replaces: boolean;
  /** What is wrong with the text. */
  readonly fault: string | undefined;
  readonly change: (text: string) => void;
  readonly commit: (then: Direction) => void;
  readonly cancel: () => void;
  /** The focus went elsewhere: what is valid is staged. */
  readonly leave: () => void;
}

interface Options {
  readonly stage: Stage;
  readonly overlay: StagedOverlay;
  readonly columns: readonly GridColumn[];
  readonly described: readonly Column[];
  /** All columns of the table, with what may be written into them. */
  readonly pasteColumns: readonly (PasteColumn & { readonly isKey: boolean })[];
  readonly rowAt: (index: number) => EditableRow;
  readonly onMove: (from: CellPosition, direction: Direction | undefined) => void;
  /** After rows were added above all others. */
  readonly onInserted: (rows: number) => void;
}

export interface CellCommands {
  readonly editing: CellEditing | undefined;
  /** Why a cell cannot be edited, or nothing. */
  readonly refusal: (position: CellPosition) => string | undefined;
  /** Opens the editor; says why not in the status bar. */
  readonly begin: (position: CellPosition, typed?: string) => void;
  readonly set: (position: CellPosition, value: Cell) => void;
  readonly insert: () => void;
  /** Rows like those, without their keys. */
  readonly duplicate: (rows: readonly EditableRow[]) => void;
  /** Stages the deletion of rows; takes it back where all of them are staged to be deleted. New rows go. */
  readonly toggleDelete: (rows: readonly EditableRow[]) => void;
  /** The same value for several cells, as one step. Says how many of them cannot have it. */
  readonly setAll: (rows: readonly EditableRow[], columns: readonly number[], value: Cell) => void;
  /** How the host names a row; undefined while it is being read. */
  readonly editedRow: (row: EditableRow) => EditedRow | undefined;
  readonly revertCell: (position: CellPosition) => void;
  readonly revertRows: (rows: readonly EditableRow[]) => void;
}

interface Draft {
  readonly position: CellPosition;
  readonly initial: string;
  readonly text: string;
  readonly replaces: boolean;
  readonly fault?: string;
}

/** What a person does to the cells of one grid. */
export function useCellEditing({
  stage,
  overlay,
  columns,
  described,
  pasteColumns,
  rowAt,
  onMove,
  onInserted,
}: Options): CellCommands {
  const [draft, setDraft] = useState<Draft>();
  /** The draft that was committed or cancelled. Its editor loses the focus before it is gone, which is no leaving. */
  const closed = useRef<Draft>(undefined);
  const { ability } = stage;

  const refusalOf = ({ staged, row }: EditableRow, place: number): string | undefined => {
    const column = columns[place];
    if (ability?.allowed === false) return strings.editing.readOnly(ability.reason);
    if (row === undefined || column === undefined || ability === undefined) return strings.editing.notLoaded;
    if (staged?.kind === 'delete') return strings.editing.rowIsDeleted;
    if (staged?.sending === true || stage.state?.saving === true) return strings.editing.rowIsSending;
    if (staged?.kind === 'insert') return undefined;
    const editable = described.find(({ name }) => name === column.name)?.editable;
    return editable?.allowed === false ? strings.editing.readOnly(editable.reason) : undefined;
  };

  const refusal = ({ row, column }: CellPosition): string | undefined => refusalOf(rowAt(row), column);

  const editedRow = ({ base, staged }: EditableRow): EditedRow | undefined => {
    if (staged?.kind === 'insert') return { inserted: staged.id };
    const key = base === undefined ? undefined : overlay.keyOf(base);
    return key === undefined ? undefined : { key: [...key] };
  };

  const refuse = (reason: string): void => notify({ tone: 'warning', text: reason });

  const editOf = (at: EditableRow, place: number, value: Cell): Edit | undefined => {
    const column = columns[place];
    const row = editedRow(at);
    if (column === undefined || row === undefined) return undefined;
    const original = at.base?.[column.source];
    return { kind: 'update', row, cells: [{ column: column.name, value, ...(original === undefined ? {} : { original }) }] };
  };

  const setCell = (position: CellPosition, value: Cell): void => {
    const edit = editOf(rowAt(position.row), position.column, value);
    if (edit !== undefined) void stage.stage([edit]);
  };

  const set = (position: CellPosition, value: Cell): void => {
    const reason = refusal(position);
    if (reason === undefined) setCell(position, value);
    else refuse(reason);
  };

  const begin = (position: CellPosition, typed?: string): void => {
    const reason = refusal(position);
    if (reason !== undefined) {
      refuse(reason);
      return;
    }
    const kind = columns[position.column]?.kind ?? 'text';
    const initial = editText(rowAt(position.row).row?.[columns[position.column]?.source ?? -1] ?? null, kind);
    setDraft({ position, initial, text: typed ?? initial, replaces: typed !== undefined });
  };

  /** Whether the editor may close. */
  const finish = (now: Draft): string | undefined => {
    if (now.text === now.initial) return undefined;
    const edited = valueOf(now.text, columns[now.position.column]?.kind ?? 'text');
    if (!edited.ok) return strings.editing.faults[edited.kind];
    setCell(now.position, edited.value);
    return undefined;
  };

  const close = (now: Draft, direction: Direction | undefined): void => {
    closed.current = now;
    setDraft(undefined);
    onMove(now.position, direction);
  };

  const editing: CellEditing | undefined =
    draft === undefined
      ? undefined
      : {
          position: draft.position,
          text: draft.text,
          replaces: draft.replaces,
          fault: draft.fault,
          change: (text) => setDraft({ position: draft.position, initial: draft.initial, text, replaces: draft.replaces }),
          commit: (direction) => {
            const fault = finish(draft);
            if (fault === undefined) close(draft, direction);
            else setDraft({ ...draft, fault });
          },
          cancel: () => close(draft, undefined),
          leave: () => {
            if (closed.current === draft) return;
            const fault = finish(draft);
            if (fault !== undefined) refuse(fault);
            setDraft(undefined);
          },
        };

  const insertRows = (edits: readonly Edit[]): void => {
    if (ability?.allowed !== true) {
      refuse(ability === undefined ? strings.editing.notLoaded : strings.editing.readOnly(ability.reason));
      return;
    }
    if (edits.length === 0) return;
    void stage.stage(edits).then((change) => (change === undefined ? undefined : onInserted(edits.length)));
  };

  return {
    editing,
    refusal,
    begin,
    set,
    insert: () => insertRows([{ kind: 'insert', values: [] }]),
    duplicate: (rows) =>
      insertRows(rows.flatMap(({ row }): Edit[] => (row === undefined ? [] : [duplicateOf(row, pasteColumns)]))),
    toggleDelete: (rows) => {
      if (rows.every(({ staged }) => staged?.kind === 'delete')) {
        stage.discard(rows.flatMap(({ staged }) => staged?.id ?? []));
        return;
      }
      const edits = rows.flatMap((at): Edit[] => {
        const row = at.staged?.kind === 'delete' ? undefined : editedRow(at);
        return row === undefined ? [] : [{ kind: 'delete', row }];
      });
      if (ability?.allowed !== true || edits.length === 0) {
        refuse(ability?.allowed === false ? strings.editing.readOnly(ability.reason) : strings.editing.notLoaded);
        return;
      }
      void stage.stage(edits);
    },
    revertCell: (position) => {
      const at = rowAt(position.row);
      const column = columns[position.column];
      const original =
        at.staged?.cells.find((cell) => cell.column === column?.name)?.original ??
        (column === undefined ? undefined : at.base?.[column.source]);
      setCell(position, at.staged?.kind === 'insert' ? ABSENT : (original ?? null));
    },
    revertRows: (rows) => {
      const ids = rows.flatMap(({ staged }) => staged?.id ?? []);
      if (ids.length > 0) stage.discard(ids);
    },
    setAll: (rows, places, value) => {
      const wanted = rows.flatMap((at) => places.map((place) => ({ at, place, reason: refusalOf(at, place) })));
      const edits = wanted.flatMap(({ at, place, reason }) => (reason === undefined ? (editOf(at, place, value) ?? []) : []));
      if (edits.length > 0) void stage.stage(edits);
      const reason = wanted.find((one) => one.reason !== undefined)?.reason;
      if (reason !== undefined) refuse(strings.editing.leftOut(wanted.length - edits.length, reason));
    },
    editedRow,
  };
}
