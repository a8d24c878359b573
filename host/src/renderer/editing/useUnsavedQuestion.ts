import { useEffect } from 'react';

let asking = 0;

const ask = (event: BeforeUnloadEvent): void => event.preventDefault();

/**
 * While something is staged, the browser or the desktop shell asks before the window is closed: staged changes outlive the window, but a
 * person could believe that they were saved.
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
