import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import { beginActivity } from '../state/notify.ts';
import styles from './pendingTable.module.css';

/** An answer within this time shows no progress. */
const SLOW_MILLISECONDS = 150;

interface Props {
  readonly name: string;
  readonly isShown: boolean;
  /** Does not change from render to render. */
  readonly onCancel: () => void;
}

/** A table whose structure is not here yet. A server that keeps silent leaves no empty pane: it says what is awaited. */
export function PendingTable({ name, isShown, onCancel }: Props): ReactNode {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MILLISECONDS);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    if (!isSlow || !isShown) return undefined;
    const activity = beginActivity(strings.grid.reading(name), onCancel);
    return () => activity.end();
  }, [isSlow, isShown, name, onCancel]);
  return (
    <div className={styles.pending} aria-busy>
      {isSlow ? (
        <div className={styles.awaited}>
          <p>{strings.grid.reading(name)}</p>
          <Button variant="default" onClick={onCancel}>
            {strings.common.cancel}
          </Button>
        </div>
      ) : null}
    </div>
  );
}
