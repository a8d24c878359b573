import { formatRowCount } from '../format.ts';
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
  confirm: (label: string, name: string): string => `${label} ${name}`,
};
