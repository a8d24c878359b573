import type { KeyboardEvent } from 'react';
import type { GridActions } from './gridActions.ts';
import { HEADER_ROW } from '../model/navigation.ts';
import type { GridEditing } from './useEditing.tsx';
import type { GridSelection } from '../model/gridSelection.ts';

interface Options {
  readonly selection: GridSelection;
  readonly edit: GridEditing;
  readonly actions: GridActions;
  /** Closes the menu that is open; undefined where none is. It has the focus a moment after it opened. */
  readonly closeMenu: (() => void) | undefined;
  readonly isInspecting: boolean;
  readonly closeInspector: () => void;
  readonly toggleInspector: () => void;
}

/** What keys do in a tab beyond moving in its grid. */
export function tabKeys(options: Options): (event: KeyboardEvent) => void {
  const { selection, edit, actions } = options;

  const onCell = (event: KeyboardEvent): (() => void) | undefined => {
    const { active } = selection;
    if (active === undefined || active.row === HEADER_ROW || event.altKey) return undefined;
    if (event.key === 'F2') return () => edit.begin(active);
    if (event.key === 'Delete') return actions.deleteRows;
    return event.key.length === 1 ? () => edit.commands.begin(active, event.key) : undefined;
  };

  return (event) => {
    if (event.defaultPrevented) return;
    if (event.key === 'Escape' && options.closeMenu !== undefined) {
      options.closeMenu();
      return;
    }
    if (event.key === 'Escape' && options.isInspecting) {
      event.stopPropagation();
      options.closeInspector();
      return;
    }
    const command = (event.ctrlKey || event.metaKey) && !event.altKey;
    const isInGrid = event.target instanceof Element && event.target.getAttribute('role') === 'grid';
    const isInspectorKey = command && !event.shiftKey && event.key.toLowerCase() === 'i';
    const act = isInspectorKey ? options.toggleInspector : isInGrid && !command ? onCell(event) : undefined;
    if (act !== undefined) {
      event.preventDefault();
      act();
    } else if (isInGrid && command) {
      edit.onKeyDown(event);
    }
  };
}
