import { Button } from '@mantine/core';
import { IconCircleArrowRight } from '@tabler/icons-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import styles from './inspector.module.css';

/** The way to the row of another table that a value refers to, or to the rows that refer to it. */
export interface FieldReference {
  readonly label: string;
  /** Why there are none. */
  readonly refusal: string | undefined;
  readonly open: () => void;
}

/** As many links as don't push the fields below them away. */
const SHOWN_LINKS = 5;

/** The rows that a value refers to, and those that refer to it: one link for each key of its column. */
export function ReferenceLinks({ references }: { readonly references: readonly FieldReference[] }): ReactNode {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? references : references.slice(0, SHOWN_LINKS);
  const links = shown.map(({ label, refusal, open }, index) => (
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
  return (
    <>
      {links}
      {shown.length === references.length ? null : (
        <Button variant="subtle" size="compact-xs" onClick={() => setWhole(true)}>
          {strings.grid.moreReferences(references.length - shown.length)}
        </Button>
      )}
    </>
  );
}
