import type { ClipboardEvent, KeyboardEvent } from 'react';
import type { WindowCommand } from '../../commands/registry.ts';
import { strings } from '../../i18n/index.ts';
import type { MenuListEntry } from '../../ui/MenuList.tsx';
import { moved, withWidths } from '../model/columnLayout.ts';
import type { GridCommands } from '../model/gridCommands.ts';
import { HEADER_ROW } from '../model/navigation.ts';
import type { TabModel } from '../tab/tabModel.ts';
import { cellMenu } from './cellMenu.ts';
import { columnMenu } from './columnMenu.ts';
import { copyCommands } from './copyCommands.ts';
import { followCommands } from './followCommands.ts';
import { goToEnd } from './goToEnd.ts';
import { paletteCommands } from './paletteCommands.ts';
import { pasteCommands } from './pasteCommands.ts';
import type { PasteCommands } from './pasteCommands.ts';
import { referringCommands } from './referringCommands.ts';
import { rowCommands } from './rowCommands.ts';
import { selectedCells } from './selectedCells.ts';
import { tabKeys } from './tabKeys.ts';

/** The actions of a tab: one place for the keyboard, the menus, the palette and the buttons. */
export interface TabCommands {
  /** The functions that the grid calls. */
  readonly grid: GridCommands;
  readonly palette: readonly WindowCommand[];
  readonly pasting: PasteCommands;
  /** Made when it opens: the click that opens it selects its cell. */
  readonly cellMenu: () => readonly MenuListEntry[];
  readonly goToLast: () => void;
  readonly closeInspector: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onPaste: (event: ClipboardEvent) => void;
}

export function tabCommands(model: TabModel): TabCommands {
  const { columns, selection, edited, cells, layers, grid, sorting } = model;
  const selected = selectedCells(model);
  const rows = rowCommands(model, selected);
  const copy = copyCommands(model);
  const pasting = pasteCommands(model);
  const follow = followCommands(model, selected);
  const referring = referringCommands(model, selected);
  const parts = { selected, rows, copy, pasting, follow, referring };
  const closeInspector = (): void => {
    layers.setInspecting(false);
    grid.current?.focus();
  };
  const gridCommands: GridCommands = {
    sort: sorting.cycle,
    open: (position) => {
      if (position.row === HEADER_ROW) return;
      // Where nothing can be edited, the whole value is what a person may want.
      if (edited.stage.ability?.allowed === true) cells.begin(position);
      else layers.setInspecting(true);
    },
    follow: follow.at,
    openMenu: (place) => layers.open({ kind: 'cellMenu', place }),
    openColumnMenu: (column, place) => {
      const label = strings.columns.menu(columns.columns[column]?.name ?? '');
      layers.open({ kind: 'menu', label, place, entries: columnMenu(model, column, copy.copyName) });
    },
    copy: copy.copy,
    goToEnd: (column) => goToEnd(model, column),
    setWidths: (widths) => columns.change((before) => withWidths(before, widths)),
    moveColumn: (column, to) => columns.change((before) => moved(columns.described, before, column, to)),
  };
  return {
    grid: gridCommands,
    palette: paletteCommands(model, parts),
    pasting,
    cellMenu: () => cellMenu(model, parts),
    goToLast: () => void goToEnd(model, selection.active?.column ?? 0),
    closeInspector,
    onKeyDown: tabKeys(model, { deleteRows: rows.deleteRows, closeInspector, follow: follow.first, referring: referring.open }),
    onPaste: pasting.onPaste,
  };
}
