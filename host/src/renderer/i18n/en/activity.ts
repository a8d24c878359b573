import type { EndWay, RunningState } from '@tabularium/sdk';
import { formatCount, formatTime } from '../format.ts';
import { formatMessage } from '../formatMessage.ts';

const STATES: Readonly<Record<RunningState, string>> = {
  running: 'Running',
  waiting: 'Waiting',
  idle: 'Idle',
  inTransaction: 'In transaction',
  failedTransaction: 'Failed transaction',
  hidden: 'Not visible',
};
const PARTS = { days: 'd', hours: 'h', minutes: 'min', seconds: 's' };

/** Sessions and statements at a server. The words in the cells are the server's. */
export const activityWords = {
  title: 'Activity',
  views: 'View',
  now: 'Running now',
  slow: 'Slow statements',
  filter: 'Filter sessions',
  showIdle: 'Show idle',
  refresh: 'Refresh',
  count: (shown: number, all: number): string =>
    shown === all
      ? formatMessage('{all, plural, one {# session} other {# sessions}}', { all })
      : `${formatCount(shown)} of ${formatMessage('{all, plural, one {# session} other {# sessions}}', { all })}`,
  lastRefresh: (iso: string): string => `Read at ${formatTime(iso)}`,
  list: 'Sessions',
  columns: {
    number: 'Process',
    state: 'State',
    user: 'User',
    client: 'Client',
    database: 'Database',
    statement: 'Statement',
    duration: 'Duration',
    blockedBy: 'Blocked by',
  },
  states: STATES,
  /** The short units of a duration. */
  parts: PARTS,
  background: 'Server process',
  own: 'This connection',
  noNumber: 'Session',
  isCut: 'The server has only the beginning of this statement.',
  noStatement: 'No statement',
  lastStatement: 'Last statement',
  blocks: (count: number): string => `blocks ${formatCount(count)}`,
  showBlocker: (number: string): string => `Show ${number}, which blocks this one`,
  details: (number: string): string => `Details of ${number}`,
  isGone: 'No longer there',
  closeDetails: 'Close the details',
  facts: {
    application: 'Application',
    address: 'Address',
    activity: 'Server says',
    lock: 'Waits for',
    transaction: 'Transaction open',
    session: 'Connected',
  },
  copyStatement: 'Copy statement',
  ways: { cancel: 'Cancel statement…', terminate: 'End session…' } satisfies Record<EndWay, string>,
  waysOf: (way: EndWay, number: string): string =>
    way === 'cancel' ? `Cancel the statement of ${number}…` : `End session ${number}…`,
  cancelNothing: 'No statement of this session is running.',
  confirmTitles: {
    cancel: (number: string): string => `Cancel the statement of ${number}?`,
    terminate: (number: string): string => `End session ${number}?`,
  },
  confirmTexts: {
    cancel: 'The server stops this statement and undoes what it changed. The session stays connected.',
    terminate: "The server disconnects this client and rolls its open transaction back. You can't undo this.",
  },
  confirmOwn: 'It belongs to this connection of Tabularium.',
  confirmBackground: 'It is work of the server itself, which may begin it again.',
  keep: 'Keep it',
  confirm: { cancel: 'Cancel statement', terminate: 'End session' } satisfies Record<EndWay, string>,
  endFailed: { cancel: 'The statement was not cancelled', terminate: 'The session was not ended' } satisfies Record<
    EndWay,
    string
  >,
  ended: {
    cancel: (number: string): string => `The statement of ${number} was cancelled`,
    terminate: (number: string): string => `Session ${number} was ended`,
  },
  gone: {
    cancel: (number: string): string => `The statement of ${number} had already ended. Nothing was cancelled.`,
    terminate: (number: string): string => `Session ${number} had already ended. Nothing was ended.`,
  },
  asked: (number: string): string => `${number} was asked to end and hasn't yet. The list shows when it has.`,
  listFailed: "The sessions couldn't be read",
  staleText: (iso: string): string => `These sessions are from ${formatTime(iso)}.`,
  leftOut: (count: number): string =>
    formatMessage('{count, plural, one {# more session is not shown.} other {# more sessions are not shown.}}', { count }),
  emptyTitle: 'Nothing is running',
  emptyText: 'No other session is connected to this server.',
  onlyIdle: (count: number): string =>
    formatMessage('{count, plural, one {# idle session is hidden.} other {# idle sessions are hidden.}}', { count }),
  noBusyMatch: (text: string): string => `Nothing that runs matches “${text}”.`,
  noMatch: (text: string): string => `Nothing matches “${text}”.`,
  clearFilter: 'Clear the filter',
  slowColumns: {
    statement: 'Statement',
    calls: 'Calls',
    total: 'Total',
    mean: 'Mean',
    max: 'Longest',
    rows: 'Rows',
    user: 'User',
    database: 'Database',
  },
  slowFailed: "The slow statements couldn't be read",
  slowMissing: 'No statistics of statements',
  slowEmpty: 'No statement recorded',
  slowEmptyText: 'The server has recorded no statement yet.',
  commands: {
    refresh: 'Refresh the activity',
    pause: 'Pause or resume the activity',
    cancel: 'Cancel the selected statement…',
    terminate: 'End the selected session…',
    idle: 'Show or hide idle sessions',
  },
  notSelected: 'Select a session first.',
};
