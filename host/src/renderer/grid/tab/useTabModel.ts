import type { TableDescription, TableSummary } from '@tabularium/sdk';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { RefObject } from 'react';
import type { OpenConnectionInfo } from '../../../common/api.ts';
import { cellCommands } from '../../editing/cellCommands.ts';
import { isTyped } from '../../editing/cellDraft.ts';
import type { CellDraft, DraftedCell } from '../../editing/cellDraft.ts';
import { cellEditing } from '../../editing/cellEditing.ts';
import type { Direction } from '../../editing/cellEditing.ts';
import { withdrawRefusal } from '../../editing/cellRefusal.ts';
import { useTypedText } from '../../editing/useTypedText.ts';
import type { FilterBarHandle } from '../../filter/useFilterBar.ts';
import type { TableFilter } from '../../filter/useTableFilter.ts';
import { strings } from '../../i18n/index.ts';
import { notify } from '../../state/notify.ts';
import { gridColumns } from '../model/gridColumns.ts';
import type { EditableRow } from '../model/editableRow.ts';
import type { GridColumn } from '../model/gridColumns.ts';
import type { GridHandle } from '../model/gridHandle.ts';
import type { CellPosition } from '../model/navigation.ts';
import { placeOfRow } from '../model/placeOfRow.ts';
import { useGridSelection } from '../model/useGridSelection.ts';
import { withDocuments as documentsOf } from '../model/withDocuments.ts';
import { withWhole } from '../model/withWhole.ts';
import { firstWritable } from './firstWritable.ts';
import type { TabCells, TabModel } from './tabModel.ts';
import { useColumnArrangement, useColumnLayout } from './useColumnLayout.ts';
import { useEditedRows } from './useEditedRows.ts';
import type { EditedRows } from './useEditedRows.ts';
import { useFilterOutcome } from './useFilterOutcome.ts';
import { useFind } from './useFind.ts';
import { useFirstRow } from './useFirstRow.ts';
import { useFirstWidths } from './useFirstWidths.ts';
import { useNewRow } from './useNewRow.ts';
import { useSelectionFollowsRows } from './useSelectionFollowsRows.ts';
import { useReferences } from './useReferences.ts';
import type { TabSorting } from './useSorting.ts';
import { useTableCache } from './useTableCache.ts';
import { useTabLayers } from './useTabLayers.ts';
import { useTabRows } from './useTabRows.ts';

interface Options {
  readonly connection: OpenConnectionInfo;
  readonly description: TableDescription;
  /** The summary of this table from the list of tables. */
  readonly summary: TableSummary | undefined;
  readonly pageSize: number;
  readonly isShown: boolean;
  /** Shared with the search of the table. */
  readonly filter: TableFilter;
  readonly sorting: TabSorting;
}

export function useTabModel({ connection, description, summary, pageSize, isShown, filter, sorting }: Options): TabModel {
  const { connectionId } = connection;
  const grid = useRef<GridHandle>(null);
  const filterBar = useRef<FilterBarHandle>(null);
  const layers = useTabLayers();
  const { applied } = filter;
  const { sorts } = sorting;
  useFirstRow(grid, applied, sorts);

  const described = useMemo(() => gridColumns(description), [description]);
  const layout = useColumnLayout(connectionId, description);
  const table = useTableCache({
    connectionId,
    readsRows: connection.facets.includes('rows'),
    hidden: layout.layout.hidden,
    description,
    described,
    summary,
    pageSize,
    filter: applied,
    sorts,
  });
  const { cache } = table;
  const fitted = useFirstWidths({ connectionId, description, cache, described: described.columns });
  const arrangement = useColumnArrangement(layout, fitted.columns, described.frozen);
  const { columns } = arrangement;
  const edited = useEditedRows({ connectionId, description, all: fitted.columns, cache, isShown });
  const { above, source } = edited;
  const rows = useTabRows({ connectionId, table, above, tableName: description.ref.name, isShown });
  useFilterOutcome(filter, rows);

  const rowOrder = useMemo(() => JSON.stringify([sorts, applied]), [sorts, applied]);
  const order = useMemo(() => JSON.stringify([columns.map(({ name }) => name), rowOrder]), [columns, rowOrder]);
  const selection = useGridSelection(above, order, rowOrder);
  const { active } = selection;
  // A reason that was given for one cell is of no use at another one.
  useEffect(withdrawRefusal, [active?.row, active?.column]);
  useSelectionFollowsRows({ selection, source, keyOf: (row) => edited.overlay.keyOf(row), cache, order });
  const finding = useFind({
    columns,
    source,
    active,
    onGo: (position) => grid.current?.goTo(position),
    onClose: () => grid.current?.focus(),
  });
  const cells = useCells({ edited, description, columns, grid, lastRow: cache.rowCount + above - 1 });
  const references = useReferences({ connection, description, columns: fitted.columns, whole: withWhole(source) });
  return {
    connection,
    description,
    filter,
    sorting,
    rows,
    columns: arrangement,
    isReady: fitted.isReady,
    edited,
    selection,
    size: { rows: cache.knownRows + above, columns: columns.length },
    cells,
    references,
    finding,
    layers,
    grid,
    filterBar,
  };
}

interface CellOptions {
  readonly edited: EditedRows;
  readonly description: TableDescription;
  readonly columns: readonly GridColumn[];
  readonly grid: RefObject<GridHandle | null>;
  readonly lastRow: number;
}

/** Editing the cells on the screen: the editor that is open, and what can be staged. */
function useCells({ edited, description, columns, grid, lastRow }: CellOptions): TabCells {
  const [drafts, setDrafts] = useState<readonly CellDraft[]>([]);
  const setDraft = (cell: DraftedCell, draft: CellDraft | undefined): void =>
    setDrafts((before) => {
      const place = before.findIndex((one) => one.cell === cell);
      if (draft === undefined) return place === -1 ? before : before.toSpliced(place, 1);
      return place === -1 ? [...before, draft] : before.with(place, draft);
    });
  const closed = useRef<CellDraft>(undefined);
  const { stage, overlay, source, writable, rowAt, above } = edited;
  const whole = withWhole(source);
  const showNewRow = useNewRow({ grid, firstColumn: firstWritable(columns, writable), above });
  const onClosed = ({ row, column }: CellPosition, direction: Direction | undefined): void => {
    const lastColumn = columns.length - 1;
    if (direction === 'down') grid.current?.goTo({ row: Math.min(row + 1, lastRow), column });
    else if (direction !== undefined) {
      grid.current?.goTo({ row, column: Math.min(lastColumn, Math.max(0, column + (direction === 'right' ? 1 : -1))) });
    }
    grid.current?.focus();
  };
  const described = description.columns;
  const placeOf = (row: EditableRow, near: number) => placeOfRow(source, (base) => overlay.keyOf(base), row, near);
  const open = useRef(drafts);
  open.current = drafts;
  // A text that is not staged yet is nowhere else.
  useTypedText(drafts.some(isTyped));
  const onRejected = (rejected: CellDraft): void => {
    const { row, column, position } = rejected.cell;
    const place = placeOf(row, position.row);
    // Only where its own cell is being edited again is there no place for it.
    const isTaken = open.current.some(
      ({ cell }) => cell.column.name === column.name && placeOf(cell.row, cell.position.row) === place,
    );
    if (!isTaken) setDraft(rejected.cell, rejected);
    else
      notify({
        tone: 'warning',
        text: rejected.fault ?? '',
        action: { label: strings.editing.openAgain, run: () => onRejected(rejected) },
      });
  };
  const onInserted = (last: number): void => showNewRow(last, true);
  const withDocuments = documentsOf(source);
  const commands = cellCommands({ stage, overlay, columns, described, writable, rowAt, whole, withDocuments, onInserted });
  return {
    ...commands,
    ...cellEditing({ drafts, setDraft, closed, commands, columns, rowAt, placeOf, whole, onClosed, onRejected }),
    showNewRow,
  };
}
