import { useEffect } from 'react';

/** Calls back for each question that comes to the front. @param id - of the question, undefined while there is none */
export function useAsked(id: string | undefined, onAsked: (() => void) | undefined): void {
  useEffect(() => {
    if (id !== undefined) onAsked?.();
  }, [id, onAsked]);
}
