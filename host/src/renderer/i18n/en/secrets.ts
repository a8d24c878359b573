/** The question whether a connection may use its credentials for something else than they were entered for. */
export const secretWords = {
  title: (connection: string): string => `Check where the credentials of ${connection} go`,
  text: (connection: string): string =>
    `The destination of the credentials of ${connection} has changed since they were entered. Nothing has been sent.`,
  textNew: (connection: string): string =>
    `The original destination of the credentials of ${connection} is unknown. Nothing has been sent.`,
  cause: (driver: string): string =>
    `An update or another version of the driver for ${driver}, an imported file, or an edit of the connection can cause this. If you didn't expect it, don't confirm.`,
  table: (label: string): string => `${label}: old and new`,
  aspect: 'Setting',
  before: 'Before',
  now: 'Now',
  unknown: 'Unknown',
  aspects: {
    origins: 'Sent to',
    verification: 'Protection',
    authorityFile: 'Trusted authority',
    sentAs: 'Sent as',
    from: 'Taken from',
    driver: 'Driver',
    publisher: 'Published by',
    grants: 'Outside the sandbox',
  },
  verification: {
    plain: 'Not encrypted',
    none: 'Encrypted, certificate not checked',
    chain: 'Certificate checked, host name not checked',
    identity: 'Certificate and host name checked',
  },
  places: { store: 'The secure store', session: 'This session' },
  variable: (name: string): string => `The environment variable ${name}`,
  systemAuthorities: 'The authorities of this computer',
  notInstalled: 'Not installed',
  nothing: 'Nothing',
  givenToDriver: 'A login by the driver itself',
  changed: 'changed',
  compare: 'Compare and confirm…',
  confirm: 'Confirm and use',
  cancel: "Don't confirm",
  failed: 'It was not confirmed',
};
