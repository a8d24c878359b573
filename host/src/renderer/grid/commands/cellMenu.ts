import type { MenuListEntry } from '../../ui/MenuList.tsx';
import { strings } from '../../i18n/index.ts';
import { cellLink } from '../model/cellLink.ts';
import { COPY_FORMATS, headerIsChoice } from '../model/copyFormats.ts';
import { keyText } from '../model/keyText.ts';
import { openOutside } from '../../ui/openOutside.ts';
import type { TabModel } from '../tab/tabModel.ts';
import { canExport } from './canExport.ts';
import type { GridParts } from './gridParts.ts';

/** The menu of the cells and rows that are selected. */
export function cellMenu(
  model: TabModel,
  { selected, rows, copy, pasting, follow, referring }: GridParts,
): readonly MenuListEntry[] {
  const { selection, cells, layers } = model;
  const { readOnly } = model.edited;
  const { active, isSeveral, rowCount, refusal, nullRefusal } = selected;
  const staged = selected.row?.staged;
  const isChanged = staged?.cells.some((cell) => cell.column === selected.column?.name) === true;
  const link =
    selected.column === undefined ? undefined : cellLink(selected.row?.row?.[selected.column.source] ?? null, selected.column);
  const isToBeDeleted = staged?.kind === 'delete';
  const words = strings.editing;

  const copyEntries = COPY_FORMATS.flatMap((format): MenuListEntry[] => {
    const name = strings.selection.formats[format];
    const plain = { label: name, run: () => copy.copyAs(format, !headerIsChoice(format)) };
    if (!headerIsChoice(format)) return [plain];
    return [plain, { label: strings.selection.withHeader(name), run: () => copy.copyAs(format, true) }];
  });

  return [
    {
      label: words.edit,
      run: rows.edit,
      reason: refusal,
      keys: keyText('editing.edit'),
    },
    { label: words.setNull, run: rows.setNull, reason: nullRefusal },
    { label: words.setAbsent, run: rows.setAbsent, reason: nullRefusal },
    ...(isChanged ? [{ label: words.revertCell, run: rows.revertCell }] : []),
    'line',
    { label: isSeveral ? strings.commands.keyNames['grid.copy'] : words.copyCell, run: copy.copy, keys: keyText('grid.copy') },
    ...(isSeveral ? [{ label: words.copyCell, run: copy.copyCell }] : []),
    { label: strings.selection.copyAs, entries: copyEntries },
    { label: strings.paste.paste, run: pasting.paste, reason: readOnly, keys: keyText('grid.paste') },
    { label: words.showRow, run: () => layers.setInspecting(true), keys: keyText('grid.rowPanel') },
    ...follow.entries,
    ...referring.entries(),
    ...(link === undefined
      ? []
      : [
          {
            label: link.kind === 'map' ? strings.inspector.showOnMap : strings.inspector.showPicture,
            run: () => openOutside(link.href),
          },
        ]),
    'line',
    { label: words.insertRow, run: cells.insert, reason: readOnly },
    {
      label: rowCount > 1 ? strings.selection.duplicateRows(rowCount) : words.duplicateRow,
      run: rows.duplicateRows,
      reason: readOnly,
    },
    ...(staged === undefined || isToBeDeleted ? [] : [{ label: words.revertRow, run: rows.revertRows }]),
    {
      label: isToBeDeleted ? words.keepRow : rowCount > 1 ? strings.selection.deleteRows(rowCount) : words.deleteRow,
      run: rows.deleteRows,
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
    ...(canExport(model) ? [{ label: strings.transfer.open, run: () => layers.open({ kind: 'export' }) }] : []),
  ];
}
