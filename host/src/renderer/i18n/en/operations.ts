import { formatRowCount } from '../format.ts';
import { formatMessage } from '../formatMessage.ts';

/** The words of what is done to a table as a whole. What an operation is called, and what it does, comes from the driver. */
export const operationWords = {
  menu: (table: string): string => `What can be done with ${table}`,
  more: 'More for this table',
  open: 'Open',
  loading: 'Looking what can be done…',
  none: 'This driver has no operations on whole tables.',
  listFailed: (reason: string): string => `What can be done is not known: ${reason}`,
  title: (label: string, table: string): string => `${label} ${table}`,
  planFailed: 'What this would do could not be found out',
  runFailed: (label: string, table: string): string => `${label} ${table}: not done`,
  affects: 'Affects',
  rows: 'Rows',
  count: (count: { readonly rows: number; readonly exact: boolean }): string => formatRowCount(count),
  request: 'What is sent',
  typeName: (name: string): string => `Type ${name} to confirm`,
  aliasNotice: (alias: string, target: string): string => `“${alias}” stands for “${target}”: that is what this is done to.`,
  discardStaged: (count: number): string =>
    formatMessage('Discard {count, plural, one {# change of it that is} other {# changes of it that are}} staged', { count }),
  stagedHelp: 'They are of rows that will not be there any more. Undo brings them back.',
  confirm: (label: string, name: string): string => `${label} ${name}`,
};
