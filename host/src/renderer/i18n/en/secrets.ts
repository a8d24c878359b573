/** The question whether a connection may use its credentials for something else than they were entered for. */
export const secretWords = {
  title: (connection: string): string => `Check where the credentials of ${connection} go`,
  text: (connection: string): string =>
    `The destination of the credentials of ${connection} has changed since they were entered. Nothing has been sent.`,
  textNew: (connection: string): string =>
    `The original destination of the credentials of ${connection} is unknown. Nothing has been sent.`,
  titleOrigins: (connection: string): string => `Check the addresses that ${connection} reaches`,
  textOrigins: (driver: string, connection: string): string =>
    `With ${connection}, the driver for ${driver} reaches addresses that you haven't entered or confirmed. It can send there whatever it reads. Nothing has been sent.`,
  titleFiles: (connection: string): string => `Check the files that ${connection} uses`,
  textFiles: (driver: string, connection: string): string =>
    `With ${connection}, the driver for ${driver} reads or changes files that you haven't chosen for that. It got none of them.`,
  textDistrusted: (driver: string): string =>
    `The driver for ${driver} tried to send a credential of one server to another, and was stopped. Nothing has been sent. Confirm only if you trust its publisher with everything that this connection reaches.`,
  origin: {
    first: 'The server of the connection',
    label: (label: string): string => `The driver calls it “${label}”`,
    reason: (reason: string): string => `The driver says why: “${reason}”`,
    before: 'Before',
    now: 'Now',
    isNew: 'New address',
  },
  file: {
    access: { read: 'Read', readWrite: 'Read and change' },
    none: 'Not available to the driver',
  },
  cause: (driver: string): string =>
    `An update or another version of the driver for ${driver}, an imported file, or an edit of the connection can cause this. If you didn't expect it, don't confirm.`,
  table: (label: string): string => `${label}: old and new`,
  aspect: 'Setting',
  before: 'Before',
  now: 'Now',
  unknown: 'Unknown',
  aspects: {
    origins: 'Sent to',
    through: 'Through',
    verification: 'Protection',
    authorityFile: 'Trusted authority',
    sentAs: 'Sent as',
    further: 'At further servers',
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
  signInOnTheWay: 'A sign-in by Tabularium',
  decrypts: (file: string): string => `Sent nowhere: decrypts ${file}`,
  directly: 'Nothing: directly',
  changed: 'changed',
  compare: 'Compare and confirm…',
  confirm: 'Confirm and use',
  cancel: "Don't confirm",
  failed: 'It was not confirmed',
};
