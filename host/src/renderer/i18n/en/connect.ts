import { formatMilliseconds } from '../format.ts';
import { formatMessage } from '../formatMessage.ts';

/** Words of the pane that connects clients. */
export const connect = {
  section: 'Connect',
  client: 'Client',
  entry: 'What belongs into its configuration',
  entryOf: (client: string): string => `Entry for ${client}`,
  file: (file: string): string => `Usually in ${file}`,
  run: 'Run this once in a terminal.',
  token: 'Create a token under Authentication and put it in the place of <ACCESS_TOKEN>.',
  write: 'Write it for me…',
  writeTitle: (file: string): string => `Change ${file}`,
  writeHelp: 'The file as it is now is kept beside it.',
  there: 'The entry is there already.',
  confirm: 'Write',
  diff: 'What changes',
  written: 'Written. Restart the client.',
  backup: (file: string): string => `The file as it was: ${file}`,
  notWritten: 'Nothing was written',
  check: 'Check',
  checkHelp: 'Runs the bridge as a client would, and shows the tools that it gets.',
  checkOk: (milliseconds: number, count: number): string =>
    formatMessage('The bridge answers in {milliseconds} with {count, plural, one {# tool} other {# tools}}.', {
      milliseconds: formatMilliseconds(milliseconds),
      count,
    }),
  tools: 'Tools',
  checkFailed: (layer: string): string => `The bridge does not get through (${layer})`,
};
