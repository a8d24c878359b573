/** Of the commands of "activity". */
export const activityExamples = {
  'activity list': [
    {
      line: 'activity list Shop --json',
      answer: {
        entries: [
          {
            ...{
              id: '4711-1772442000000000',
              number: '4711',
              kind: 'session',
              state: 'waiting',
              user: 'ada',
              application: 'psql',
            },
            ...{
              client: '10.0.0.7:51234',
              namespace: 'shop',
              statement: 'UPDATE stock SET n = 0',
              statementId: '1772442060000000',
            },
            ...{ milliseconds: 42_000, lock: 'relation public.stock (RowExclusiveLock)', blockedBy: ['4690-1772441000000000'] },
            ...{ own: false, ways: ['cancel', 'terminate'] },
          },
        ],
        idle: 3,
        leftOut: 0,
        notes: [],
      },
    },
  ],
  'activity slow': [
    {
      line: 'activity slow Shop --json',
      answer: {
        available: true,
        statements: [
          {
            ...{ statement: 'SELECT * FROM stock WHERE n < $1', user: 'ada', namespace: 'shop', calls: 12, rows: 480 },
            ...{ totalMilliseconds: 5_210.5, meanMilliseconds: 434.2, maxMilliseconds: 900.1 },
          },
        ],
      },
    },
  ],
  'activity end': [
    {
      line: 'activity end Shop 4711-1772442000000000 --way cancel --yes --json',
      answer: { id: '4711-1772442000000000', way: 'cancel', outcome: 'ended' },
    },
  ],
};
