import { useEffect, useRef } from 'react';
import type { EditState } from '../../common/editing.ts';
import type { SaveState } from './saveState.ts';

/** Less than any count of saved rows. */
const NONE = -1;

/**
 * Calls back when rows were saved that this window did not save: by another window, or by this one before it was loaded again. Its grid would else
 * show their old values, as if the save had been lost.
 *
 * @param run - the save of this window, whose rows it reads again itself
 */
export function useSavedElsewhere(state: EditState | undefined, run: SaveState | undefined, onSaved: () => void): void {
  /** Rows that were saved and that the grid has: those at the beginning, and this window's own. */
  const seen = useRef<number>(undefined);
  const ownSeen = useRef(0);
  const own = run === undefined ? 0 : [...run.outcomes.values()].filter(({ outcome }) => outcome === 'saved').length;
  const savedRows = state?.savedRows;
  const isSaving = state?.saving === true || run?.isRunning === true;

  useEffect(() => {
    // A save that is forgotten counts from nothing again.
    const more = own < ownSeen.current ? own : own - ownSeen.current;
    ownSeen.current = own;
    if (seen.current !== undefined) seen.current += more;
  }, [own]);

  useEffect(() => {
    if (savedRows === undefined) return;
    // Of a save that was running when the window was loaded, some rows may have been read before they were saved.
    seen.current ??= isSaving ? NONE : savedRows;
    if (isSaving || savedRows === seen.current) return;
    // A host that was started again counts from nothing.
    const areOthers = savedRows > seen.current;
    seen.current = savedRows;
    if (areOthers) onSaved();
  }, [savedRows, isSaving, onSaved]);
}
