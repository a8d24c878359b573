/** The words of the question whether a driver may have what it asks for. */
export const grants = {
  title: (driver: string): string => `Let the driver for ${driver} leave the sandbox?`,
  titleSecrets: (driver: string): string => `Let the driver for ${driver} see credentials?`,
  textSecrets: 'Its protocol signs in with them, so Tabularium can’t do it for the driver:',
  text: 'Drivers run in an isolated process. This one needs more permissions:',
  titleOrigins: (driver: string): string => `Let the driver for ${driver} send requests to other servers?`,
  textOrigins: 'Besides the server of a connection it sends requests to addresses that its author has fixed:',
  origin: 'It can send whatever it reads from your databases to this address:',
  originLabel: (label: string): string => `The driver calls it “${label}”.`,
  more: 'This version needs more permissions than you have granted:',
  meaning: {
    sqlite: 'It can open, read and change any file that you can. It cannot use the network or start other programs.',
    network:
      'It can connect to any computer that this one reaches and to programs on this one, accept connections, and send what it sees there.',
    files:
      'It can read, change and delete any file that you can, including those of Tabularium, and through them do whatever you can.',
    addons: 'It runs native code, and can do whatever you can do on this computer.',
    secrets:
      'It sees the credentials of its connections, such as passwords. Inside its sandbox it can send them to the servers of that connection only.',
  },
  short: {
    sqlite: 'Can open any file that you can',
    network: 'Can use the network',
    files: 'Can use all of your files',
    addons: 'Can do whatever you can',
    secrets: 'Sees the credentials of its connections',
  },
  shortOrigin: (origin: string): string => `Sends requests to ${origin}`,
  why: 'Why',
  whyText: (publisher: string, reason: string): string => `“${publisher}” says: ${reason}`,
  signed: (publisher: string): string => `Signed by ${publisher}. A signature proves who made the driver, not that it is safe.`,
  folder: 'Unsigned: loaded from a folder.',
  once: "You are asked again if a later version needs more. Until you allow it, this version isn't used.",
  confirm: 'Allow',
  cancel: "Don't allow",
  refused: "You didn't allow it, so this version isn't used.",
  failed: "The permission couldn't be granted",
  allowed: 'You have allowed this.',
  closed: (connection: string): string =>
    `${connection} was closed: a permission of its driver was revoked. Reload to be asked again.`,
  withdraw: 'Revoke',
  withdrawOf: (driver: string): string => `Revoke the permissions of the driver for ${driver}`,
};
