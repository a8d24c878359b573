import { describe, expect, it } from 'vitest';
import { dateText, likelyUnit } from './dateView.ts';

describe('an integer as a moment', () => {
  it('has the decimals of its unit', () => {
    expect(dateText('0', 'seconds')).toBe('1970-01-01 00:00:00Z');
    expect(dateText('1700000000', 'seconds')).toBe('2023-11-14 22:13:20Z');
    expect(dateText('1700000000123', 'milliseconds')).toBe('2023-11-14 22:13:20.123Z');
    expect(dateText('1700000000123456', 'microseconds')).toBe('2023-11-14 22:13:20.123456Z');
  });

  it('reaches before 1970 exactly', () => {
    expect(dateText('-1', 'milliseconds')).toBe('1969-12-31 23:59:59.999Z');
  });

  it.each(['', '1.5', 'x', '99999999999999999999', '9223372036854775807'])('rejects %j as a date', (digits) => {
    expect(dateText(digits, 'seconds')).toBeUndefined();
  });
});

describe('a likely unit', () => {
  it('is that in which the values lie in our time', () => {
    expect(likelyUnit(['1700000000', '1600000000'])).toBe('seconds');
    expect(likelyUnit(['1700000000123'])).toBe('milliseconds');
    expect(likelyUnit(['1700000000123456'])).toBe('microseconds');
    expect(likelyUnit(['12', '400', '7'])).toBeUndefined();
    expect(likelyUnit([])).toBeUndefined();
  });
});
