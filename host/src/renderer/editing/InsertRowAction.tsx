import { Tooltip } from '@mantine/core';
import { IconRowInsertTop } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import { LabelledAction } from '../ui/LabelledAction.tsx';
import styles from './editing.module.css';
import type { Stage } from './useStage.ts';

interface Props {
  readonly stage: Stage;
  readonly onInsert: () => void;
}

/** Begins a new row; where rows can't be written, it says why. */
export function InsertRowAction({ stage: { ability }, onInsert }: Props): ReactNode {
  const words = strings.editing;
  const refusal = ability?.allowed === false ? words.readOnly(ability.reason) : undefined;
  return (
    <Tooltip label={refusal ?? words.insertRow}>
      <LabelledAction
        icon={<IconRowInsertTop size={16} stroke={1.75} />}
        label={words.insertRow}
        aria-label={words.insertRow}
        aria-description={refusal}
        aria-disabled={refusal !== undefined}
        className={refusal === undefined ? undefined : styles.dimmed}
        onClick={onInsert}
      />
    </Tooltip>
  );
}
