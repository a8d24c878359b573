import { ActionIcon, SegmentedControl } from '@mantine/core';
import { IconDots, IconTableColumn } from '@tabler/icons-react';
import type { TableSummary } from '@tabularium/sdk';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { OpenConnectionInfo, Preferences } from '../../common/api.ts';
import { EditConnection } from '../commands/EditConnection.tsx';
import { cancelledProblem, problemOf } from '../api/problem.ts';
import { useCancelTable, usePreferences, useSetPreferences, useTable } from '../api/queries.ts';
import { useRowHeight } from '../api/useRowHeight.ts';
import { TroubleBar } from '../ui/TroubleBar.tsx';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import gridStyles from '../grid/view/tab.module.css';
import { TableMenu } from '../operations/TableMenu.tsx';
import type { OpenTableMenu } from '../operations/TableMenu.tsx';
import { strings } from '../i18n/index.ts';
import { TAB_VIEWS } from '../../common/views.ts';
import type { TabView } from '../../common/views.ts';
import type { TableTab } from '../state/workspace.ts';
import { PendingTable } from './PendingTable.tsx';
import { TableViews } from './TableViews.tsx';
import { useReloadStructure } from './useReloadStructure.ts';
import fullPageStyles from './fullPage.module.css';

interface Props {
  readonly connection: OpenConnectionInfo;
  readonly tab: TableTab;
  readonly summary: TableSummary | undefined;
  readonly isShown: boolean;
  readonly onView: (view: TabView) => void;
}

const DEFAULT_PREFERENCES: Preferences = {
  theme: 'system',
  density: 'comfortable',
  language: 'system',
  lookForNewerVersions: false,
};

/** The page size that a person prefers, where the driver offers it. */
function pageSizeFor(connection: OpenConnectionInfo, preferences: Preferences): number {
  const { pageSizes, defaultPageSize } = connection.manifest.reading;
  return preferences.pageSize !== undefined && pageSizes.includes(preferences.pageSize) ? preferences.pageSize : defaultPageSize;
}

/** One tab: its rows, its search or its structure. */
export function TableTabView({ connection, tab, summary, isShown, onView }: Props): ReactNode {
  const { connectionId } = connection;
  const description = useTable(connectionId, tab.table);
  const cancel = useCancelTable(connectionId, tab.table);
  const structure = useReloadStructure(connectionId, tab.table);
  const preferences = usePreferences().data ?? DEFAULT_PREFERENCES;
  const rowHeight = useRowHeight();
  const setPreferences = useSetPreferences();
  const [menu, setMenu] = useState<OpenTableMenu>();

  // A tab that was left in a view which the driver no longer has shows its rows.
  const views = TAB_VIEWS.filter(
    (one) => (one !== 'rankedSearch' && one !== 'relevance') || connection.facets.includes('search'),
  );
  const view = views.includes(tab.view) ? tab.view : 'data';
  const viewSwitch = (
    <>
      <SegmentedControl
        className={gridStyles.viewSwitch}
        value={view}
        onChange={(value) => onView(TAB_VIEWS.find((one) => one === value) ?? 'data')}
        data={views.map((one) => ({ value: one, label: strings.tabs[one] }))}
      />
      <ActionIcon
        aria-label={strings.grid.reloadStructure}
        title={strings.grid.reloadStructure}
        loading={structure.isPending}
        onClick={structure.reload}
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

  const error = structure.error ?? description.error;
  // Neither here nor on its way: it went wrong, or a person has stopped it.
  const isMissing = description.data === undefined && description.fetchStatus === 'idle';
  if (description.data === undefined && (structure.error !== null || isMissing)) {
    const retry = (): void => (structure.error === null ? void description.refetch() : structure.reload());
    const problem =
      error === null ? cancelledProblem(strings.structure.cancelled, strings.structure.cancelledAdvice) : problemOf(error);
    return (
      <div className={fullPageStyles.centered}>
        <ProblemPanel
          title={strings.structure.failed(tab.table.name)}
          problem={problem}
          onRetry={retry}
          actions={<EditConnection problem={problem} />}
        />
      </div>
    );
  }
  if (description.data === undefined) return <PendingTable name={tab.table.name} isShown={isShown} onCancel={cancel} />;

  return (
    <>
      <TableViews
        connection={connection}
        description={description.data}
        summary={summary}
        view={view}
        isShown={isShown}
        rowHeight={rowHeight}
        pageSize={{
          rows: pageSizeFor(connection, preferences),
          choose: (pageSize) => setPreferences.mutate({ ...preferences, pageSize }),
        }}
        notice={
          structure.error === null ? null : (
            <TroubleBar
              problem={problemOf(structure.error)}
              consequence={strings.structure.former}
              isTrying={structure.isPending}
              isShown={isShown}
              onRetry={structure.reload}
            />
          )
        }
        viewSwitch={viewSwitch}
        onView={onView}
        onReloadStructure={structure.reload}
      />
      {menu === undefined ? null : <TableMenu connection={connection} at={menu} onClose={() => setMenu(undefined)} />}
    </>
  );
}
