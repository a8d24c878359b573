import type { Cell, ColumnKind } from '@tabularium/sdk';
import type { CellPosition } from '../grid/model/navigation.ts';
import { strings } from '../i18n/index.ts';
import { editText, valueOf } from './editValue.ts';

/** The text of a cell while it is edited. */
export interface CellDraft {
  readonly position: CellPosition;
  /** As the editor opened: a text that is the same again changes nothing. */
  readonly initial: string;
  readonly text: string;
  /** Whether typing began it, so that the text of the cell is replaced. */
  readonly replaces: boolean;
  /** Why the text cannot be staged; gone with the next letter. */
  readonly fault?: string;
}

/** @param typed - the letter that opened the editor, where one did */
export function openDraft(position: CellPosition, value: Cell, kind: ColumnKind, typed?: string): CellDraft {
  const initial = editText(value, kind);
  return { position, initial, text: typed ?? initial, replaces: typed !== undefined };
}

export function typedInto({ position, initial, replaces }: CellDraft, text: string): CellDraft {
  return { position, initial, text, replaces };
}

/** What an editor comes to when it closes. */
export type DraftOutcome =
  | { readonly is: 'unchanged' }
  | { readonly is: 'value'; readonly value: Cell }
  | { readonly is: 'fault'; readonly fault: string };

export function outcomeOf({ text, initial }: CellDraft, kind: ColumnKind): DraftOutcome {
  if (text === initial) return { is: 'unchanged' };
  const edited = valueOf(text, kind);
  return edited.ok ? { is: 'value', value: edited.value } : { is: 'fault', fault: strings.editing.faults[edited.kind] };
}
