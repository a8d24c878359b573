import { describe, expect, it } from 'vitest';
import { compareNumerals } from './numerals.ts';

describe('compareNumerals', () => {
  it.each([
    ['9007199254740993', '9007199254740992', 1],
    ['9007199254740993', '9007199254740992.5', 1],
    ['-9007199254740993', '-9007199254740992', -1],
    ['0.1', '0.10', 0],
    ['1.50', '15e-1', 0],
    ['1e400', '2e400', -1],
    ['-0.5', '0', -1],
    ['.5', '0.5', 0],
    ['+7', '7.', 0],
    ['123456789012345678901234567890.1', '123456789012345678901234567890.2', -1],
  ])('%s and %s: %i', (a, b, order) => {
    expect(compareNumerals(a, b)).toBe(order);
    expect(compareNumerals(b, a)).toBe(order === 0 ? 0 : -order);
  });

  it.each(['', '.', 'twelve', '1,5', '0x10', 'NaN', '1e99999', '--1'])('rejects %j as a number', (text) => {
    expect(compareNumerals(text, '1')).toBeNaN();
  });
});
