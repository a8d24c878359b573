/** Digits of a counted value: servers write floats as C's `%g` does (seen on 29.0 and 30.0-dev: 146.33333333333334 as 146.333, 16777217 as 1.67772e+07). */
const DIGITS = 6;
const LARGEST = 3.4028234663852886e38;
const VALUE = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/;

/**
 * The least and the greatest value of a float field that the server writes as a counted value. A filter for that value itself finds only documents that
 * have exactly it.
 *
 * @param value - as the server counts it
 * @returns undefined where the value is exact, or isn't a number
 */
export function countedRange(value: string): readonly [string, string] | undefined {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = VALUE.exec(value) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  if (digits === '' || digits.length > DIGITS) return undefined;
  // The value is `count` units of its last digit.
  const count = Number(digits.padEnd(DIGITS, '0'));
  const unit = Number(exponent) - fraction.length - (DIGITS - digits.length);
  // A value exactly between two is written as the even one of them.
  const isEven = count % 2 === 0;
  // Below a power of ten the digits are ten times as fine.
  const below = count === 10 ** (DIGITS - 1) ? Number(`${count * 100 - 5}e${unit - 2}`) : Number(`${count * 10 - 5}e${unit - 1}`);
  const low = nearestFloat(below, 'up', isEven);
  const high = Math.min(nearestFloat(Number(`${count * 10 + 5}e${unit - 1}`), 'down', isEven), LARGEST);
  if (low > high) return undefined;
  const [least, most] = [shortest(low), shortest(high)];
  return sign === '' ? [least, most] : [`-${most}`, `-${least}`];
}

/** The first single-precision number above or below a limit, or the limit where it counts and is one. */
function nearestFloat(limit: number, direction: 'up' | 'down', withLimit: boolean): number {
  const near = Math.fround(limit);
  if (near === limit && withLimit) return near;
  if (direction === 'up') return near > limit ? near : step(near, 1);
  return near < limit ? near : step(near, -1);
}

/** The next single-precision number of a positive one. */
function step(value: number, by: 1 | -1): number {
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, value);
  view.setUint32(0, view.getUint32(0) + by);
  return view.getFloat32(0);
}

/** The shortest text that is read as this single-precision number. */
function shortest(value: number): string {
  for (let digits = DIGITS; digits < 9; digits += 1) {
    const text = String(Number(value.toPrecision(digits)));
    if (Math.fround(Number(text)) === value) return text;
  }
  return String(Number(value.toPrecision(9)));
}
