import { Button, Checkbox, Modal, MultiSelect, Radio, SegmentedControl, Stack } from '@mantine/core';
import type { Cell, ColumnKind, Filter, TableRef } from '@tabularium/sdk';
import { NO_FILTER } from '@tabularium/sdk';
import { useEffect, useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import type { ExportFormat } from '../../common/transfer.ts';
import { api } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { isFiltering } from '../filter/filterModel.ts';
import type { GridColumn } from '../grid/model/gridColumns.ts';
import type { PlacedRow } from '../grid/model/rowSource.ts';
import { wholeCell } from '../grid/model/wholeRows.ts';
import { strings } from '../i18n/index.ts';
import { beginActivity, notify } from '../state/notify.ts';
import { ExportFileField } from './ExportFileField.tsx';
import styles from './transfer.module.css';
import { exportToFile } from './windowSave.ts';
import type { PickedFile } from './windowSave.ts';
import { DialogActions } from '../ui/DialogActions.tsx';
import { searchableList } from '../ui/searchableList.ts';

interface Props {
  readonly connectionId: string;
  readonly table: TableRef;
  readonly columns: readonly GridColumn[];
  /** Those that the grid does not hide, in its order. */
  readonly shownColumns: readonly string[];
  /** The filter that is applied to the rows on the screen. */
  readonly filter: Filter;
  /** The selected rows, as they are on the screen; read first where they are not here. */
  readonly selected: SelectedRows | undefined;
  readonly onClose: () => void;
}

export interface SelectedRows {
  readonly rows: number;
  /** @param places - where the rows are to have no placeholders */
  readonly read: (signal: AbortSignal, places: readonly number[]) => AsyncGenerator<readonly PlacedRow[]>;
}

/** The most rows that a window hands to the host in one piece. */
const MOST_SELECTED = 10_000;
const FORMATS: readonly ExportFormat[] = ['jsonl', 'json', 'csv'];

const ROW_CHOICES = ['all', 'filtered', 'selected'] as const;
type RowChoice = (typeof ROW_CHOICES)[number];

/** The selected rows with the chosen columns, all of them in the window. */
async function held(
  connectionId: string,
  selected: SelectedRows,
  columns: readonly GridColumn[],
  chosen: readonly string[] | undefined,
): Promise<{ columns: { name: string; kind: ColumnKind }[]; rows: Cell[][] }> {
  const taken = chosen === undefined ? columns : chosen.flatMap((name) => columns.find((column) => column.name === name) ?? []);
  const controller = new AbortController();
  const activity = beginActivity(strings.selection.readingRows(selected.rows), () => controller.abort(), connectionId);
  try {
    const rows: Cell[][] = [];
    const places = taken.map(({ source }) => source);
    for await (const part of selected.read(controller.signal, places)) {
      for (const { row } of part) if (row !== undefined) rows.push(places.map((place) => wholeCell(row[place] ?? null)));
    }
    return { columns: taken.map(({ name, kind }) => ({ name, kind })), rows };
  } finally {
    activity.end();
  }
}

/** The rows, format and destination of an export. The export itself continues in the status bar. */
export function ExportDialog(props: Props): ReactNode {
  const { connectionId, table, columns, shownColumns, filter, selected, onClose } = props;
  const words = strings.transfer;
  const filters = isFiltering(filter);
  const [format, setFormat] = useState<ExportFormat>('jsonl');
  const canSelect = selected !== undefined && selected.rows > 0 && selected.rows <= MOST_SELECTED;
  const [rows, setRows] = useState<RowChoice>(canSelect && selected.rows > 1 ? 'selected' : filters ? 'filtered' : 'all');
  const [chosen, setChosen] = useState<readonly string[]>();
  const [header, setHeader] = useState(true);
  const [guardFormulas, setGuardFormulas] = useState(false);
  const [file, setFile] = useState('');
  const [typedFile, setTypedFile] = useState(false);
  const [chosenFile, setChosenFile] = useState<PickedFile>();
  // The export would go to the suggested path while the person is looking for another place.
  const [isChoosing, setChoosing] = useState(false);
  const [isFileFocused, setFileFocused] = useState(false);
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();

  useEffect(() => {
    // Under the caret, a suggestion that comes late would mix with what is being typed.
    if (typedFile || isFileFocused) return undefined;
    const controller = new AbortController();
    api.exports.suggestFile
      .query({ table, format }, { signal: controller.signal })
      .then(setFile)
      // Without a suggestion the path is typed.
      .catch(() => undefined);
    return () => controller.abort();
  }, [table, format, typedFile, isFileFocused]);

  const start = async (overwrite: boolean): Promise<void> => {
    setTried(true);
    if ((chosenFile === undefined && file.trim() === '') || chosen?.length === 0 || isChoosing) return;
    setBusy(true);
    // Before it starts: the end of a short export may be said before the answer to its start is here.
    notify();
    try {
      const of = { connectionId, table, format, csv: { header, guardFormulas } };
      const given =
        rows === 'selected' && selected !== undefined ? await held(connectionId, selected, columns, chosen) : undefined;
      const matching = {
        whenRowsDiffer: 'ask',
        filter: rows === 'filtered' ? filter : NO_FILTER,
        ...(chosen === undefined ? {} : { columns: [...chosen] }),
      } as const;
      if (chosenFile !== undefined) {
        const { name } = chosenFile;
        await exportToFile(chosenFile, { ...of, name, ...(given ?? matching) }, (error) =>
          notify({ tab: 'none', tone: 'warning', text: words.windowFailed(name, problemOf(error).message) }),
        );
      } else if (given !== undefined) await api.exports.startRows.mutate({ ...of, file: file.trim(), overwrite, ...given });
      else await api.exports.start.mutate({ ...of, file: file.trim(), overwrite, ...matching });
      onClose();
    } catch (error) {
      setProblem(problemOf(error));
      setBusy(false);
    }
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void start(false);
  };
  const exists = problem?.code === 'FILE_EXISTS';

  return (
    <Modal
      opened
      onClose={onClose}
      title={words.title(table.name)}
      size={560}
      centered
      closeButtonProps={{ 'aria-label': strings.common.close }}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap={14}>
          <div>
            <span className={styles.label} id="export-format">
              {words.format}
            </span>
            <SegmentedControl
              aria-labelledby="export-format"
              value={format}
              onChange={(value) => {
                setFormat(FORMATS.find((known) => known === value) ?? 'jsonl');
                // Its name ends in the format that it was chosen for.
                setChosenFile(undefined);
              }}
              data={FORMATS.map((value) => ({ value, label: words.formats[value] }))}
            />
          </div>
          <Radio.Group
            label={words.rows}
            value={rows}
            onChange={(value) => setRows(ROW_CHOICES.find((known) => known === value) ?? 'all')}
          >
            <Stack gap={6} mt={4}>
              <Radio size="xs" value="all" label={words.allRows} />
              <Radio
                size="xs"
                value="filtered"
                label={words.filteredRows}
                disabled={!filters}
                description={filters ? undefined : words.noFilter}
              />
              <Radio
                size="xs"
                value="selected"
                label={words.selectedRows(selected?.rows ?? 0)}
                disabled={!canSelect}
                description={
                  canSelect
                    ? words.selectedHelp
                    : selected === undefined
                      ? words.noSelection
                      : words.tooManySelected(MOST_SELECTED)
                }
              />
            </Stack>
          </Radio.Group>
          <Radio.Group
            label={words.columns}
            value={chosen === undefined ? 'all' : 'chosen'}
            onChange={(value) => setChosen(value === 'chosen' ? shownColumns : undefined)}
          >
            <Stack gap={6} mt={4}>
              <Radio size="xs" value="all" label={rows === 'selected' ? words.allColumnsSelected : words.allColumns} />
              <Radio size="xs" value="chosen" label={words.chosenColumns} />
            </Stack>
          </Radio.Group>
          {chosen === undefined ? null : (
            <MultiSelect
              size="xs"
              aria-label={words.columnsChosen}
              data={columns.map(({ name }) => name)}
              value={[...chosen]}
              onChange={setChosen}
              {...searchableList}
              clearable
              classNames={{ pillsList: styles.pills ?? '' }}
              error={chosen.length === 0 ? words.noColumns : undefined}
            />
          )}
          {format === 'csv' ? (
            <Stack gap={6}>
              <Checkbox
                size="xs"
                label={words.header}
                checked={header}
                onChange={(event) => setHeader(event.currentTarget.checked)}
              />
              <Checkbox
                size="xs"
                label={words.guardFormulas}
                checked={guardFormulas}
                onChange={(event) => setGuardFormulas(event.currentTarget.checked)}
              />
            </Stack>
          ) : null}
          <ExportFileField
            format={format}
            path={file}
            error={tried && file.trim() === '' ? words.fileMissing : undefined}
            chosen={chosenFile}
            onFocus={setFileFocused}
            onChoosing={setChoosing}
            onPath={(path) => {
              setTypedFile(true);
              setProblem(undefined);
              setFile(path);
            }}
            onChosen={(next) => {
              setProblem(undefined);
              setChosenFile(next);
            }}
          />
          {problem === undefined ? null : (
            <ProblemPanel
              compact
              title={exists ? words.overwriteTitle : words.failed}
              problem={problem}
              actions={
                exists ? (
                  <Button color="red" loading={busy} onClick={() => void start(true)}>
                    {words.overwrite(file.trim())}
                  </Button>
                ) : undefined
              }
            />
          )}
          <DialogActions>
            <Button variant="default" onClick={onClose}>
              {strings.common.cancel}
            </Button>
            <Button type="submit" loading={busy} disabled={exists || isChoosing} data-autofocus>
              {words.start}
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Modal>
  );
}
