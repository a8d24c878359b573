import { formatCount, formatList } from '../format.ts';
import { formatMessage } from '../formatMessage.ts';

/** The words of the list of connections, of its groups, and of files of connections. */
export const connectionWords = {
  search: 'Filter connections',
  noMatch: (text: string): string => `No connection matches “${text}”.`,
  clearSearch: 'Clear the filter',
  sort: 'Order',
  sorts: { name: 'By name', recent: 'Last opened first', type: 'By type', created: 'Newest first' },
  more: 'More for the list',
  ungrouped: 'Not in a group',
  /** Heard after the name of the group. */
  groupCount: (count: number): string => formatMessage(', {count, plural, one {# connection} other {# connections}}', { count }),
  menu: (name: string): string => `What can be done with ${name}`,
  open: 'Open',
  openInNewWindow: 'Open in a new window',
  closeConnection: 'Close',
  duplicate: 'Duplicate…',
  moveToGroup: 'Move to a group…',
  import: 'Import…',
  export: 'Export…',
  group: 'Group',
  groupPlaceholder: 'None',
  groupHelp: 'Connections with the same group stand together in the list.',
  groupTitle: (name: string): string => `Group of ${name}`,
  groupSave: 'Move',
  groupFailed: 'The connection was not moved',
  duplicateTitle: (name: string): string => `Duplicate ${name}`,
  duplicateName: 'Name of the copy',
  copyOf: (name: string): string => `${name} copy`,
  withSecrets: 'Copy its credentials too',
  withSecretsHelp:
    'They are kept a second time, where they are kept now, and are never shown. Without them, the copy asks for them when it is first opened.',
  duplicateConfirm: 'Duplicate',
  duplicateFailed: 'The connection was not duplicated',
  exportTitle: 'Export connections',
  exportText:
    'The file holds names, settings, colours and groups. It never holds a credential: whoever imports it enters them. Names of environment variables are in it.',
  exportAll: 'All',
  exportNone: 'None',
  exportConfirm: (count: number): string =>
    formatMessage('Export {count, plural, one {# connection} other {# connections}}', { count }),
  exportFailed: 'The connections were not exported',
  exportFile: 'tabularium-connections.json',
  exported: (count: number, file: string): string =>
    formatMessage('Exported {count, plural, one {# connection} other {# connections}} to {file}', { count, file }),
  importTitle: 'Import connections',
  importText:
    'Choose a file that was exported from Tabularium. You see what is in it before anything is saved. Credentials are not in it: you enter them when you first open a connection.',
  importChoose: 'Choose a file…',
  importDrop: 'or drop it here',
  importOther: 'Another file…',
  importReading: 'Reading the file',
  importEmpty: 'There is no connection in this file.',
  importBad: (file: string): string => `${file} cannot be imported`,
  importTooLarge: 'The file is larger than a file of connections can be.',
  position: (line: number, column: number): string => `Line ${formatCount(line)}, column ${formatCount(column)}`,
  importList: 'Connections in the file',
  take: (name: string): string => `Import ${name}`,
  unnamed: (place: number): string => `Connection ${formatCount(place)}`,
  conflict: (name: string): string => `There is a connection called ${name}`,
  conflictFor: (name: string): string => `What to do with ${name}`,
  onConflict: {
    skip: (): string => 'Skip',
    rename: (free: string): string => `Save as ${free}`,
    replace: (name: string): string => `Replace ${name}`,
  },
  replaceNote: 'What is replaced keeps its access for other programs, and its credentials while it leads to the same server.',
  fromEnvironment: (variables: readonly string[]): string =>
    `Sends the value of an environment variable to the server: ${formatList(variables)}`,
  toEnter: (labels: readonly string[]): string => `You will be asked for ${formatList(labels)}`,
  importConfirm: (count: number): string =>
    formatMessage('Import {count, plural, one {# connection} other {# connections}}', { count }),
  importFailed: 'The connections were not imported',
  outcomes: {
    added: 'Added',
    renamed: 'Saved under this name',
    replaced: 'Replaced',
    skipped: 'Skipped',
    failed: 'Not imported',
  },
  importDone: (count: number): string =>
    formatMessage('{count, plural, one {# connection} other {# connections}} imported', { count }),
  done: 'Done',
};
