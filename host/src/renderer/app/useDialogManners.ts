import { useWindowEvent } from '@mantine/hooks';
import { useRef } from 'react';
import { uppermostModal } from './useLostFocus.ts';

const LAYER = '.mantine-Modal-root';
const DIALOG = '[role="dialog"][aria-modal="true"]';

/**
 * Rules of every dialog of the window, whichever part opens it:
 *
 * - The second click of a double click answers nothing that the first one has opened: it would close a form, or press a button that was not read.
 *   Nor does its press take the focus from the field that has it.
 * - Enter that is held down presses nothing in a dialog.
 * - Tab leads into the uppermost dialog when the focus is behind it, such as where the button that was to have the focus was disabled.
 */
export function useDialogManners(): void {
  const there = useRef<ReadonlySet<Element>>(new Set());
  const isOfSecondClick = (event: MouseEvent): boolean => {
    const layer = event.target instanceof Element ? event.target.closest(LAYER) : null;
    return event.detail > 1 && layer !== null && !there.current.has(layer);
  };
  useWindowEvent(
    'mousedown',
    (event) => {
      if (isOfSecondClick(event)) event.preventDefault();
    },
    { capture: true },
  );
  useWindowEvent(
    'click',
    (event) => {
      if (isOfSecondClick(event)) stop(event);
      else there.current = new Set(document.querySelectorAll(LAYER));
    },
    { capture: true },
  );
  useWindowEvent(
    'keydown',
    (event) => {
      if (event.key === 'Enter' && event.repeat && isInDialogAndPresses(event.target)) stop(event);
      if (event.key !== 'Tab' || event.ctrlKey || event.altKey || event.metaKey) return;
      const dialog = uppermostModal();
      if (dialog === undefined) return;
      stop(event);
      dialog.focus();
    },
    { capture: true },
  );
}

function isInDialogAndPresses(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement) || target.closest(DIALOG) === null) return false;
  return !(target instanceof HTMLTextAreaElement) && !target.isContentEditable;
}

function stop(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}
