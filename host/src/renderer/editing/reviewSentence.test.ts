import { describe, expect, it } from 'vitest';
import type { EditAbility } from '../../common/editing.ts';
import { madeNone, reviewSentence } from './reviewSentence.ts';
import type { SaveState, SavedRowOutcome } from './saveState.ts';

const all: EditAbility = { allowed: true, key: ['id'], atomicity: 'all' };
const each: EditAbility = { ...all, atomicity: 'each' };
const readOnly: EditAbility = { allowed: false, reason: 'This connection is read-only.' };
const run = (rows: number, isRunning: boolean, ...outcomes: SavedRowOutcome['outcome'][]): SaveState => ({
  rows,
  isRunning,
  outcomes: new Map(outcomes.map((outcome, at) => [String(at), { type: 'outcome', rowId: String(at), kind: 'update', outcome }])),
});

describe('the sentence of a review', () => {
  it('never promises what may not be so: requests that are being sent, a read-only connection, an ability that is unknown', () => {
    expect(reviewSentence(all, undefined, 2, 'books')).toMatch(/will be sent.*as one transaction\.$/);
    expect(reviewSentence(each, undefined, 2, 'books')).toMatch(/will be sent.*independent/);
    expect(reviewSentence(undefined, undefined, 2, 'books')).toBe('These requests will be sent, in this order.');
    expect(reviewSentence(readOnly, undefined, 2, 'books')).toBe(
      "These changes stay staged and can't be saved now. This connection is read-only.",
    );
    expect(reviewSentence(all, run(2, true), 2, 'books')).toMatch(/^These requests are being sent.*as one transaction\.$/);
    expect(reviewSentence(each, run(0, true), 2, 'books')).toMatch(/0 of 2 are done\.$/);
    expect(reviewSentence(each, run(2, true, 'saved'), 2, 'books')).toMatch(/1 of 2 are done\.$/);
    expect(reviewSentence(each, run(2, false, 'saved', 'failed'), 1, 'books')).toMatch(
      /^Saved 1 change; 1 change could not be saved/,
    );
    expect(reviewSentence(each, run(1, false, 'saved'), 1, 'books')).toBe('');
    const end = { type: 'end', saved: 0, failed: 0, unknown: 0, notTried: 1 } as const;
    const error = { code: 'CANCELLED', message: 'Cancelled.', advice: '', retryable: false, details: {} } as const;
    expect(reviewSentence(all, { ...run(1, false), end: { ...end, error } }, 1, 'books')).toMatch(/^The save was cancelled/);
  });
});

describe('a transaction that made none of several changes', () => {
  it('is one of which a change failed, and none is saved or uncertain', () => {
    expect(madeNone(all, run(3, false, 'failed'))).toBe(true);
    expect(madeNone(all, run(1, false, 'failed'))).toBe(false);
    expect(madeNone(all, run(3, false, 'failed', 'unknown'))).toBe(false);
    expect(madeNone(all, run(3, false))).toBe(false);
    expect(madeNone(each, run(3, false, 'failed'))).toBe(false);
  });
});
