import { useLayoutEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { flushSync } from 'react-dom';
import { visibleRows, widen } from './gridWindow.ts';
import type { Span } from './gridWindow.ts';

const OVERSCAN = 10;

export interface FixedRows {
  readonly list: RefObject<HTMLDivElement | null>;
  /** The rows that have to exist. */
  readonly rows: Span;
  /** Scrolls as little as needed. The row exists when it returns, so it can take the focus; for handlers of events. */
  readonly showRow: (place: number) => void;
}

interface View {
  readonly top: number;
  readonly height: number;
}

/** A scrolled list of equally high rows, of which only those near the viewport exist. */
export function useFixedRows(count: number, rowHeight: number): FixedRows {
  const list = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<View>({ top: 0, height: 0 });
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return undefined;
    const look = (): void => setView(viewOf(element));
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
    // The scroll event comes with a later frame, and a busy window draws even later.
    flushSync(() => setView(viewOf(element)));
  };
  return { list, rows: widen(visibleRows(view.top, view.height, rowHeight, count), OVERSCAN, count), showRow };
}

function viewOf(element: HTMLElement): (before: View) => View {
  const { scrollTop: top, clientHeight: height } = element;
  return (before) => (before.top === top && before.height === height ? before : { top, height });
}
