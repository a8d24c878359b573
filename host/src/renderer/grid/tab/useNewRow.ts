import { useEffect, useRef } from 'react';
import type { RefObject } from 'react';
import type { GridHandle } from '../model/gridHandle.ts';

interface Options {
  readonly grid: RefObject<GridHandle | null>;
  /** The place of the first column that takes a value in a new row. */
  readonly firstColumn: number;
  /** How many new rows are above those of the table. */
  readonly above: number;
}

/** @param last - the place that the newest of the new rows gets @param focus - whether the grid has the keys then */
export type ShowNewRow = (last: number, focus: boolean) => void;

/**
 * Makes a new row the active one as soon as it is on the screen. Before that its place is another row's, and the keys that follow would change
 * that one. To be called after the hook that shifts the selection with its rows.
 */
export function useNewRow({ grid, firstColumn, above }: Options): ShowNewRow {
  const shown = useRef(above);
  const awaited = useRef<() => void>(undefined);
  useEffect(() => {
    shown.current = above;
    awaited.current?.();
  }, [above]);
  return (last, focus) => {
    awaited.current = () => {
      if (shown.current <= last) return;
      awaited.current = undefined;
      grid.current?.goTo({ row: last, column: firstColumn });
      if (focus) grid.current?.focus();
    };
    // A menu that the command came from gives the focus back first.
    requestAnimationFrame(() => awaited.current?.());
  };
}
