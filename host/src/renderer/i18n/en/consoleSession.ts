import { formatCount, formatList } from '../format.ts';
import { formatMessage } from '../formatMessage.ts';

/** Sessions of the console's tabs: their transactions, notices and parameters. */
export const consoleSessionWords = {
  region: 'Session of this tab',
  notBegun: 'A session begins with the first request.',
  starting: 'Starting the session…',
  startFailed: "The session couldn't be started",
  place: 'Place',
  inNamespace: (name: string): string => `in ${name}`,
  asRole: (name: string): string => `as ${name}`,
  transaction: { none: 'No transaction', open: 'Transaction open', failed: 'Transaction failed' },
  uncommitted: (count: number): string =>
    formatMessage('{count, plural, one {# request not committed} other {# requests not committed}}', { count }),
  failedAdvice: 'Roll it back to continue.',
  commit: 'Commit',
  commitTitle: 'Saves the changes of the transaction',
  rollBack: 'Roll back',
  rollBackTitle: 'Discards the changes of the transaction',
  committed: (connection: string): string => `The transaction in “${connection}” is committed`,
  rolledBack: (connection: string): string => `The transaction in “${connection}” is rolled back`,
  transactionEnded: { commit: 'The transaction is committed.', rollBack: 'The transaction is rolled back.' },
  notEnded: "The transaction wasn't ended",
  notCommitted: "The transaction wasn't committed",
  commitUnknown: "It isn't known whether the transaction was committed",
  commitUnknownAdvice: 'Look at the data before you make its changes again.',
  end: 'End session',
  endOf: (tab: string): string => `End the session of ${tab}`,
  rollBackAndEnd: 'Roll back and end',
  rollBackAndEndOf: (tab: string): string => `Roll back the transaction of ${tab} and end its session`,
  isEnding: 'The transaction is being ended.',
  limitTitle: (limit: number): string =>
    formatMessage('{limit, plural, one {# session is} other {# sessions are}} open, the most there can be', { limit }),
  limitText: (tab: string, connection: string, limit: number): string =>
    formatMessage(
      'The tab “{tab}” needs a session of its own to run requests, and “{connection}” can have {limit, plural, one {#} other {#}}. End one that you don’t need any more to continue.',
      { tab, connection, limit },
    ),
  limitElsewhere: (tab: string, connection: string, limit: number): string =>
    formatMessage(
      'The tab “{tab}” needs a session of its own to run requests, and “{connection}” can have {limit, plural, one {#} other {#}}. All of them are open where this window can’t reach them, such as in another browser. Close a console there to continue.',
      { tab, connection, limit },
    ),
  limitList: 'Tabs with a session',
  limitUnseen: (count: number): string =>
    formatMessage(
      '{count, plural, one {# more session is open where this window can’t reach it, such as in another browser. Close its console there.} other {# more sessions are open where this window can’t reach them, such as in another browser. Close their consoles there.}}',
      { count },
    ),
  limitSilent: (tab: string): string =>
    `The window of “${tab}” didn’t end its session. Close that tab there, or end another session.`,
  limitKeep: 'Keep all of them',
  endTitle: 'Ends the session: an open transaction is rolled back, settings and temporary tables are gone',
  start: 'Start a new session',
  ended: {
    closed: 'The session was closed.',
    idle: 'The session was closed, because no request ran in it for an hour.',
    lost: 'The session was lost: the server or the driver ended it.',
  },
  lostTransaction: 'Its transaction was rolled back.',
  lostUnknown: "A change was in progress, and it isn't known whether it was saved: look at the data before you repeat it.",
  reloaded: 'The transaction that was open in this tab when its window was reloaded or closed was rolled back.',
  reloadedUnknown:
    "A change was in progress in this tab when its window was reloaded or closed, and it isn't known whether it was saved: look at the data before you repeat it.",
  lostSettings: 'Its settings and temporary tables are gone.',
  endedTitle: 'The session of this tab has ended',
  endedAdvice: 'Start a new session before you run requests, because they may depend on what is gone.',
  offline:
    "Tabularium doesn't answer. If it has stopped, or that takes longer than 20 seconds, the session is closed and its transaction is rolled back.",
  tabHasTransaction: 'Transaction open',
  noSession: 'This tab has no session.',
  noTransaction: 'No transaction is open.',
  endTransactionFirst: 'Commit the transaction or roll it back first.',
  transactionFailed: 'The transaction failed, so it can only be rolled back.',
  closeTitle: (count: number): string =>
    formatMessage('{count, plural, one {Roll back the open transaction?} other {Roll back # open transactions?}}', { count }),
  /** For those that have changed nothing. */
  closeTextUnchanged: (count: number, connection: string): string =>
    formatMessage(
      '{count, plural, one {A transaction in “{connection}” isn’t committed. Closing rolls it back:} other {# transactions in “{connection}” aren’t committed. Closing rolls them back:}}',
      { count, connection },
    ),
  endTextUnchanged: (count: number, connections: readonly string[]): string =>
    formatMessage(
      '{count, plural, one {A transaction in {connections} isn’t committed. This ends its session, and the transaction is rolled back:} other {# transactions in {connections} aren’t committed. This ends their sessions, and the transactions are rolled back:}}',
      { count, connections: formatList(connections.map((name) => `“${name}”`)) },
    ),
  inTab: (title: string): string => `Tab “${title}”`,
  closeText: (count: number, connection: string): string =>
    formatMessage(
      '{count, plural, one {A transaction in “{connection}” isn’t committed. Closing rolls it back, and these changes are lost:} other {# transactions in “{connection}” aren’t committed. Closing rolls them back, and these changes are lost:}}',
      { count, connection },
    ),
  endText: (count: number, connections: readonly string[]): string =>
    formatMessage(
      '{count, plural, one {A transaction in {connections} isn’t committed. This ends its session: the transaction is rolled back, and these changes are lost:} other {# transactions in {connections} aren’t committed. This ends their sessions: the transactions are rolled back, and these changes are lost:}}',
      { count, connections: formatList(connections.map((name) => `“${name}”`)) },
    ),
  inProgressTitle: 'End a session in which a request is in progress?',
  inProgressText:
    'A request or a commit is in progress. If its session ends now, it won’t be known whether its changes are saved. What else isn’t committed is rolled back:',
  endAllTheSame: 'End it all the same',
  rollBackAndGoOn: 'Roll back and continue',
  inConnection: (name: string): string => `in “${name}”`,
  inOtherWindow: 'in another window',
  nothingChanged: 'No request of it changed data.',
  stillRunning: 'A request or a commit is in progress.',
  changesOf: (title: string): string => `Requests of the transaction in ${title}`,
  keepOpen: 'Keep it open',
  closeAndRollBack: 'Close and roll back',
  notices: 'Notices of the server',
  severities: { debug: 'Debug', info: 'Info', notice: 'Notice', warning: 'Warning' },
  detail: (text: string): string => `Detail: ${text}`,
  hint: (text: string): string => `Hint: ${text}`,
  noticesLeftOut: (count: number): string =>
    formatMessage('{count, plural, one {# earlier notice isn’t shown} other {# earlier notices aren’t shown}}', { count }),
  progress: (message: string, share: number | undefined): string =>
    share === undefined ? message : `${message} · ${formatCount(Math.round(share * 100))} %`,
  notCounted: 'The rows aren’t counted, because a count would not see what this session sees.',
  parametersOf: 'The request that they are for',
  parametersTitle: 'Values for the parameters',
  parametersText: 'They are sent beside the request, each in the text form of its type.',
  parameter: (name: string, type: string): string => `${name} (${type})`,
  isNull: (name: string): string => `${name} is NULL`,
  placeGone: (gone: string): string => `“${gone}” is gone: it was dropped or renamed, or you can no longer open it.`,
  placeGoneAdvice: (next: string): string => `The next session begins in “${next}”. Start it if your requests belong there.`,
};
