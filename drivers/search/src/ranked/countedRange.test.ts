import { expect, it } from 'vitest';
import { countedRange } from './countedRange.ts';

/** As C writes a number with `%g`: six digits, one exactly between two as the even one. */
function written(value: number): string {
  const [mantissa = '', exponent = ''] = Math.abs(value).toExponential(60).split('e');
  const digits = mantissa.replace('.', '');
  const rest = digits.slice(6);
  const down = Number(digits.slice(0, 6));
  const isUp = /^50*$/.test(rest) ? down % 2 === 1 : rest >= '5';
  const [short = '', power = ''] = Number(`${down + (isUp ? 1 : 0)}e${Number(exponent) - 5}`)
    .toExponential()
    .split('e');
  const sign = value < 0 ? '-' : '';
  const size = Number(power);
  if (size >= -4 && size < 6) return `${sign}${Number(`${short}e${power}`)}`;
  return `${sign}${short}e${size < 0 ? '-' : '+'}${String(Math.abs(size)).padStart(2, '0')}`;
}

it.each([
  ['146.333', 146.33333333333334],
  ['146.333', 146.3333],
  ['-146.333', -146.33333],
  ['0.0001', 0.0001],
  ['1e-10', 1e-10],
  ['123457', 123456.789],
  ['1.67772e+07', 16777217],
  ['9.87654e+07', 98765432.1],
  ['1e+06', 999999.9996],
  ['1e+15', 1e15],
  ['-1e+20', -1e20],
  ['3.4e+38', 3.4e38],
  ['3.40282e+38', 3.4028234e38],
  ['5', 5],
  ['9.99', 9.99],
])('the range of %s has %d', (value, stored) => {
  const [low, high] = countedRange(value) ?? ['', ''];
  expect(Math.fround(Number(low))).toBeLessThanOrEqual(Math.fround(stored));
  expect(Math.fround(Number(high))).toBeGreaterThanOrEqual(Math.fround(stored));
});

it('has exactly the values that are written so', () => {
  const bits = new DataView(new ArrayBuffer(4));
  const next = (value: number, by: number): number => {
    bits.setFloat32(0, value);
    bits.setUint32(0, bits.getUint32(0) + by);
    return bits.getFloat32(0);
  };
  let seed = 7;
  for (let round = 0; round < 5_000; round += 1) {
    seed = (seed * 48_271) % 2_147_483_647;
    const value = Math.fround((seed / 2_147_483_647) * 10 ** ((seed % 40) - 15));
    const range = countedRange(written(value));
    if (range === undefined) throw new Error(`${value} has no range.`);
    const [low, high] = range.map((text) => Math.fround(Number(text))) as [number, number];
    expect([low, high, value].map(written)).toEqual(Array.from({ length: 3 }, () => written(value)));
    expect(written(next(low, -1))).not.toBe(written(value));
    expect(written(next(high, 1))).not.toBe(written(value));
  }
});

it.each(['123456.5', '0', '-0', '', 'abc', 'nan', 'inf'])('%j has none', (value) => {
  expect(countedRange(value)).toBeUndefined();
});

it('takes a value that is exactly between two to the even one', () => {
  // 123456.5 is written as 123456, and 123457.5 as 123458.
  expect(countedRange('123456')).toEqual(['123455.5', '123456.5']);
  expect(countedRange('123457')).toEqual(['123456.51', '123457.49']);
});
