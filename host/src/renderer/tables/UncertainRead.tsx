import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import styles from './structure.module.css';

interface Props {
  readonly name: string;
  /** The driver's words for what reading may call. */
  readonly calls: string;
  readonly onRead: () => void;
  /** The content of the footer: the switch between the views. */
  readonly footer: ReactNode;
}

/** In place of the rows of a table whose reading may do more than read, until a person says so. */
export function UncertainRead({ name, calls, onRead, footer }: Props): ReactNode {
  return (
    <div className={styles.root}>
      <div className={styles.split}>
        <EmptyState
          icon={<IconAlertTriangle size={32} stroke={1.25} />}
          title={strings.structure.uncertainTitle(name)}
          text={strings.structure.uncertainText(calls)}
          action={
            <Button variant="default" onClick={onRead}>
              {strings.structure.readAnyway}
            </Button>
          }
        />
      </div>
      {footer}
    </div>
  );
}
