import { useCallback, useImperativeHandle } from 'react';
import type { Ref, RefObject } from 'react';
import { fittingWidth } from '../model/fit.ts';
import type { GridHandle } from '../model/gridHandle.ts';
import type { Span } from '../model/gridWindow.ts';
import type { CellPosition } from '../model/navigation.ts';
import type { DataGridProps } from './gridProps.ts';

interface Options {
  readonly handle: Ref<GridHandle>;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly activeId: string;
  /** As of the last render: what the grid was given, and the rows that are drawn. */
  readonly latest: RefObject<{ readonly props: DataGridProps; readonly drawn: Span }>;
  readonly showRow: (row: number, place: 'nearest' | 'top') => void;
  readonly show: (position: CellPosition) => void;
}

/** Gives the owner of the grid its handle. The same functions from render to render. */
export function useGridHandle({
  handle,
  scroller,
  activeId,
  latest,
  showRow,
  show,
}: Options): Pick<GridHandle, 'fit' | 'placeOfActive'> {
  const fit = useCallback(
    (name?: string): void => {
      const { props, drawn } = latest.current;
      const widths: [column: string, width: number][] = [];
      for (const column of props.columns.columns) {
        if (name !== undefined && column.name !== name) continue;
        const cells = [];
        for (let index = drawn.first; index <= drawn.last; index += 1) {
          const row = props.rows.at(index);
          if (row !== undefined) cells.push(row[column.source] ?? null);
        }
        widths.push([column.name, fittingWidth(column, cells)]);
      }
      props.commands.setWidths(Object.fromEntries(widths));
    },
    [latest],
  );

  const placeOfActive = useCallback<GridHandle['placeOfActive']>(() => {
    const box = document.getElementById(activeId)?.getBoundingClientRect();
    return box === undefined ? undefined : { x: box.left, y: box.bottom };
  }, [activeId]);

  useImperativeHandle(
    handle,
    () => ({
      scrollToRow: (row) => showRow(row, 'top'),
      focus: () => scroller.current?.focus(),
      goTo: (position) => {
        latest.current.props.selection.cell(position);
        show(position);
      },
      fit,
      placeOfActive,
    }),
    [latest, showRow, show, scroller, fit, placeOfActive],
  );
  return { fit, placeOfActive };
}
