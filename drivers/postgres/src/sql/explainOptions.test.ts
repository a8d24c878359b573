import { expect, it } from 'vitest';
import { verdictOf } from './verdict.ts';

const DELETES = 'DELETE FROM orders';

it.each(['ANALYZE off', 'ANALYSE FALSE', 'analyze 0', 'VERBOSE, ANALYZE OFF, COSTS', 'ANALYZE false, ANALYZE off'])(
  'EXPLAIN plans and runs nothing with (%s)',
  (options) => {
    expect(verdictOf(`EXPLAIN (${options}) ${DELETES}`)).toMatchObject({ effect: 'read', plansChange: true });
  },
);

it.each([
  ...[
    'ANALYZE',
    'ANALYZE on',
    'ANALYZE 1',
    'ANALYZE 00',
    'ANALYZE -0',
    `ANALYZE 'on'`,
    `ANALYZE "off"`,
    '"analyze" off',
    'ANALYZE no',
  ],
  ...['ANALYZE off, ANALYZE', 'ANALYZE, ANALYZE off', 'ANALYZE off on', 'ANALYZE ON, VERBOSE off', 'VERBOSE off, ANALYZE'],
])('EXPLAIN counts as what it may run with (%s)', (options) => {
  expect(verdictOf(`EXPLAIN (${options}) ${DELETES}`)).toMatchObject({ effect: 'destructive' });
});

it('VALIDATE CONSTRAINT loses nothing, and reads what no word of it names', () => {
  expect(verdictOf('ALTER TABLE orders VALIDATE CONSTRAINT total')).toMatchObject({ effect: 'write', unknown: true });
  for (const actions of [
    'VALIDATE CONSTRAINT total, DROP total',
    'VALIDATE',
    'VALIDATE CONSTRAINT a.b',
    'VALIDATE CONSTRAINT a b',
  ])
    expect(verdictOf(`ALTER TABLE orders ${actions}`), actions).toMatchObject({ effect: 'destructive' });
});
