import { useHotkeys } from '@mantine/hooks';
import type { Sort, TableDescription, TableSummary } from '@tabularium/sdk';
import { useCallback, useMemo, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { OpenConnectionInfo } from '../../../common/api.ts';
import { useCommands } from '../../commands/registry.ts';
import type { MenuPlace } from '../../ui/MenuList.tsx';
import { FilterBar } from '../../filter/FilterBar.tsx';
import type { FilterBarHandle } from '../../filter/FilterBar.tsx';
import { isFiltering } from '../../filter/filterModel.ts';
import { useTableFilter } from '../../filter/useTableFilter.ts';
import { RowInspector } from '../../inspector/RowInspector.tsx';
import { strings } from '../../i18n/index.ts';
import { notify } from '../../state/notify.ts';
import { moved, withWidths } from '../model/columnLayout.ts';
import { columnMenu } from './columnMenu.ts';
import { ColumnsMenu } from './ColumnsMenu.tsx';
import { DataGrid } from './DataGrid.tsx';
import type { GridHandle } from '../model/gridHandle.ts';
import { FindBar } from './FindBar.tsx';
import { gridActions } from './gridActions.ts';
import { gridColumns } from '../model/gridColumns.ts';
import { GridOverlays } from './GridOverlays.tsx';
import { HEADER_ROW } from '../model/navigation.ts';
import type { CellPosition } from '../model/navigation.ts';
import { Pager } from './Pager.tsx';
import { isMultiple } from '../model/selection.ts';
import { SelectionText } from './SelectionText.tsx';
import { cycleSort } from '../model/sortCycle.ts';
import { TabDialogs } from './TabDialogs.tsx';
import type { OpenDialog } from './TabDialogs.tsx';
import { TabFooter } from './TabFooter.tsx';
import styles from './tab.module.css';
import { tabKeys } from './tabKeys.ts';
import { useColumnLayout } from './useColumnLayout.ts';
import { useCopy } from './useCopy.ts';
import { useEditing } from './useEditing.tsx';
import { useFind } from './useFind.ts';
import { useGoToEnd } from './useGoToEnd.ts';
import { useGridSelection } from '../model/useGridSelection.ts';
import { usePaste } from './usePaste.tsx';
import { useTableCache } from './useTableCache.ts';
import { useDroppedSortsNotice, useFirstWidths, useReadingActivity } from './useTableRows.ts';

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
  const [inspecting, setInspecting] = useState(false);
  const [arranging, setArranging] = useState(false);
  const [dialog, setDialog] = useState<OpenDialog>();
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
  const { cache, reload } = useTableCache({ connectionId, description, described, summary, pageSize, filter: applied, sorts });
  const fitted = useFirstWidths(cache, described.columns);
  const arrangement = useColumnLayout(connectionId, description, fitted.columns, described.frozen);
  const { columns, change } = arrangement;
  const edit = useEditing({ connection, description, columns, all: fitted.columns, cache, grid, isShown, onSaved: reload });
  // Rows to be inserted stand above those of the table.
  const { above, source } = edit;
  const order = useMemo(() => JSON.stringify([columns.map(({ name }) => name), sorts, applied]), [columns, sorts, applied]);
  const selection = useGridSelection(above, order);
  const { active } = selection;
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

  const { maxSorts } = manifest.reading;
  const sorting = useMemo(() => ({ sorts, maxSorts }), [sorts, maxSorts]);
  const applySorts = useCallback((next: readonly Sort[]): void => {
    notify();
    setSorts(next);
    grid.current?.scrollToRow(0);
  }, []);
  const onSort = useCallback(
    (column: string, additive: boolean): void => {
      const next = cycleSort(sorts, column, additive, maxSorts);
      if (next.limitReached) notify({ tone: 'warning', text: strings.grid.sortLimit(maxSorts) });
      else applySorts(next.sorts);
    },
    [sorts, maxSorts, applySorts],
  );

  const failure = cache.failureAmong(topPage, bottomPage);
  const nothingRead = failure !== undefined && !cache.hasRows;
  const rowCount = nothingRead ? 0 : cache.rowCount + above;
  const size = { rows: cache.knownRows + above, columns: columns.length };
  const copying = useCopy(selection, columns, source, size);
  const pasting = usePaste({ description, columns, edit, selection, size, grid });
  const finding = useFind({
    columns,
    source,
    active,
    onGo: (position) => grid.current?.goTo(position),
    onClose: () => grid.current?.focus(),
  });
  const goToEnd = useGoToEnd({ cache, above, grid, connectionId, table: description.ref, filter: applied });
  const toggleInspector = (): void => setInspecting((before) => !before);
  const openExport = (): void => setDialog({ kind: 'export' });
  const goTo = (): void => setDialog({ kind: 'goTo' });
  const actions = gridActions({
    grid,
    columns,
    described: description.columns,
    selection,
    size,
    edit,
    copying,
    pasting,
    finding,
    showRow: () => setInspecting(true),
    toggleRow: toggleInspector,
    openColumns: () => setArranging(true),
    goTo,
    goToEnd: () => goToEnd(active?.column ?? 0),
    openExport: canExport ? openExport : undefined,
    reload,
  });
  useCommands(actions.commands, isShown);

  const closeInspector = (): void => {
    setInspecting(false);
    grid.current?.focus();
  };
  const onKeyDown = tabKeys({
    selection,
    edit,
    actions,
    closeMenu: dialog?.kind === 'menu' || dialog?.kind === 'cellMenu' ? () => setDialog(undefined) : undefined,
    isInspecting: inspecting,
    closeInspector,
    toggleInspector,
  });
  // Wherever the focus is in the tab, also where it is nowhere; not over a dialog.
  const inTab = (act: () => void) => (event: globalThis.KeyboardEvent) => {
    if (isShown && !(event.target instanceof Element && event.target.closest('[role="dialog"]') !== null)) act();
  };
  useHotkeys(
    [
      ['mod+F', inTab(finding.open)],
      ['mod+shift+F', inTab(() => filterBar.current?.focus())],
      ['mod+G', inTab(goTo)],
    ],
    [],
  );
  const onOpen = (position: CellPosition): void => {
    // Where nothing can be edited, the whole value is what a person may want.
    if (position.row === HEADER_ROW) return;
    if (edit.stage.ability?.allowed === true) edit.begin(position);
    else setInspecting(true);
  };
  const columnEntries = columnMenu({
    description,
    arrangement,
    cache,
    grid,
    selection,
    copying,
    sorts,
    maxSorts,
    setSorts: applySorts,
    filtering,
    filter,
    filterBar,
  });
  const onColumnMenu = (column: number, place: MenuPlace): void => {
    const label = strings.columns.menu(columns[column]?.name ?? '');
    setDialog({ kind: 'menu', label, place, entries: columnEntries(column) });
  };

  return (
    <div className={styles.tab} onKeyDown={onKeyDown} onPaste={pasting.onPaste}>
      <div className={styles.main}>
        {filtering === undefined ? null : (
          <FilterBar
            connection={connection}
            description={description}
            filter={filter}
            filtering={filtering}
            sorts={sorts}
            isShown={isShown}
            problem={isFiltered && nothingRead ? failure.problem : undefined}
            handle={filterBar}
            onReloadStructure={props.onReloadStructure}
            onLeave={() => grid.current?.focus()}
          />
        )}
        <DataGrid
          label={strings.grid.label(tableName)}
          rows={{
            count: rowCount,
            height: rowHeight,
            isReady: fitted.isReady,
            isReadOnly: edit.stage.ability?.allowed === false,
            showsWaiting: isSlow || failure !== undefined,
            at: (index) => edit.rowAt(index).row,
            numberOf: (index) => (index < above ? '+' : String(index - above + 1)),
            marks: edit.marks,
            found: finding,
            onVisible,
          }}
          columns={arrangement}
          sorting={sorting}
          selection={selection}
          editor={edit.editing}
          handle={grid}
          commands={{
            sort: onSort,
            open: onOpen,
            openMenu: (place) => setDialog({ kind: 'cellMenu', place }),
            openColumnMenu: onColumnMenu,
            copy: copying.copy,
            goToEnd,
            setWidths: (widths) => change((before) => withWidths(before, widths)),
            moveColumn: (column, to) => change((before) => moved(arrangement.described, before, column, to)),
          }}
        >
          <GridOverlays
            tableName={tableName}
            terms={manifest.terms}
            cache={cache}
            failure={failure}
            nothingRead={nothingRead}
            isEmpty={cache.isEmpty && above === 0}
            isFiltered={isFiltered}
            onClearFilter={filter.clear}
            onReload={reload}
          />
          {finding.isOpen ? <FindBar find={finding} loaded={cache.loadedCount + above} /> : null}
        </DataGrid>
        <TabFooter
          viewSwitch={props.viewSwitch}
          columnsMenu={<ColumnsMenu arrangement={arrangement} isOpen={arranging} onOpen={setArranging} />}
          changes={edit.bar}
          hasChanges={edit.stage.count > 0}
          hasSelection={selection.selection !== undefined && isMultiple(selection.selection)}
          isInspecting={inspecting}
          canExport={canExport}
          milliseconds={cache.milliseconds}
          onReload={reload}
          onInspect={toggleInspector}
          onExport={openExport}
          selection={
            <SelectionText
              selection={selection}
              columns={columns}
              source={source}
              size={size}
              isWhole={cache.knownRows === cache.rowCount}
              problem={active === undefined ? undefined : edit.marks(active.row)?.problem?.text}
            />
          }
          pager={
            <Pager
              span={cache.rowCount === 0 || nothingRead ? undefined : cache.pageSpan(topPage)}
              rowCount={cache.rowCount}
              total={cache.total}
              isFiltered={isFiltered}
              pageSize={pageSize}
              pageSizes={manifest.reading.pageSizes}
              reachesEnd={cache.reachesEnd}
              onGoTo={(row) => grid.current?.scrollToRow(row)}
              onLast={() => goToEnd(active?.column ?? 0)}
              onPageSize={props.onPageSize}
            />
          }
        />
      </div>
      {inspecting ? (
        <RowInspector
          description={description}
          columns={fitted.columns}
          stage={edit.stage}
          at={active === undefined || active.row === HEADER_ROW ? undefined : edit.rowAt(active.row)}
          rowNumber={active?.row}
          place={active === undefined ? undefined : columns[active.column]?.source}
          onPlace={(place) => {
            const column = columns.findIndex((one) => one.source === place);
            if (active !== undefined && column !== -1) grid.current?.goTo({ row: active.row, column });
          }}
          onInserted={() => grid.current?.goTo({ row: above, column: Math.min(1, columns.length - 1) })}
          onClose={closeInspector}
        />
      ) : null}
      {edit.layers}
      {pasting.layer}
      <TabDialogs
        open={dialog}
        connectionId={connectionId}
        table={description.ref}
        filter={applied}
        grid={grid}
        selection={selection}
        size={size}
        source={source}
        columns={columns}
        all={fitted.columns}
        cellMenu={actions.cellMenu}
        // What an entry of a menu opened stays open when the menu closes.
        onClose={() => setDialog((now) => (now === dialog ? undefined : now))}
      />
    </div>
  );
}
