/** Words of the pane that connects clients. */
export const connect = {
  section: 'Connect',
  client: 'Client',
  entry: 'What belongs into its configuration',
  file: (file: string): string => `Usually in ${file}`,
  run: 'Run this once in a terminal.',
  token: 'Create a token under Tokens and put it in the place of <ACCESS_TOKEN>.',
  write: 'Write it for me…',
  writeTitle: (file: string): string => `Change ${file}`,
  writeHelp: 'The file as it is now is kept beside it.',
  there: 'The entry is there already.',
  confirm: 'Write',
  written: (backup: string | undefined): string =>
    `Written. ${backup === undefined ? '' : `The file as it was: ${backup}. `}Restart the client.`,
  notWritten: 'Nothing was written',
  check: 'Check',
  checkHelp: 'Runs the bridge as a client would, and shows the tools that it gets.',
  checkOk: (milliseconds: number, count: number): string => `The bridge answers in ${milliseconds} ms with ${count} tools.`,
  checkFailed: (layer: string): string => `The bridge does not get through (${layer})`,
} as const;
