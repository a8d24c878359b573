import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './dialogActions.module.css';

interface Props {
  readonly children: ReactNode;
}

/** The buttons of a dialog. They stay in sight while a long dialog scrolls. */
export function DialogActions({ children }: Props): ReactNode {
  return (
    <Group justify="flex-end" gap={8} className={styles.actions}>
      {children}
    </Group>
  );
}
