import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { EditConnection } from '../../commands/EditConnection.tsx';
import { strings } from '../../i18n/index.ts';
import { TroubleBar } from '../../ui/TroubleBar.tsx';
import type { TabRows } from '../tab/useTabRows.ts';

interface Props {
  readonly rows: NonNullable<TabRows['former']>;
  readonly isShown: boolean;
  readonly onReloadStructure: () => void;
}

/** Above rows that are from before, because they could not be read again. */
export function FormerRowsBar({ rows: { problem, isTrying, retry }, isShown, onReloadStructure }: Props): ReactNode {
  return (
    <TroubleBar
      problem={problem}
      consequence={strings.grid.formerRows}
      isTrying={isTrying}
      isShown={isShown}
      onRetry={retry}
      actions={
        problem.code === 'STRUCTURE_CHANGED' ? (
          <Button size="compact-sm" variant="default" onClick={onReloadStructure}>
            {strings.grid.reloadStructure}
          </Button>
        ) : (
          <EditConnection problem={problem} />
        )
      }
    />
  );
}
