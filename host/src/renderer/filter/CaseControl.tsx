import { ActionIcon, Tooltip } from '@mantine/core';
import { IconLetterCase } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import styles from './filter.module.css';
import type { FilterSelection } from './filterModel.ts';
import type { TableFilter } from './useTableFilter.ts';

interface Props {
  readonly filtering: FilterSelection;
  readonly filter: TableFilter;
}

/** Whether letter case counts; dimmed with the driver's reason where there is no choice. */
export function CaseControl({ filtering, filter }: Props): ReactNode {
  const words = strings.filter;
  const { caseControl } = filtering;
  const isOn = filter.draft.matchCase === true;
  const reason = caseControl.available ? undefined : caseControl.reason;
  return (
    <Tooltip label={reason ?? words.caseControl} openDelay={200}>
      <ActionIcon
        size={24}
        variant={isOn ? 'light' : 'subtle'}
        aria-label={words.caseControl}
        aria-description={reason}
        aria-pressed={isOn}
        aria-disabled={reason !== undefined}
        data-disabled={reason !== undefined || undefined}
        className={styles.case}
        onClick={() => (reason === undefined ? filter.apply({ ...filter.draft, matchCase: !isOn }) : undefined)}
      >
        <IconLetterCase size={16} stroke={1.75} />
      </ActionIcon>
    </Tooltip>
  );
}
