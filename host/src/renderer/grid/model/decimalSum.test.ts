import { describe, expect, it } from 'vitest';
import { DecimalSum } from './decimalSum.ts';

function summary(...numerals: readonly string[]) {
  const sum = new DecimalSum();
  for (const numeral of numerals) sum.add(numeral);
  return sum.summary();
}

describe('a sum', () => {
  it('is exact beyond 2^53 and in decimals', () => {
    expect(summary('9007199254740993', '9007199254740993')?.sum).toBe('18014398509481986');
    expect(summary('0.1', '0.2')?.sum).toBe('0.3');
    expect(summary('1e21', '1')?.sum).toBe('1000000000000000000001');
    expect(summary('-1.50', '1.5')?.sum).toBe('0');
    expect(summary('1.5e-3')?.sum).toBe('0.0015');
  });

  it('finds the least and the greatest by value, not by text', () => {
    expect(summary('10', '9', '-2.5', '-10')).toMatchObject({ count: 4, least: '-10', greatest: '10' });
  });

  it('rounds an average half away from zero', () => {
    expect(summary('1', '2')?.average).toBe('1.5');
    expect(summary('1', '1', '2')?.average).toBe('1.333333');
    expect(summary('-1', '-1', '-2')?.average).toBe('-1.333333');
    expect(summary('2', '2', '1')?.average).toBe('1.666667');
  });

  it("skips values that aren't numbers, and is empty without any numbers", () => {
    const sum = new DecimalSum();
    expect(sum.add('twelve')).toBe(false);
    expect(sum.add('')).toBe(false);
    expect(sum.add('1e999999')).toBe(false);
    expect(sum.summary()).toBeUndefined();
  });
});
