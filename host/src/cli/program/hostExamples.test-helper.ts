const home = '/home/ada/.local/share/tabularium';

/** Of the commands for administrators of a host. */
export const hostExamples = {
  'logs show': [
    {
      line: 'logs show --lines 1 --json',
      answer: {
        time: '2026-03-02T09:15:00.000Z',
        level: 'warn',
        component: 'driver',
        message: 'The connection was reset.',
        fields: { driver: 'search', version: '1.4.0', source: 'driver' },
      },
    },
  ],
  'metrics show': [{ line: 'metrics show --json', answer: { on: false, tokenFile: null } }],
  'metrics on': [{ line: 'metrics on --json', answer: { on: true, tokenFile: `${home}/metrics-token` } }],
  'metrics off': [{ line: 'metrics off --json', answer: { on: false, tokenFile: null } }],
  'logs settings': [{ line: 'logs settings --file-size 10 --json', answer: { level: 'info', fileMegabytes: 10, olderFiles: 4 } }],
  health: [{ line: 'health --wait 30 --json', answer: { status: 'ready' } }],
  'secrets show': [
    { line: 'secrets show --json', answer: { available: true, name: 'the encrypted secrets file', reason: null, advice: null } },
  ],
  'secrets use': [
    {
      line: 'secrets use file --key-file /etc/tabularium.key --json',
      answer: { place: 'file', file: `${home}/secrets-5d0c7a31be94f260.json`, moved: 2, left: 0, variables: [], takenUp: 0 },
    },
  ],
};
