import { openImport } from '../importing/openImport.ts';
import { useImportRefusal } from '../importing/useImportRefusal.ts';
import { ActionIcon, Button, TextInput } from '@mantine/core';
import {
  IconChevronDown,
  IconChevronRight,
  IconCornerDownRight,
  IconEye,
  IconFilter,
  IconFileImport,
  IconListSearch,
  IconRefresh,
  IconTable,
} from '@tabler/icons-react';
import { visibleText } from '@tabularium/sdk';
import type { Operation, TableRef, TableSummary } from '@tabularium/sdk';
import { useEffect, useLayoutEffect, useMemo, useState } from 'react';
import type { KeyboardEvent, MouseEvent, ReactNode, RefObject } from 'react';
import { foldGroup, useFoldedGroups } from '../api/foldedGroups.ts';
import { isNamespaceRead, namespaceOfKey, readNamespace, stopReading, useNamespaceTree } from '../api/namespaceTree.ts';
import { useRowHeight } from '../api/useRowHeight.ts';
import type { OpenConnectionInfo } from '../../common/api.ts';
import { opensByName, useForgetNamed, useNamedTables } from '../api/namedTables.ts';
import { problemOf } from '../api/problem.ts';
import { useTables } from '../api/queries.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { EditConnection } from '../commands/EditConnection.tsx';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { useFixedRows } from '../grid/model/useFixedRows.ts';
import { formatRowCount } from '../i18n/format.ts';
import { ServerOperations } from '../operations/ServerOperations.tsx';
import { TableMenu } from '../operations/TableMenu.tsx';
import type { OpenTableMenu } from '../operations/TableMenu.tsx';
import { strings } from '../i18n/index.ts';
import { notify } from '../state/notify.ts';
import { MissingTables } from '../editing/MissingTables.tsx';
import { useMissingTables } from '../editing/useMissingTables.ts';
import { StagedMark } from '../editing/StagedMark.tsx';
import { stagedCounts, useStagedTables } from '../state/stagedTables.ts';
import { wantFind } from '../state/wantedFinds.ts';
import type { WantedFind } from '../state/wantedFinds.ts';
import { workspaceTableKey } from '../state/workspace.ts';
import { namespaceKey } from '../../common/namespaces.ts';
import type { TabView, WorkspaceTool } from '../../common/views.ts';
import { NamedTablesSection } from './NamedTablesSection.tsx';
import { SidebarTools } from './SidebarTools.tsx';
import { NamespaceMenu } from './NamespaceMenu.tsx';
import type { OpenNamespaceMenu } from './NamespaceMenu.tsx';
import { toolsOf } from './tools.tsx';
import keyHintStyles from './keyHint.module.css';
import styles from './sidebar.module.css';
import { filteredLines, namespaceLines } from './namespaceLines.ts';
import type { NamespaceLine } from './namespaceLines.ts';
import { NamespaceStateLine } from './NamespaceStateLine.tsx';
import { heightOfLine, ownLine, withReasons } from './reasonLines.ts';
import { SearchRest } from '../ui/SearchRest.tsx';
import { tableLines } from './tableLines.ts';

interface Props {
  readonly connection: OpenConnectionInfo;
  readonly openTable: string | undefined;
  readonly filterInput: RefObject<HTMLInputElement | null> | undefined;
  readonly filter: string;
  readonly onFilter: (filter: string) => void;
  readonly onOpen: (table: TableRef, view?: TabView) => void;
  readonly onOpenTool: (tool: WorkspaceTool) => void;
  readonly onOpenByName: () => void;
  readonly operations: readonly Operation[];
  readonly onOperation: (operation: Operation) => void;
  /** Given while it lies over the tab: Escape leads back. */
  readonly onLeave: (() => void) | undefined;
}

/** Pixels of the list until it is measured. */
const DEFAULT_WIDTH = 240;
const NONE: ReadonlyMap<string, boolean> = new Map();

const keyAt = (tables: readonly TableSummary[], place: number): string | undefined => {
  const table = tables[place];
  return table === undefined ? undefined : workspaceTableKey(table.ref);
};
const fullName = (table: TableRef): string => [...table.namespace, table.name].join('.');

/** The tables of a connection, with how many rows each has. */
export function Sidebar(props: Props): ReactNode {
  const { connection, openTable, filterInput, filter, operations } = props;
  const { onFilter, onOpen, onOpenTool, onOpenByName, onOperation, onLeave } = props;
  const { terms } = connection.manifest;
  const tables = useTables(connection.connectionId);
  const named = useNamedTables(connection).data;
  const forget = useForgetNamed(connection.connectionId);
  const importRefusal = useImportRefusal(connection);
  const [menu, setMenu] = useState<OpenTableMenu & { readonly isNamed?: true }>();
  const [inside, setInside] = useState<OpenNamespaceMenu>();
  const canFind = toolsOf(connection).some(({ tool }) => tool === 'find');
  const find = (wanted: WantedFind): void => {
    wantFind(connection.connectionId, wanted);
    onOpenTool('find');
  };
  const shown = useMemo(() => {
    const wanted = filter.trim().toLocaleLowerCase();
    return (tables.data ?? []).filter((table) => fullName(table.ref).toLocaleLowerCase().includes(wanted));
  }, [tables.data, filter]);
  const shownNames = useMemo(() => {
    const wanted = filter.trim().toLocaleLowerCase();
    return (named?.tables ?? []).filter((table) => fullName(table).toLocaleLowerCase().includes(wanted));
  }, [named, filter]);
  const staged = useStagedTables(connection.connectionId);
  const countOf = useMemo(() => stagedCounts(staged), [staged]);
  const tree = useNamespaceTree(connection.connectionId);
  const unlisted = useMemo(() => {
    // A list that a key narrows says nothing of what isn't in it.
    if (tables.data === undefined || opensByName(connection)) return [];
    const listed = new Set(tables.data.map(({ ref }) => workspaceTableKey(ref)));
    return staged.filter(
      ({ table }) => !listed.has(workspaceTableKey(table)) && (tree === undefined || isNamespaceRead(tree, table.namespace)),
    );
  }, [tables.data, connection, staged, tree]);
  const missing = useMissingTables(unlisted, tables.dataUpdatedAt);
  const rowHeight = useRowHeight();
  const folded = useFoldedGroups(connection.connectionId);
  const isFiltered = filter.trim() !== '';
  // With another filter, what it finds is unfolded again.
  const [width, setWidth] = useState(DEFAULT_WIDTH);
  const [whileFiltered, setWhileFiltered] = useState({ of: '', folded: NONE });
  const own = useMemo((): readonly NamespaceLine[] => {
    if (tree === undefined) return tableLines(shown, isFiltered ? 'none' : folded);
    if (!isFiltered) return namespaceLines(shown, tree, folded);
    const wanted = filter.trim().toLocaleLowerCase();
    return filteredLines(shown, tree, wanted, {
      folded,
      whileFiltered: whileFiltered.of === wanted ? whileFiltered.folded : NONE,
    });
  }, [shown, isFiltered, folded, whileFiltered, tree, filter]);
  const lines = useMemo(() => withReasons(own, tree, { width, rowHeight }), [own, tree, width, rowHeight]);
  useEffect(() => {
    // Namespaces that were unfolded before the connection was opened again are read again.
    if (tree === undefined || isFiltered) return;
    for (const line of lines) {
      if (line.is !== 'heading' || line.namespace === undefined || line.isFolded || tree.nodes.has(line.key)) continue;
      void readNamespace(connection.connectionId, line.namespace);
    }
  }, [lines, tree, isFiltered, connection.connectionId]);
  const { list, rows, showRow } = useFixedRows(lines.length, rowHeight);
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, [list]);
  // A reason whose beginning is scrolled away is drawn as well.
  const firstDrawn = ownLine(lines, rows.first);
  // The open table may be in a group that is folded.
  const activeLine = Math.max(
    0,
    lines.findIndex((line) => line.is === 'table' && keyAt(shown, line.place) === openTable),
  );

  const focusLine = (line: number): void => {
    showRow(line);
    list.current?.querySelector<HTMLElement>(`[data-line="${line}"]`)?.focus();
  };

  const fold = ({ key, isFolded, namespace }: Extract<NamespaceLine, { is: 'heading' }>): void => {
    if (isFiltered && tree !== undefined) {
      const of = filter.trim().toLocaleLowerCase();
      setWhileFiltered((before) => ({ of, folded: new Map(before.of === of ? before.folded : NONE).set(key, !isFolded) }));
    }
    if (!isFiltered || namespace !== undefined) foldGroup(connection.connectionId, key, !isFolded);
    const node = tree?.nodes.get(key);
    // A person who unfolds it once more asks once more.
    if (namespace !== undefined && isFolded && (node === undefined || node.problem !== undefined))
      void readNamespace(connection.connectionId, namespace);
  };

  const onItemKey = (event: KeyboardEvent, at: number): void => {
    const line = lines[at];
    const reading = line?.is === 'heading' || line?.is === 'state' ? line.namespace : undefined;
    if (event.key === 'Escape' && reading !== undefined && tree?.nodes.get(namespaceKey(reading.path))?.isReading === true) {
      event.preventDefault();
      event.stopPropagation();
      stopReading(connection.connectionId, reading.path);
      if (line?.is === 'state') focusLine(Math.max(0, at - 1));
      return;
    }
    if (line?.is === 'heading' && event.key === (line.isFolded ? 'ArrowRight' : 'ArrowLeft')) {
      event.preventDefault();
      fold(line);
      return;
    }
    if (event.key === 'ArrowLeft' && line !== undefined) {
      const above = lines
        .slice(0, at)
        .findLastIndex((one) => one.is === 'heading' && (line.is !== 'heading' || one.indent < line.indent));
      if (above < 0) return;
      event.preventDefault();
      focusLine(above);
      return;
    }
    const below = at + heightOfLine(lines, at);
    const last = ownLine(lines, lines.length - 1);
    const to = { ArrowUp: at === 0 ? -1 : ownLine(lines, at - 1), ArrowDown: below, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    if (to < 0) filterInput?.current?.focus();
    else if (to < lines.length) focusLine(to);
  };

  const onFilterKey = (event: KeyboardEvent): void => {
    const first = shown[0];
    if (event.key === 'ArrowDown' && lines.length > 0) {
      event.preventDefault();
      // The first line of a tree is that of a namespace, which may be folded.
      const firstTable = tree === undefined ? lines.findIndex(({ is }) => is === 'table') : 0;
      focusLine(Math.max(0, firstTable));
    } else if (event.key === 'Enter' && first !== undefined) onOpen(first.ref);
    else if (event.key === 'Escape' && filter !== '') {
      event.stopPropagation();
      onFilter('');
    }
  };

  const forgetName = (table: TableRef): void =>
    forget.mutate(table, {
      onError: (error) =>
        notify({
          tab: 'none',
          tone: 'warning',
          text: `${strings.sidebar.forgetFailed(fullName(table))}: ${problemOf(error).message}`,
        }),
    });

  return (
    <nav
      className={styles.sidebar}
      data-region="sidebar"
      aria-label={strings.sidebar.label(terms.table)}
      onKeyDown={(event) => (event.key === 'Escape' ? onLeave?.() : undefined)}
    >
      <div className={styles.sidebarHead}>
        <TextInput
          ref={filterInput}
          className={styles.sidebarFilter}
          value={filter}
          onChange={(event) => onFilter(event.currentTarget.value)}
          onKeyDown={onFilterKey}
          placeholder={strings.sidebar.filter(terms.table)}
          aria-label={strings.sidebar.filter(terms.table)}
          leftSection={<IconFilter size={14} stroke={1.75} aria-hidden />}
          rightSection={filter === '' ? <kbd className={keyHintStyles.keyHint}>/</kbd> : null}
        />
        {connection.facets.includes('import') ? (
          <ActionIcon
            aria-label={strings.importing.openNew(terms.table.one)}
            title={importRefusal ?? strings.importing.openNew(terms.table.one)}
            disabled={importRefusal !== undefined}
            onClick={() => openImport({ connectionId: connection.connectionId })}
          >
            <IconFileImport size={16} stroke={1.75} />
          </ActionIcon>
        ) : null}
        <ActionIcon
          aria-label={strings.sidebar.refresh(terms.table)}
          title={strings.sidebar.refresh(terms.table)}
          loading={tables.isFetching && tables.data !== undefined}
          onClick={() => void tables.refetch()}
        >
          <IconRefresh size={16} stroke={1.75} />
        </ActionIcon>
      </div>
      {canFind && isFiltered ? (
        <button type="button" className={styles.findRows} onClick={() => find({ text: filter.trim(), scope: { in: 'all' } })}>
          <IconListSearch size={14} stroke={1.75} aria-hidden />
          <span>{strings.finding.fromFilter(visibleText(filter.trim()))}</span>
        </button>
      ) : null}
      {isFiltered || tree?.readingRest !== undefined ? (
        <SearchRest connectionId={connection.connectionId} term={connection.manifest.terms.container} />
      ) : null}
      <div className={styles.sidebarTitleRow}>
        <h2 className={styles.sidebarTitle}>
          {terms.table.other}
          {tables.data === undefined ? null : <span className={styles.sidebarCount}>{tables.data.length}</span>}
        </h2>
        <ServerOperations operations={operations} onChoose={onOperation} />
      </div>
      <MissingTables tables={missing} />
      <div ref={list} className={styles.sidebarList}>
        {tables.error === null ? null : (
          <div className={styles.sidebarProblem}>
            <ProblemPanel
              compact
              title={strings.sidebar.listFailed(terms.table)}
              problem={problemOf(tables.error)}
              onRetry={() => void tables.refetch()}
              actions={<EditConnection problem={problemOf(tables.error)} />}
            />
          </div>
        )}
        {tables.data?.length === 0 && named?.reason !== undefined ? <p className={styles.listReason}>{named.reason}</p> : null}
        {tables.data?.length === 0 && !opensByName(connection) && lines.length === 0 ? (
          <EmptyState
            icon={<IconTable size={32} stroke={1.25} />}
            title={strings.sidebar.emptyTitle(terms.table)}
            text={strings.sidebar.emptyText(terms.table)}
            action={
              <Button variant="default" onClick={() => void tables.refetch()}>
                {strings.sidebar.refresh(terms.table)}
              </Button>
            }
          />
        ) : null}
        {tables.data !== undefined && tables.data.length > 0 && shown.length === 0 && lines.length === 0 ? (
          <div className={styles.noMatch}>
            <p>{strings.sidebar.noMatch(filter)}</p>
            <Button variant="subtle" onClick={() => onFilter('')}>
              {strings.sidebar.clearFilter}
            </Button>
          </div>
        ) : null}
        <ul
          className={styles.tables}
          style={{ height: lines.length * rowHeight }}
          {...(tree === undefined || lines.length === 0 ? {} : { role: 'tree', 'aria-label': terms.table.other })}
        >
          {lines.slice(firstDrawn, rows.last + 1).map((line, drawn) => {
            if (line.is === 'below') return null;
            const at = firstDrawn + drawn;
            const style = { transform: `translateY(${at * rowHeight}px)`, '--tb-indent': line.indent };
            const item = tree === undefined ? {} : treeItem(line);
            const tabIndex = at === activeLine ? 0 : -1;
            if (line.is === 'heading') {
              return (
                <li
                  key={`in ${line.key}`}
                  className={`${styles.tableItem ?? ''} ${styles.tableGroup ?? ''}`}
                  style={style}
                  {...item}
                >
                  <h3>
                    <button
                      type="button"
                      data-line={at}
                      aria-expanded={!line.isFolded}
                      aria-disabled={(isFiltered && tree === undefined) || undefined}
                      aria-busy={tree?.nodes.get(line.key)?.isReading === true || undefined}
                      tabIndex={tabIndex}
                      onClick={() => fold(line)}
                      onKeyDown={(event) => onItemKey(event, at)}
                      onContextMenu={(event) =>
                        canFind ? setInside({ namespace: namespaceOfKey(line.key), ...placeOf(event) }) : undefined
                      }
                    >
                      {line.isFolded ? <IconChevronRight size={12} aria-hidden /> : <IconChevronDown size={12} aria-hidden />}
                      <span>{visibleText(line.label)}</span>
                    </button>
                  </h3>
                </li>
              );
            }
            if (line.is === 'state') {
              return (
                <li
                  key={`${line.state} ${namespaceKey(line.namespace.path)}`}
                  className={styles.tableItem}
                  style={{ ...style, height: heightOfLine(lines, at) * rowHeight }}
                  {...item}
                >
                  <NamespaceStateLine
                    connectionId={connection.connectionId}
                    state={line.state}
                    namespace={line.namespace}
                    line={{ 'data-line': at, tabIndex }}
                    terms={terms}
                    onKeyDown={(event) => onItemKey(event, at)}
                  />
                </li>
              );
            }
            const table = shown[line.place];
            if (table === undefined) return null;
            return (
              <li key={workspaceTableKey(table.ref)} className={styles.tableItem} style={style} {...item}>
                <button
                  type="button"
                  data-line={at}
                  className={styles.tableButton}
                  aria-current={workspaceTableKey(table.ref) === openTable || undefined}
                  tabIndex={tabIndex}
                  title={titleOf(table, terms.row)}
                  onClick={() => onOpen(table.ref)}
                  onKeyDown={(event) => onItemKey(event, at)}
                  onContextMenu={(event) => setMenu(menuAt(table.ref, event))}
                >
                  <TableMark table={table} />
                  <span className={styles.tableName}>{line.label}</span>
                  <StagedMark count={countOf(table.ref)} />
                  {table.count === undefined ? null : <span className={styles.tableRows}>{formatRowCount(table.count)}</span>}
                </button>
              </li>
            );
          })}
        </ul>
        {opensByName(connection) ? (
          <NamedTablesSection
            connection={connection}
            tables={shownNames}
            openTable={openTable}
            onOpen={(table) => onOpen(table)}
            onMenu={(table, event) => setMenu({ ...menuAt(table, event), isNamed: true })}
            onOpenByName={onOpenByName}
          />
        ) : null}
      </div>
      {menu === undefined ? null : (
        <TableMenu
          connection={connection}
          at={menu}
          onOpen={(view) => onOpen(menu.table, view)}
          {...(canFind ? { onFind: () => find({ scope: { in: 'tables', tables: [menu.table] } }) } : {})}
          {...(menu.isNamed === true ? { onForget: () => forgetName(menu.table) } : {})}
          onClose={() => setMenu(undefined)}
        />
      )}
      {inside === undefined ? null : (
        <NamespaceMenu
          at={inside}
          onFind={() => find({ scope: { in: 'namespace', namespace: [...inside.namespace] } })}
          onClose={() => setInside(undefined)}
        />
      )}
      <SidebarTools connection={connection} openTab={openTable} onOpen={onOpenTool} />
    </nav>
  );
}

function menuAt(table: TableRef, event: MouseEvent): OpenTableMenu {
  return { table, ...placeOf(event) };
}

function placeOf(event: MouseEvent): { readonly x: number; readonly y: number } {
  event.preventDefault();
  const box = event.currentTarget.getBoundingClientRect();
  // The menu key has no place of its own.
  const byKey = event.button !== 2;
  return { x: byKey ? box.left + 24 : event.clientX, y: byKey ? box.bottom : event.clientY };
}

/** A line as an item of a tree. */
function treeItem(line: NamespaceLine): {
  readonly role: 'treeitem';
  readonly 'aria-level': number;
  readonly 'aria-expanded'?: boolean;
} {
  const level = line.is === 'heading' ? line.indent + 1 : line.indent + 2;
  return { role: 'treeitem', 'aria-level': level, ...(line.is === 'heading' ? { 'aria-expanded': !line.isFolded } : {}) };
}

function titleOf(table: TableSummary, row: { readonly one: string; readonly other: string }): string {
  const parts = [fullName(table.ref)];
  if (table.aliasOf !== undefined) parts.push(strings.sidebar.aliasOf(fullName(table.aliasOf)));
  if (table.count !== undefined) parts.push(strings.sidebar.rows(table.count, row));
  return parts.join('\n');
}

function TableMark({ table }: { readonly table: TableSummary }): ReactNode {
  const Icon = table.aliasOf !== undefined ? IconCornerDownRight : table.kind === 'table' ? IconTable : IconEye;
  return <Icon size={14} stroke={1.75} className={styles.tableMark} aria-hidden />;
}
