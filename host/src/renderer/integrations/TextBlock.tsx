import type { ReactNode } from 'react';
import styles from './integrations.module.css';

/** A text to be copied as it is. It scrolls by the keyboard, too. */
export function TextBlock({ label, text }: { readonly label: string; readonly text: string }): ReactNode {
  return (
    <pre className={styles.text} tabIndex={0} role="region" aria-label={label}>
      {text}
    </pre>
  );
}

const KINDS: Readonly<Record<string, string>> = { '+': 'added', '-': 'removed' };

/** The changes of a text, line by line. The signs say it; the colours say it again. */
export function DiffBlock({ label, diff }: { readonly label: string; readonly diff: string }): ReactNode {
  const lines = diff.replace(/\n$/, '').split('\n');
  return (
    <pre className={styles.text} tabIndex={0} role="region" aria-label={label}>
      {lines.map((line, place) => (
        <span key={place} className={styles.line} data-change={KINDS[line.charAt(0)]}>
          {line}
          {'\n'}
        </span>
      ))}
    </pre>
  );
}
