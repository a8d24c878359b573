import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { GridColumn } from '../grid/model/gridColumns.ts';
import { strings } from '../i18n/index.ts';
import styles from './inspector.module.css';

interface Props {
  readonly column: GridColumn | undefined;
  /** Said where no column is. */
  readonly title: string;
  /** The row of the value, where that may be another one than the active row. */
  readonly row?: string | undefined;
  /** Buttons of the head. */
  readonly actions: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** The part at the right of rows; in a narrow window it lies over them. */
export function InspectorFrame({ column, title, row, actions, onClose, children }: Props): ReactNode {
  const words = strings.inspector;
  return (
    <aside className={styles.inspector} aria-label={words.label}>
      <div className={styles.head}>
        <h2 className={styles.title}>
          <span>{column?.name ?? title}</span>
          <span>{row ?? column?.type}</span>
        </h2>
        {actions}
        <ActionIcon aria-label={words.close} title={words.close} onClick={onClose}>
          <IconX size={16} stroke={1.75} />
        </ActionIcon>
      </div>
      {children}
    </aside>
  );
}
