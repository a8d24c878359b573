import { ABSENT } from '@tabularium/sdk';
import type { Column } from '@tabularium/sdk';
import type { RefObject } from 'react';
import { MOST_STAGED_ROWS } from '../../../common/editing.ts';
import type { Command } from '../../commands/registry.ts';
import type { MenuEntry } from '../../ui/MenuList.tsx';
import type { EditableRow } from '../model/editableRow.ts';
import { strings } from '../../i18n/index.ts';
import { notify } from '../../state/notify.ts';
import { collectRows } from '../model/collectRows.ts';
import { COPY_FORMATS, headerIsChoice } from '../model/copyFormats.ts';
import type { GridHandle } from '../model/gridHandle.ts';
import type { GridColumn } from '../model/gridColumns.ts';
import { keyText } from '../model/keyText.ts';
import { HEADER_ROW } from '../model/navigation.ts';
import { blockOf, isMultiple, lengthOf, rowsIn } from '../model/selection.ts';
import type { Interval, SelectionSize } from '../model/selection.ts';
import type { Copying } from './useCopy.ts';
import type { GridEditing } from './useEditing.tsx';
import type { Finding } from './useFind.ts';
import type { GridSelection } from '../model/gridSelection.ts';
import type { Pasting } from './usePaste.tsx';

interface Options {
  readonly grid: RefObject<GridHandle | null>;
  readonly columns: readonly GridColumn[];
  readonly described: readonly Column[];
  readonly selection: GridSelection;
  readonly size: SelectionSize;
  readonly edit: GridEditing;
  readonly copying: Copying;
  readonly pasting: Pasting;
  readonly finding: Finding;
  readonly showRow: () => void;
  readonly toggleRow: () => void;
  readonly openColumns: () => void;
  readonly goTo: () => void;
  readonly goToEnd: () => boolean;
  readonly openExport: (() => void) | undefined;
  readonly reload: () => void;
}

export interface GridActions {
  readonly cellMenu: () => readonly MenuEntry[];
  readonly deleteRows: () => void;
  readonly duplicateRows: () => void;
  readonly commands: readonly Command[];
}

/** What can be done with the cells and rows that are selected: for the menu, the keyboard and the palette alike. */
export function gridActions(options: Options): GridActions {
  const { columns, selection, size, edit, copying, pasting, finding, grid } = options;
  const { active, selection: selected } = selection;
  const { commands, readOnly, source } = edit;
  const isSeveral = selected !== undefined && isMultiple(selected);
  const isOnCell = active !== undefined && active.row !== HEADER_ROW;
  const noCell = isOnCell ? undefined : strings.inspector.noCell;
  const column = active === undefined ? undefined : columns[active.column];

  const rows = (): readonly Interval[] => {
    if (isSeveral) return rowsIn(selected.ranges, size);
    return isOnCell ? [{ first: active.row, last: active.row }] : [];
  };
  const rowCount = lengthOf(rows());
  const withRows = (run: (rows: readonly EditableRow[]) => void): void => {
    void collectRows(source, rows(), MOST_STAGED_ROWS).then((all) =>
      all === undefined || all.length === 0 ? undefined : run(all),
    );
  };
  const deleteRows = (): void => {
    if (readOnly === undefined) withRows(commands.toggleDelete);
    else notify({ tone: 'warning', text: readOnly });
  };
  const duplicateRows = (): void => withRows(commands.duplicate);

  const places = isSeveral ? (blockOf(selected.ranges, size)?.columns ?? []) : active === undefined ? [] : [active.column];
  const isNullable = places.some(
    (place) => options.described.find(({ name }) => name === columns[place]?.name)?.nullable === true,
  );
  const cellRefusal = noCell ?? (isSeveral ? readOnly : active === undefined ? undefined : edit.refusal(active));
  const nullRefusal = cellRefusal ?? (isNullable ? undefined : strings.editing.notNullable);
  const setAll = (value: null | typeof ABSENT): void => withRows((all) => commands.setAll(all, places, value));

  const at = isOnCell ? edit.rowAt(active.row) : undefined;
  const isChanged = at?.staged?.cells.some((cell) => cell.column === column?.name) === true;
  const isToBeDeleted = at?.staged?.kind === 'delete';
  const words = strings.editing;

  const copyEntries = COPY_FORMATS.flatMap((format): MenuEntry[] => {
    const name = strings.selection.formats[format];
    const plain = { label: name, run: () => copying.copyAs(format, !headerIsChoice(format)) };
    if (!headerIsChoice(format)) return [plain];
    return [plain, { label: strings.selection.withHeader(name), run: () => copying.copyAs(format, true) }];
  });

  const cellMenu = (): readonly MenuEntry[] => [
    {
      label: words.edit,
      run: () => (active === undefined ? undefined : edit.begin(active)),
      reason: cellRefusal,
      keys: keyText('editing.edit'),
    },
    { label: words.setNull, run: () => setAll(null), reason: nullRefusal },
    { label: words.setAbsent, run: () => setAll(ABSENT), reason: nullRefusal },
    ...(isChanged && active !== undefined ? [{ label: words.revertCell, run: () => edit.revertCell(active) }] : []),
    'line',
    { label: isSeveral ? strings.commands.keyNames['grid.copy'] : words.copyCell, run: copying.copy, keys: keyText('grid.copy') },
    ...(isSeveral ? [{ label: words.copyCell, run: copying.copyCell }] : []),
    { label: strings.selection.copyAs, entries: copyEntries },
    { label: strings.paste.paste, run: pasting.paste, reason: readOnly, keys: keyText('grid.paste') },
    { label: words.showRow, run: options.showRow, keys: keyText('grid.rowPanel') },
    'line',
    { label: words.insertRow, run: edit.insert, reason: readOnly },
    {
      label: rowCount > 1 ? strings.selection.duplicateRows(rowCount) : words.duplicateRow,
      run: duplicateRows,
      reason: readOnly,
    },
    ...(at?.staged === undefined || isToBeDeleted ? [] : [{ label: words.revertRow, run: () => withRows(commands.revertRows) }]),
    {
      label: isToBeDeleted ? words.keepRow : rowCount > 1 ? strings.selection.deleteRows(rowCount) : words.deleteRow,
      run: deleteRows,
      reason: readOnly,
      keys: keyText('editing.delete'),
    },
    'line',
    {
      label: strings.selection.selectRow,
      run: () => (active === undefined ? undefined : selection.row(active.row)),
      keys: keyText('grid.selectRow'),
    },
    {
      label: strings.selection.selectColumn,
      run: () => (active === undefined ? undefined : selection.column(active.column)),
      keys: keyText('grid.selectColumn'),
    },
    ...(options.openExport === undefined ? [] : [{ label: strings.transfer.open, run: options.openExport }]),
  ];

  const own = (id: string, title: string, run: () => void, disabled?: string): Command => ({
    id,
    group: 'grid',
    title,
    run,
    disabled,
  });
  const { stage } = edit;
  const allCommands: readonly Command[] = [
    { id: 'grid.copy', run: copying.copy, disabled: active === undefined ? noCell : undefined },
    ...COPY_FORMATS.flatMap((format) => {
      const name = strings.selection.formats[format];
      const plain = own(
        `grid.copy.${format}`,
        strings.selection.copyFormat(name),
        () => copying.copyAs(format, !headerIsChoice(format)),
        noCell,
      );
      if (!headerIsChoice(format)) return [plain];
      const title = strings.selection.copyFormat(strings.selection.withHeader(name));
      return [plain, own(`grid.copy.${format}.header`, title, () => copying.copyAs(format, true), noCell)];
    }),
    { id: 'grid.paste', run: pasting.paste, disabled: readOnly },
    { id: 'grid.selectAll', run: selection.all },
    { id: 'grid.selectRow', run: () => selection.row(active?.row ?? 0), disabled: noCell },
    { id: 'grid.selectColumn', run: () => selection.column(active?.column ?? 0), disabled: noCell },
    { id: 'grid.find', run: finding.open },
    { id: 'grid.goTo', run: options.goTo },
    own('grid.firstRow', strings.find.firstRow, () => grid.current?.scrollToRow(0)),
    own('grid.lastRow', strings.find.lastRow, () => void options.goToEnd()),
    own('grid.columns', strings.columns.open, options.openColumns),
    own('grid.fitAll', strings.columns.fitAll, () => grid.current?.fit()),
    { id: 'grid.rowPanel', run: options.toggleRow },
    own('grid.reload', strings.grid.reloadRows, options.reload),
    own(
      'grid.export',
      strings.transfer.open,
      () => options.openExport?.(),
      options.openExport === undefined ? strings.transfer.unavailable : undefined,
    ),
    { id: 'editing.edit', run: () => (active === undefined ? undefined : edit.begin(active)), disabled: cellRefusal },
    own('editing.setNull', words.setNull, () => setAll(null), nullRefusal),
    own('editing.setAbsent', words.setAbsent, () => setAll(ABSENT), nullRefusal),
    own('editing.insert', words.insertRow, edit.insert, readOnly),
    own('editing.duplicate', words.duplicateRow, duplicateRows, noCell ?? readOnly),
    { id: 'editing.delete', run: deleteRows, disabled: noCell ?? readOnly },
    { id: 'editing.undo', run: stage.undo, disabled: stage.state?.canUndo === true ? undefined : words.nothingToUndo },
    { id: 'editing.redo', run: stage.redo, disabled: stage.state?.canRedo === true ? undefined : words.nothingToRedo },
    { id: 'editing.review', run: edit.review, disabled: stage.count === 0 ? words.nothingStaged : undefined },
  ];
  return { cellMenu, deleteRows, duplicateRows, commands: allCommands };
}
