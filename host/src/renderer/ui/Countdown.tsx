import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import styles from './stateBar.module.css';

/** The seconds until an attempt that comes without a press. It isn't read aloud. */
export function Countdown({ until }: { readonly until: number }): ReactNode {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  return <span className={styles.progress}>{strings.hostLink.retryIn(Math.max(1, Math.ceil((until - now) / 1_000)))}</span>;
}
