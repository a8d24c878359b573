import { useLayoutEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { visibleRows, widen } from './gridWindow.ts';
import type { Span } from './gridWindow.ts';

const OVERSCAN = 10;

export interface FixedRows {
  readonly list: RefObject<HTMLDivElement | null>;
  /** The rows that have to exist. */
  readonly rows: Span;
  readonly showRow: (place: number) => void;
}

/** A scrolled list of equally high rows, of which only those near the viewport exist. */
export function useFixedRows(count: number, rowHeight: number): FixedRows {
  const list = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 0 });
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return undefined;
    const look = (): void => setView({ top: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, []);
  const showRow = (place: number): void => {
    const element = list.current;
    if (element === null) return;
    const top = place * rowHeight;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + rowHeight > element.scrollTop + element.clientHeight) {
      element.scrollTop = top + rowHeight - element.clientHeight;
    }
  };
  return { list, rows: widen(visibleRows(view.top, view.height, rowHeight, count), OVERSCAN, count), showRow };
}
