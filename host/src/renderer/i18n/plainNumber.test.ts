import { describe, expect, it } from 'vitest';
import { plainNumber, twoReadings } from './plainNumber.ts';

describe('a number as it is written with a decimal comma', () => {
  it.each([
    ['1.234,5', '1234.5'],
    ['1234,5', '1234.5'],
    ['-0,5', '-0.5'],
    ['1.234.567', '1234567'],
    ['1.234.567,89', '1234567.89'],
    ['9.007.199.254.740.993,5', '9007199254740993.5'],
    ['1\u00a0234,5', '1234.5'],
    ['1 234 567', '1234567'],
    ['2,5e-3', '2.5e-3'],
  ])('%s is %s', (text, plain) => {
    expect(plainNumber(text, ',')).toBe(plain);
  });

  it.each(['1.234', '1.5', '12.34,5', '1,2,3', '1.23.456', ',5', '5,', '1,5 kg', 'abc', ''])('%j stays as it is', (text) => {
    expect(plainNumber(text, ',')).toBe(text);
  });

  it('is not changed where the point is the decimal mark', () => {
    for (const text of ['1,234.5', '1,5', '1 234']) expect(plainNumber(text, '.')).toBe(text);
  });
});

describe('a number that can be read in two ways', () => {
  it('has one point before three digits, where the comma is the decimal mark', () => {
    expect(twoReadings('1.234', ',')).toEqual({ read: '1,234', other: '1234' });
    expect(twoReadings(' -12.500 ', ',')).toEqual({ read: '-12,500', other: '-12500' });
    for (const text of ['0.123', '1.5', '1.2345', '1234.567', '1.234.567', '1,234', '1.234,5', '1e3'])
      expect(twoReadings(text, ',')).toBeUndefined();
    expect(twoReadings('1.234', '.')).toBeUndefined();
  });
});
