import { visibleText } from '@tabularium/sdk';
import type { ReactNode } from 'react';
import styles from './addressText.module.css';

interface Props {
  readonly url: string;
}

/** The address that a person decides about: whole, on lines of its own. The end of a host's name says whose it is, so it never leaves the view. */
export function AddressText({ url }: Props): ReactNode {
  return <code className={styles.address}>{visibleText(url, 'name')}</code>;
}
