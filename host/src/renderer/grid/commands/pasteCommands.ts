import type { ClipboardEvent } from 'react';
import { MOST_STAGED_ROWS } from '../../../common/editing.ts';
import { problemOf } from '../../api/problem.ts';
import {
  MOST_PASTED_CHARACTERS,
  MOST_PASTED_FIELDS,
  readClipboard,
  TooManyFields,
  widthOf,
} from '../../editing/clipboardTable.ts';
import type { PastedTable } from '../../editing/clipboardTable.ts';
import { inSlices } from '../../editing/inSlices.ts';
import type { SliceOptions } from '../../editing/inSlices.ts';
import { isBrokenJson } from '../../editing/isBrokenJson.ts';
import { planSteps, repeated } from '../../editing/pastePlan.ts';
import type { PasteColumn, PastePlan, PasteTarget } from '../../editing/pastePlan.ts';
import { insertedPlaces } from '../../editing/seenRow.ts';
import type { StagingOptions } from '../../editing/useStage.ts';
import { strings } from '../../i18n/index.ts';
import { notify } from '../../state/notify.ts';
import { stageSubject } from '../../state/stagedTables.ts';
import { alsoRead } from '../model/alsoRead.ts';
import { collectRows } from '../model/collectRows.ts';
import type { GridRow } from '../model/gridRow.ts';
import { inStatusBar } from '../model/inStatusBar.ts';
import { pasteStart } from '../model/pasteStart.ts';
import type { PasteStart } from '../model/pasteStart.ts';
import { parseDocument } from '../model/rowDocument.ts';
import { anyRow } from '../model/rowSource.ts';
import type { TabModel } from '../tab/tabModel.ts';

export interface PasteCommands {
  readonly onPaste: (event: ClipboardEvent) => void;
  /** From a menu: the browser is asked for the clipboard. */
  readonly paste: () => void;
  /** Stages what is in a text; shows it first where it is more than one row, broken JSON, or where something is wrong with it. */
  readonly take: (text: string) => void;
  /** The changes that pasting would stage; undefined when the rows pasted over could not be read, or it was cancelled. */
  readonly plan: (table: PastedTable, start: PasteStart | undefined, slices?: SliceOptions) => Promise<PastePlan | undefined>;
  /** Whether it was staged. The status bar says why not, unless the caller shows it. */
  readonly stagePlan: (plan: PastePlan, options?: StagingOptions) => Promise<boolean>;
}

const warn = (text: string): void => notify({ tone: 'warning', text });

/** Staging what is in the clipboard, into cells or as new rows. More than one row is shown before it is staged. */
export function pasteCommands(
  model: Pick<TabModel, 'connection' | 'description' | 'columns' | 'edited' | 'cells' | 'selection' | 'size' | 'layers'>,
): PasteCommands {
  const { edited, cells: commands, selection, size, layers } = model;
  const { columns } = model.columns;
  const { stage, writable, source } = edited;

  const columnsFrom = (place: number): readonly PasteColumn[] =>
    columns.slice(place).flatMap(({ name }) => writable.find((column) => column.name === name) ?? []);

  const targetsFrom = async (
    row: number,
    count: number,
    pasted: readonly PasteColumn[],
    areDocuments: boolean,
  ): Promise<readonly PasteTarget[] | undefined> => {
    const last = Math.min(row + count, size.rows) - 1;
    const places = pasted.map((column) => column.source);
    const rows = last < row ? [] : await collectRows(source, [{ first: row, last }], MOST_STAGED_ROWS, places);
    const bases = rows?.flatMap(({ base }) => (base === undefined ? [] : [base])) ?? [];
    const texts = areDocuments
      ? await inStatusBar(strings.selection.readingRows(bases.length), (signal) => source.cache.documents.ofRows(bases, signal))
      : new Map<GridRow, string>();
    if (texts === undefined) return undefined;
    const read = await alsoRead(source.cache, bases, insertedPlaces(writable));
    const whole = new Map(bases.map((base, index) => [base, read[index] ?? base]));
    return rows?.flatMap((at): PasteTarget[] => {
      const row = commands.editedRow(at);
      if (row === undefined || at.row === undefined) return [];
      const text = at.base === undefined ? undefined : texts.get(at.base);
      return [
        {
          row,
          at,
          ...(text === undefined ? {} : { document: parseDocument(text) }),
          base: at.base === undefined ? undefined : whole.get(at.base),
          values: at.row,
          isDeleted: at.staged?.kind === 'delete',
        },
      ];
    });
  };

  /** Whether there are members that no column names, and rows hold them. Undefined where that could not be read. */
  const takesMembers = async ({ format, names = [] }: PastedTable): Promise<boolean | undefined> => {
    const known = new Set(writable.map(({ name }) => name));
    if (format !== 'json' || names.every((name) => known.has(name))) return false;
    return inStatusBar(strings.grid.readingValues, (signal) => source.cache.documents.areGiven(anyRow(source), signal));
  };

  const planned = async (
    table: PastedTable,
    at: PasteStart | undefined,
    slices: SliceOptions,
  ): Promise<PastePlan | undefined> => {
    const areDocuments = await takesMembers(table);
    if (areDocuments === undefined || slices.signal?.aborted === true) return undefined;
    const rest = { all: writable, areDocuments };
    if (at === undefined) {
      const columns = table.names === undefined ? columnsFrom(0) : writable;
      return inSlices(planSteps({ table, columns, targets: [], ...rest }), slices);
    }
    const [only] = table.rows;
    const [field] = only ?? [];
    const fills = table.rows.length === 1 && only?.length === 1 && field !== undefined && table.names === undefined;
    const filled = fills ? { ...table, rows: repeated(field, at.rows, at.columns) } : table;
    const { names } = table;
    const into = names === undefined ? columnsFrom(at.column) : writable;
    const width = widthOf(filled.rows);
    const pasted = names === undefined ? into.slice(0, width) : into.filter(({ name }) => names.includes(name));
    const targets = await targetsFrom(at.row, filled.rows.length, pasted, areDocuments);
    return targets === undefined ? undefined : inSlices(planSteps({ table: filled, columns: into, targets, ...rest }), slices);
  };

  const plan: PasteCommands['plan'] = (table, at, slices = {}) =>
    planned(table, at, slices).catch((error: unknown) => {
      if (slices.signal?.aborted === true) return undefined;
      // Such as for a document that is too deep to be compared.
      warn(problemOf(error).message);
      return undefined;
    });

  const stagePlan = async ({ edits, cells, newRows }: PastePlan, options?: StagingOptions): Promise<boolean> => {
    if (edits.length === 0) return true;
    const change = await stage.stage(edits, options);
    if (change === undefined) return false;
    notify({
      about: stageSubject(model.connection.connectionId, model.description.ref),
      tone: 'plain',
      text: cells === 0 ? strings.paste.stagedRows(newRows) : strings.paste.staged(cells),
    });
    return true;
  };

  const take = (text: string): void => {
    if (edited.readOnly !== undefined || stage.ability === undefined) {
      warn(edited.readOnly ?? strings.editing.notLoaded);
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
    const at = pasteStart(selection, size);
    const table = tryRead(text);
    if (table === undefined) {
      warn(strings.paste.tooManyFields(MOST_PASTED_FIELDS));
      return;
    }
    const isLine = table.rows.length <= 1 && table.format !== 'json' && at !== undefined && at.rows === 1;
    const isSmall = isLine && !isBrokenJson(text);
    if (!isSmall) {
      layers.open({ kind: 'paste', text, read: table, start: at });
      return;
    }
    void plan(table, at).then((planned) => {
      if (planned === undefined) return;
      // Faults are shown before anything is staged.
      if (planned.faults > 0) layers.open({ kind: 'paste', text, read: table, start: at });
      else void stagePlan(planned);
    });
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
    take,
    plan,
    stagePlan,
  };
}

/** Undefined for too many fields. */
function tryRead(text: string): PastedTable | undefined {
  try {
    return readClipboard(text);
  } catch (error) {
    if (error instanceof TooManyFields) return undefined;
    throw error;
  }
}
