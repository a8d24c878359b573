import { describe, expect, it } from 'vitest';
import { HostError } from '../../../common/errors.ts';
import { parseDuration } from './duration.ts';

describe('parseDuration', () => {
  it.each([
    ['45m', 2_700_000],
    ['12h', 43_200_000],
    ['30d', 2_592_000_000],
    ['2w', 1_209_600_000],
    [' 30 D ', 2_592_000_000],
    ['3660d', 316_224_000_000],
  ])('reads %j', (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds);
  });

  it.each(['never', 'Never'])('reads %j as no end', (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });

  it.each(['', '30', 'd', '0d', '-1d', '1.5h', '30 days', '3661d', '999999w', '1e3d', '٣d', '30d '.repeat(2)])(
    'refuses %j',
    (text) => {
      expect(() => parseDuration(text)).toThrow(HostError);
    },
  );
});
