import { afterEach, describe, expect, it, vi } from 'vitest';
import { shareOf, WHOLE_SWEEPS } from './shareOf.ts';

const CASES = ['a', 'b', 'c', 'd', 'e'];

afterEach(() => vi.unstubAllEnvs());

describe('a share of a sweep', () => {
  it('has no case of another share, and together they have each', () => {
    vi.stubEnv(WHOLE_SWEEPS, '');
    const shares = [0, 1].map((at) => shareOf(CASES, { of: 2, at }));
    expect(shares).toEqual([
      ['a', 'c', 'e'],
      ['b', 'd'],
    ]);
    expect(shareOf(CASES, { of: 2, at: 3 })).toEqual(shares[1]);
  });

  it('is the whole of it in npm run test:long', () => {
    vi.stubEnv(WHOLE_SWEEPS, '1');
    expect(shareOf(CASES, { of: 3, at: 1 })).toEqual(CASES);
  });
});
