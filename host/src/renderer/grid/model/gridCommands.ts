import type { MenuPlace } from '../../ui/MenuList.tsx';
import type { CellPosition } from './navigation.ts';

/** The actions by keyboard or mouse, beyond moving and selecting. */
export interface GridCommands {
  readonly sort: (column: string, additive: boolean) => void;
  /** Enter or a double click on a cell. */
  readonly open: (position: CellPosition) => void;
  /** A click on the arrow of a cell that refers to a row. */
  readonly follow: (position: CellPosition) => void;
  /** The menu of what is selected. */
  readonly openMenu: (at: MenuPlace) => void;
  readonly openColumnMenu: (place: number, at: MenuPlace) => void;
  readonly copy: () => void;
  /** Ctrl+End, where the last row is not known by its number. Whether that was taken care of. */
  readonly goToEnd: (column: number) => boolean;
  readonly setWidths: (widths: Readonly<Record<string, number>>) => void;
  readonly moveColumn: (column: string, to: number) => void;
}
