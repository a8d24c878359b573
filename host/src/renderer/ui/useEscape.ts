import { useWindowEvent } from '@mantine/hooks';

/** Whether a key is an Escape that belongs to no open list, no composed character and no field that discards its draft on it. */
export function isFreeEscape({ key, isComposing, target }: KeyboardEvent): boolean {
  const isTaken = target instanceof Element && target.getAttribute('data-mantine-stop-propagation') === 'true';
  return key === 'Escape' && !isComposing && !isTaken;
}

/**
 * Closes a dialog on Escape, for use with `closeOnEscape={false}`, unless another dialog lies above it. A dialog's own handler would be the first
 * to see the key, and close what lies below the one that is meant. What is in progress within a dialog and is cancelled by Escape has `data-takes-escape`.
 */
export function useEscape(onClose: () => void): void {
  useWindowEvent(
    'keydown',
    (event) => {
      if (!isFreeEscape(event)) return;
      if (document.querySelector('[role="dialog"] [data-takes-escape]') !== null) return;
      if (document.querySelectorAll('[role="dialog"]').length === 1) onClose();
    },
    { capture: true },
  );
}
