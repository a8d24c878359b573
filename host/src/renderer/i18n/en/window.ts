import { formatBytes, formatCount, formatRoughly } from '../format.ts';
import { formatMessage } from '../formatMessage.ts';
import { lower } from './term.ts';
import type { Term } from './term.ts';

/** The frame of the window, and what several parts say. */
export const application = {
  name: 'Tabularium',
  brokenTitle: 'The window stopped',
  brokenText: 'Something in the window failed. Your connections and data are untouched.',
  partBrokenTitle: 'This part of the window stopped',
  partBrokenText: 'Something in it failed. The other tabs, your connections and data are untouched.',
  reloadWindow: 'Reload the window',
  signedOutTitle: "This window's session has expired",
  signedOutText: 'Open the address that Tabularium printed when it started, or restart Tabularium.',
  unreachable: "Tabularium isn't responding.",
  unreachableAdvice: 'Check that Tabularium is running, then try again.',
  badAnswer: "The window couldn't read Tabularium's response.",
  badAnswerAdvice: 'Reload the window.',
};

/** The host of this window is gone, or is another one. */
export const hostLink = {
  downTitle: 'Tabularium stopped.',
  downText:
    'Your tabs and staged changes are kept. Start Tabularium, and this window continues. If it starts at another address, run “tabularium open”.',
  looking: 'Connecting…',
  retryIn: (seconds: number): string => `Next try in ${seconds} s`,
  tryNow: 'Try now',
  returned: 'Tabularium is running again.',
  expiredTitle: "This window's session has expired.",
  expiredText: 'Your tabs and staged changes are kept. Run “tabularium open” on this machine to continue in a new window.',
  strangerTitle: 'Another program answers at this address.',
  strangerText:
    "It can't prove that it is Tabularium, so this window sends it nothing. Close this window, and run “tabularium open”.",
  returningTitle: 'Reconnecting to Tabularium…',
  returningText: 'Your tabs and staged changes are kept.',
};

/** The words of the bar over the window while the disk is full. */
export const diskFull = {
  title: 'The disk is full.',
  text: 'What you do now is not saved. Free some space; staged changes stay, and the window continues.',
  textOf: (folder: string, free: number): string =>
    `The disk of ${folder} has ${formatBytes(free)} left, so what you do now is not saved. Free some space; staged changes stay, and the window continues.`,
  look: 'Check again',
  over: 'The disk has space again.',
};

export const common = {
  cancel: 'Cancel',
  close: 'Close',
  retry: 'Try again',
  /** Empties a list of choices. */
  clear: 'Clear',
  back: 'Back',
  copy: 'Copy',
  copied: 'Copied',
  copyDetails: 'Copy details',
  required: 'required',
  wholeNumber: 'A whole number',
  limits: (least: number, most: number): string => `A whole number, ${formatCount(least)} to ${formatCount(most)}`,
  corrected: (name: string, typed: string, value: number | undefined): string =>
    value === undefined
      ? `${name}: “${typed}” can’t be used, so the field is empty`
      : `${name}: “${typed}” can’t be used, so it is ${formatCount(value)}`,
  requiredTitle: 'A new row needs a value here',
  details: 'Details',
  none: 'None',
  dismiss: 'Dismiss',
  errorCode: 'Code',
  request: 'Request',
  status: 'Status',
  serverMessage: 'Server',
  field: 'Field',
  fileTooLarge: (file: string, bytes: number, most: number): string =>
    `“${file}” has ${formatBytes(bytes)}, and at most ${formatBytes(most)} can be imported at once.`,
  fileTooLargeAdvice: 'Divide it into smaller files.',
  fileUnreadable: (file: string): string => `“${file}” can’t be read.`,
  fileNotUtf8: (file: string, line: number): string => `Line ${line} of “${file}” isn’t UTF-8.`,
  fileNotUtf8Advice: 'Save it as UTF-8, then choose it again.',
  fileUnreadableAdvice: 'Check that it is there and that you may read it, then choose it again.',
};

export const titleBar = {
  label: 'Title bar',
  switchConnection: (shown: string): string => `${shown}: switch connection`,
  noConnection: 'Connections',
  allConnections: 'All connections…',
  newConnection: 'New connection…',
  openConnections: 'Open',
  savedConnections: 'Saved',
  closeConnection: (name: string): string => `Close ${name}`,
  settings: 'Settings',
  showSidebar: 'Unfold sidebar',
  hideSidebar: 'Fold sidebar',
  serverAway: (product: string): string => `${product} · Not reachable`,
  server: (product: string, version: string | undefined): string => (version === undefined ? product : `${product} ${version}`),
};

export const sidebar = {
  label: (term: Term): string => term.other,
  listFailed: (term: Term): string => `${term.other} can't be listed`,
  filter: (term: Term): string => `Filter ${lower(term.other)}`,
  refresh: (term: Term): string => `Refresh ${lower(term.other)}`,
  emptyTitle: (term: Term): string => `No ${lower(term.other)} yet`,
  emptyText: (term: Term): string =>
    `This connection shows no ${lower(term.other)}. There may be none, or its credentials lack the permission to list them.`,
  noMatch: (text: string): string => `Nothing matches “${text}”.`,
  clearFilter: 'Clear the filter',
  rows: (count: { readonly rows: number; readonly exact: boolean }, term: Term): string =>
    count.exact
      ? formatMessage('{count, plural, one {# {one}} other {# {other}}}', {
          count: count.rows,
          one: lower(term.one),
          other: lower(term.other),
        })
      : `About ${formatCount(count.rows)} ${lower(term.other)}`,
  aliasOf: (name: string): string => `Alias of ${name}`,
  openByName: (term: Term): string => `Open ${lower(term.one)} by name…`,
  openByNameTitle: (term: Term): string => `Open ${lower(term.one)} by name`,
  openByNameText: (term: Term): string =>
    `These credentials can't list ${lower(term.other)}. Enter the name of one that they may read.`,
  nameOf: (term: Term): string => `${term.one} name`,
  nameMissing: (term: Term): string => `Enter the name of the ${lower(term.one)}.`,
  open: 'Open',
  notOpened: (name: string): string => `“${name}” can't be opened`,
  openedByName: 'Opened by name',
  forget: 'Remove from this list',
  forgetFailed: (name: string): string => `“${name}” was not removed from the list`,
  view: 'View',
  namespaceTerm: { one: 'Namespace', other: 'Namespaces' },
  reading: 'Reading…',
  stop: 'Stop',
  stopReading: (name: string): string => `Reading ${name}. Stop`,
  readAgain: (name: string, reason: string): string => `${name} can't be read: ${reason} Try again`,
  moreAtTop: (term: Term): string => `More ${lower(term.other)}`,
  moreTablesOf: (term: Term, name: string): string => `More ${lower(term.other)} of ${name}`,
  moreOf: (name: string): string => `More of ${name}`,
  emptyNamespace: (term: Term): string => `No ${lower(term.other)}`,
  onlyRead: (term: Term): string => `Only ${lower(term.other)} that were unfolded are searched.`,
  partlyRead: (lists: string): string => `Read in part, and searched so far: ${lists}.`,
  theList: (term: Term): string => `the list of ${lower(term.other)}`,
  furtherLists: (count: number): string => `${formatCount(count)} more`,
  searchRest: (term: Term): string => `Search all ${lower(term.other)}`,
  readingRest: (done: number, all: number): string => `Reading ${formatCount(done)} of ${formatCount(all)}…`,
};

export const tabs = {
  label: 'Open tables',
  inDatabase: (name: string, database: string): string => `${name} (${database})`,
  close: (name: string): string => `Close ${name}`,
  data: 'Data',
  rankedSearch: 'Search',
  relevance: 'Relevance',
  structure: 'Structure',
  emptyTitle: (term: Term): string => `Open a ${lower(term.one)}`,
  emptyText: (term: Term): string => `Choose a ${lower(term.one)} on the left, or press / to find one by name.`,
};

export const status = {
  label: 'Status',
  /** Work of a connection that is not on the screen. */
  of: (connection: string, label: string): string => `${connection}: ${label}`,
  ready: 'Ready',
  away: 'Server not reachable',
  node: (node: string): string => `The last page came from ${node}`,
  cancel: (what: string): string => `Cancel: ${what}`,
  left: (seconds: number): string => `about ${formatRoughly(seconds)} left`,
  notices: 'Past notices',
  unreadNotices: 'Past notices, with a new warning',
  noNotices: 'There are no notices yet.',
  clearNotices: 'Clear',
  warning: 'Warning',
};

/** The words of the frame: commands that belong to no part of it, the sidebar's strip, menus of tabs, windows. */
export const shell = {
  palette: 'Search everything',
  readOnly: 'Read-only',
  readOnlyMode: 'Read-only mode is on. Turn it off in the Advanced pane of the connection.',
  readOnlyWhy: "Its driver doesn't support editing.",
  noConnection: 'No connection is open.',
  noTab: 'No tab is open.',
  noClosedTab: 'No tab was closed.',
  onlyTab: 'There is only one tab.',
  noTable: 'No table is shown.',
  isShown: 'It is already shown.',
  isChosen: 'It is already selected.',
  noWindows: 'This desktop shell supports only one window.',
  newWindow: 'New window',
  openInNewWindow: 'Open in a new window',
  editConnection: 'Edit connection…',
  duplicateConnection: 'Duplicate connection…',
  closeConnection: 'Close connection',
  importConnections: 'Import connections…',
  exportConnections: 'Export connections…',
  openTool: (name: string): string => `Open ${name}`,
  closeOthers: 'Close other tabs',
  closeAll: 'Close all tabs',
  closeTab: 'Close',
  tabMenu: (name: string): string => `Actions for ${name}`,
  showData: 'Show data',
  showSearch: 'Show search',
  showRelevance: 'Show relevance',
  noFind: 'This driver has no filters that find a text in any column.',
  noSearch: 'This driver has no ranked search.',
  showStructure: 'Show structure',
  refreshTables: (tables: string): string => `Refresh ${tables}`,
  settingsOf: (section: string): string => `Settings: ${section}`,
  themeIs: (theme: string): string => `Theme: ${theme}`,
  densityIs: (density: string): string => `Density: ${density}`,
  documentation: 'Documentation',
  documentationAliases: 'help manual guide',
  reload: 'Reload the window',
  signOut: 'Sign out of this window',
  copyName: 'Copy name',
  copiedName: (name: string): string => `Copied ${name}`,
  openStructure: 'Open structure',
  resizeSidebar: 'Width of the sidebar',
  /** The innermost first: a browser cuts the end. */
  windowTitle: (parts: readonly string[]): string => [...parts, 'Tabularium'].join(' – '),
  work: 'Running tasks',
  moreWork: (others: number): string => `${formatCount(others)} more`,
  waitingWork: (count: number): string =>
    `${formatCount(count)} imports, exports and operations are running, waiting or ended with rows to look at.`,
  showWork: 'Unfold',
  foldWork: 'Fold',
  foldedSidebar: 'Folded sidebar',
  unfoldSidebar: 'Unfold the sidebar',
};
