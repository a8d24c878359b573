import { useEffect } from 'react';

const PRESSABLE = 'button, a[href], input, select, textarea, summary, label, [role="button"], [role="tab"], [role="menuitem"]';
/** A hand moves the pointer this many CSS pixels in a press that it means as a click. */
const STEADY_PIXELS = 4;

/**
 * A press leaves the field that had the focus, and what the field then says, or no longer says, moves what is below it. The button is no longer
 * under the pointer when that comes up, and the browser gives the click to what both have in common, which ignores it. Such a click goes to
 * what was pressed, unless that has gone or says something else by now.
 */
export function usePressesThatMove(): void {
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    let pressed:
      { readonly element: HTMLElement; readonly at: PointerEvent; readonly top: number; readonly text: string } | undefined;
    const onDown = (at: PointerEvent): void => {
      const element = at.target instanceof Element ? at.target.closest<HTMLElement>(PRESSABLE) : null;
      pressed =
        element === null || at.button !== 0
          ? undefined
          : { element, at, top: element.getBoundingClientRect().top, text: element.textContent };
    };
    const onClick = (click: MouseEvent): void => {
      const press = pressed;
      pressed = undefined;
      // A click that a script or a key makes has no place.
      if (press === undefined || click.detail === 0 || !(click.target instanceof Element)) return;
      const { element, at, top, text } = press;
      const isBeside = click.target !== element && click.target.contains(element);
      const isSteady = Math.hypot(click.clientX - at.clientX, click.clientY - at.clientY) <= STEADY_PIXELS;
      const hasMoved = element.getBoundingClientRect().top !== top;
      if (!isBeside || !isSteady || !hasMoved || element.textContent !== text) return;
      click.stopPropagation();
      click.preventDefault();
      element.click();
    };
    document.addEventListener('pointerdown', onDown, { capture: true, signal });
    document.addEventListener('click', onClick, { capture: true, signal });
    return () => listening.abort();
  }, []);
}
