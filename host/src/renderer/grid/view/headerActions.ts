import type { MenuPlace } from '../../ui/MenuList.tsx';
import type { SelectionMode } from '../model/gridSelection.ts';

/** The actions of a header. The same functions from render to render, so that the header renders only when it looks different. */
export interface HeaderActions {
  readonly onSort: (column: string, additive: boolean) => void;
  readonly onSelect: (place: number, mode: SelectionMode) => void;
  readonly onSelectAll: () => void;
  readonly onMenu: (place: number, at: MenuPlace) => void;
  /** While a person draws: `isDone` with the last one. */
  readonly onResize: (column: string, width: number, isDone: boolean) => void;
  readonly onFit: (column: string) => void;
  /** While a header is drawn aside: the place of its column; undefined when it is let go. */
  readonly onDrag: (place: number, to: number | undefined) => void;
  readonly onMove: (column: string, to: number) => void;
}
