import { useWindowEvent } from '@mantine/hooks';

/**
 * Closes a dialog on Escape, for use with `closeOnEscape={false}`, unless another dialog lies above it. A dialog's own handler would be the first
 * to see the key, and close what lies below the one that is meant. What is in progress within a dialog and is cancelled by Escape has `data-takes-escape`.
 */
export function useEscape(onClose: () => void): void {
  useWindowEvent(
    'keydown',
    (event) => {
      const isTaken = event.target instanceof Element && event.target.getAttribute('data-mantine-stop-propagation') === 'true';
      if (event.key !== 'Escape' || event.isComposing || isTaken) return;
      if (document.querySelector('[data-takes-escape]') !== null) return;
      if (document.querySelectorAll('[role="dialog"]').length === 1) onClose();
    },
    { capture: true },
  );
}
