import { useLayoutEffect, useRef } from 'react';
import type { RefObject } from 'react';
import type { CellEditing } from './cellEditing.ts';

/** The field of an editor, which has the focus when the editor opens and whenever a person returns to it. */
export function useEditorFocus<Field extends HTMLInputElement | HTMLTextAreaElement>({
  fault,
  returns,
}: Pick<CellEditing, 'fault' | 'returns'>): RefObject<Field | null> {
  const field = useRef<Field>(null);
  // An editor that comes back with a text that can't be staged has not been asked for: what is typed now is meant for another cell.
  const seen = useRef(fault === undefined ? undefined : (returns ?? 0));
  useLayoutEffect(() => {
    const element = field.current;
    if (element === null || seen.current === (returns ?? 0)) return;
    seen.current = undefined;
    element.focus({ preventScroll: true });
    // Typing adds to the value. Another value in its place is typed on the cell.
    element.setSelectionRange(element.value.length, element.value.length);
  }, [returns]);
  return field;
}
