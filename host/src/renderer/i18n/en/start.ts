import { formatAgo, formatBytes, formatMilliseconds } from '../format.ts';

/** The origin of a signature. */
const ORIGINS = {
  firstParty: 'the makers of Tabularium',
  localRegistry: 'your local registry',
  thirdParty: 'a third party',
  developerFolder: 'loaded from a folder of its developer',
};

/** From the first screen to an open connection. */
export const start = {
  title: 'Connections',
  newConnection: 'New connection',
  emptyTitle: 'Connect to a database',
  emptyText:
    'A connection says where a database is and how to sign in. Tabularium downloads the driver for it when you choose its type, checks its signature, and keeps your credentials in the secure store of this computer.',
  emptyStep: 'Create the first connection',
  open: 'Open',
  isOpen: 'Is open',
  opened: (iso: string): string => `Opened ${formatAgo(iso, Date.now())}`,
  edit: 'Edit…',
  more: (name: string): string => `More for ${name}`,
  remove: 'Remove…',
  unknownType: (driver: string): string => `Unknown type “${driver}”`,
  removeTitle: (name: string): string => `Remove “${name}”?`,
  removeText: (name: string): string =>
    `The connection “${name}” and its saved credentials are removed from this computer. Nothing on the server changes.`,
  removeConfirm: (name: string): string => `Remove ${name}`,
  list: 'Saved connections',
  recents: 'Recently opened',
  all: 'All connections',
  unreadable: {
    title: "Connections that can't be read",
    advice: 'A newer version may have saved them. Update Tabularium, restore a backup, or remove them.',
    fields: (fields: readonly string[]): string => `Unreadable: ${fields.join(', ')}`,
    removeOf: (name: string): string => `Remove the unreadable connection ${name}`,
  },
  next: {
    title: 'Next steps',
    samples:
      'The sample connections lead to databases with made-up data on this computer. Try everything there: editing and deleting harm nothing. After removal they stay away.',
    import: { label: 'Import connections', text: 'From a file that another Tabularium wrote' },
    drivers: { label: 'See all drivers', text: 'Installed ones, updates and what each may do' },
    clients: { label: 'Let an AI client in', text: 'Read-only by default, and you approve changes' },
  },
};

export const chooser = {
  title: 'New connection',
  text: 'Choose the type of database.',
  search: 'Filter types',
  list: 'Database types',
  notInstalled: 'Not installed',
  installed: (version: string): string => version,
  update: 'Update available',
  cannotRun: 'Not compatible',
  refresh: 'Refresh list',
  age: (iso: string): string => `List refreshed ${formatAgo(iso, Date.now())}`,
  builtInOnly: 'Built-in list; no registry has answered yet',
  problem: (problem: string): string => `The list may be out of date. ${problem}`,
  noMatch: 'No type matches.',
  emptyTitle: 'No database types',
  emptyText: 'The built-in list is empty and no registry has answered. Check the network, then refresh the list.',
};

export const install = {
  offer: {
    title: (name: string): string => `Download the driver for ${name}?`,
    text: "A connection of this type needs its driver, which isn't installed on this computer yet.",
    version: 'Version',
    publisherClaimed: (author: string): string => `${author}, as the package says. The signature is checked after the download.`,
    publisherUnknown: 'Known after the download: the signature is in the package. You are asked if you don’t trust its key yet.',
    asksFor: 'What it asks for',
    checks: 'Tabularium checks the signature and every file, and runs a trial, before it installs the driver.',
    download: 'Download and install',
  },
  title: (name: string): string => `Installing the driver for ${name}`,
  label: 'Installation',
  resolving: 'Finding the version for this computer',
  downloading: 'Downloading',
  verifying: 'Checking signature and files',
  tryingOut: 'Running a trial',
  installed: (version: string, milliseconds: number): string =>
    `Version ${version} installed in ${formatMilliseconds(milliseconds)}`,
  bytes: (received: number, total: number | undefined): string =>
    total === undefined ? formatBytes(received) : `${formatBytes(received)} of ${formatBytes(total)}`,
  version: (version: string): string => `Version ${version}`,
  publisher: (name: string, origin: keyof typeof ORIGINS): string =>
    origin === 'developerFolder' ? `Not signed: ${ORIGINS[origin]}` : `Signed by ${name} (${ORIGINS[origin]})`,
  installedAfterChecks: 'The driver is installed after every check has passed.',
  failed: "The driver couldn't be installed",
  declined: 'You declined, so nothing was installed.',
  askAgain: 'Ask me again',
  progress: (name: string): string => `Installing ${name}`,
};

export const opening = {
  title: (name: string): string => `Opening ${name}`,
  installing: 'Installing the driver',
  connecting: 'Connecting to the server',
  cancel: 'Cancel',
  failedTitle: (name: string): string => `${name} couldn't be opened`,
  edit: 'Edit connection…',
  backToList: 'All connections',
  refusedAdvice: 'Edit the connection, then connect again.',
  openAnyway: 'Open anyway',
  cancelled: 'Opening was cancelled.',
  secretTitle: (label: string): string => `${label} needed`,
  /** Why a credential is missing, by the place where it was kept. */
  secretMissing: {
    store: (name: string, label: string): string => `The saved ${label} of “${name}” was deleted from the secure store.`,
    session: (name: string, label: string): string => `The ${label} of “${name}” was kept only until Tabularium stopped.`,
    environment: (name: string, label: string): string => `The environment variable with the ${label} of “${name}” isn't set.`,
    nowhere: (name: string, label: string): string => `No ${label} of “${name}” is saved.`,
  },
  secretText: 'Enter it to connect until Tabularium stops, or edit the connection to save it.',
  signedOutTitle: (name: string): string => `“${name}” is signed out.`,
  signedOutText: 'Your tabs, your staged changes and everything that you typed are kept.',
  signIn: 'Sign in…',
  connect: 'Connect',
  findings: (name: string): string => `Notices about ${name}`,
};
