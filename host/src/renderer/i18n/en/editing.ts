import { formatCount } from '../format.ts';
import { formatMessage } from '../formatMessage.ts';

const changes = (count: number): string => formatMessage('{count, plural, one {# change} other {# changes}}', { count });

/** Some names, and how many more there are. */
function listed(names: readonly string[], most = 3): string {
  const shown = names.slice(0, most).map((name) => `“${name}”`);
  return names.length > shown.length ? `${shown.join(', ')} and ${names.length - shown.length} more` : shown.join(', ');
}

/** The words of editing rows, and of looking at one row. */
export const editingWords = {
  changes,
  review: 'Review…',
  discardAll: 'Discard',
  discardTitle: (count: number, table: string): string =>
    formatMessage('Discard {count, plural, one {# change} other {# changes}} of “{table}”?', { count, table }),
  discarded: (count: number, table: string): string =>
    formatMessage('Discarded {count, plural, one {# change} other {# changes}} of {table}', { count, table }),
  discardText: 'Nothing on the server changes. Undo brings your changes back.',
  waiting: (count: number): string =>
    formatMessage('{count, plural, one {# step waits for Tabularium} other {# steps wait for Tabularium}}', { count }),
  readingReview: 'Waiting for the requests…',
  discardConfirm: (count: number): string =>
    formatMessage('Discard {count, plural, one {# change} other {# changes}}', { count }),
  keep: 'Keep changes',
  staysStaged:
    'Changes stay here when you close the tab, the window or Tabularium, also after a crash. Nothing is sent before you save.',
  closedStaged: (table: string, count: number): string =>
    formatMessage(
      '“{table}” was closed; {count, plural, one {# change of it stays} other {# changes of it stay}} staged, not saved.',
      { table, count },
    ),
  openAgain: 'Open it again',
  cancelling: (table: string): string => `Cancelling the save of ${table}…`,
  saving: (table: string): string => `Saving changes of ${table}`,
  savingProgress: (table: string, done: number, all: number): string =>
    `Saving changes of ${table}: ${formatCount(done)} of ${formatCount(all)}`,
  saved: (count: number, table: string): string =>
    formatMessage('Saved {count, plural, one {# change} other {# changes}} of {table}', { count, table }),
  savedSome: (saved: number, left: number): string =>
    formatMessage(
      'Saved {saved, plural, one {# change} other {# changes}}; {left, plural, one {# change could not be saved and stays} other {# changes could not be saved and stay}} staged.',
      { saved, left },
    ),
  savedUncertain: (saved: number, uncertain: number, left: number): string =>
    formatMessage(
      'Saved {saved, plural, one {# change} other {# changes}}; {uncertain, plural, one {# change} other {# changes}} may have been saved: look at the rows before you save them again. {left, plural, =0 {} one {# change was not saved.} other {# changes were not saved.}}',
      { saved, uncertain, left },
    ).trimEnd(),
  savedBeforeCancel: (saved: number, left: number, table: string): string =>
    formatMessage(
      'Saved {saved, plural, one {# change} other {# changes}} of {table}, then cancelled; {left, plural, one {# change was not sent and stays} other {# changes were not sent and stay}} staged.',
      { saved, left, table },
    ),
  savingCancelled: (left: number): string =>
    formatMessage(
      'The save was cancelled, and nothing was changed: {left, plural, one {# change stays} other {# changes stay}} staged.',
      { left },
    ),
  saveFailed: 'The changes could not be saved',
  failed: (count: number): string => `${formatCount(count)} failed`,
  unknown: (count: number): string => `${formatCount(count)} uncertain`,
  meanwhile: {
    count: (count: number): string => `${formatCount(count)} not as you saw them`,
    rowChanged: (columns: readonly string[]): string => `Somebody changed ${listed(columns)} of this row meanwhile.`,
    rowDeleted: 'Somebody deleted this row meanwhile.',
    deletedText: 'Somebody deleted this row after you changed it.',
    deletedTwice: 'Somebody has deleted this row already.',
    deletionText: 'Somebody changed this row after you marked it for deletion.',
    elsewhere: 'The name of the table leads to another table than when you changed this row.',
    elsewhereText:
      'The name of the table leads to another table than when you changed this row (made again, renamed, an alias that moved), or to the same one after a restart of the server. “Save it there” compares the change with the row of that table first.',
    identities: 'As the server names the two',
    identityThen: 'Then',
    identityNow: 'Now',
    saveThere: 'Save it there',
    summary: (count: number): string =>
      formatMessage(
        '{count, plural, one {# row is no longer as you saw it. It is} other {# rows are no longer as you saw them. They are}} not saved until you decide.',
        { count },
      ),
    keepMine: 'Keep mine',
    takeTheirs: 'Take theirs',
    keepAll: 'Keep mine for all',
    takeAll: 'Take theirs for all',
    insertAgain: 'Insert again',
    insertAgainWithout: (fields: readonly string[]): string =>
      formatMessage(
        '{fields} of this row {count, plural, one {was} other {were}} never read. Insert again leaves {count, plural, one {it} other {them}} out.',
        { fields: listed(fields, 20), count: fields.length },
      ),
    insertAgainOf: 'Insert again sends the values of the columns that were read. Nothing else of the row is known.',
    drop: 'Drop my change',
    deleteAnyway: 'Delete anyway',
    keepRow: 'Keep the row',
    unsupported:
      "This database can't read rows by their key. Tabularium can't see whether somebody changed these rows after you read them.",
    later: "The rows couldn't be compared with what they hold now. Saving compares them before anything is sent.",
    outcome: 'Changed meanwhile',
  },
  cells: {
    field: 'Field',
    value: 'Value',
    was: 'Was',
    yours: 'Is (yours)',
    now: 'Meanwhile',
    reason: 'Not saved because',
    alike: (columns: readonly string[]): string =>
      `The two values of ${listed(columns)} look alike here: they differ beyond what is shown, or in characters that look the same.`,
    blanks: (count: number): string => formatMessage('{count, plural, one {# blank} other {# blanks}}', { count }),
  },
  moreCells: (count: number): string => formatMessage('and {count, plural, one {# more field} other {# more fields}}', { count }),
  reviewTitle: (table: string): string => `Changes of ${table}`,
  reviewEach: 'These requests will be sent, in this order. They are independent: if one fails, the others still apply.',
  reviewAll: 'These requests will be sent, in this order, as one transaction.',
  reviewOrder: 'These requests will be sent, in this order.',
  cantSave: (reason: string): string => `These changes stay staged and can't be saved now. ${reason}`,
  sendingEach: (done: number, all: number): string =>
    `These requests are being sent, in this order: ${formatCount(done)} of ${formatCount(all)} are done.`,
  sendingAll: 'These requests are being sent, in this order, as one transaction.',
  madeNone: 'All of them are one transaction: because one change failed, none was made.',
  notSavedStays: 'Changes that are not saved stay staged here, also after a crash.',
  heldAll: (held: number, good: number): string =>
    formatMessage(
      '{held, plural, one {# change is not ready to be saved: it is marked below.} other {# changes are not ready to be saved: they are marked below.}} {good, plural, =0 {} one {All changes are one transaction, so the other one waits for that.} other {All changes are one transaction, so the other # wait for that.}}',
      { held, good },
    ).trimEnd(),
  heldEach: (held: number): string =>
    formatMessage(
      '{held, plural, one {# change is not ready to be saved: it is marked below, and stays staged.} other {# changes are not ready to be saved: they are marked below, and stay staged.}}',
      { held },
    ),
  leftOutAll: (left: number, rest: number): string =>
    formatMessage(
      '{left, plural, one {# change may have been saved already and is left out: decide below.} other {# changes may have been saved already and are left out: decide below.}} {rest, plural, =0 {} one {All changes are one transaction, so the other one waits for that.} other {All changes are one transaction, so the other # wait for that.}}',
      { left, rest },
    ).trimEnd(),
  goToFirst: 'Go to the first',
  showInTable: 'Show in the table',
  ofColumn: (column: string, reason: string): string => `“${column}”: ${reason}`,
  reviewFailed: 'The requests could not be prepared',
  more: (count: number): string => `and ${formatCount(count)} more`,
  save: (count: number): string => formatMessage('Save {count, plural, one {# change} other {# changes}}', { count }),
  missing: {
    title: 'Staged changes of missing tables',
    text: 'The database has no table of this name any more. The changes stay until you discard them, and are there again if the table returns.',
  },
  discardRow: 'Discard this change',
  sendAgain: 'Save it again: if it was saved, this changes nothing',
  insertAgain: 'Insert it again: if it was inserted, the row may be there twice',
  kinds: { insert: 'Insert', update: 'Update', delete: 'Delete' },
  outcomes: { saved: 'Saved', failed: 'Failed', unknown: 'Uncertain', sending: 'Sending', notMade: 'Not made' },
  notReady: (message: string): string => `Can't be sent: ${message}`,
  edit: 'Edit cell',
  editOf: (column: string): string => `Edit ${column}`,
  setNull: 'Set to null',
  setAbsent: 'Leave the field out',
  revertCell: 'Undo the change to this cell',
  revertRow: 'Undo the changes to this row',
  insertRow: 'Insert row',
  duplicateRow: 'Duplicate row',
  deleteRow: 'Delete row',
  keepRow: 'Restore row',
  copyCell: 'Copy value',
  showRow: 'Show the row',
  menu: 'Actions',
  nothingToUndo: 'There is nothing to undo.',
  nothingToRedo: 'There is nothing to redo.',
  nothingStaged: 'Nothing is staged.',
  undo: 'Undo',
  redo: 'Redo',
  readOnly: (reason: string): string => `Read-only: ${reason}`,
  rowIsDeleted: 'This row is staged for deletion. Undo that first.',
  rowIsSending: 'This row is being saved.',
  notRead: "Not staged: the row couldn't be read. Your text is kept.",
  notLoaded: 'This row is still being read.',
  notNullable: 'This column cannot be null.',
  leftOut: (count: number, reason: string): string =>
    formatMessage('{count, plural, one {# cell stays} other {# cells stay}} as before: {reason}', { count, reason }),
  emptyFault: 'Not changed: a value of this type is never empty.',
  clearHint: (key: string): string => `For no value, choose “Set to null” in the menu of the cell (${key}).`,
  faults: {
    integer: 'Not changed: enter a whole number.',
    decimal: 'Not changed: enter a number.',
    boolean: 'Not changed: enter true or false.',
    json: 'Not changed: enter valid JSON.',
    bytes: 'Not changed: enter bytes in base64, or in hexadecimal behind \\x.',
    unclearBytes: 'Not changed: this may be base64 or hexadecimal. Enter the bytes in hexadecimal behind \\x.',
  },
  readAs: (read: string, other: string): string => `Read as ${read}. For ${other}, leave the point out.`,
  outOfRange: (least: string, greatest: string, smallest?: string): string =>
    `Not changed: enter a number from ${least} to ${greatest}${smallest === undefined ? '' : `, and not closer to 0 than ${smallest}`}.`,
  labels: (labels: readonly string[]): string => listed(labels, 12),
  noLabel: (labels: string): string => `Not changed: enter one of ${labels}. “Reload structure” finds new ones.`,
  moreLabels: (count: number): string =>
    formatMessage('{count, plural, one {# more: type to find it} other {# more: type to find them}}', { count }),
  labelsOf: (column: string): string => `Values of ${column}`,
  insertedRow: 'This row will be inserted.',
  insertedRowLacks: (count: number): string =>
    formatMessage(
      'This row will be inserted. {count, plural, one {# required field has} other {# required fields have}} no value.',
      {
        count,
      },
    ),
  lacks: (fields: readonly string[]): string => `This row lacks ${listed(fields, 20)}. Enter a value there before you save.`,
  deletedRow: 'This row will be deleted.',
  changedCell: 'This cell will be changed.',
  problem: "Couldn't be staged",
  watchLost: 'Tabularium does not answer. Staged changes are shown as they were; they are safe, and the window keeps retrying.',
};

/** The words of the panel beside the rows. */
export const rowPanelWords = {
  show: 'Show or hide the row (Ctrl+I)',
  label: 'Row',
};
