import { describe, expect, it } from 'vitest';
import { TEST_DEADLINE, deadlineOf, isPast } from './deadline.ts';

describe('deadlineOf', () => {
  it('is 65 minutes after the start, unless somebody chose', () => {
    expect(deadlineOf(undefined, 1_000)).toEqual({ [TEST_DEADLINE]: '3901000' });
    expect(deadlineOf('', 1_000)).toEqual({ [TEST_DEADLINE]: '3901000' });
    expect(deadlineOf('1.5', 1_000)).toEqual({ [TEST_DEADLINE]: '91000' });
  });

  it('is never for 0', () => {
    expect(deadlineOf('0', 1_000)).toEqual({});
  });

  it.each(['soon', '-1', 'NaN'])('refuses %s', (chosen) => {
    expect(() => deadlineOf(chosen, 1_000)).toThrow(/^TABULARIUM_TEST_MINUTES is a number of minutes/);
  });
});

describe('isPast', () => {
  it('is true after the deadline alone', () => {
    expect([999, 1_000, 1_001].map((now) => isPast('1000', now))).toEqual([false, false, true]);
    expect(isPast(undefined, 1_001)).toBe(false);
  });
});
