import type { ReactNode } from 'react';
import { formatCount } from '../i18n/format.ts';
import { strings } from '../i18n/index.ts';
import styles from './editing.module.css';

/** How many rows of a table are staged, beside its name. */
export function StagedMark({ count }: { readonly count: number }): ReactNode {
  if (count === 0) return null;
  const label = strings.editing.changes(count);
  return (
    <span className={styles.stagedMark} role="img" aria-label={label} title={label}>
      {formatCount(count)}
    </span>
  );
}
