import { useWindowEvent } from '@mantine/hooks';
import { useRef } from 'react';

/**
 * The second click of a double click doesn't press what the first one has put in the place of its button: it would stop the test, search or
 * import that the first click has started.
 */
export function useSecondClicks(): void {
  const first = useRef<{ readonly place: Element | null; readonly text: string }>(undefined);
  useWindowEvent(
    'click',
    (event) => {
      // A click that a script or a key makes has no count.
      if (event.detail === 0) return;
      const button = event.target instanceof Element ? event.target.closest('button') : null;
      if (event.detail === 1) {
        first.current = button === null ? undefined : { place: button.parentElement, text: textOf(button) };
        return;
      }
      // In another place it may be the next of many, such as tabs that are closed one after the other.
      if (button === null || button.parentElement !== first.current?.place || textOf(button) === first.current.text) return;
      event.preventDefault();
      event.stopPropagation();
    },
    { capture: true },
  );
}

function textOf(button: Element): string {
  return `${button.textContent}|${button.getAttribute('aria-label') ?? ''}`;
}
