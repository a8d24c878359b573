import { useEffect } from 'react';

let asking = 0;

const ask = (event: BeforeUnloadEvent): void => event.preventDefault();

/**
 * While something is staged, or typed and not staged yet, the browser or the desktop shell asks before the window is closed or loaded again. Staged changes outlive
 * the window, but a person could believe that they were saved; a text in an editor does not.
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
