import { isUnread } from '@tabularium/sdk';
import type { Cell } from '@tabularium/sdk';
import type { EditableRow } from '../grid/model/editableRow.ts';
import type { GridColumn } from '../grid/model/gridColumns.ts';
import type { CellPosition } from '../grid/model/navigation.ts';
import { wholeCell } from '../grid/model/wholeRows.ts';
import type { WithWhole } from '../grid/model/withWhole.ts';
import { notify } from '../state/notify.ts';
import type { CellCommands } from './cellCommands.ts';
import { openDraft, outcomeOf, typedInto } from './cellDraft.ts';
import type { CellDraft, DraftedCell } from './cellDraft.ts';
import { refuse } from './cellRefusal.ts';
import { readingText } from './readingText.ts';

/** Where the active cell goes when an editor closes. */
export type Direction = 'down' | 'left' | 'right';

/** A cell that is being edited. */
export interface CellEditing extends Pick<CellDraft, 'text' | 'hasValue' | 'returns'> {
  /** The cell's place now. */
  readonly position: CellPosition;
  /** Why the text cannot be staged. */
  readonly fault: string | undefined;
  /** How the text is read, where a person may mean another number. */
  readonly reading: string | undefined;
  readonly change: (text: string) => void;
  /**
   * Stages the text and moves to the next cell; stays open where the text can't be staged.
   *
   * @param then - without a direction the active cell stays
   * @param chosen - a text in the place of what is typed
   */
  readonly commit: (then: Direction | undefined, chosen?: string) => void;
  readonly cancel: () => void;
  /** The focus went elsewhere: what is valid is staged. A text that isn't stays where it is, with the reason. */
  readonly leave: (chosen?: string) => void;
}

export interface CellEditingState {
  /** The editor that is open, and those whose text can't be staged: each stays in its own cell. */
  readonly editors: readonly CellEditing[];
  /** Opens the editor, or returns to the one that the cell has; says why not in the status bar. */
  readonly begin: (position: CellPosition, typed?: string) => void;
  /** Takes back the text of a cell that can't be staged. @returns whether there was one */
  readonly abandon: (position: CellPosition) => boolean;
}

interface Options {
  /** Each of another cell. */
  readonly drafts: readonly CellDraft[];
  /** Puts a draft in the place of the one of its cell, or takes it away. */
  readonly setDraft: (cell: DraftedCell, draft: CellDraft | undefined) => void;
  /** The draft that was committed or cancelled. Its editor loses the focus before it is gone, and that must not stage it. */
  readonly closed: { current: CellDraft | undefined };
  readonly commands: Pick<CellCommands, 'refusal' | 'stageCell'>;
  readonly columns: readonly GridColumn[];
  readonly rowAt: (index: number) => EditableRow;
  /** A row's place now, if it is here. @param near - its place before */
  readonly placeOf: (row: EditableRow, near: number) => number | undefined;
  /** A value that was not read is read before its editor opens. */
  readonly whole: WithWhole;
  /** After the editor closed; without a direction the active cell stays. */
  readonly onClosed: (from: CellPosition, direction: Direction | undefined) => void;
  /** The text of a closed editor was not staged. */
  readonly onRejected: (draft: CellDraft) => void;
}

/**
 * Editing the cells of a grid. One editor has the focus; a text that can't be staged stays in the editor of its own cell meanwhile, so nothing that is
 * typed for one cell ever gets into another.
 */
export function cellEditing({
  drafts,
  setDraft,
  closed,
  commands,
  columns,
  rowAt,
  placeOf,
  whole,
  onClosed,
  onRejected,
}: Options): CellEditingState {
  const positionOf = ({ cell }: CellDraft): CellPosition | undefined => {
    const place = columns.findIndex(({ name }) => name === cell.column.name);
    const row = place === -1 ? undefined : placeOf(cell.row, cell.position.row);
    return row === undefined ? undefined : { row, column: place };
  };
  const draftAt = ({ row, column }: CellPosition): CellDraft | undefined =>
    drafts.find((draft) => {
      const position = positionOf(draft);
      return position?.row === row && position.column === column;
    });

  const begin = (position: CellPosition, typed?: string): void => {
    const there = draftAt(position);
    if (there !== undefined) {
      const returns = (there.returns ?? 0) + 1;
      // As on any other cell, what is typed on it takes the place of its text.
      setDraft(there.cell, typed === undefined ? { ...there, returns } : { ...typedInto(there, typed), replaces: true, returns });
      return;
    }
    const reason = commands.refusal(position);
    if (reason !== undefined) {
      refuse(reason);
      return;
    }
    const row = rowAt(position.row);
    const column = columns[position.column];
    if (column === undefined) return;
    const open = (at: EditableRow, value: Cell): void => {
      const cell = { row: at, column, position };
      setDraft(cell, openDraft(cell, value, typed));
    };
    const value = row.row?.[column.source] ?? null;
    if (!isUnread(value)) open(row, value);
    // A typed letter replaces the value, so it isn't read first.
    else if (typed !== undefined) open(row, null);
    else void whole([row], [column.source], ([at = row]) => open(at, wholeCell(at.row?.[column.source] ?? null)));
  };

  const editingOf = (draft: CellDraft): CellEditing | undefined => {
    const { cell, text, hasValue, returns, fault } = draft;
    const now = positionOf(draft);
    // The cell went while its value was being read. A text that somebody typed stays where it is, and is staged for its own row.
    if (now === undefined && text === draft.initial) return undefined;
    const position = now ?? cell.position;
    const set = (next: CellDraft | undefined): void => setDraft(cell, next);

    /** Stages the text where it changed. @returns why it cannot be staged */
    const finish = (typed = draft, isChosen = false): string | undefined => {
      const outcome = outcomeOf(typed, isChosen);
      if (outcome.is === 'value') {
        void commands.stageCell(cell.row, cell.column, outcome.value).then((reason) => {
          if (reason !== undefined) onRejected({ ...typed, fault: reason });
        });
      }
      return outcome.is === 'fault' ? outcome.fault : undefined;
    };
    const close = (direction: Direction | undefined): void => {
      closed.current = draft;
      set(undefined);
      onClosed(position, direction);
    };
    return {
      position,
      text,
      hasValue,
      ...(returns === undefined ? {} : { returns }),
      fault,
      reading: text === draft.initial ? undefined : readingText(text, cell.column.kind),
      change: (next) => set(typedInto(draft, next)),
      commit: (direction, chosen) => {
        const typed = chosen === undefined ? draft : typedInto(draft, chosen);
        const wrong = finish(typed, chosen !== undefined);
        if (wrong === undefined) close(direction);
        else set({ ...typed, fault: wrong });
      },
      cancel: () => close(undefined),
      leave: (chosen) => {
        if (closed.current === draft) return;
        const typed = chosen === undefined ? draft : typedInto(draft, chosen);
        const wrong = finish(typed, chosen !== undefined);
        if (wrong === undefined) set(undefined);
        else if (fault === undefined) {
          notify({ tone: 'warning', text: wrong });
          set({ ...typed, fault: wrong });
        }
      },
    };
  };

  return {
    editors: drafts.flatMap((draft) => editingOf(draft) ?? []),
    begin,
    abandon: (position) => {
      const there = draftAt(position);
      if (there !== undefined) setDraft(there.cell, undefined);
      return there !== undefined;
    },
  };
}
