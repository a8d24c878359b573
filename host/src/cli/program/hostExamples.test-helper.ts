const home = '/home/ada/.local/share/tabularium';

/** Of the commands for administrators of a host. */
export const hostExamples = {
  health: [{ line: 'health --wait 30 --json', answer: { status: 'ready' } }],
  'secrets show': [
    { line: 'secrets show --json', answer: { available: true, name: 'the encrypted secrets file', reason: null } },
  ],
  'secrets use': [
    {
      line: 'secrets use file --key-file /etc/tabularium.key --json',
      answer: { place: 'file', file: `${home}/secrets-5d0c7a31be94f260.json`, moved: 2, left: 0, variables: [] },
    },
  ],
};
