import { ActionIcon, Button } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconRefresh, IconTableOff } from '@tabler/icons-react';
import type { Filter, Sort, TableDescription, TableRef, TableSummary } from '@tabularium/sdk';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import type { OpenConnectionInfo } from '../../common/api.ts';
import { api } from '../api/client.ts';
import { readPage } from '../api/readPage.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { ProblemPanel } from '../components/ProblemPanel.tsx';
import { FilterBar } from '../filter/FilterBar.tsx';
import type { FilterBarHandle } from '../filter/FilterBar.tsx';
import { isFiltering } from '../filter/filterModel.ts';
import { useTableFilter } from '../filter/useTableFilter.ts';
import { strings } from '../strings/index.ts';
import { beginActivity, notify } from '../workspace/activity.ts';
import { wholeText } from './cellText.ts';
import { DataGrid } from './DataGrid.tsx';
import type { GridHandle } from './DataGrid.tsx';
import { fitted } from './fit.ts';
import styles from './grid.module.css';
import { gridColumns } from './gridColumns.ts';
import type { GridColumn } from './gridColumns.ts';
import { HEADER_ROW } from './navigation.ts';
import type { CellPosition } from './navigation.ts';
import { PageCache } from './pageCache.ts';
import { Pager } from './Pager.tsx';
import { cycleSort } from './sortCycle.ts';
import { ValueInspector } from './ValueInspector.tsx';

interface Props {
  readonly connection: OpenConnectionInfo;
  readonly description: TableDescription;
  /** What the list of tables says of this one. */
  readonly summary: TableSummary | undefined;
  readonly rowHeight: number;
  readonly pageSize: number;
  /** Whether this tab is the one on the screen. */
  readonly isShown: boolean;
  readonly onPageSize: (size: number) => void;
  readonly onReloadStructure: () => void;
  /** The switch between the views of the tab. */
  readonly viewSwitch: ReactNode;
}

/** Work shorter than this is not told in the status bar: it would only flicker. */
const QUIET_MILLISECONDS = 150;

/** How long the first rows are waited for before the grid is drawn without them. */
const FIRST_ROWS_MILLISECONDS = 400;

/** The rows of one table. */
export function DataTab(props: Props): ReactNode {
  const { connection, description, summary, rowHeight, pageSize, isShown } = props;
  const { connectionId, manifest } = connection;
  const described = useMemo(() => gridColumns(description), [description]);
  const [sorts, setSorts] = useState<readonly Sort[]>([]);
  const [generation, setGeneration] = useState(0);
  const [active, setActive] = useState<CellPosition>();
  const [inspecting, setInspecting] = useState(false);
  // Pages, not rows: the tab has to render again only when another page comes on the screen.
  const [topPage, setTopPage] = useState(0);
  const [bottomPage, setBottomPage] = useState(0);
  const grid = useRef<GridHandle>(null);
  const filterBar = useRef<FilterBarHandle>(null);
  const { filtering } = manifest;
  const filter = useTableFilter(connectionId, description, filtering);
  const { applied } = filter;
  const isFiltered = isFiltering(applied);
  const tableName = description.ref.name;
  const cache = useMemo(() => {
    void generation;
    return new PageCache({
      paging: description.paging,
      pageSize,
      columns: described.columns.map((column) => column.name),
      load: (position, limit, signal) =>
        readPage({ connectionId, request: { table: description.ref, filter: applied, sorts, position, limit } }, signal),
    });
  }, [connectionId, description, described, pageSize, applied, sorts, generation]);
  useSyncExternalStore(cache.subscribe, cache.version);

  useEffect(() => () => cache.dispose(), [cache]);
  useRowCount(cache, connectionId, description.ref, applied, summary, generation);
  const { columns, isReady } = useFirstWidths(cache, described.columns);

  const onVisible = useCallback(
    (first: number, last: number): void => {
      cache.want(first, last);
      setTopPage(cache.pageOf(first));
      setBottomPage(cache.pageOf(last));
    },
    [cache],
  );

  const isSlow = useReadingActivity(cache, strings.grid.reading(tableName), isShown);
  useDroppedSortsNotice(cache, isShown);

  const onSort = useCallback(
    (column: string, additive: boolean): void => {
      const change = cycleSort(sorts, column, additive, manifest.reading.maxSorts);
      if (change.limitReached) notify({ tone: 'warning', text: strings.grid.sortLimit(manifest.reading.maxSorts) });
      else {
        notify();
        setSorts(change.sorts);
        grid.current?.scrollToRow(0);
      }
    },
    [sorts, manifest.reading.maxSorts],
  );

  const copy = ({ row, column }: CellPosition): void => {
    const shown = columns[column];
    const cell = cache.row(row)?.[column];
    if (shown === undefined || cell === undefined) return;
    navigator.clipboard.writeText(wholeText(cell, shown.kind).text).then(
      () => notify({ tone: 'plain', text: strings.grid.copied(shown.name) }),
      () => notify({ tone: 'warning', text: strings.grid.copyRefused }),
    );
  };

  const closeInspector = (): void => {
    setInspecting(false);
    grid.current?.focus();
  };

  const failure = cache.failureAmong(topPage, bottomPage);
  const nothingRead = failure !== undefined && !cache.hasRows;
  const rowCount = cache.rowCount;
  useHotkeys([['mod+F', () => (isShown ? filterBar.current?.focus() : undefined)]], []);
  const activeColumn = active === undefined ? undefined : columns[active.column];
  const activeCell = active === undefined || active.row === HEADER_ROW ? undefined : cache.row(active.row)?.[active.column];

  return (
    <div
      className={styles.tab}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && inspecting) {
          event.stopPropagation();
          closeInspector();
        }
      }}
    >
      <div className={styles.main}>
        {filtering === undefined ? null : (
          <FilterBar
            filter={filter}
            filtering={filtering}
            columns={description.columns}
            problem={isFiltered && nothingRead ? failure.problem : undefined}
            handle={filterBar}
            onReloadStructure={props.onReloadStructure}
            onLeave={() => grid.current?.focus()}
          />
        )}
        <DataGrid
          label={strings.grid.label(tableName)}
          columns={columns}
          frozen={described.frozen}
          isReady={isReady}
          showsWaiting={isSlow || failure !== undefined}
          rowCount={nothingRead ? 0 : rowCount}
          rowHeight={rowHeight}
          sorts={sorts}
          maxSorts={manifest.reading.maxSorts}
          active={active}
          handle={grid}
          row={(index) => cache.row(index)}
          onActive={setActive}
          onSort={onSort}
          onVisible={onVisible}
          onInspect={() => setInspecting(true)}
          onCopy={copy}
        >
          {nothingRead ? (
            <div className={styles.overlay}>
              <ProblemPanel
                title={strings.grid.readFailed(tableName)}
                problem={failure.problem}
                onRetry={() => cache.retry(failure.page)}
              />
            </div>
          ) : null}
          {failure !== undefined && !nothingRead ? (
            <div className={styles.failedPage}>
              <ProblemPanel
                compact
                title={strings.grid.pageFailed(failure.first + 1, failure.last + 1)}
                problem={failure.problem}
                onRetry={() => cache.retry(failure.page)}
              />
            </div>
          ) : null}
          {failure === undefined && cache.isEmpty ? (
            <div className={styles.overlay}>
              <EmptyState
                icon={<IconTableOff size={40} stroke={1.25} />}
                title={isFiltered ? strings.filter.noMatchTitle : strings.grid.noRowsTitle(manifest.terms.row)}
                text={isFiltered ? strings.filter.noMatchText : strings.grid.noRowsText(tableName, manifest.terms.row)}
                action={
                  isFiltered ? (
                    <Button variant="default" onClick={filter.clear}>
                      {strings.filter.clear}
                    </Button>
                  ) : (
                    <Button variant="default" onClick={() => setGeneration((before) => before + 1)}>
                      {strings.grid.reloadRows}
                    </Button>
                  )
                }
              />
            </div>
          ) : null}
        </DataGrid>
        <div className={styles.footer}>
          {props.viewSwitch}
          <ActionIcon
            aria-label={strings.grid.reloadRows}
            title={strings.grid.reloadRows}
            onClick={() => setGeneration((before) => before + 1)}
          >
            <IconRefresh size={16} stroke={1.75} />
          </ActionIcon>
          <span className={styles.footerSpace}>
            {active !== undefined && activeColumn !== undefined && active.row !== HEADER_ROW
              ? strings.grid.position(active.row + 1, activeColumn.name)
              : null}
          </span>
          <Pager
            span={rowCount === 0 || nothingRead ? undefined : cache.pageSpan(topPage)}
            rowCount={rowCount}
            total={cache.total}
            isFiltered={isFiltered}
            pageSize={pageSize}
            pageSizes={manifest.reading.pageSizes}
            reachesEnd={description.paging === 'offset'}
            onGoTo={(row) => grid.current?.scrollToRow(row)}
            onPageSize={props.onPageSize}
          />
          <span className={styles.milliseconds} title={strings.pager.millisecondsTitle}>
            {cache.milliseconds === undefined ? null : strings.pager.milliseconds(cache.milliseconds)}
          </span>
        </div>
      </div>
      {inspecting ? (
        <ValueInspector
          column={activeColumn}
          cell={activeCell}
          onCopy={() => (active === undefined ? undefined : copy(active))}
          onClose={closeInspector}
        />
      ) : null}
    </div>
  );
}

/**
 * How many rows there are: as the list of tables says, or counted, where the list does not say and after a reload. The rows do not wait for
 * it; without a count the grid grows as it is read.
 */
function useRowCount(
  cache: PageCache,
  connectionId: string,
  table: TableRef,
  filter: Filter,
  summary: TableSummary | undefined,
  generation: number,
): void {
  const listed = summary?.count;
  const isListed = summary !== undefined;
  useLayoutEffect(() => {
    const needsCounting = generation > 0 || isFiltering(filter);
    if (!needsCounting && listed !== undefined) {
      cache.learn(listed);
      return undefined;
    }
    if (!needsCounting && !isListed) return undefined;
    const controller = new AbortController();
    api.tables.count
      .query({ connectionId, table, filter }, { signal: controller.signal })
      .then((count) => cache.learn(count))
      // The rows say by themselves what is wrong; a count that is missing is shown as missing.
      .catch(() => undefined);
    return () => controller.abort();
  }, [cache, connectionId, table, filter, listed, isListed, generation]);
}

interface FirstWidths {
  readonly of: readonly GridColumn[];
  readonly columns: readonly GridColumn[];
}

/**
 * Widths that suit the first rows, without anything moving: the grid is drawn when they are here. Rows that take longer find
 * the grid drawn already, and its columns stay as wide as they are.
 */
function useFirstWidths(
  cache: PageCache,
  described: readonly GridColumn[],
): { columns: readonly GridColumn[]; isReady: boolean } {
  const [widths, setWidths] = useState<FirstWidths>();
  const isSettled = widths?.of === described;
  useEffect(() => {
    if (isSettled) return undefined;
    const settle = (): void => {
      if (cache.hasRows) setWidths({ of: described, columns: fitted(described, cache.rowsAround(0)) });
      else if (cache.isEmpty) setWidths({ of: described, columns: described });
    };
    const unsubscribe = cache.subscribe(settle);
    const timer = setTimeout(() => setWidths({ of: described, columns: described }), FIRST_ROWS_MILLISECONDS);
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, [cache, described, isSettled]);
  return { columns: isSettled ? widths.columns : described, isReady: isSettled };
}

/** Tells the status bar of reading that takes longer than a moment, and whether it does. */
function useReadingActivity(cache: PageCache, label: string, isShown: boolean): boolean {
  const isReading = cache.isReading;
  const [slow, setSlow] = useState<PageCache>();
  useEffect(() => {
    if (!isReading) return undefined;
    let end: (() => void) | undefined;
    const timer = setTimeout(() => {
      setSlow(cache);
      if (isShown) end = beginActivity(label, () => cache.cancel()).end;
    }, QUIET_MILLISECONDS);
    return () => {
      clearTimeout(timer);
      setSlow(undefined);
      end?.();
    };
  }, [isReading, cache, label, isShown]);
  return slow === cache;
}

/** A sort that was not sent is said in the status bar, with the driver's reason. */
function useDroppedSortsNotice(cache: PageCache, isShown: boolean): void {
  const dropped = cache.droppedSorts;
  useEffect(() => {
    if (!isShown || dropped.length === 0) return;
    notify({ tone: 'warning', text: dropped.map(({ column, reason }) => strings.grid.sortDropped(column, reason)).join(' ') });
  }, [dropped, isShown]);
}
