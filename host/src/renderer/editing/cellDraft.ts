import { isAbsent } from '@tabularium/sdk';
import type { Cell } from '@tabularium/sdk';
import type { EditableRow } from '../grid/model/editableRow.ts';
import type { GridColumn } from '../grid/model/gridColumns.ts';
import type { CellPosition } from '../grid/model/navigation.ts';
import { editFaultIn, emptyFault } from './editFault.ts';
import { editText, valueOf } from './editValue.ts';

/** The cell that a draft is for. Rows may come and go while its editor is open, so it is a row and a column, not a place on the screen. */
export interface DraftedCell {
  readonly row: EditableRow;
  readonly column: GridColumn;
  /** Its place when the editor opened. */
  readonly position: CellPosition;
}

/** The text of a cell while it is edited. */
export interface CellDraft {
  readonly cell: DraftedCell;
  /** As the editor opened: a text that is the same again changes nothing. */
  readonly initial: string;
  readonly text: string;
  /** Whether the cell has neither null nor nothing. */
  readonly hasValue: boolean;
  /** Whether typing began it, so that the text of the cell is replaced. */
  readonly replaces: boolean;
  /** Why the text cannot be staged; gone with the next letter. */
  readonly fault?: string;
  /** How often its editor got the focus again. */
  readonly returns?: number;
}

/** @param typed - the letter that opened the editor, where one did */
export function openDraft(cell: DraftedCell, value: Cell, typed?: string): CellDraft {
  const initial = editText(value, cell.column.kind);
  return { cell, initial, text: typed ?? initial, hasValue: value !== null && !isAbsent(value), replaces: typed !== undefined };
}

export function typedInto({ fault: _, ...draft }: CellDraft, text: string): CellDraft {
  return { ...draft, text };
}

/** Whether it has a text that is nowhere else. */
export function isTyped({ text, initial, replaces }: CellDraft): boolean {
  return replaces || text !== initial;
}

/** The result of an editor when it closes. */
export type DraftOutcome =
  | { readonly is: 'unchanged' }
  | { readonly is: 'value'; readonly value: Cell }
  | { readonly is: 'fault'; readonly fault: string };

/** @param isChosen - whether the text was chosen from a list: an empty label is a value where the cell has none */
export function outcomeOf({ text, initial, hasValue, cell }: CellDraft, isChosen = false): DraftOutcome {
  if (text === initial && (hasValue || !isChosen)) return { is: 'unchanged' };
  const empty = isChosen ? undefined : emptyFault(text, cell.column);
  if (empty !== undefined) return { is: 'fault', fault: empty };
  const edited = valueOf(text, cell.column);
  return edited.ok ? { is: 'value', value: edited.value } : { is: 'fault', fault: editFaultIn(edited.fault, text, cell.column) };
}
