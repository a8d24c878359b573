import type { WindowCommand } from '../../commands/registry.ts';
import { strings } from '../../i18n/index.ts';
import { COPY_FORMATS, headerIsChoice } from '../model/copyFormats.ts';
import type { TabModel } from '../tab/tabModel.ts';
import { canExport } from './canExport.ts';
import { goToEnd } from './goToEnd.ts';
import type { GridParts } from './gridParts.ts';
import { openReview } from './openReview.ts';

/** The commands of the palette and the keyboard map while a tab is in front. */
export function paletteCommands(
  model: TabModel,
  { selected, rows, copy, pasting, follow, referring }: GridParts,
): readonly WindowCommand[] {
  const { selection, finding, grid, cells, layers } = model;
  const { stage, readOnly } = model.edited;
  const { active, noCell, refusal, nullRefusal } = selected;
  const words = strings.editing;

  const own = (id: string, title: string, run: () => void, disabled?: string): WindowCommand => ({
    id,
    group: 'grid',
    title,
    run,
    disabled,
  });
  return [
    { id: 'grid.copy', run: copy.copy, disabled: active === undefined ? noCell : undefined },
    ...COPY_FORMATS.flatMap((format) => {
      const name = strings.selection.formats[format];
      const plain = own(
        `grid.copy.${format}`,
        strings.selection.copyFormat(name),
        () => copy.copyAs(format, !headerIsChoice(format)),
        noCell,
      );
      if (!headerIsChoice(format)) return [plain];
      const title = strings.selection.copyFormat(strings.selection.withHeader(name));
      return [plain, own(`grid.copy.${format}.header`, title, () => copy.copyAs(format, true), noCell)];
    }),
    { id: 'grid.paste', run: pasting.paste, disabled: readOnly },
    { id: 'grid.selectAll', run: selection.all },
    { id: 'grid.selectRow', run: () => selection.row(active?.row ?? 0), disabled: noCell },
    { id: 'grid.selectColumn', run: () => selection.column(active?.column ?? 0), disabled: noCell },
    { id: 'grid.find', run: finding.open },
    { id: 'grid.goTo', run: () => layers.open({ kind: 'goTo' }) },
    own('grid.firstRow', strings.find.firstRow, () => grid.current?.scrollToRow(0)),
    own('grid.lastRow', strings.find.lastRow, () => void goToEnd(model, active?.column ?? 0)),
    own('grid.columns', strings.columns.open, () => layers.setArranging(true)),
    own('grid.fitAll', strings.columns.fitAll, () => grid.current?.fit()),
    { id: 'grid.follow', run: follow.first, disabled: follow.refusal },
    { id: 'grid.referring', run: referring.open, disabled: referring.refusal },
    { id: 'grid.rowPanel', run: layers.toggleInspector },
    own('grid.reload', strings.grid.reloadRows, model.rows.reload),
    own(
      'grid.export',
      strings.transfer.open,
      () => layers.open({ kind: 'export' }),
      canExport(model) ? undefined : strings.transfer.unavailable,
    ),
    { id: 'editing.edit', run: rows.edit, disabled: refusal },
    own('editing.setNull', words.setNull, rows.setNull, nullRefusal),
    own('editing.setAbsent', words.setAbsent, rows.setAbsent, nullRefusal),
    own('editing.insert', words.insertRow, cells.insert, readOnly),
    own('editing.duplicate', words.duplicateRow, rows.duplicateRows, noCell ?? readOnly),
    { id: 'editing.delete', run: rows.deleteRows, disabled: noCell ?? readOnly },
    { id: 'editing.undo', run: stage.undo, disabled: stage.state?.canUndo === true ? undefined : words.nothingToUndo },
    { id: 'editing.redo', run: stage.redo, disabled: stage.state?.canRedo === true ? undefined : words.nothingToRedo },
    { id: 'editing.review', run: () => openReview(model), disabled: stage.count === 0 ? words.nothingStaged : undefined },
  ];
}
