import { useRef } from 'react';
import type { ComponentProps, PointerEvent } from 'react';
import type { HeaderActions } from './headerActions.ts';

/** A press that moves less than this is a click. */
const DRAG_PIXELS = 5;
/** Near an edge of the grid its columns come along. */
const EDGE_PIXELS = 28;
const EDGE_STEP = 18;

type DragHandlers = Pick<ComponentProps<'button'>, 'onPointerDown' | 'onPointerMove' | 'onPointerUp' | 'onPointerCancel'>;

/** A header that is drawn aside moves its column. */
export function useColumnDrag(
  place: number,
  column: string,
  { onDrag, onMove }: Pick<HeaderActions, 'onDrag' | 'onMove'>,
): {
  readonly wasDragged: () => boolean;
  readonly handlers: DragHandlers;
} {
  const press = useRef<{ readonly x: number; to?: number | undefined } | undefined>(undefined);
  const dragged = useRef(false);
  const onPointerDown = (event: PointerEvent<HTMLButtonElement>): void => {
    dragged.current = false;
    if (event.button === 0 && !event.ctrlKey && !event.shiftKey && !event.metaKey) press.current = { x: event.clientX };
  };
  const onPointerMove = (event: PointerEvent<HTMLButtonElement>): void => {
    const now = press.current;
    if (now === undefined) return;
    if (!dragged.current && Math.abs(event.clientX - now.x) < DRAG_PIXELS) return;
    if (!dragged.current) event.currentTarget.setPointerCapture(event.pointerId);
    dragged.current = true;
    const box = event.currentTarget.closest('[role="grid"]')?.getBoundingClientRect();
    const grid = event.currentTarget.closest('[role="grid"]');
    if (box !== undefined && grid !== null) {
      if (event.clientX > box.right - EDGE_PIXELS) grid.scrollLeft += EDGE_STEP;
      else if (event.clientX < box.left + EDGE_PIXELS) grid.scrollLeft -= EDGE_STEP;
    }
    const under = document
      .elementsFromPoint(event.clientX, (box?.top ?? event.clientY) + 4)
      .find((element) => element.hasAttribute('data-header-place'));
    if (under === undefined) return;
    now.to = Number(under.getAttribute('data-header-place'));
    onDrag(place, now.to);
  };
  const onPointerUp = (): void => {
    const to = press.current?.to;
    press.current = undefined;
    onDrag(place, undefined);
    if (dragged.current && to !== undefined && to !== place) onMove(column, to);
  };
  const onPointerCancel = (): void => {
    press.current = undefined;
    onDrag(place, undefined);
  };
  return { wasDragged: () => dragged.current, handlers: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel } };
}
