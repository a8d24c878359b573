import { ActionIcon, Button } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconFileExport, IconLayoutSidebarRight, IconRefresh, IconTableOff } from '@tabler/icons-react';
import type { Sort, TableDescription, TableSummary } from '@tabularium/sdk';
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import type { OpenConnectionInfo } from '../../common/api.ts';
import { readPage } from '../api/readPage.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { ProblemPanel } from '../components/ProblemPanel.tsx';
import { FilterBar } from '../filter/FilterBar.tsx';
import type { FilterBarHandle } from '../filter/FilterBar.tsx';
import { isFiltering } from '../filter/filterModel.ts';
import { useTableFilter } from '../filter/useTableFilter.ts';
import { useTableChanges } from '../operations/tableChanges.ts';
import { strings } from '../strings/index.ts';
import { ExportDialog } from '../transfer/ExportDialog.tsx';
import { notify } from '../workspace/activity.ts';
import { wholeText } from './cellText.ts';
import { DataGrid } from './DataGrid.tsx';
import type { GridHandle } from './DataGrid.tsx';
import styles from './grid.module.css';
import { gridColumns } from './gridColumns.ts';
import { HEADER_ROW } from './navigation.ts';
import type { CellPosition } from './navigation.ts';
import { PageCache } from './pageCache.ts';
import { Pager } from './Pager.tsx';
import { cycleSort } from './sortCycle.ts';
import { RowPanel } from './RowPanel.tsx';
import { useDroppedSortsNotice, useFirstWidths, useReadingActivity, useRowCount } from './useTableRows.ts';
import { useEditing } from './useEditing.tsx';

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

/** The rows of one table. */
export function DataTab(props: Props): ReactNode {
  const { connection, description, summary, rowHeight, pageSize, isShown } = props;
  const { connectionId, manifest } = connection;
  const described = useMemo(() => gridColumns(description), [description]);
  const [sorts, setSorts] = useState<readonly Sort[]>([]);
  const [reloads, setReloads] = useState(0);
  const generation = reloads + useTableChanges(connectionId);
  const [active, setActive] = useState<CellPosition>();
  const [inspecting, setInspecting] = useState(false);
  const [exporting, setExporting] = useState(false);
  // Pages, not rows: the tab has to render again only when another page comes on the screen.
  const [topPage, setTopPage] = useState(0);
  const [bottomPage, setBottomPage] = useState(0);
  const grid = useRef<GridHandle>(null);
  const filterBar = useRef<FilterBarHandle>(null);
  const { filtering } = manifest;
  const filter = useTableFilter(connectionId, description, filtering);
  const { applied } = filter;
  const isFiltered = isFiltering(applied);
  const canExport = connection.facets.includes('export');
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

  const reloadRows = useCallback((): void => setReloads((before) => before + 1), []);
  const edit = useEditing({ connection, description, columns, cache, grid, active, onSaved: reloadRows });
  // Rows to be inserted stand above those of the table.
  const { above } = edit;
  const onVisible = useCallback(
    (first: number, last: number): void => {
      const from = Math.max(0, first - above);
      const to = Math.max(0, last - above);
      cache.want(from, to);
      setTopPage(cache.pageOf(from));
      setBottomPage(cache.pageOf(to));
    },
    [cache, above],
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
    const cell = edit.rowAt(row).row?.[column];
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
  const activeRow = active === undefined || active.row === HEADER_ROW ? undefined : edit.rowAt(active.row).row;

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && inspecting) {
      event.stopPropagation();
      closeInspector();
      return;
    }
    const command = event.ctrlKey || event.metaKey;
    if (command && event.key.toLowerCase() === 'i' && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      setInspecting((before) => !before);
      return;
    }
    edit.onKeyDown(event);
  };
  const onOpen = (position: CellPosition): void => {
    // Where nothing can be edited, the whole value is what a person may want.
    if (position.row === HEADER_ROW) return;
    if (edit.stage.ability?.allowed === true) edit.begin(position);
    else setInspecting(true);
  };

  return (
    <div className={styles.tab} onKeyDown={onKeyDown}>
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
          rowCount={nothingRead ? 0 : rowCount + above}
          rowHeight={rowHeight}
          sorts={sorts}
          maxSorts={manifest.reading.maxSorts}
          active={active}
          handle={grid}
          row={(index) => edit.rowAt(index).row}
          marks={edit.marks}
          editing={edit.editing}
          isReadOnly={edit.stage.ability?.allowed === false}
          onActive={setActive}
          onSort={onSort}
          onVisible={onVisible}
          onOpen={onOpen}
          onMenu={(position, place) => edit.openMenu(position, place, { copy, showRow: () => setInspecting(true) })}
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
          {failure === undefined && cache.isEmpty && above === 0 ? (
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
                    <Button variant="default" onClick={reloadRows}>
                      {strings.grid.reloadRows}
                    </Button>
                  )
                }
              />
            </div>
          ) : null}
        </DataGrid>
        <div className={styles.footer} data-changes={edit.stage.count > 0 || undefined}>
          {props.viewSwitch}
          <ActionIcon aria-label={strings.grid.reloadRows} title={strings.grid.reloadRows} onClick={reloadRows}>
            <IconRefresh size={16} stroke={1.75} />
          </ActionIcon>
          <ActionIcon
            aria-label={strings.rowPanel.show}
            title={strings.rowPanel.show}
            aria-pressed={inspecting}
            onClick={() => setInspecting((before) => !before)}
          >
            <IconLayoutSidebarRight size={16} stroke={1.75} />
          </ActionIcon>
          <ActionIcon
            aria-label={strings.transfer.open}
            title={canExport ? strings.transfer.open : strings.transfer.unavailable}
            disabled={!canExport}
            onClick={() => setExporting(true)}
          >
            <IconFileExport size={16} stroke={1.75} />
          </ActionIcon>
          {edit.bar}
          <span className={styles.footerSpace}>
            {active !== undefined && activeColumn !== undefined && active.row !== HEADER_ROW
              ? (edit.marks(active.row)?.problem?.text ?? strings.grid.position(active.row + 1, activeColumn.name))
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
        <RowPanel
          columns={columns}
          place={active?.column}
          row={activeRow}
          marks={active === undefined ? undefined : edit.marks(active.row)}
          refusal={(place) => (active === undefined ? undefined : edit.refusal({ row: active.row, column: place }))}
          onPlace={(column) => (active === undefined ? undefined : grid.current?.goTo({ row: active.row, column }))}
          onSet={(column, value) => (active === undefined ? undefined : edit.set({ row: active.row, column }, value))}
          onClose={closeInspector}
        />
      ) : null}
      {edit.layers}
      {exporting ? (
        <ExportDialog
          connectionId={connectionId}
          table={description.ref}
          columns={columns.map(({ name }) => name)}
          filter={applied}
          onClose={() => setExporting(false)}
        />
      ) : null}
    </div>
  );
}
