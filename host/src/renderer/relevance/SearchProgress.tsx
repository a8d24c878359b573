import { Button, Progress } from '@mantine/core';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import styles from './relevance.module.css';

interface Props {
  readonly label: string;
  readonly done: number;
  readonly of: number;
  readonly onCancel: () => void;
}

/** How many of many searches are done. */
export function SearchProgress({ label, done, of, onCancel }: Props): ReactNode {
  const words = strings.relevance;
  return (
    <div className={styles.running}>
      <Progress className={styles.progress} value={of === 0 ? 0 : (100 * done) / of} aria-label={label} />
      <span className={styles.muted} role="status">
        {words.progress(done, of)}
      </span>
      <Button size="xs" variant="default" onClick={onCancel}>
        {words.cancel}
      </Button>
    </div>
  );
}
