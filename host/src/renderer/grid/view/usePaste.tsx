import type { TableDescription } from '@tabularium/sdk';
import { Suspense, lazy, useState } from 'react';
import type { ClipboardEvent, ReactNode, RefObject } from 'react';
import { MOST_STAGED_ROWS } from '../../../common/editing.ts';
import { MOST_PASTED_CHARACTERS, readClipboard } from '../../editing/clipboardTable.ts';
import type { PastedTable } from '../../editing/clipboardTable.ts';
import { planPaste, repeated } from '../../editing/pastePlan.ts';
import type { PasteColumn, PastePlan, PasteTarget } from '../../editing/pastePlan.ts';
import { strings } from '../../i18n/index.ts';
import { notify } from '../../state/notify.ts';
import { collectRows } from '../model/collectRows.ts';
import type { GridHandle } from '../model/gridHandle.ts';
import type { GridColumn } from '../model/gridColumns.ts';
import { HEADER_ROW } from '../model/navigation.ts';
import { blockOf, isMultiple, lengthOf } from '../model/selection.ts';
import type { SelectionSize } from '../model/selection.ts';
import type { GridEditing } from './useEditing.tsx';
import type { GridSelection } from '../model/gridSelection.ts';
import type { PasteStart } from './pasteStart.ts';

const PasteDialog = lazy(() => import('./PasteDialog.tsx').then((module) => ({ default: module.PasteDialog })));

interface Options {
  readonly description: TableDescription;
  readonly columns: readonly GridColumn[];
  readonly edit: GridEditing;
  readonly selection: GridSelection;
  readonly size: SelectionSize;
  readonly grid: RefObject<GridHandle | null>;
}

export interface Pasting {
  readonly onPaste: (event: ClipboardEvent) => void;
  /** From a menu: the browser is asked for the clipboard. */
  readonly paste: () => void;
  readonly layer: ReactNode;
}

const warn = (text: string): void => notify({ tone: 'warning', text });

/** Staging what is in the clipboard, into cells or as new rows. More than one row is shown before it is staged. */
export function usePaste({ description, columns, edit, selection, size, grid }: Options): Pasting {
  const [dialog, setDialog] = useState<{ readonly text: string; readonly start: PasteStart | undefined }>();
  const { stage, writable, source, commands } = edit;

  const columnsFrom = (place: number): readonly PasteColumn[] =>
    columns.slice(place).flatMap(({ name }) => writable.find((column) => column.name === name) ?? []);

  const start = (): PasteStart | undefined => {
    const { active, selection: selected } = selection;
    if (active === undefined || active.row === HEADER_ROW) return undefined;
    const block = selected === undefined || !isMultiple(selected) ? undefined : blockOf(selected.ranges, size);
    const row = block?.rows[0]?.first ?? active.row;
    const column = block?.columns[0] ?? active.column;
    return { row, column, rows: block === undefined ? 1 : lengthOf(block.rows.slice(0, 1)), columns: block?.columns.length ?? 1 };
  };

  const targetsFrom = async (row: number, count: number): Promise<readonly PasteTarget[] | undefined> => {
    const last = Math.min(row + count, size.rows) - 1;
    const rows = last < row ? [] : await collectRows(source, [{ first: row, last }], MOST_STAGED_ROWS);
    return rows?.flatMap((at): PasteTarget[] => {
      const edited = commands.editedRow(at);
      if (edited === undefined || at.row === undefined) return [];
      return [{ row: edited, base: at.base, values: at.row, isDeleted: at.staged?.kind === 'delete' }];
    });
  };

  /** What pasting would stage; undefined when the rows pasted over could not be read. */
  const plan = async (table: PastedTable, at: PasteStart | undefined): Promise<PastePlan | undefined> => {
    if (at === undefined) return planPaste(table, table.names === undefined ? columnsFrom(0) : writable, []);
    const [only] = table.rows;
    const [field] = only ?? [];
    const fills = table.rows.length === 1 && only?.length === 1 && field !== undefined && table.names === undefined;
    const filled = fills ? { ...table, rows: repeated(field, at.rows, at.columns) } : table;
    const targets = await targetsFrom(at.row, filled.rows.length);
    if (targets === undefined) return undefined;
    return planPaste(filled, table.names === undefined ? columnsFrom(at.column) : writable, targets);
  };

  const stagePlan = async ({ edits, cells }: PastePlan): Promise<boolean> => {
    if (edits.length === 0) return true;
    const change = await stage.stage(edits);
    if (change === undefined) return false;
    notify({ tone: 'plain', text: strings.paste.staged(cells) });
    return true;
  };

  const take = (text: string): void => {
    if (edit.readOnly !== undefined || stage.ability === undefined) {
      warn(edit.readOnly ?? strings.editing.notLoaded);
      return;
    }
    if (text === '') {
      warn(strings.paste.empty);
      return;
    }
    if (text.length > MOST_PASTED_CHARACTERS) {
      warn(strings.paste.tooLong(MOST_PASTED_CHARACTERS));
      return;
    }
    const at = start();
    const table = readClipboard(text);
    const isSmall = table.rows.length <= 1 && table.format !== 'json' && at !== undefined && at.rows === 1;
    if (!isSmall) {
      setDialog({ text, start: at });
      return;
    }
    void plan(table, at).then((planned) => {
      if (planned === undefined) return;
      // What is wrong is shown before anything is staged.
      if (planned.faults > 0) setDialog({ text, start: at });
      else void stagePlan(planned);
    });
  };

  const close = (): void => {
    setDialog(undefined);
    grid.current?.focus();
  };
  return {
    onPaste: (event) => {
      if (!(event.target instanceof Element) || event.target.closest('[role="grid"]') !== event.target) return;
      event.preventDefault();
      take(event.clipboardData.getData('text/plain'));
    },
    paste: () => {
      navigator.clipboard.readText().then(take, () => warn(strings.paste.refused));
    },
    layer:
      dialog === undefined ? null : (
        <Suspense>
          <PasteDialog
            tableName={description.ref.name}
            text={dialog.text}
            start={dialog.start}
            startColumn={dialog.start === undefined ? undefined : columns[dialog.start.column]?.name}
            above={edit.above}
            names={writable.map(({ name }) => name)}
            plan={plan}
            onStage={stagePlan}
            onClose={close}
          />
        </Suspense>
      ),
  };
}
