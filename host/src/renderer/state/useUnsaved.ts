import { useEffect, useRef } from 'react';
import { noteUnsaved } from './unsaved.ts';
import type { Unsaved } from './unsaved.ts';

/** Asks before the window is closed while something is unsaved there; undefined: nothing is. */
export function useUnsaved(one: Unsaved | undefined): void {
  const newest = useRef(one);
  useEffect(() => {
    newest.current = one;
  });
  // By its content: the object is another one with each drawing.
  const content = one === undefined ? undefined : JSON.stringify(one);
  useEffect(() => (content === undefined || newest.current === undefined ? undefined : noteUnsaved(newest.current)), [content]);
}
