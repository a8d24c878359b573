import type { MenuPlace } from '../../ui/MenuList.tsx';
import type { CellPosition } from './navigation.ts';

/** The functions of a drawn grid for others. */
export interface GridHandle {
  /** Brings a row to the top of the viewport. */
  readonly scrollToRow: (row: number) => void;
  readonly focus: () => void;
  /** Makes a cell the active one and brings it into sight. */
  readonly goTo: (position: CellPosition) => void;
  /** Makes columns as wide as what is on the screen needs; all of them where none is named. */
  readonly fit: (column?: string) => void;
  /** Where the active cell is on the screen: menus open there. */
  readonly placeOfActive: () => MenuPlace | undefined;
}
