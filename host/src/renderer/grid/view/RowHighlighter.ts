import { isMultiple, selectedInRow } from '../model/selection.ts';
import type { SelectionState } from '../model/gridSelection.ts';
import type { FoundCells } from './gridProps.ts';

/** Which cells of a row look different: active, selected, found. */
export interface RowHighlights {
  /** The active cell's column, in the active row only. */
  readonly activeColumn: number | undefined;
  /** Where a range that is being extended ends, in that cell's row only. */
  readonly leadColumn: number | undefined;
  /** The selected columns, as `selectedInRow` writes them. */
  readonly selected: string | undefined;
  /** The columns in which what was looked for was found, in the same form, and the match that was gone to. */
  readonly found: string | undefined;
  readonly foundNow: number | undefined;
}

const PLAIN: RowHighlights = {
  activeColumn: undefined,
  leadColumn: undefined,
  selected: undefined,
  found: undefined,
  foundNow: undefined,
};
/** Rows look alike in few ways at a time; what is left of earlier selections goes. */
const MOST_CACHED = 500;

/** Rows that look the same have the same object, so that a row renders only when it looks different. */
export class RowHighlighter {
  readonly #cache = new Map<string, RowHighlights>();

  /** How rows look for what is selected and found now, by their index. */
  of({ active, selection }: SelectionState, { inRow, current }: FoundCells): (index: number) => RowHighlights {
    // One cell is marked as the active one; a selection that is only that cell needs no second mark.
    const several = selection !== undefined && isMultiple(selection) ? selection : undefined;
    const lead = several === undefined || several.lead === several.anchor ? undefined : several.lead;
    return (index) => {
      const activeColumn = active?.row === index ? active.column : undefined;
      const leadColumn = lead?.row === index ? lead.column : undefined;
      const selected = several === undefined ? undefined : selectedInRow(several.ranges, index);
      const found = inRow(index);
      const foundNow = current?.row === index ? current.column : undefined;
      // Nearly all rows are plain while a person scrolls: nothing is made for them. The match that was gone to is in a row with matches.
      if (activeColumn === undefined && leadColumn === undefined && selected === undefined && found === undefined) return PLAIN;
      return this.#same({ activeColumn, leadColumn, selected, found, foundNow });
    };
  }

  #same(highlights: RowHighlights): RowHighlights {
    const { activeColumn, leadColumn, selected, found, foundNow } = highlights;
    const key = `${activeColumn} ${leadColumn} ${foundNow} ${selected}/${found}`;
    const known = this.#cache.get(key);
    if (known !== undefined) return known;
    if (this.#cache.size >= MOST_CACHED) this.#cache.clear();
    this.#cache.set(key, highlights);
    return highlights;
  }
}
