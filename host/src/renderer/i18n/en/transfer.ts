import { formatBytes, formatCount } from '../format.ts';
import { formatMessage } from '../formatMessage.ts';

/** The words of exports. */
export const transferWords = {
  open: 'Export…',
  unavailable: "This driver doesn't support exporting.",
  title: (table: string): string => `Export ${table}`,
  format: 'Format',
  formats: { jsonl: 'JSON lines', json: 'JSON', csv: 'CSV' },
  rows: 'Rows',
  allRows: 'All rows',
  filteredRows: 'Rows that match the filter',
  noFilter: 'No filter is applied.',
  selectedRows: (count: number): string => (count === 0 ? 'Selected rows' : `Selected rows (${formatCount(count)})`),
  selectedHelp: 'As shown, including staged changes.',
  noSelection: 'Select more than one cell in the grid first.',
  tooManySelected: (most: number): string =>
    formatMessage('At most {most, plural, one {# selected row} other {# selected rows}}; export the filtered rows instead.', {
      most,
    }),
  columns: 'Columns',
  allColumns: "All, including columns that aren't in the structure",
  allColumnsSelected: 'All',
  chosenColumns: 'Chosen columns',
  columnsChosen: 'Columns to export',
  noColumns: 'Choose at least one column.',
  header: 'First line with the names of the columns',
  guardFormulas: 'Put an apostrophe before text that a spreadsheet would run as a formula',
  file: 'File',
  fileHelp: 'The full path on the computer where Tabularium runs.',
  fileMissing: 'Enter the path of the file.',
  choose: 'Choose a place…',
  chosen: (file: string): string => `${file}, in the folder that you chose`,
  chosenHelp: 'This window saves the file. Leave it open until the export has ended.',
  typePath: 'Enter a path instead',
  chooseFailed: 'The browser opened no dialog for the file',
  windowFailed: (file: string, reason: string): string => `${file} could not be saved: ${reason}`,
  start: 'Export',
  overwriteTitle: 'This file exists',
  overwrite: (file: string): string => `Replace ${file}`,
  failed: 'The export could not be started',
  running: (table: string, rows: number, all: string | undefined, bytesPerSecond: number): string =>
    formatMessage('Exporting {table}: {rows} {of, plural, one {row} other {rows}}, {bytesPerSecond}/s', {
      table,
      rows: all === undefined ? formatCount(rows) : `${formatCount(rows)} of ${all}`,
      of: all === undefined ? rows : 2,
      bytesPerSecond: formatBytes(Math.round(bytesPerSecond)),
    }),
  waiting: (table: string): string => `The export of ${table} waits for the others of this connection`,
  done: (table: string, rows: number, bytes: number, file: string): string =>
    formatMessage('Exported {rows, plural, one {# row} other {# rows}} of {table} ({bytes}) to {file}', {
      rows,
      table,
      bytes: formatBytes(bytes),
      file,
    }),
  openFolder: 'Open folder',
  failedWith: (table: string, reason: string): string => `The export of ${table} failed: ${reason}`,
  cancelled: (table: string): string => `The export of ${table} was cancelled; the unfinished file was removed.`,
  undecided: 'Exports that need a decision',
  rowsMissing: (file: string, table: string, got: number, counted: number): string =>
    formatMessage(
      '{file} has {got, plural, one {# row} other {# rows}} of {table}, but the database counts {counted}. Rows may be missing.',
      {
        file,
        table,
        got,
        counted: formatCount(counted),
      },
    ),
  rowsBeyond: (file: string, table: string, got: number, counted: number): string =>
    formatMessage(
      '{file} has {got, plural, one {# row} other {# rows}} of {table}, but the database counts {counted}. Rows may no longer exist in the database.',
      { file, table, got, counted: formatCount(counted) },
    ),
  keep: 'Keep the file',
  remove: 'Delete it',
  removed: (table: string): string => `The exported file of ${table} was deleted.`,
};
