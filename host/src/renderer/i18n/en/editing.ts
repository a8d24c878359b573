import { formatCount } from '../format.ts';
import { formatMessage } from '../formatMessage.ts';

const changes = (count: number): string => formatMessage('{count, plural, one {# change} other {# changes}}', { count });

/** The words of editing rows, and of looking at one row. */
export const editingWords = {
  changes,
  review: 'Review…',
  discardAll: 'Discard',
  discardTitle: (count: number, table: string): string =>
    formatMessage('Discard {count, plural, one {# change} other {# changes}} of “{table}”?', { count, table }),
  discardText: 'What you entered is forgotten. Nothing on the server changes.',
  discardConfirm: (count: number): string =>
    formatMessage('Discard {count, plural, one {# change} other {# changes}}', { count }),
  keep: 'Keep them',
  staysStaged:
    'Changes stay here when you close the tab, the window or Tabularium, also after a crash. Nothing is sent before you save.',
  closedStaged: (table: string, count: number): string =>
    formatMessage(
      '“{table}” was closed; {count, plural, one {# change of it stays} other {# changes of it stay}} staged, not saved.',
      { table, count },
    ),
  openAgain: 'Open it again',
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
  saveFailed: 'The changes could not be saved',
  failed: (count: number): string => `${formatCount(count)} failed`,
  unknown: (count: number): string => `${formatCount(count)} uncertain`,
  reviewTitle: (table: string): string => `Changes of ${table}`,
  reviewEach:
    'This is what will be sent, in this order. Each request stands for itself: one that fails does not undo the others.',
  reviewAll: 'This is what will be sent, in this order. Either all of it is done, or nothing.',
  reviewFailed: 'The requests could not be prepared',
  more: (count: number): string => `and ${formatCount(count)} more`,
  save: (count: number): string => formatMessage('Save {count, plural, one {# change} other {# changes}}', { count }),
  discardRow: 'Discard this change',
  kinds: { insert: 'Insert', update: 'Update', delete: 'Delete' },
  outcomes: { saved: 'Saved', failed: 'Failed', unknown: 'Uncertain', sending: 'Sending' },
  notReady: (message: string): string => `Cannot be sent: ${message}`,
  edit: 'Edit cell',
  editOf: (column: string): string => `Edit ${column}`,
  setNull: 'Set to null',
  setAbsent: 'Leave the field out',
  revertCell: 'Take back the change of this cell',
  revertRow: 'Take back the changes of this row',
  insertRow: 'Insert row',
  duplicateRow: 'Duplicate row',
  deleteRow: 'Delete row',
  keepRow: 'Do not delete row',
  copyCell: 'Copy value',
  showRow: 'Show the row',
  menu: 'What can be done here',
  nothingToUndo: 'There is nothing to undo.',
  nothingToRedo: 'There is nothing to redo.',
  nothingStaged: 'Nothing is staged.',
  undo: 'Undo',
  redo: 'Redo',
  readOnly: (reason: string): string => `Read-only: ${reason}`,
  rowIsDeleted: 'This row is staged to be deleted. Take that back first.',
  rowIsSending: 'This row is being saved.',
  notLoaded: 'This row is still being read.',
  notNullable: 'This column cannot be null.',
  leftOut: (count: number, reason: string): string =>
    formatMessage('{count, plural, one {# cell stays} other {# cells stay}} as before: {reason}', { count, reason }),
  faults: {
    integer: 'Not changed: enter a whole number.',
    decimal: 'Not changed: enter a number.',
    boolean: 'Not changed: enter true or false.',
    json: 'Not changed: this is no valid JSON.',
  },
  insertedRow: 'This row will be inserted.',
  deletedRow: 'This row will be deleted.',
  changedCell: 'This cell will be changed.',
  problem: 'Could not be staged',
  watchLost: 'The host does not tell what is staged just now. Nothing is lost; the window keeps asking.',
};

/** The words of the panel beside the rows. */
export const rowPanelWords = {
  show: 'Show or hide the row (Ctrl+I)',
};
