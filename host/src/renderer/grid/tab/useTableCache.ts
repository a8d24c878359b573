import type { Filter, Sort, TableDescription, TableSummary } from '@tabularium/sdk';
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { DecodedPage } from '../../api/decodedPage.ts';
import { onHostReturn } from '../../api/hostLink/hostLink.ts';
import { onServerReturn } from '../../api/reachability.ts';
import { readFullPage, readTableDocuments, readTablePage, readTableRows } from '../../api/readTablePage.ts';
import { onSignedIn } from '../../state/signedOut.ts';
import { useTableChanges } from '../../state/tableChanges.ts';
import type { GridColumns } from '../model/gridColumns.ts';
import { PageCache } from '../model/pageCache.ts';
import { WantedColumns } from '../model/wantedColumns.ts';
import { useFormerRows } from './useFormerRows.ts';
import type { FormerRows } from './useFormerRows.ts';
import { useRowCount } from './useRowCount.ts';
import { noteNode } from '../../state/answeringNode.ts';

/** Values of more bytes are placeholders in pages: the grid shows 300 characters of a value. */
const LONG_BYTES = 8_192;

interface Options {
  readonly connectionId: string;
  /** Whether rows can be read by their keys. */
  readonly readsRows: boolean;
  /** The columns that are not on the screen. */
  readonly hidden: readonly string[];
  readonly description: TableDescription;
  readonly described: GridColumns;
  readonly summary: TableSummary | undefined;
  readonly pageSize: number;
  readonly filter: Filter;
  readonly sorts: readonly Sort[];
}

/** The rows of a table, and the way to other ones. */
export interface TableCache extends FormerRows {
  /** Reads all rows again. Those that are there stay where that fails. */
  readonly reload: () => void;
  /** Tries the reading again that failed. */
  readonly retry: () => void;
  /** The rows that were asked for last, shown or not. */
  readonly newest: PageCache;
  /** Whether rows came with other columns than the table is described with. */
  readonly isMisfit: boolean;
}

/** Whether a page has these columns and no other. */
function hasColumns({ batch, head }: DecodedPage, names: readonly string[]): boolean {
  if (head.rowCount === 0) return true;
  const there = new Set(batch.columns.map(({ name }) => name));
  return there.size === names.length && names.every((name) => there.has(name));
}

/** The rows of a table in one order. Other rows (a filter, a sort, a reload) are another cache. */
export function useTableCache(options: Options): TableCache {
  const { connectionId, readsRows, hidden, description, described, summary, pageSize, filter, sorts } = options;
  const [wanted] = useState(() => new WantedColumns(hidden));
  const [reloads, setReloads] = useState(0);
  const [misfit, setMisfit] = useState<TableDescription>();
  const generation = reloads + useTableChanges(connectionId);
  const newest = useMemo(() => {
    void generation;
    const { ref: table, key, paging, readsFromEnd } = description;
    const columns = described.columns.map((column) => column.name);
    const base = { paging, readsFromEnd, pageSize, columns, key };
    const noted = async (reading: Promise<DecodedPage>, names: readonly string[] = columns): Promise<DecodedPage> => {
      const page = await reading;
      if (!hasColumns(page, names)) setMisfit(description);
      noteNode(connectionId, page.head.node);
      return page;
    };
    // Only what can be read later is left out.
    if (!readsRows || key.length === 0) {
      return new PageCache({
        ...base,
        load: (position, limit, signal) =>
          noted(readTablePage({ connectionId, request: { table, filter, sorts, position, limit } }, signal)),
      });
    }
    return new PageCache({
      ...base,
      readRows: (keys, names, signal) => readTableRows({ connectionId, request: { table, keys, columns: names } }, signal),
      readDocuments: (keys, signal) =>
        readTableDocuments({ connectionId, request: { table, keys, columns: key, documents: true } }, signal),
      load: (position, limit, signal) => {
        const names = wanted.of(columns, key);
        const some = names === undefined ? {} : { columns: names };
        const request = { table, filter, sorts, position, limit, placeholders: { over: LONG_BYTES }, ...some };
        return noted(readFullPage({ connectionId, request }, signal), names);
      },
    });
  }, [connectionId, readsRows, wanted, description, described, pageSize, filter, sorts, generation]);
  const content = useMemo(
    () => ({ connectionId, readsRows, wanted, description, described, pageSize, filter, sorts }),
    [connectionId, readsRows, wanted, description, described, pageSize, filter, sorts],
  );
  useSyncExternalStore(newest.subscribe, newest.version);
  const { cache, trouble } = useFormerRows(newest, content);
  useSyncExternalStore(cache.subscribe, cache.version);
  // The grid asks only for rows that it shows. Rows that were asked for while those from before are shown would never be read, nor tried again.
  useEffect(() => {
    if (cache !== newest) newest.wantAs(cache);
  }, [cache, newest]);
  useEffect(() => onHostReturn(() => newest.retryAll()), [newest]);
  useEffect(() => onServerReturn((id) => (id === connectionId ? newest.retryAll() : undefined)), [newest, connectionId]);
  useEffect(() => onSignedIn((id) => (id === connectionId ? newest.retryAll() : undefined)), [newest, connectionId]);
  useRowCount(newest, connectionId, description.ref, filter, summary, generation);
  const reload = useCallback((): void => setReloads((before) => before + 1), []);
  useEffect(() => {
    if (wanted.hide(hidden)) reload();
  }, [wanted, hidden, reload]);
  const retry = useCallback((): void => newest.retryAll(), [newest]);
  return { cache, newest, trouble, reload, retry, isMisfit: misfit === description };
}
