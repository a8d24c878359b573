import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import styles from './stateBar.module.css';

/** The seconds until an attempt that comes without a press. It isn't read aloud. */
export function Countdown({ until }: { readonly until: number }): ReactNode {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    let timer: ReturnType<typeof setInterval> | undefined;
    // A hidden window shows no seconds, so the clock stops there.
    const follow = (): void => {
      clearInterval(timer);
      if (document.hidden) return;
      setNow(Date.now());
      timer = setInterval(() => setNow(Date.now()), 500);
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', follow);
    };
  }, []);
  return <span className={styles.progress}>{strings.hostLink.retryIn(Math.max(1, Math.ceil((until - now) / 1_000)))}</span>;
}
