import { useEffect, useEffectEvent } from 'react';
import { isFreeEscape } from '../../ui/useEscape.ts';

const LAYER = '[role="dialog"], dialog[open], [role="menu"], [role="listbox"]';

/** Calls back for an Escape that no other part of the window takes: no layer is open, and whatever has the focus does nothing with the key. */
export function useFreeEscape(onEscape: () => void): void {
  const escape = useEffectEvent(onEscape);
  useEffect(() => {
    // A layer that the key closes is gone when the key arrives here at last.
    let hadLayer = false;
    const before = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') hadLayer = document.querySelector(LAYER) !== null;
    };
    const after = (event: KeyboardEvent): void => {
      if (isFreeEscape(event) && !event.defaultPrevented && !hadLayer) escape();
    };
    window.addEventListener('keydown', before, { capture: true });
    window.addEventListener('keydown', after);
    return () => {
      window.removeEventListener('keydown', before, { capture: true });
      window.removeEventListener('keydown', after);
    };
  }, []);
}
