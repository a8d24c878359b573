import { formatBytes, formatCount, formatMilliseconds, formatRowCount } from '../format.ts';
import { formatMessage } from '../formatMessage.ts';
import { lower } from './term.ts';
import type { Term } from './term.ts';

/** The grid of a table. */
export const grid = {
  label: (name: string): string => `Rows of ${name}`,
  null: 'null',
  absent: '—',
  empty: 'empty',
  nullTitle: 'Null: the field exists but has no value.',
  absentTitle: "Absent: this row doesn't have the field.",
  emptyTitle: 'Empty text: the field has a string without characters.',
  bytes: (count: number): string => formatBytes(count),
  dimensions: (count: number): string => formatMessage('{count, plural, one {# dimension} other {# dimensions}}', { count }),
  numbers: (count: number): string => formatMessage('{count, plural, one {# number} other {# numbers}}', { count }),
  pictureTitle: 'Address of a picture. The cell menu and the inspector open it in a new tab.',
  longTitle: (count: number): string =>
    formatMessage('{count, plural, one {# character} other {# characters}}. Open the inspector to see them all.', { count }),
  unread: 'not read',
  unreadTitle: 'Not read with the page because it is long or hidden. Open the inspector to read it.',
  /** @param columns - of the key: named where it has several */
  follow: (table: string, columns: readonly string[]): string =>
    columns.length === 1 ? `Open referenced row in ${table}` : `Open referenced row in ${table} (${columns.join(', ')})`,
  refersTo: (table: string, keys: string): string => `Refers to ${table}. ${keys} opens the row.`,
  refersToNone: (column: string): string => `“${column}” has no value, so it refers to no row.`,
  refersNowhere: 'This column refers to no other table.',
  referring: 'Rows that refer to this one',
  referringTable: (table: string, columns: readonly string[]): string => `${table} (${columns.join(', ')})`,
  referringRows: (table: string, columns: readonly string[]): string => `Referring rows in ${table} (${columns.join(', ')})`,
  referredTo: (count: number, keys: string): string =>
    formatMessage(
      '{count, plural, one {# key of another table refers} other {# keys of other tables refer}} to it. {keys} opens the rows.',
      {
        count,
        keys,
      },
    ),
  referredToByNone: (column: string): string => `“${column}” has no value, so no row refers to this one.`,
  neverReferredTo: 'No table refers to this one.',
  moreReferences: (count: number): string => formatMessage('{count, plural, one {# more} other {# more}}', { count }),
  showsReferring: (table: string): string => `“${table}” shows the rows that refer to that one in place of the former filter.`,
  showsFound: (table: string): string => `“${table}” shows the found rows in place of the former filter.`,
  rowNotRead: 'The row is still being read.',
  notFilterable: (table: string): string => `“${table}” can't be filtered by these values, so all its rows are shown.`,
  showsReferenced: (table: string): string => `“${table}” shows the referenced row in place of the former filter.`,
  formerFilter: 'Former filter',
  readingValues: 'Reading long values',
  valueMissing: "The row is gone, or its value couldn't be read.",
  valueMissingAdvice: 'Reload the rows and try again.',
  sortAscending: 'Sorted ascending',
  sortDescending: 'Sorted descending',
  sortPosition: (position: number): string => `, sort ${position}`,
  sortHint: 'Click to sort, Shift+click to sort by several',
  unsortable: (reason: string): string => `Can't be sorted: ${reason}`,
  sortLimit: (limit: number): string =>
    limit === 0
      ? "This database doesn't support sorting."
      : formatMessage('At most {limit, plural, one {# column} other {# columns}} can be sorted by at once.', { limit }),
  sortDropped: (column: string, reason: string): string => `Not sorted by ${column}: ${reason}`,
  resize: (column: string): string => `Width of ${column}: drag, or double-click to fit its content`,
  key: 'Key',
  noRowsTitle: (row: Term): string => `No ${lower(row.other)}`,
  noRowsText: (table: string, row: Term): string => `“${table}” has no ${lower(row.other)}. Reload to check again.`,
  pageFailed: (first: number, last: number): string => `Rows ${formatCount(first)}–${formatCount(last)} couldn't be read`,
  formerRows: 'The rows below are the ones that were read before.',
  readFailed: (name: string): string => `“${name}” couldn't be read`,
  reloadStructure: 'Reload structure',
  structureChanged: (name: string): string => `The columns of “${name}” were changed elsewhere. Its structure was read again.`,
  reloadRows: 'Reload rows',
  reload: 'Reload',
  reading: (name: string): string => `Reading ${name}`,
  readingCancelled: 'You cancelled reading these rows.',
  readingCancelledAdvice: 'Try again when you want to see them.',
  copied: (column: string): string => `Copied ${column}`,
  copyRefused: 'The browser denied access to the clipboard.',
  rowNumber: (row: number): string => `Row ${formatCount(row)}`,
};

export const pager = {
  label: 'Pages',
  pageSize: 'Rows per page',
  perPage: (size: number): string => `${formatCount(size)} rows`,
  first: 'First page',
  previous: 'Previous page',
  next: 'Next page',
  last: 'Last page',
  lastUnknown: 'Go to the last page by paging: this table can only be read from its start.',
  range: (first: number, last: number): string => `${formatCount(first)}–${formatCount(last)}`,
  of: (total: string): string => `of ${total}`,
  ofMore: 'of more',
  total: (count: { readonly rows: number; readonly exact: boolean }): string => formatRowCount(count),
  milliseconds: (milliseconds: number): string => formatMilliseconds(milliseconds),
  millisecondsTitle: 'Duration of the last request for a page',
  estimate: 'an estimate',
};
