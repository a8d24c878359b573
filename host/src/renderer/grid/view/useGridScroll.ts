import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { flushSync } from 'react-dom';
import { columnAt, visibleColumns, visibleRows, widen } from '../model/gridWindow.ts';
import type { Span } from '../model/gridWindow.ts';
import { clampOffset, isScaled, offsetAt, scrollScale, scrollTopFor } from '../model/scaledScroll.ts';

/** Rows drawn beyond the edges, so that a wheel notch shows what is already there. */
const OVERSCAN_ROWS = 6;
/** Rows are placed relative to the nearest multiple of this, so that their coordinates stay small and exact at any scroll position. */
const ANCHOR_ROWS = 10_000;

export interface GridGeometry {
  readonly rowCount: number;
  readonly rowHeight: number;
  readonly headerHeight: number;
  readonly edges: readonly number[];
  readonly frozen: number;
}

export interface GridScroll {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly layer: RefObject<HTMLDivElement | null>;
  /** The rows and columns to draw. */
  readonly rows: Span;
  readonly columns: Span;
  /** The rows on the screen, without those drawn beyond its edges. */
  readonly visible: Span;
  /** Rows are placed relative to this one. */
  readonly anchor: number;
  readonly bodyHeight: number;
  readonly width: number;
  /** The height of the scrolled element, header included. */
  readonly scrollHeight: number;
  readonly screenRows: number;
  readonly onScroll: () => void;
  readonly showRow: (row: number, place: 'nearest' | 'top') => void;
  readonly showColumn: (column: number) => void;
  /** The row and column at a point of the screen; the nearest ones where it lies beside them. */
  readonly cellAt: (x: number, y: number) => { readonly row: number; readonly column: number };
}

interface Position {
  readonly offset: number;
  readonly left: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

const same = (a: Span, b: Span): boolean => a.first === b.first && a.last === b.last;

function windowOf(geometry: GridGeometry, size: Size, position: Position): Pick<GridScroll, 'rows' | 'columns' | 'visible'> {
  const body = size.height - geometry.headerHeight;
  const visible = visibleRows(position.offset, body, geometry.rowHeight, geometry.rowCount);
  return {
    visible,
    rows: widen(visible, OVERSCAN_ROWS, geometry.rowCount),
    columns: visibleColumns(geometry.edges, geometry.frozen, position.left, size.width),
  };
}

/**
 * The scrolling of the grid. The rows are in a layer that stays in the viewport; scrolling moves the layer at once and renders only when
 * other rows or columns come into the window. So nothing is ever blank, and a table of any length has a scroll bar that reaches its end.
 */
export function useGridScroll(geometry: GridGeometry): GridScroll {
  const scroller = useRef<HTMLDivElement>(null);
  const layer = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  const [position, setPosition] = useState<Position>({ offset: 0, left: 0 });
  const { rowCount, rowHeight, headerHeight } = geometry;
  const bodyHeight = Math.max(0, size.height - headerHeight);
  const scale = useMemo(
    () => scrollScale(rowCount * rowHeight, bodyHeight, window.devicePixelRatio),
    [rowCount, rowHeight, bodyHeight],
  );
  const shown = windowOf(geometry, size, { ...position, offset: clampOffset(scale, position.offset) });
  const anchor = Math.floor(Math.max(0, shown.rows.first) / ANCHOR_ROWS) * ANCHOR_ROWS;

  // Values of the last render for handlers, and the exact position: the scroll bar rounds, so what was written is remembered beside it.
  const live = useRef({ geometry, size, scale, anchor, shown, offset: 0, writtenTop: 0 });
  // Fewer rows move the window: without this, rows of the old place are drawn as soon as there are more again.
  useLayoutEffect(() => {
    const offset = clampOffset(scale, live.current.offset);
    if (offset !== live.current.offset) setPosition(({ left }) => ({ offset, left }));
  }, [scale]);
  useLayoutEffect(() => {
    Object.assign(live.current, { geometry, size, scale, anchor, shown });
    live.current.offset = clampOffset(scale, live.current.offset);
    place(layer.current, anchor * rowHeight - live.current.offset);
  });

  const apply = useCallback((offset: number, left: number): void => {
    const now = live.current;
    now.offset = clampOffset(now.scale, offset);
    place(layer.current, now.anchor * now.geometry.rowHeight - now.offset);
    const next = windowOf(now.geometry, now.size, { offset: now.offset, left });
    if (same(next.rows, now.shown.rows) && same(next.visible, now.shown.visible) && same(next.columns, now.shown.columns)) return;
    // Within the frame of the scroll event, so that the layer and its rows move together.
    flushSync(() => setPosition({ offset: now.offset, left }));
  }, []);

  const onScroll = useCallback((): void => {
    const element = scroller.current;
    if (element === null) return;
    const now = live.current;
    const isOurs = Math.abs(element.scrollTop - now.writtenTop) < 1;
    apply(isOurs ? now.offset : offsetAt(now.scale, element.scrollTop), element.scrollLeft);
    if (!isOurs) now.writtenTop = element.scrollTop;
  }, [apply]);

  const scrollTo = useCallback(
    (offset: number, left?: number): void => {
      const element = scroller.current;
      if (element === null) return;
      const now = live.current;
      const target = clampOffset(now.scale, offset);
      element.scrollTop = scrollTopFor(now.scale, target);
      if (left !== undefined) element.scrollLeft = left;
      now.writtenTop = element.scrollTop;
      apply(target, element.scrollLeft);
    },
    [apply],
  );

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const measure = (): void => setSize({ width: element.clientWidth, height: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  // A scroll within a column and a row renders nothing, so what is drawn may be of a place a little before this one: in a grid that becomes wider,
  // the columns that come into sight would stay blank.
  useLayoutEffect(() => {
    const left = scroller.current?.scrollLeft ?? 0;
    const { offset } = live.current;
    setPosition((before) => (before.left === left && before.offset === offset ? before : { offset, left }));
  }, [size, geometry.edges]);

  // Another number of rows or another height gives the scroll bar another scale: the rows on the screen stay where they are.
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null || bodyHeight === 0) return;
    element.scrollTop = scrollTopFor(scale, live.current.offset);
    live.current.writtenTop = element.scrollTop;
  }, [scale, bodyHeight]);

  // Where one pixel of the bar stands for several of content, the wheel moves content, not the bar: a notch is a notch in any table.
  const scaled = isScaled(scale);
  useEffect(() => {
    const element = scroller.current;
    if (element === null || !scaled) return undefined;
    const onWheel = (event: WheelEvent): void => {
      if (event.ctrlKey || event.deltaY === 0 || event.shiftKey) return;
      event.preventDefault();
      const unit =
        event.deltaMode === WheelEvent.DOM_DELTA_LINE
          ? rowHeight
          : event.deltaMode === WheelEvent.DOM_DELTA_PAGE
            ? bodyHeight
            : 1;
      scrollTo(live.current.offset + event.deltaY * unit, element.scrollLeft + event.deltaX * unit);
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [scaled, rowHeight, bodyHeight, scrollTo]);

  const showRow = useCallback(
    (row: number, placeAt: 'nearest' | 'top'): void => {
      const now = live.current;
      const height = now.geometry.rowHeight;
      const top = row * height;
      const body = now.size.height - now.geometry.headerHeight;
      if (placeAt === 'top' || top < now.offset) scrollTo(top);
      else if (top + height > now.offset + body) scrollTo(top + height - body);
    },
    [scrollTo],
  );

  const showColumn = useCallback(
    (column: number): void => {
      const element = scroller.current;
      const { edges, frozen } = live.current.geometry;
      const left = edges[column];
      const right = edges[column + 1];
      if (element === null || left === undefined || right === undefined || column < frozen) return;
      const frozenPixels = edges[frozen] ?? 0;
      if (left - frozenPixels < element.scrollLeft) scrollTo(live.current.offset, left - frozenPixels);
      else if (right > element.scrollLeft + element.clientWidth) scrollTo(live.current.offset, right - element.clientWidth);
    },
    [scrollTo],
  );

  const cellAt = useCallback((x: number, y: number): { row: number; column: number } => {
    const element = scroller.current;
    const { geometry, offset } = live.current;
    const { edges, frozen, rowHeight: height, headerHeight: header } = geometry;
    const box = element?.getBoundingClientRect();
    if (element === null || box === undefined) return { row: 0, column: 0 };
    const within = (value: number, most: number): number => Math.min(Math.max(0, value), most - 1);
    const body = within(y - box.top - header, element.clientHeight - header);
    const fromLeft = within(x - box.left, element.clientWidth);
    const left = fromLeft < (edges[frozen] ?? 0) ? fromLeft : fromLeft + element.scrollLeft;
    return {
      row: within(Math.floor((offset + body) / height), geometry.rowCount),
      column: within(columnAt(edges, left), edges.length - 1),
    };
  }, []);

  return {
    scroller,
    layer,
    ...shown,
    anchor,
    bodyHeight,
    width: size.width,
    scrollHeight: scale.scrollPixels + headerHeight,
    screenRows: Math.max(1, Math.floor(bodyHeight / rowHeight)),
    onScroll,
    showRow,
    showColumn,
    cellAt,
  };
}

function place(layer: HTMLElement | null, top: number): void {
  if (layer !== null) layer.style.transform = `translateY(${top}px)`;
}
