import type { TableDescription, TableSummary } from '@tabularium/sdk';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { OpenConnectionInfo } from '../../common/api.ts';
import { useTableFilter } from '../filter/useTableFilter.ts';
import { useSorting } from '../grid/tab/useSorting.ts';
import { DataTab } from '../grid/view/DataTab.tsx';
import type { PageSize } from '../grid/view/pageSize.ts';
import gridStyles from '../grid/view/tab.module.css';
import type { TabView } from '../../common/views.ts';
import { workspaceTableKey } from '../state/workspace.ts';
import { recall, remember } from '../state/workspaceStore.ts';
import { StructureTab } from '../tables/StructureTab.tsx';
import { UncertainRead } from '../tables/UncertainRead.tsx';
import pending from './pendingTable.module.css';
import styles from './shell.module.css';
import { onDemand } from '../ui/onDemand.tsx';

const WAITING = <div className={pending.pending} aria-busy />;

// Loaded when first opened, as the tools of a connection are.
const SearchTab = onDemand(async () => (await import('../search/SearchTab.tsx')).SearchTab, WAITING);
const RelevanceTab = onDemand(async () => (await import('../relevance/RelevanceTab.tsx')).RelevanceTab, WAITING);

interface Props {
  readonly connection: OpenConnectionInfo;
  readonly description: TableDescription;
  readonly summary: TableSummary | undefined;
  readonly view: TabView;
  readonly isShown: boolean;
  readonly rowHeight: number;
  readonly pageSize: PageSize;
  readonly notice: ReactNode;
  readonly viewSwitch: ReactNode;
  readonly onView: (view: TabView) => void;
  readonly onReloadStructure: () => void;
}

/**
 * The views of one table. Data, and relevance once it was shown, stay mounted while another view is shown: they hold typed text and running work. The settings
 * of the search are remembered. Filter and order are those of all views.
 */
export function TableViews({ view, isShown, viewSwitch, onView, rowHeight, pageSize, notice, ...table }: Props): ReactNode {
  const { connection, description, onReloadStructure } = table;
  const { connectionId, manifest } = connection;
  const filter = useTableFilter(connectionId, description, manifest.filtering);
  const sorting = useSorting(connectionId, description, manifest.reading.maxSorts);
  const [hadRelevance, setHadRelevance] = useState(view === 'relevance');
  if (view === 'relevance' && !hadRelevance) setHadRelevance(true);
  const { uncertainRead } = description;
  const readingName = `reading ${workspaceTableKey(description.ref)}`;
  // Decided once for a tab: rows that are on the screen, and changes of them, aren't taken away. The same calls aren't asked about again.
  const [isRead, setIsRead] = useState(() => uncertainRead === undefined || recall(connectionId, readingName) === uncertainRead);
  const hasSearch = connection.facets.includes('search');
  const footer = <div className={gridStyles.footer}>{viewSwitch}</div>;
  return (
    <>
      <div className={styles.view} data-hidden={view !== 'data' || undefined} inert={view !== 'data'}>
        {isRead || uncertainRead === undefined ? (
          <DataTab
            {...table}
            filter={filter}
            sorting={sorting}
            rowHeight={rowHeight}
            pageSize={pageSize}
            isShown={isShown && view === 'data'}
            notice={notice}
            viewSwitch={viewSwitch}
          />
        ) : (
          <UncertainRead
            name={description.ref.name}
            calls={uncertainRead}
            onRead={() => {
              remember(connectionId, readingName, uncertainRead);
              setIsRead(true);
            }}
            footer={footer}
          />
        )}
      </div>
      {view === 'rankedSearch' && hasSearch ? (
        <div className={styles.view}>
          <SearchTab
            connection={connection}
            description={description}
            filter={filter}
            sorts={sorting.sorts}
            isShown={isShown}
            onReloadStructure={onReloadStructure}
            footer={footer}
          />
        </div>
      ) : null}
      {hasSearch && (view === 'relevance' || hadRelevance) ? (
        <div className={styles.view} data-hidden={view !== 'relevance' || undefined} inert={view !== 'relevance'}>
          <RelevanceTab
            connectionId={connectionId}
            table={description.ref}
            isShown={isShown && view === 'relevance'}
            hasObjects={connection.facets.includes('objects')}
            onSearch={() => onView('rankedSearch')}
            footer={footer}
          />
        </div>
      ) : null}
      {view === 'structure' ? (
        <div className={styles.view}>
          <StructureTab description={description} footer={footer} />
        </div>
      ) : null}
    </>
  );
}
