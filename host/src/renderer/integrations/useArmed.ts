import { useEffect, useState } from 'react';
import type { KeyboardEvent } from 'react';

/** A person needs about this long to see that a question is there, in milliseconds. */
const MILLISECONDS = 800;

interface Armed {
  /** Whether the question has been in front of a person for long enough. Begins again when the window comes to the front. */
  readonly armed: boolean;
  /** Keeps keys away from the buttons that were pressed, or are held down, for something that was there before. */
  readonly onKeyDownCapture: (event: KeyboardEvent) => void;
}

/**
 * Guards a question that a person didn't open: a press that was on its way when it came, or when it took the place of another one, doesn't answer it.
 * Used once for each question, in a component that has the question's id as its key.
 */
export function useArmed(): Armed {
  const [armed, setArmed] = useState(false);
  useEffect(() => {
    let timer = window.setTimeout(() => setArmed(true), MILLISECONDS);
    const startAgain = (): void => {
      window.clearTimeout(timer);
      setArmed(false);
      timer = window.setTimeout(() => setArmed(true), MILLISECONDS);
    };
    window.addEventListener('focus', startAgain);
    document.addEventListener('visibilitychange', startAgain);
    return () => {
      window.clearTimeout(timer);
      window.removeEventListener('focus', startAgain);
      document.removeEventListener('visibilitychange', startAgain);
    };
  }, []);
  const onKeyDownCapture = (event: KeyboardEvent): void => {
    if ((event.key === 'Enter' || event.key === ' ') && (event.repeat || !armed)) event.preventDefault();
  };
  return { armed, onKeyDownCapture };
}
