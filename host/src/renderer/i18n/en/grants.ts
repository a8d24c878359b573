/** The words of the question whether a driver may leave the sandbox. */
export const grants = {
  title: (driver: string): string => `Let the driver for ${driver} leave the sandbox?`,
  text: 'Drivers run in a process of their own that can reach nothing. This one asks for more:',
  more: 'You have allowed it some of this before. It asks for more now:',
  meaning: {
    sqlite: 'It can open, read and change any file that you can. It cannot use the network or start other programs.',
    network:
      'It can connect to any computer that this one reaches and to programs on this one, accept connections, and send what it sees there.',
    files:
      'It can read, change and delete any file that you can, including those of Tabularium, and through them do whatever you can.',
    addons: 'It runs native code, and can do whatever you can do on this computer.',
  },
  short: {
    sqlite: 'Can open any file that you can',
    network: 'Can use the network',
    files: 'Can use all of your files',
    addons: 'Can do whatever you can',
  },
  why: 'Why',
  whyText: (publisher: string, reason: string): string => `“${publisher}” says: ${reason}`,
  signed: (publisher: string): string => `Signed by ${publisher}. A signature proves who made it, not that it does no harm.`,
  folder: 'Nobody has signed it: it is loaded from a folder.',
  once: 'You are asked again when a later version asks for more. Until you allow it, this version is not used.',
  confirm: 'Allow',
  cancel: 'Do not allow',
  refused: 'You did not allow it, so this version is not used.',
  failed: 'It was not allowed',
  allowed: 'You have allowed this.',
  withdraw: 'Take back',
  withdrawOf: (driver: string): string => `Take back what you allowed the driver for ${driver}`,
};
