import { useEffect } from 'react';

let asking = 0;

const ask = (event: BeforeUnloadEvent): void => event.preventDefault();

/**
 * While something is staged, the browser or the desktop shell asks before the window is closed: what is staged outlives the window, but nobody
 * should believe that it was saved.
 */
export function useUnsavedQuestion(hasChanges: boolean): void {
  useEffect(() => {
    if (!hasChanges) return undefined;
    asking += 1;
    if (asking === 1) window.addEventListener('beforeunload', ask);
    return () => {
      asking -= 1;
      if (asking === 0) window.removeEventListener('beforeunload', ask);
    };
  }, [hasChanges]);
}
