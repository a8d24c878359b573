import { useLayoutEffect, useRef } from 'react';
import type { RefObject } from 'react';

/** Moves what an editor lays over the grid (its box, its list, its fault) to the left, as far as the right edge of the grid asks. */
export function useShiftIntoGrid(): RefObject<HTMLSpanElement | null> {
  const editor = useRef<HTMLSpanElement>(null);
  // A fault or a list may come with any change.
  useLayoutEffect(() => {
    const element = editor.current;
    const grid = element?.closest('[role="grid"]');
    if (element == null || grid == null) return;
    element.style.removeProperty('--tb-shift');
    const { left } = grid.getBoundingClientRect();
    const laidOver = [...element.children].filter((child) => getComputedStyle(child).position === 'absolute');
    const right = Math.max(...laidOver.map((child) => child.getBoundingClientRect().right));
    const over = Math.min(right - left - grid.clientWidth, element.getBoundingClientRect().left - left);
    if (over > 0) element.style.setProperty('--tb-shift', `${-over}px`);
  });
  return editor;
}
