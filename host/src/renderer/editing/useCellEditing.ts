import { ABSENT } from '@tabularium/sdk';
import type { Cell, Column } from '@tabularium/sdk';
import { useState } from 'react';
import type { Edit, EditedRow, StagedRow } from '../../common/editing.ts';
import type { GridColumn } from '../grid/gridColumns.ts';
import type { CellPosition } from '../grid/navigation.ts';
import type { GridRow } from '../grid/pageCache.ts';
import { strings } from '../strings/index.ts';
import { notify } from '../workspace/activity.ts';
import { editText, valueOf } from './editValue.ts';
import type { StagedOverlay } from './stagedRows.ts';
import type { Stage } from './useStage.ts';

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

/** One row of the grid: as the server has it, and as it is staged. */
export interface EditableRow {
  readonly base: GridRow | undefined;
  readonly staged: StagedRow | undefined;
  readonly row: GridRow | undefined;
}

interface Options {
  readonly stage: Stage;
  readonly overlay: StagedOverlay;
  readonly columns: readonly GridColumn[];
  readonly described: readonly Column[];
  readonly rowAt: (index: number) => EditableRow;
  readonly onMove: (from: CellPosition, direction: Direction | undefined) => void;
  /** After rows were added above all others. */
  readonly onInserted: () => void;
}

export interface CellCommands {
  readonly editing: CellEditing | undefined;
  /** Why a cell cannot be edited, or nothing. */
  readonly refusal: (position: CellPosition) => string | undefined;
  /** Opens the editor; says why not in the status bar. */
  readonly begin: (position: CellPosition, typed?: string) => void;
  readonly set: (position: CellPosition, value: Cell) => void;
  readonly insert: () => void;
  readonly duplicate: (row: number) => void;
  /** Stages the deletion, or takes it back. */
  readonly toggleDelete: (row: number) => void;
  readonly revertCell: (position: CellPosition) => void;
  readonly revertRow: (row: number) => void;
}

interface Draft {
  readonly position: CellPosition;
  readonly initial: string;
  readonly text: string;
  readonly replaces: boolean;
  readonly fault?: string;
}

const words = strings.editing;

/** What a person does to the cells of one grid. */
export function useCellEditing({ stage, overlay, columns, described, rowAt, onMove, onInserted }: Options): CellCommands {
  const [draft, setDraft] = useState<Draft>();
  const { ability } = stage;

  const refusal = (position: CellPosition): string | undefined => {
    const column = columns[position.column];
    const { staged, row } = rowAt(position.row);
    if (ability?.allowed === false) return words.readOnly(ability.reason);
    if (row === undefined || column === undefined || ability === undefined) return words.notLoaded;
    if (staged?.kind === 'delete') return words.rowIsDeleted;
    if (staged?.sending === true || stage.state?.saving === true) return words.rowIsSending;
    if (staged?.kind === 'insert') return undefined;
    const editable = described.find(({ name }) => name === column.name)?.editable;
    return editable?.allowed === false ? words.readOnly(editable.reason) : undefined;
  };

  const editedRow = ({ base, staged }: EditableRow): EditedRow | undefined => {
    if (staged?.kind === 'insert') return { inserted: staged.id };
    const key = base === undefined ? undefined : overlay.keyOf(base);
    return key === undefined ? undefined : { key: [...key] };
  };

  const refuse = (reason: string): void => notify({ tone: 'warning', text: reason });

  const setCell = (position: CellPosition, value: Cell): void => {
    const column = columns[position.column];
    const at = rowAt(position.row);
    const row = editedRow(at);
    if (column === undefined || row === undefined) return;
    const original = at.base?.[position.column];
    void stage.stage([
      { kind: 'update', row, cells: [{ column: column.name, value, ...(original === undefined ? {} : { original }) }] },
    ]);
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
    const initial = editText(rowAt(position.row).row?.[position.column] ?? null, kind);
    setDraft({ position, initial, text: typed ?? initial, replaces: typed !== undefined });
  };

  /** Whether the editor may close. */
  const finish = (now: Draft): string | undefined => {
    if (now.text === now.initial) return undefined;
    const edited = valueOf(now.text, columns[now.position.column]?.kind ?? 'text');
    if (!edited.ok) return words.faults[edited.kind];
    setCell(now.position, edited.value);
    return undefined;
  };

  const close = (now: Draft, direction: Direction | undefined): void => {
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
            const fault = finish(draft);
            if (fault !== undefined) refuse(fault);
            setDraft(undefined);
          },
        };

  const insertRow = (values: readonly { column: string; value: Cell }[]): void => {
    if (ability?.allowed !== true) {
      refuse(ability === undefined ? words.notLoaded : words.readOnly(ability.reason));
      return;
    }
    const edit: Edit = { kind: 'insert', values: [...values] };
    void stage.stage([edit]).then((change) => (change === undefined ? undefined : onInserted()));
  };

  return {
    editing,
    refusal,
    begin,
    set,
    insert: () => insertRow([]),
    duplicate: (index) => {
      const { row } = rowAt(index);
      if (row === undefined) return;
      const values = columns.flatMap((column, place) => {
        const value = row[place] ?? null;
        const isAbsent = Array.isArray(value) && value[0] === ABSENT[0];
        // What the database fills in itself, or cannot take, is left to it.
        const isWritable = described.find(({ name }) => name === column.name)?.editable.allowed !== false;
        return column.isKey || isAbsent || !isWritable ? [] : [{ column: column.name, value }];
      });
      insertRow(values);
    },
    toggleDelete: (index) => {
      const at = rowAt(index);
      if (at.staged?.kind === 'delete') {
        stage.discard([at.staged.id]);
        return;
      }
      const row = editedRow(at);
      if (ability?.allowed !== true || row === undefined) {
        refuse(ability?.allowed === false ? words.readOnly(ability.reason) : words.notLoaded);
        return;
      }
      void stage.stage([{ kind: 'delete', row }]);
    },
    revertCell: (position) => {
      const at = rowAt(position.row);
      const column = columns[position.column];
      const original = at.staged?.cells.find((cell) => cell.column === column?.name)?.original ?? at.base?.[position.column];
      setCell(position, at.staged?.kind === 'insert' ? ABSENT : (original ?? null));
    },
    revertRow: (index) => {
      const { staged } = rowAt(index);
      if (staged !== undefined) stage.discard([staged.id]);
    },
  };
}
