import type { KeyboardEvent } from 'react';
import { HEADER_ROW } from '../model/navigation.ts';
import type { TabModel } from '../tab/tabModel.ts';
import { openReview } from './openReview.ts';

interface Options {
  readonly deleteRows: () => void;
  readonly closeInspector: () => void;
  readonly follow: () => void;
  readonly referring: () => void;
}

/** The keys of a tab beyond moving in its grid. */
export function tabKeys(
  model: Pick<TabModel, 'selection' | 'edited' | 'cells' | 'layers'>,
  { deleteRows, closeInspector, follow, referring }: Options,
): (event: KeyboardEvent) => void {
  const { selection, cells, layers } = model;
  const { stage } = model.edited;

  const onCell = (event: KeyboardEvent): (() => void) | undefined => {
    const { active } = selection;
    if (active === undefined || active.row === HEADER_ROW) return undefined;
    if (event.altKey) return event.key !== 'Enter' ? undefined : event.shiftKey ? referring : follow;
    if (event.key === 'F2') return () => cells.begin(active);
    if (event.key === 'Delete') return deleteRows;
    if (event.key === 'Escape') return cells.abandon(active) ? () => undefined : undefined;
    return event.key.length === 1 ? () => cells.begin(active, event.key) : undefined;
  };

  const onChanges = (event: KeyboardEvent): (() => void) | undefined => {
    const key = event.key.toLowerCase();
    if (key === 'z') return event.shiftKey ? stage.redo : stage.undo;
    if (key === 'y') return stage.redo;
    return key === 's' ? () => openReview(model) : undefined;
  };

  return (event) => {
    if (event.defaultPrevented) return;
    const isMenuOpen = layers.dialog?.kind === 'menu' || layers.dialog?.kind === 'cellMenu';
    if (event.key === 'Escape' && isMenuOpen) {
      // A key pressed in the menu comes here as well: the menu is a part of the tab.
      layers.close();
      return;
    }
    if (event.key === 'Escape' && layers.isInspecting) {
      event.stopPropagation();
      closeInspector();
      return;
    }
    const command = (event.ctrlKey || event.metaKey) && !event.altKey;
    const isInGrid = event.target instanceof Element && event.target.getAttribute('role') === 'grid';
    const isInspectorKey = command && !event.shiftKey && event.key.toLowerCase() === 'i';
    const inGrid = isInGrid ? (command ? onChanges(event) : onCell(event)) : undefined;
    const act = isInspectorKey ? layers.toggleInspector : inGrid;
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
}
