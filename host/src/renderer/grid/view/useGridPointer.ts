import { useCallback, useEffect, useRef } from 'react';
import type { MouseEvent, RefObject } from 'react';
import type { CellPosition } from '../model/navigation.ts';
import type { GridSelection, SelectionMode } from '../model/gridSelection.ts';

/** Beyond an edge of the rows the grid scrolls along, this often. */
const SCROLL_EVERY = 40;
const COLUMN_STEP = 24;

/** How far a position lies outside of a span; negative before it. */
const beyond = (position: number, low: number, high: number): number =>
  position < low ? position - low : position > high ? position - high : 0;

interface Options {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly headerHeight: number;
  readonly rowHeight: number;
  readonly selection: GridSelection;
  /** The cell at a point of the screen, the nearest one where the point is beside the rows. */
  readonly cellAt: (x: number, y: number) => CellPosition;
  readonly show: (position: CellPosition) => void;
}

interface Drag {
  readonly shape: 'cells' | 'rows';
  x: number;
  y: number;
}

const modeOf = (event: MouseEvent): SelectionMode => (event.shiftKey ? 'extend' : event.ctrlKey || event.metaKey ? 'add' : 'new');

/** Which part of the grid an event aims at; undefined beside the rows. */
export function hitOf(event: MouseEvent): { readonly position: CellPosition; readonly isNumber: boolean } | undefined {
  if (!(event.target instanceof Element)) return undefined;
  const row = event.target.closest('[data-row]');
  if (row === null) return undefined;
  const cell = event.target.closest('[data-column]');
  const isNumber = event.target.closest('[data-row-number]') !== null;
  if (cell === null && !isNumber) return undefined;
  return {
    position: { row: Number(row.getAttribute('data-row')), column: Number(cell?.getAttribute('data-column') ?? 0) },
    isNumber,
  };
}

/** Choosing cells and rows with the mouse: a press begins a range, drawing extends it, also beyond what is on the screen. */
export function useGridPointer({
  scroller,
  selection,
  cellAt,
  show,
  rowHeight,
  headerHeight,
}: Options): (event: MouseEvent) => void {
  const drag = useRef<Drag | undefined>(undefined);
  const timer = useRef<ReturnType<typeof setInterval>>(undefined);
  const latest = useRef({ selection, cellAt, show });
  useEffect(() => {
    latest.current = { selection, cellAt, show };
  });

  const extend = useCallback((): void => {
    const now = drag.current;
    if (now === undefined) return;
    const position = latest.current.cellAt(now.x, now.y);
    if (now.shape === 'rows') latest.current.selection.row(position.row, 'extend');
    else latest.current.selection.cell(position, 'extend');
  }, []);
  const end = useCallback((): void => {
    drag.current = undefined;
    clearInterval(timer.current);
  }, []);
  const scrollAlong = useCallback((): void => {
    const now = drag.current;
    const element = scroller.current;
    if (now === undefined || element === null) return;
    const box = element.getBoundingClientRect();
    const down = beyond(now.y, box.top + headerHeight, box.top + element.clientHeight);
    const right = now.shape === 'rows' ? 0 : beyond(now.x, box.left, box.left + element.clientWidth);
    if (down === 0 && right === 0) return;
    // The farther beyond the edge, the faster.
    const steps = Math.sign(down) * Math.ceil(Math.abs(down) / rowHeight);
    element.scrollBy({ top: steps * rowHeight, left: Math.sign(right) * COLUMN_STEP });
    extend();
  }, [scroller, headerHeight, rowHeight, extend]);

  useEffect(() => {
    const onMove = (event: globalThis.MouseEvent): void => {
      const now = drag.current;
      if (now === undefined || (event.clientX === now.x && event.clientY === now.y)) return;
      // The button was let go where the page could not see it.
      if ((event.buttons & 1) === 0) {
        end();
        return;
      }
      now.x = event.clientX;
      now.y = event.clientY;
      extend();
    };
    window.addEventListener('mousemove', onMove);
    window.addEventListener('mouseup', end);
    return () => {
      end();
      window.removeEventListener('mousemove', onMove);
      window.removeEventListener('mouseup', end);
    };
  }, [extend, end]);

  return (event) => {
    const hit = hitOf(event);
    if (hit === undefined || event.button !== 0) return;
    const mode = modeOf(event);
    end();
    drag.current = { shape: hit.isNumber ? 'rows' : 'cells', x: event.clientX, y: event.clientY };
    timer.current = setInterval(scrollAlong, SCROLL_EVERY);
    if (hit.isNumber) {
      selection.row(hit.position.row, mode);
      return;
    }
    selection.cell(hit.position, mode);
    show(hit.position);
  };
}
