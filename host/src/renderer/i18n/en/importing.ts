import { formatCount } from '../format.ts';
import { formatMessage } from '../formatMessage.ts';
import { lower } from './term.ts';

/** The words of imports. */
export const importingWords = {
  open: 'Import…',
  openNew: (table: string): string => `Import into a new ${lower(table)}…`,
  unavailable: "This driver doesn't support importing.",
  title: (table: string): string => `Import into ${table}`,
  titleNew: (table: string): string => `Import into a new ${lower(table)}`,
  file: 'File',
  choose: 'Choose a file…',
  drop: 'Choose a file, drop one here, or paste rows. JSON lines, JSON and CSV are read, also compressed with gzip.',
  pasted: 'Pasted rows',
  sending: (name: string): string => `Reading ${name}`,
  looking: 'Looking at the first rows…',
  format: 'Format',
  formats: { jsonl: 'JSON lines', json: 'JSON', csv: 'CSV', rejected: 'Rejected rows' },
  separator: 'Separator',
  separators: { ',': 'Comma', ';': 'Semicolon', '\t': 'Tab', '|': 'Vertical bar' },
  header: 'First line with the names of the columns',
  preview: 'First rows',
  previewOf: (rows: number): string => formatMessage('The first {rows, plural, one {row} other {# rows}}', { rows }),
  noRows: 'No rows.',
  line: 'Line',
  problem: 'Problem',
  noProblems: (of: number): string =>
    of === 1
      ? 'It would not be rejected, as far as can be seen before.'
      : 'None of them would be rejected, as far as can be seen before.',
  problems: (count: number, of: number): string =>
    of === 1
      ? 'It would be rejected.'
      : formatMessage('At least {count, plural, one {# of them} other {# of them}} would be rejected.', { count }),
  mostRejected: (count: number, of: number): string =>
    of === 1
      ? 'The row would be rejected.'
      : `At least ${formatCount(count)} of the first ${formatCount(of)} rows would be rejected.`,
  target: (source: string): string => `Field for ${source}`,
  type: (source: string): string => `Type of ${source}`,
  types: {
    asIs: 'As it is',
    text: 'Text',
    integer: 'Whole number',
    decimal: 'Number',
    boolean: 'True or false',
    json: 'JSON',
    list: 'List',
    ignore: 'Leave out',
  },
  spliced: 'Rows go to the server as they are.',
  mode: 'Rows that are there already',
  request: 'Request',
  name: 'Name',
  nameMissing: 'Enter a name.',
  otherNamespace: (name: string): string => `Elsewhere in ${name}…`,
  namespace: 'Namespace',
  definition: 'Definition',
  definitionHelp: 'Proposed from the first rows. Change it before it is created.',
  definitionLike: 'That of the source. Change it before it is created.',
  definitionFailed: 'No table can be made of these columns',
  plan: 'Created by',
  planFailed: "It can't be created this way",
  start: 'Import',
  startNew: 'Create and import',
  failed: 'The import could not be started',
  fileFailed: "The file can't be imported",
  running: (table: string, read: number, rowsPerSecond: number): string =>
    formatMessage('Importing into {table}: {read} {count, plural, one {row} other {rows}}, {speed}/s', {
      table,
      read: formatCount(read),
      count: read,
      speed: formatCount(rowsPerSecond),
    }),
  list: 'Imports',
  done: (table: string, written: number): string =>
    formatMessage('Imported {written, plural, one {# row} other {# rows}} into {table}.', { table, written }),
  doneRejected: (table: string, written: number, rejected: number): string =>
    formatMessage(
      'Imported {written, plural, one {# row} other {# rows}} into {table}; {rejected, plural, one {# row was} other {# rows were}} rejected.',
      { table, written, rejected },
    ),
  cancelled: (table: string, written: number): string =>
    formatMessage('The import into {table} was cancelled; {written, plural, one {# row was} other {# rows were}} written.', {
      table,
      written,
    }),
  paused: (table: string, read: number): string =>
    formatMessage('The import into {table} is paused after {read, plural, one {# row} other {# rows}}.', { table, read }),
  pausing: (table: string): string => `The import into ${table} pauses after the rows in flight.`,
  interrupted: (table: string, read: number, reason: string): string =>
    formatMessage('The import into {table} was interrupted after {read, plural, one {# row} other {# rows}}. {reason}', {
      table,
      read,
      reason,
    }),
  uncertain: (count: number): string =>
    formatMessage('Up to {count, plural, one {# more row} other {# more rows}} may have been written.', { count }),
  otherTable: (table: string, began: string, now: string): string =>
    `${table} was “${began}” when the import began and is “${now}” now: rows that were written before may be missing.`,
  missing: (count: number): string =>
    formatMessage(
      'At least {count, plural, one {# row that was written is} other {# rows that were written are}} not in the table: it was changed meanwhile.',
      { count },
    ),
  pause: 'Pause',
  resume: 'Resume',
  repeat: 'Resume and send them again',
  skip: 'Resume and skip them',
  continueThere: 'Continue in this table',
  reasons: 'Show reasons',
  reason: (line: number, message: string): string => `Line ${line}: ${message}`,
  rejectedFile: (file: string): string => `All of them, with their reasons: ${file}`,
  tryAgain: 'Try these again',
  dismiss: 'Dismiss',
  dismissAll: (count: number): string => formatMessage('Dismiss {count, plural, one {# ended} other {all # ended}}', { count }),
  discard: 'The file, the mapping and what you entered here are lost.',
  renamed: (names: string): string => `The first line has names more than once: the later columns were imported as ${names}.`,
  unmet: (names: string): string => `No row has ${names}, which the mapping names.`,
  copy: 'Copy to…',
  copyTitle: (table: string): string => `Copy ${table}`,
  copyTo: 'Connection',
  copyInto: 'Into',
  copyNew: (table: string): string => `A new ${lower(table)}`,
  copyThere: (table: string): string => `A ${lower(table)} that is there`,
  copyTableMissing: 'Choose where the rows go.',
  copyRows: (rows: string, connection: string): string => `${rows} of ${connection} are copied as they are now.`,
  copyThereRows: (rows: string): string => `The target has ${rows}.`,
  copyRowCount: (rows: number, isExact: boolean): string =>
    formatMessage('{about}{rows, plural, one {# row} other {# rows}}', { rows, about: isExact ? '' : 'about ' }),
  leftOut: 'Parts of the table that are not copied',
  leftOutPart: (part: string, names: string, more: number): string =>
    `Not copied: ${part}: ${names}${more === 0 ? '' : ` and ${more} more`}`,
  parts: {
    identity: 'numbers that the database gives (identity)',
    computed: 'computed columns, which become plain ones',
    defaults: 'defaults',
    foreignKeys: 'foreign keys',
    indexes: 'indexes',
    triggers: 'triggers',
    comments: 'comments',
  },
  copyAsText: (names: string): string => `Becomes text, because the target has text there: ${names}.`,
  copyTypeName: (name: string): string => `Type ${name} to confirm`,
  copyStart: 'Copy',
  copyStartNew: 'Create and copy',
  copyFailed: "The rows can't be copied",
  copyIntoIt: 'Copy into it',
  importIntoIt: 'Import into it',
  newTaken: (table: string): string => `“${table}” is there already. Choose another name, or add the rows to it.`,
  newMade: (table: string): string => `“${table}” was created before this failed. Add the rows to it, or choose another name.`,
  newUnknown: (table: string): string => `Whether “${table}” was created isn't known: the list of tables couldn't be read.`,
  lookAgain: 'Look again',
  /** The states of a copy. */
  copying: {
    running: (table: string, read: number, rowsPerSecond: number): string =>
      formatMessage('Copying into {table}: {read} {count, plural, one {row} other {rows}}, {speed}/s', {
        table,
        read: formatCount(read),
        count: read,
        speed: formatCount(rowsPerSecond),
      }),
    done: (table: string, written: number): string =>
      formatMessage('Copied {written, plural, one {# row} other {# rows}} into {table}.', { table, written }),
    doneRejected: (table: string, written: number, rejected: number): string =>
      formatMessage(
        'Copied {written, plural, one {# row} other {# rows}} into {table}; {rejected, plural, one {# row was} other {# rows were}} rejected.',
        { table, written, rejected },
      ),
    cancelled: (table: string, written: number): string =>
      formatMessage('The copy into {table} was cancelled; {written, plural, one {# row was} other {# rows were}} written.', {
        table,
        written,
      }),
    paused: (table: string, read: number): string =>
      formatMessage('The copy into {table} is paused after {read, plural, one {# row} other {# rows}}.', { table, read }),
    pausing: (table: string): string => `The copy into ${table} pauses after the rows in flight.`,
    interrupted: (table: string, read: number, reason: string): string =>
      formatMessage('The copy into {table} was interrupted after {read, plural, one {# row} other {# rows}}. {reason}', {
        table,
        read,
        reason,
      }),
  },
  reading: (source: string, table: string, rows: number): string =>
    formatMessage('Copying {source} into {table}: {rows, plural, one {# row} other {# rows}} read', { source, table, rows }),
  rowsDiffer: (got: number, counted: number): string =>
    formatMessage('{got, plural, one {# row was} other {# rows were}} read, but the source counts {counted, number}.', {
      got,
      counted,
    }),
  newRemoved: (table: string): string => `No row was written, so ${table}, which the import created, was removed again.`,
  newEmpty: (table: string): string => `${table} is new and empty: delete it if you don't need it.`,
  newEmptyYet: (table: string): string => `${table} is new and still empty. Cancelling removes it.`,
};
