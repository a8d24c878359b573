import { describe, expect, it } from 'vitest';
import { stopOutcome } from './stopOutcome.ts';

const sent = { isSent: true, isSql: true, transaction: 'none' } as const;
const writes = { effect: 'write' } as const;

describe('a request that was stopped', () => {
  it.each([
    ['never sent', { ...sent, isSent: false, statement: 'DELETE FROM a', classification: writes }, 'notSent'],
    ['a read', { ...sent, statement: 'SELECT 1', classification: { effect: 'read' } as const }, 'read'],
    [
      'perhaps a read',
      { ...sent, statement: 'CALL a()', classification: { effect: 'read', unknown: true } as const },
      'uncertain',
    ],
    ['a change that saves itself', { ...sent, statement: 'DELETE FROM a', classification: writes }, 'uncertain'],
    [
      'a change without sessions',
      { ...sent, transaction: undefined, statement: 'DELETE a', classification: writes },
      'uncertain',
    ],
    [
      'a change in a transaction',
      { ...sent, transaction: 'open', statement: 'DELETE FROM a', classification: writes },
      'inTransaction',
    ],
    ['a commit', { ...sent, transaction: 'open', statement: '-- now\ncommit', classification: writes }, 'transactionControl'],
    [
      'a rollback',
      { ...sent, transaction: 'open', statement: 'ROLLBACK', classification: { effect: 'read' } as const },
      'transactionControl',
    ],
    [
      'no commit but a word of another language',
      { ...sent, isSql: false, statement: 'commit', classification: writes },
      'uncertain',
    ],
  ] as const)('%s', (_name, request, outcome) => {
    expect(stopOutcome(request)).toBe(outcome);
  });
});
