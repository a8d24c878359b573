/** Digits that a double always holds. */
const CERTAIN_DIGITS = 15;

/** Characters of a number that is looked at: a double written in full has fewer than 1,100. */
const LONGEST_NUMBER = 2_000;

/** Whether a number of JSON is the one that it becomes when it is parsed, digit for digit and however it is written. */
export function isExactNumber(source: string): boolean {
  if (source.length <= CERTAIN_DIGITS && !/e/i.test(source)) return true;
  if (source.length > LONGEST_NUMBER) return false;
  const value = Number(source);
  const text = String(value);
  return text === source || (Number.isFinite(value) && normalized(text) === normalized(source));
}

/** The digits of a number without zeros around them, and the power of ten of the last. A sign before zero says nothing. */
function normalized(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  const significant = digits.slice(0, end);
  if (significant === '') return '0';
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}
