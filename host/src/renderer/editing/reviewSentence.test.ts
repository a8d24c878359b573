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
    expect(reviewSentence(all, undefined, 2)).toMatch(/will be sent.*as one transaction\.$/);
    expect(reviewSentence(each, undefined, 2)).toMatch(/will be sent.*independent/);
    expect(reviewSentence(undefined, undefined, 2)).toBe('These requests will be sent, in this order.');
    expect(reviewSentence(readOnly, undefined, 2)).toBe(
      "These changes stay staged and can't be saved now. This connection is read-only.",
    );
    expect(reviewSentence(all, run(2, true), 2)).toMatch(/^These requests are being sent.*as one transaction\.$/);
    expect(reviewSentence(each, run(0, true), 2)).toMatch(/0 of 2 are done\.$/);
    expect(reviewSentence(each, run(2, true, 'saved'), 2)).toMatch(/1 of 2 are done\.$/);
    expect(reviewSentence(each, run(2, false, 'saved', 'failed'), 1)).toMatch(/^Saved 1 change; 1 change could not be saved/);
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
