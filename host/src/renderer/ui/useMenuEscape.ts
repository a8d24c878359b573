import { useWindowEvent } from '@mantine/hooks';

/**
 * Closes a menu on an Escape that comes before the menu has the focus, a moment after it opened: whatever has the focus until then would take the
 * key for itself. With the focus in a menu, the kit's own handler closes it, and a submenu before its menu.
 */
export function useMenuEscape(onClose: () => void): void {
  useWindowEvent(
    'keydown',
    (event) => {
      if (event.key !== 'Escape' || event.isComposing) return;
      if (event.target instanceof Element && event.target.closest('[role="menu"]') !== null) return;
      event.preventDefault();
      event.stopPropagation();
      onClose();
    },
    { capture: true },
  );
}
