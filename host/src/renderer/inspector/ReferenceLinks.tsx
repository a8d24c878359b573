import { Button } from '@mantine/core';
import { IconCircleArrowRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import styles from './inspector.module.css';

/** The way to the row of another table that a value refers to. */
export interface FieldReference {
  readonly label: string;
  /** Why the row refers to none. */
  readonly refusal: string | undefined;
  readonly open: () => void;
}

/** The rows that a value refers to, one for each foreign key of its column. */
export function ReferenceLinks({ references }: { readonly references: readonly FieldReference[] }): ReactNode {
  return references.map(({ label, refusal, open }, index) => (
    <div key={`${index} ${label}`} className={styles.link}>
      <Button
        variant="default"
        size="compact-xs"
        leftSection={<IconCircleArrowRight size={14} stroke={1.75} />}
        className={styles.reference}
        title={refusal ?? label}
        disabled={refusal !== undefined}
        onClick={open}
      >
        {label}
      </Button>
    </div>
  ));
}
