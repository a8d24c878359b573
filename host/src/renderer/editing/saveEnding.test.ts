import { describe, expect, it } from 'vitest';
import { saveEnding } from './saveEnding.ts';
import type { SaveEnd, SaveState, SavedRowOutcome } from './saveState.ts';

const CANCELLED = { code: 'CANCELLED', message: 'Cancelled.', advice: '', retryable: false, details: {} } as const;

function run(outcomes: readonly SavedRowOutcome['outcome'][], notTried: number, error?: SaveEnd['error']): SaveState {
  const count = (wanted: string): number => outcomes.filter((outcome) => outcome === wanted).length;
  return {
    isRunning: false,
    rows: outcomes.length + notTried,
    outcomes: new Map(
      outcomes.map((outcome, at) => [String(at), { type: 'outcome', rowId: String(at), kind: 'update', outcome }]),
    ),
    end: {
      type: 'end',
      saved: count('saved'),
      failed: count('failed'),
      unknown: count('unknown'),
      notTried,
      ...(error === undefined ? {} : { error }),
    },
  };
}

describe('what is said of a save that ended', () => {
  it('is that it was cancelled, where nothing else kept its changes', () => {
    expect(saveEnding(run([], 1, CANCELLED), 'books')).toEqual({
      tone: 'warning',
      text: 'The save was cancelled, and nothing was changed: 1 change stays staged.',
    });
    expect(saveEnding(run(['saved', 'saved'], 3, CANCELLED), 'books')?.text).toBe(
      'Saved 2 changes of books, then cancelled; 3 changes were not sent and stay staged.',
    );
  });

  it('is what became of its changes otherwise, cancelled or not', () => {
    expect(saveEnding(run(['failed'], 2, CANCELLED), 'books')?.text).toMatch(/^Saved 0 changes; 3 changes could not be saved/);
    expect(saveEnding(run(['unknown'], 1, CANCELLED), 'books')?.text).toMatch(
      /1 change may have been saved: .* 1 change was not/,
    );
    expect(saveEnding(run(['saved'], 0, CANCELLED), 'books')).toEqual({ tone: 'plain', text: 'Saved 1 change of books' });
    expect(saveEnding(run([], 1), 'books')?.text).toMatch(/^Saved 0 changes; 1 change could not be saved/);
    expect(saveEnding(run([], 0), 'books')).toBeUndefined();
  });
});
