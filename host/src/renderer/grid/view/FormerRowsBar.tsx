import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { runCommand } from '../../commands/registry.ts';
import { strings } from '../../i18n/index.ts';
import { TroubleBar } from '../../ui/TroubleBar.tsx';
import type { TabRows } from '../tab/useTabRows.ts';

/** Problems that end when the person changes the connection. */
const OF_THE_CONNECTION: readonly string[] = ['ACCESS_REFUSED', 'CREDENTIALS_MISSING', 'SECRET_MISSING', 'HOST_NOT_FOUND'];

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
        OF_THE_CONNECTION.includes(problem.code) ? (
          <Button size="compact-sm" variant="default" onClick={() => runCommand('connection.edit')}>
            {strings.shell.editConnection}
          </Button>
        ) : problem.code === 'STRUCTURE_CHANGED' ? (
          <Button size="compact-sm" variant="default" onClick={onReloadStructure}>
            {strings.grid.reloadStructure}
          </Button>
        ) : undefined
      }
    />
  );
}
