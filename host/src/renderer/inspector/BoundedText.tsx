import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import styles from './inspector.module.css';

/** More than this in one element makes the browser slow; copying takes the whole text all the same. */
export const LONGEST_SHOWN = 200_000;

interface Props {
  readonly text: string;
  /** The length to show, where the text was indented for reading. */
  readonly length?: number;
  readonly label: string;
  readonly onCopyAll: () => void;
}

/** A text to read, its beginning only where it is very long, until all of it is asked for. */
export function BoundedText({ text, length = text.length, label, onCopyAll }: Props): ReactNode {
  const words = strings.inspector;
  const [showsAll, setShowsAll] = useState(false);
  const isCut = text.length > LONGEST_SHOWN && !showsAll;
  return (
    <>
      <pre className={styles.body} tabIndex={0} aria-label={label}>
        {isCut ? text.slice(0, LONGEST_SHOWN) : text}
      </pre>
      <div className={styles.footer}>
        <span>{isCut ? words.cut(LONGEST_SHOWN, length) : words.length(length)}</span>
        {isCut ? (
          <span className={styles.footButtons}>
            <Button variant="subtle" size="compact-xs" title={words.loadAllTitle} onClick={() => setShowsAll(true)}>
              {words.loadAll}
            </Button>
            <Button variant="subtle" size="compact-xs" onClick={onCopyAll}>
              {words.copyAll}
            </Button>
          </span>
        ) : null}
      </div>
    </>
  );
}
