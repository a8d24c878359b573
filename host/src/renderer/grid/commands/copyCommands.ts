import { problemOf, wasAborted } from '../../api/problem.ts';
import { strings } from '../../i18n/index.ts';
import { beginActivity, connectionOf, currentTab, notify } from '../../state/notify.ts';
import { wholeText } from '../model/cellText.ts';
import { copyFormat } from '../model/copyFormats.ts';
import type { CopyFormat } from '../model/copyFormats.ts';
import { HEADER_ROW } from '../model/navigation.ts';
import { anyRow, readRows } from '../model/rowSource.ts';
import { blockOf, isMultiple, lengthOf } from '../model/selection.ts';
import { wholeCell } from '../model/wholeRows.ts';
import { withWhole } from '../model/withWhole.ts';
import { documentLines } from './documentLines.ts';
import type { TabModel } from '../tab/tabModel.ts';

/** More rows than this are for a file. */
const MOST_COPIED_ROWS = 100_000;
/** Characters; about as many bytes. A clipboard of this size is pasted by every spreadsheet that was tried. */
const MOST_COPIED_CHARACTERS = 50_000_000;
/** Copying that takes longer is shown in the status bar. */
const QUIET_MILLISECONDS = 150;

const warn = (text: string, tab = currentTab()): void => notify({ tab, tone: 'warning', text });

function write(text: string, done: string, tab = currentTab()): Promise<void> {
  return navigator.clipboard.writeText(text).then(
    () => notify({ tab, tone: 'plain', text: done }),
    () => warn(strings.grid.copyRefused, tab),
  );
}

export interface CopyCommands {
  /** The selection as text between tabs; one cell as its whole value alone. */
  readonly copy: () => void;
  readonly copyAs: (format: CopyFormat, header: boolean) => void;
  readonly copyCell: () => void;
  readonly copyName: (column: string) => void;
}

/** Copies what is selected, also rows that have to be read first: then with progress, a way to stop it, and an end. */
export function copyCommands(model: Pick<TabModel, 'selection' | 'columns' | 'size' | 'edited'>): CopyCommands {
  const { selection, size } = model;
  const { columns } = model.columns;
  const { source } = model.edited;
  const kinds = new Map(model.columns.all.map(({ name, kind }) => [name, kind]));
  const copyName = (name: string): void => void write(name, strings.grid.copied(name));

  const copyCell = (): void => {
    const { active } = selection;
    const column = active === undefined ? undefined : columns[active.column];
    if (active === undefined || column === undefined) return;
    if (active.row === HEADER_ROW) {
      copyName(column.name);
      return;
    }
    void withWhole(source)([source.rowAt(active.row)], [column.source], ([at]) => {
      const cell = at?.row?.[column.source];
      if (cell !== undefined) void write(wholeText(wholeCell(cell), column.kind).text, strings.grid.copied(column.name));
    });
  };

  const copyAs = (format: CopyFormat, header: boolean): void => {
    const ranges = selection.selection?.ranges;
    if (ranges === undefined) {
      copyCell();
      return;
    }
    const block = blockOf(ranges, size);
    if (block === undefined) {
      warn(strings.selection.copyShape);
      return;
    }
    const count = lengthOf(block.rows);
    if (count > MOST_COPIED_ROWS) {
      warn(strings.selection.copyTooMany(MOST_COPIED_ROWS));
      return;
    }
    const controller = new AbortController();
    const tab = currentTab();
    let activity: ReturnType<typeof beginActivity> | undefined;
    let done = 0;
    const timer = setTimeout(() => {
      activity = beginActivity(strings.selection.copying(done, count), () => controller.abort(), connectionOf(tab));
    }, QUIET_MILLISECONDS);
    const chosen = block.columns.flatMap((place) => columns[place] ?? []);
    const run = async (): Promise<void> => {
      const writer = copyFormat(format, header);
      const parts = [writer.begin(chosen.map(({ name, kind }) => ({ name, kind })))];
      let length = 0;
      const { signal } = controller;
      const places = chosen.map((column) => column.source);
      const { documents } = source.cache;
      // Whole rows as JSON are what the database holds, which may be more than the columns.
      const areWhole = format === 'json' && chosen.length === columns.length;
      const areDocuments = areWhole && (await documents.areGiven(anyRow(source), signal));
      for await (const rows of readRows(source, block.rows, signal, areDocuments ? [] : places)) {
        const lines = areDocuments ? await documentLines(rows, documents, kinds, signal) : undefined;
        const part =
          lines === undefined
            ? writer.rows(rows.map(({ row }) => places.map((place) => wholeCell(row?.[place] ?? null))))
            : lines.map((line, at) => `${parts.length === 1 && at === 0 ? '' : ','}\n${line}`).join('');
        length += part.length;
        if (length > MOST_COPIED_CHARACTERS) {
          warn(strings.selection.copyTooLarge(MOST_COPIED_CHARACTERS), tab);
          return;
        }
        parts.push(part);
        done += rows.length;
        activity?.update(strings.selection.copying(done, count), done / count);
      }
      parts.push(areDocuments ? '\n]\n' : writer.end());
      const text = parts.join('');
      // The break after the last line would be one more row where it is pasted.
      await write(format === 'tsv' ? text.replace(/\n$/, '') : text, strings.selection.copied(done, chosen.length), tab);
    };
    run()
      .catch((error: unknown) => {
        if (wasAborted(error, controller.signal)) notify({ tab, tone: 'plain', text: strings.selection.copyStopped });
        else warn(strings.selection.copyFailed(problemOf(error).message), tab);
      })
      .finally(() => {
        clearTimeout(timer);
        activity?.end();
      });
  };

  const copy = (): void => {
    const { selection: selected } = selection;
    if (selected === undefined || !isMultiple(selected)) copyCell();
    else copyAs('tsv', false);
  };
  return { copy, copyAs, copyCell, copyName };
}
