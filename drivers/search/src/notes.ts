import type { DriverText, DriverTextList } from '@tabularium/sdk';

/** A note with the place of its translations. */
export interface Note {
  readonly text: string;
  readonly translation: DriverText;
}

/** Notes as the contract has them. */
export function listOfNotes(notes: readonly Note[]): { readonly notes: readonly string[]; readonly noteTexts: DriverTextList } {
  return { notes: notes.map(({ text }) => text), noteTexts: notes.map(({ translation }) => translation) };
}
