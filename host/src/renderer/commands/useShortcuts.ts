import { useEffect } from 'react';
import { desktop } from '../state/desktop.ts';
import { onMac } from './keys.ts';
import { commandOf, runCommand } from './registry.ts';

const TYPED_IN = 'input, textarea, select, [contenteditable="true"]';

const DIALOG = '[role="dialog"][aria-modal="true"], dialog[open]';

/** Whether a dialog or a question is open. It keeps the window's commands away: one could open over it, or change what it is about. */
const hasDialog = (): boolean => document.querySelector(DIALOG) !== null;

/** A key that writes belongs to whatever is being typed: without Ctrl or ⌘, and without Alt but on a Mac, where Alt writes; with AltGr. */
const isTyping = (event: KeyboardEvent): boolean =>
  ((!event.ctrlKey && !event.metaKey && (!event.altKey || onMac())) || event.getModifierState('AltGraph')) &&
  !/^(?:F\d+|Page(?:Up|Down))$/.test(event.key) &&
  event.target instanceof Element &&
  event.target.closest(TYPED_IN) !== null;

/**
 * Dispatches the keys of the window's commands, and what the desktop shell's menus send. A part that handled the key itself comes first, and
 * nothing is dispatched past an open dialog.
 */
export function useShortcuts(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing || isTyping(event)) return;
      const command = commandOf(event);
      if (command === undefined) return;
      // Also where it is not run: what a browser does with the same keys would be worse than nothing.
      event.preventDefault();
      if (command.disabled === undefined && !hasDialog()) command.run();
    };
    document.addEventListener('keydown', onKeyDown);
    const stop = desktop()?.onCommand?.((id) => {
      if (!hasDialog()) runCommand(id);
    });
    return () => {
      document.removeEventListener('keydown', onKeyDown);
      stop?.();
    };
  }, []);
}
