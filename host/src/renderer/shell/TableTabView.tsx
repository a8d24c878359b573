import { ActionIcon, SegmentedControl } from '@mantine/core';
import { IconDots, IconTableColumn } from '@tabler/icons-react';
import type { TableSummary } from '@tabularium/sdk';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { OpenConnectionInfo, Preferences } from '../../common/api.ts';
import { problemOf } from '../api/problem.ts';
import { usePreferences, useReloadTable, useSetPreferences, useTable } from '../api/queries.ts';
import { ProblemPanel } from '../components/ProblemPanel.tsx';
import { DataTab } from '../grid/DataTab.tsx';
import gridStyles from '../grid/tab.module.css';
import { TableMenu } from '../operations/TableMenu.tsx';
import type { OpenTableMenu } from '../operations/TableMenu.tsx';
import { strings } from '../strings/index.ts';
import { StructureTab } from '../structure/StructureTab.tsx';
import type { TabView, TableTab } from '../workspace/workspace.ts';
import { PendingTable } from './PendingTable.tsx';
import styles from './shell.module.css';

interface Props {
  readonly connection: OpenConnectionInfo;
  readonly tab: TableTab;
  readonly summary: TableSummary | undefined;
  readonly isShown: boolean;
  readonly onView: (view: TabView) => void;
}

const ROW_HEIGHTS = { comfortable: 28, compact: 24 } as const;
const DEFAULT_PREFERENCES: Preferences = { theme: 'system', density: 'comfortable', language: 'system' };

/** The page size that a person prefers, where the driver offers it. */
function pageSizeFor(connection: OpenConnectionInfo, preferences: Preferences): number {
  const { pageSizes, defaultPageSize } = connection.manifest.reading;
  return preferences.pageSize !== undefined && pageSizes.includes(preferences.pageSize) ? preferences.pageSize : defaultPageSize;
}

/** One tab: its rows, or its structure. */
export function TableTabView({ connection, tab, summary, isShown, onView }: Props): ReactNode {
  const { connectionId } = connection;
  const description = useTable(connectionId, tab.table);
  const reload = useReloadTable(connectionId, tab.table);
  const preferences = usePreferences().data ?? DEFAULT_PREFERENCES;
  const setPreferences = useSetPreferences();
  const [menu, setMenu] = useState<OpenTableMenu>();

  const viewSwitch = (
    <>
      <SegmentedControl
        className={gridStyles.viewSwitch}
        value={tab.view}
        onChange={(value) => onView(value === 'structure' ? 'structure' : 'data')}
        data={[
          { value: 'data', label: strings.tabs.data },
          { value: 'structure', label: strings.tabs.structure },
        ]}
      />
      <ActionIcon
        aria-label={strings.grid.reloadStructure}
        title={strings.grid.reloadStructure}
        loading={reload.isPending}
        onClick={() => reload.mutate()}
      >
        <IconTableColumn size={16} stroke={1.75} />
      </ActionIcon>
      <ActionIcon
        aria-label={strings.operations.more}
        title={strings.operations.more}
        aria-haspopup="menu"
        onClick={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          setMenu({ table: tab.table, x: box.left, y: box.top });
        }}
      >
        <IconDots size={16} stroke={1.75} />
      </ActionIcon>
    </>
  );

  const error = reload.error ?? description.error;
  if (error !== null && (description.data === undefined || reload.error !== null)) {
    const retry = (): void => (reload.error === null ? void description.refetch() : reload.mutate());
    return (
      <div className={styles.centered}>
        <ProblemPanel title={strings.structure.failed(tab.table.name)} problem={problemOf(error)} onRetry={retry} />
      </div>
    );
  }
  if (description.data === undefined) return <PendingTable name={tab.table.name} isShown={isShown} />;

  return (
    <>
      <div className={styles.view} data-hidden={tab.view !== 'data' || undefined} inert={tab.view !== 'data'}>
        <DataTab
          connection={connection}
          description={description.data}
          summary={summary}
          rowHeight={ROW_HEIGHTS[preferences.density]}
          pageSize={pageSizeFor(connection, preferences)}
          isShown={isShown && tab.view === 'data'}
          onPageSize={(pageSize) => setPreferences.mutate({ ...preferences, pageSize })}
          onReloadStructure={() => reload.mutate()}
          viewSwitch={viewSwitch}
        />
      </div>
      {tab.view === 'structure' ? (
        <div className={styles.view}>
          <StructureTab description={description.data} footer={<div className={gridStyles.footer}>{viewSwitch}</div>} />
        </div>
      ) : null}
      {menu === undefined ? null : <TableMenu connectionId={connectionId} at={menu} onClose={() => setMenu(undefined)} />}
    </>
  );
}
