import { describe, expect, it } from 'vitest';
import { isInRange } from './isInRange.ts';

const INT64 = { least: '-9223372036854775808', greatest: '9223372036854775807' };
const DOUBLES = { least: String(-Number.MAX_VALUE), greatest: String(Number.MAX_VALUE) };

describe('the range of a column', () => {
  it('holds its ends and nothing beyond, to the last digit of 64 bits', () => {
    for (const inside of ['0', '-0', '5', '-9223372036854775808', '9223372036854775807'])
      expect(isInRange(inside, INT64)).toBe(true);
    expect(isInRange('-0', { least: '0', greatest: '9' })).toBe(true);
    for (const beyond of ['-9223372036854775809', '9223372036854775808', '99999999999999999999'])
      expect(isInRange(beyond, INT64)).toBe(false);
  });

  it('refuses a number that no double holds', () => {
    expect(isInRange('1e308', DOUBLES)).toBe(true);
    expect(isInRange('-0.000001', DOUBLES)).toBe(true);
    expect(isInRange('1e309', DOUBLES)).toBe(false);
    expect(isInRange('-1e309', DOUBLES)).toBe(false);
    expect(isInRange(`1${'0'.repeat(400)}`, DOUBLES)).toBe(false);
  });

  it('refuses a number that a double would hold as 0, and no 0', () => {
    for (const lost of ['1e-400', '-1e-400', `0.${'0'.repeat(400)}1`]) expect(isInRange(lost, DOUBLES)).toBe(false);
    for (const held of ['5e-324', '0', '-0.0', '0e-400', '0.000']) expect(isInRange(held, DOUBLES)).toBe(true);
    // Whole numbers have no fractions, and a column of exact decimals declares another range.
    expect(isInRange('1e-400', { least: '-1e9999', greatest: '1e9999' })).toBe(true);
  });

  it('takes no time for a text of a million digits', () => {
    const before = performance.now();
    expect(isInRange('9'.repeat(1_000_000), INT64)).toBe(false);
    expect(performance.now() - before).toBeLessThan(500);
  });

  it('lets everything pass where it is not known', () => {
    expect(isInRange('99999999999999999999', undefined)).toBe(true);
  });
});
