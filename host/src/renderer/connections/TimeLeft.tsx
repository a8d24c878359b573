import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';

/** The minutes and seconds until a time. They aren't read aloud. */
export function TimeLeft({ until }: { readonly until: number }): ReactNode {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.ceil((until - now) / 1_000));
  const text = strings.signIn.timeLeft(String(Math.floor(seconds / 60)), String(seconds % 60).padStart(2, '0'));
  return <span aria-hidden>{text}</span>;
}
