import { formatMilliseconds } from '../format.ts';
import { formatMessage } from '../formatMessage.ts';

/** Words of the pane that connects clients. */
export const connect = {
  section: 'Connect',
  client: 'Client',
  entry: 'Configuration entry',
  entryOf: (client: string): string => `Entry for ${client}`,
  file: (file: string): string => `Usually in ${file}`,
  run: 'Run this once in a terminal.',
  signsIn: 'Switch on “Sign-in with OAuth” under Server. The client opens your browser, and you answer in this window.',
  token: 'Create a token under Authentication and put it in the place of <ACCESS_TOKEN>.',
  write: 'Write it for me…',
  writeTitle: (file: string): string => `Change ${file}`,
  writeHelp: 'The current file is saved as a backup beside it.',
  there: 'The entry already exists.',
  confirm: 'Write',
  diff: 'Changes',
  written: 'Written. Restart the client.',
  backup: (file: string): string => `Backup: ${file}`,
  notWritten: "The file couldn't be changed",
  check: 'Check',
  checkHelp: 'Runs the bridge as a client does, and shows the available tools.',
  checkOk: (milliseconds: number, count: number): string =>
    formatMessage('The bridge answers in {milliseconds} with {count, plural, one {# tool} other {# tools}}.', {
      milliseconds: formatMilliseconds(milliseconds),
      count,
    }),
  tools: 'Tools',
  checkFailed: (layer: string): string => `The bridge couldn't connect (${layer})`,
  /** The part of the way at which the bridge failed; a newer bridge may have others. */
  layers: {
    handshake: 'handshake file',
    launch: 'start',
    proof: 'proof',
    transport: 'transport',
    server: 'MCP server',
    policy: 'policy',
  } as Readonly<Record<string, string>>,
};
