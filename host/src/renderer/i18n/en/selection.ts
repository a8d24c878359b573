import { formatBytes, formatCount } from '../format.ts';
import { formatMessage } from '../formatMessage.ts';

const cells = (count: number): string => formatMessage('{count, plural, one {# cell} other {# cells}}', { count });
const rows = (count: number): string => formatMessage('{count, plural, one {# row} other {# rows}}', { count });
/** Some names, and how many more there are. */
const someOf = (names: readonly string[], more: number): string =>
  names.join(', ') + (more === 0 ? '' : formatMessage(' and {more, plural, one {# more} other {# more}}', { more }));
const columns = (count: number): string => formatMessage('{count, plural, one {# column} other {# columns}}', { count });

/** The words of choosing and copying cells. */
export const selectionWords = {
  rowNumbers: 'Row numbers',
  selectAll: 'Select all rows and columns',
  newRow: 'New row',
  noCell: 'Choose a cell first.',
  cells,
  shape: (rowCount: number, columnCount: number): string => `${rows(rowCount)} × ${columns(columnCount)}`,
  sum: (value: string): string => `Sum ${value}`,
  average: (value: string): string => `Average ${value}`,
  least: (value: string): string => `Least ${value}`,
  greatest: (value: string): string => `Greatest ${value}`,
  partly: (count: number): string => `In the ${cells(count)} loaded:`,
  selectedAll: (rowCount: number): string => `All ${rows(rowCount)} selected`,
  selectedLoaded: (rowCount: number): string => `All ${rows(rowCount)} read so far selected`,
  summary: 'Selection',
  copyAs: 'Copy as',
  formats: {
    tsv: 'Tab-separated text',
    csv: 'CSV',
    guardedCsv: 'CSV for a spreadsheet (formulas guarded)',
    json: 'JSON',
    markdown: 'Markdown table',
  },
  withHeader: (format: string): string => `${format}, with column names`,
  copyFormat: (format: string): string => `Copy as ${format}`,
  copying: (done: number, all: number): string => `Copying: ${formatCount(done)} of ${rows(all)}`,
  copied: (rowCount: number, columnCount: number): string => `Copied ${rows(rowCount)} × ${columns(columnCount)}`,
  copyStopped: 'Copying was stopped; the clipboard is unchanged.',
  copyFailed: (reason: string): string => `Nothing was copied: ${reason}`,
  copyShape: "These ranges share neither rows nor columns, so they can't be copied as one table. Copy them one after the other.",
  copyTooMany: (most: number): string => `At most ${rows(most)} can be copied at a time. Export them to a file instead.`,
  copyTooLarge: (bytes: number): string => `More than ${formatBytes(bytes)} cannot be copied. Export the rows to a file instead.`,
  selectRow: 'Select the row',
  selectColumn: 'Select the column',
  deleteRows: (count: number): string => `Delete ${rows(count)}`,
  duplicateRows: (count: number): string => `Duplicate ${rows(count)}`,
  tooManyRows: (most: number): string => `At most ${rows(most)} can be changed at a time.`,
  readingRows: (count: number): string => `Reading ${rows(count)}`,
};

/** The words of arranging columns. */
export const columnWords = {
  menu: (column: string): string => `Actions for ${column}`,
  open: 'Columns…',
  title: 'Columns',
  search: 'Find a column',
  noMatch: 'No column matches.',
  showAll: 'Show all',
  reset: 'Reset columns',
  resetHint: 'Restores the order, widths and visibility',
  shown: (shown: number, all: number): string => `${formatCount(shown)} of ${columns(all)}`,
  show: (column: string): string => `Show ${column}`,
  moveUp: (column: string): string => `Move ${column} up`,
  moveDown: (column: string): string => `Move ${column} down`,
  sortAscending: 'Sort ascending',
  sortDescending: 'Sort descending',
  alsoAscending: 'Then by this, ascending',
  alsoDescending: 'Then by this, descending',
  clearSort: 'Remove sort',
  hide: 'Hide column',
  lastColumn: 'At least one column must be visible.',
  fit: 'Fit to its content',
  fitAll: 'Fit all columns',
  moveLeft: 'Move to the left',
  moveRight: 'Move to the right',
  atStart: 'It is the first column.',
  atEnd: 'It is the last column.',
  freeze: 'Freeze up to here',
  tooManyFrozen: (most: number): string => `At most ${columns(most)} can be frozen.`,
  unfreeze: 'Freeze no column',
  copyName: 'Copy the name',
  filterBy: 'Filter by this column',
  notFilterable: "This column can't be filtered.",
  dates: 'Show as dates (UTC)',
  dateUnits: { seconds: 'Seconds', milliseconds: 'Milliseconds', microseconds: 'Microseconds' },
  likely: (unit: string): string => `${unit} (likely)`,
  plainNumbers: 'As numbers',
  onlyIntegers: 'Only whole numbers can be shown as dates.',
  dateTitle: (digits: string): string => `Stored as ${digits}`,
  hidden: (column: string): string => `${column} is hidden; Columns… shows it again.`,
  moved: (column: string, place: number): string => `${column} is column ${formatCount(place)} now.`,
};

/** The words of finding and going. */
export const findWords = {
  label: 'Find in loaded rows',
  placeholder: 'Find',
  matches: (place: number, count: number): string => `${formatCount(place)} of ${formatCount(count)}`,
  mostMatches: (place: number, count: number): string => `${formatCount(place)} of more than ${formatCount(count)}`,
  none: 'No match',
  scope: (rowCount: number): string => `in the ${rows(rowCount)} that are loaded`,
  next: 'Next match (Enter)',
  previous: 'Previous match (Shift+Enter)',
  close: 'Close (Esc)',
  matchCase: 'Match case',
  open: 'Find in loaded rows',
  goTo: 'Go to a row or column…',
  goToTitle: 'Go to',
  row: 'Row',
  rowHelp: (count: number): string => `1 to ${formatCount(count)}`,
  badRow: (count: number): string => `Enter a number from 1 to ${formatCount(count)}.`,
  column: 'Column',
  go: 'Go',
  lastRow: 'Go to the last row',
  firstRow: 'Go to the first row',
};

/** The words of pasting. */
export const pasteWords = {
  title: (table: string): string => `Paste into ${table}`,
  paste: 'Paste',
  open: 'Paste…',
  empty: 'The clipboard has no text.',
  refused: 'The browser denied access to the clipboard. Press Ctrl+V instead.',
  tooLong: (bytes: number): string => `More than ${formatBytes(bytes)} cannot be pasted at a time.`,
  tooManyFields: (most: number): string =>
    `The rows have more than ${formatCount(most)} fields together, which cannot be pasted at a time. Paste fewer rows.`,
  format: 'Read as',
  formats: { tsv: 'Tabs', csv: 'Commas', semicolons: 'Semicolons', json: 'JSON', lines: 'Lines' },
  header: 'The first line has the names of the columns',
  into: 'Paste',
  intoCells: (row: number, column: string): string => `Into the cells from row ${formatCount(row)}, ${column}`,
  asRows: 'As new rows',
  noRoom: 'Fields beyond the last row become new rows.',
  brokenJson: {
    title: "This begins like JSON, but isn't valid JSON",
    at: (line: number, character: number, reason: string): string =>
      `Line ${formatCount(line)}, character ${formatCount(character)}: ${reason}`,
    advice: 'Correct the text and paste it again, or stage it as it is shown below.',
  },
  preview: 'Preview',
  more: (count: number, changed: number): string =>
    formatMessage(
      'and {count, plural, one {# more line} other {# more lines}}{changed, plural, =0 {} one {, which change # existing row that isn’t shown here} other {, which change # existing rows that aren’t shown here}}',
      { count, changed },
    ),
  moreColumns: (count: number): string =>
    formatMessage('and {count, plural, one {# more column} other {# more columns}}', { count }),
  planning: (done: number, all: number): string => `Read ${formatCount(done)} of ${formatCount(all)} lines`,
  staging: 'Staging…',
  takingBack: 'Cancelling: what was staged is being taken back…',
  undeclared: (count: number, names: readonly string[]): string =>
    formatMessage(
      "{count, plural, one {# name isn't a column} other {# names aren't columns}} of the table: {names}. Saving stores {count, plural, one {it} other {them}} with the rows.",
      { count, names: someOf(names, count - names.length) },
    ),
  line: (number: number): string => `Line ${formatCount(number)}`,
  new: 'new',
  membersStay:
    'Fields that the pasted objects do not have stay as they are. To replace a whole document, edit it in the inspector.',
  tooManyAdvice: 'Paste a part, save it, then paste the next one.',
  unchanged: 'Nothing to stage: the values are the same.',
  nothingFits: 'Nothing to stage: none of the fields can be.',
  counts: (cellCount: number, newRows: number): string =>
    formatMessage(
      '{cellCount, plural, one {# cell} other {# cells}} in all, {newRows, plural, one {# new row} other {# new rows}}',
      { cellCount, newRows },
    ),
  faults: (count: number): string => formatMessage("{count, plural, one {# field} other {# fields}} can't be staged.", { count }),
  problems: 'Fields that can’t be staged',
  problem: (column: string, reason: string, count: number): string =>
    formatMessage('{column} {count, plural, one {# field} other {# fields}}: {reason}', {
      column: column === '' ? '' : `“${column}”,`,
      count,
      reason,
    }).trimStart(),
  moreProblems: (count: number): string =>
    formatMessage('and {count, plural, one {# more kind} other {# more kinds}} of problem', { count }),
  nextProblem: 'Next problem',
  linesFrom: (first: number, last: number, all: number): string =>
    `Lines ${formatCount(first)} to ${formatCount(last)} of ${formatCount(all)}`,
  faultKinds: {
    integer: "This isn't a whole number.",
    decimal: "This isn't a number.",
    boolean: 'Enter true or false.',
    json: "This isn't valid JSON.",
    bytes: 'Bytes are written in base64, or in hexadecimal behind \\x.',
    unclearBytes: 'This is base64 and hexadecimal. Write \\x for hexadecimal.',
  },
  outOfRange: (least: string, greatest: string, smallest?: string): string =>
    `Enter a number from ${least} to ${greatest}${smallest === undefined ? '' : `, and not closer to 0 than ${smallest}`}.`,
  noLabel: (labels: string): string => `Enter one of ${labels}. “Reload structure” finds new ones.`,
  notNullable: 'This column cannot be null.',
  noColumn: 'This has no column.',
  twice: (name: string): string => `“${name}” appears twice. Keep one of the two.`,
  member: 'No column has this name. It is stored with the row.',
  rowDeleted: 'This row is staged for deletion.',
  rowLeftOut: 'This row is left out because a name in it appears twice.',
  stage: (count: number): string => `Stage ${cells(count)}`,
  stageRows: (count: number): string => formatMessage('Stage {count, plural, one {# new row} other {# new rows}}', { count }),
  stageRest: (count: number, faults: number): string => `Stage ${cells(count)}, leave ${formatCount(faults)} out`,
  staged: (count: number): string => `Staged ${cells(count)} from the clipboard`,
  stagedRows: (count: number): string =>
    formatMessage('Staged {count, plural, one {# new row} other {# new rows}} from the clipboard', { count }),
  unreadRow: "The rows that were pasted over couldn't be read.",
};
