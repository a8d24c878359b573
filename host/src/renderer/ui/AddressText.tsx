import { visibleText } from '@tabularium/sdk';
import type { ReactNode } from 'react';
import styles from './addressText.module.css';

interface Props {
  readonly url: string;
}

/** Longer ends are broken too: they would leave the view. */
const LONGEST_UNBROKEN = 40;
const PARTS = /^([a-z]+:\/\/(?:[^/:]*\.)?)([^./:]+\.[^./:]+)((?::\d+)?(?:\/.*)?)$/s;

/**
 * The address that a person decides about: whole, on lines of its own. The end of a host's name says whose it is, so it never leaves the view, and
 * isn't broken where a part of it would pass for the whole.
 */
export function AddressText({ url }: Props): ReactNode {
  const text = visibleText(url, 'name');
  const [, before, end, after] = PARTS.exec(text) ?? [];
  return (
    <code className={styles.address}>
      {end === undefined || end.length > LONGEST_UNBROKEN ? (
        text
      ) : (
        <>
          {before}
          <span className={styles.end}>{end}</span>
          {after}
        </>
      )}
    </code>
  );
}
