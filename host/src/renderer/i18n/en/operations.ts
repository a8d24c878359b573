import { formatCount, formatRowCount } from '../format.ts';
import { formatMessage } from '../formatMessage.ts';

/** The words of what is done to a table as a whole. What an operation is called, and what it does, comes from the driver. */
export const operationWords = {
  menu: (table: string): string => `Actions for ${table}`,
  more: 'More for this table',
  open: 'Open',
  loading: 'Loading operations…',
  none: 'This driver has no operations on whole tables.',
  listFailed: (reason: string): string => `Operations couldn't be loaded: ${reason}`,
  title: (label: string, table: string): string => `${label} ${table}`,
  planFailed: "The effect of this operation couldn't be determined",
  runFailed: (label: string, table: string): string => `${label} ${table}: not done`,
  affects: 'Affects',
  rows: 'Rows',
  count: (count: { readonly rows: number; readonly exact: boolean }): string => formatRowCount(count),
  request: 'Request',
  typeName: (name: string): string => `Type ${name} to confirm`,
  aliasNotice: (alias: string, target: string): string => `“${alias}” is an alias of “${target}”, so this affects “${target}”.`,
  discardStaged: (count: number): string =>
    formatMessage('Discard {count, plural, one {# change of it that is} other {# changes of it that are}} staged', { count }),
  stagedHelp: 'Their rows will be deleted. Undo restores the changes.',
  discardStagedOf: (count: number, tables: string): string =>
    formatMessage('Discard {count, plural, one {# staged change} other {# staged changes}} of {tables}', { count, tables }),
  stagedStay: 'Otherwise they stay staged and are saved to what the name leads to then.',
  preset: 'Begin with',
  input: 'Input',
  formFailed: (label: string): string => `${label}: the form couldn’t be read`,
  startFailed: (label: string): string => `${label}: not started`,
  discardInput: (label: string): string => `Your input for “${label}” will be lost.`,
  steps: 'Steps and their requests',
  server: (label: string): string => `${label}…`,
  serverMenu: 'Operations on the server',
  runs: 'Operations that need you',
  resume: 'Resume',
  leave: 'Leave',
  undo: 'Undo…',
  rejected: (count: number): string =>
    formatMessage('{count, plural, one {# row was rejected} other {# rows were rejected}}', { count }),
  cancelled: (title: string): string => `${title}: cancelled`,
  failed: (title: string, reason: string): string => `${title}: ${reason}`,
  interrupted: (title: string, canResume: boolean): string =>
    canResume
      ? `${title} was interrupted. Resume it where it was, or leave it as it is.`
      : `${title} was interrupted and may have been done. Look at the tables, then leave it.`,
  progress: (title: string, step: string, done: number | undefined, of: number | undefined, unit: string): string => {
    const name = step === '' ? title : `${title}: ${step}`;
    if (done === undefined) return name;
    return of === undefined
      ? `${name}, ${formatCount(done)} ${unit}`
      : `${name}, ${formatCount(done)} of ${formatCount(of)} ${unit}`;
  },
  confirm: (label: string, name: string): string => `${label} ${name}`,
};
