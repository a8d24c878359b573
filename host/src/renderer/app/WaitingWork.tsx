import { Button } from '@mantine/core';
import { useId, useState } from 'react';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import { useWaitingCount } from '../state/waitingWork.ts';
import styles from './waitingWork.module.css';

/** As many bars lie above the status bar. More of them would leave no room for what a person works on. */
const MOST_BARS = 2;

/** The bars of imports, exports and operations that need a person or can be paused, one below the other. More than two fold into one line. */
export function WaitingWork({ children }: { readonly children: ReactNode }): ReactNode {
  const words = strings.shell;
  const count = useWaitingCount();
  const [isUnfolded, setUnfolded] = useState(false);
  const id = useId();
  const folds = count > MOST_BARS;
  return (
    <div className={styles.waiting}>
      {folds ? (
        <div className={styles.line} data-region="waiting">
          <span role="status">{words.waitingWork(count)}</span>
          <Button
            size="compact-sm"
            variant="default"
            aria-expanded={isUnfolded}
            aria-controls={id}
            onClick={() => setUnfolded(!isUnfolded)}
          >
            {isUnfolded ? words.foldWork : words.showWork}
          </Button>
        </div>
      ) : null}
      <div id={id} className={styles.bars} hidden={folds && !isUnfolded}>
        {children}
      </div>
    </div>
  );
}
