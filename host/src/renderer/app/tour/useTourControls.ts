import { useEffect, useState } from 'react';
import { findControls, sameControls } from './tourSteps.ts';
import type { TourControls } from './tourSteps.ts';

/** The attributes by which the window shows and hides its parts. */
const HIDING = ['hidden', 'inert', 'data-hidden', 'data-tour'];

/** The steps whose control is on the screen, followed as the window changes. */
export function useTourControls(): TourControls {
  const [controls, setControls] = useState(findControls);
  useEffect(() => {
    let frame = 0;
    const look = (): void => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() =>
        setControls((before) => {
          const now = findControls();
          return sameControls(before, now) ? before : now;
        }),
      );
    };
    const observer = new MutationObserver(look);
    observer.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: HIDING });
    window.addEventListener('resize', look);
    look();
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      window.removeEventListener('resize', look);
    };
  }, []);
  return controls;
}
