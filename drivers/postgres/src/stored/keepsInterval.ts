/** The three numbers that the server stores of an interval. */
interface Interval {
  months: bigint;
  days: bigint;
  microseconds: bigint;
}

/** A unit as months, or as microseconds, or as days of which a fraction becomes microseconds. */
type Unit = { readonly months: bigint } | { readonly microseconds: bigint } | { readonly days: bigint } | 'month';

const SECOND = 1_000_000n;
const MINUTE = 60n * SECOND;
const HOUR = 60n * MINUTE;
const DAY = 24n * HOUR;
/** By which the server turns a fraction of a month into days. */
const DAYS_OF_MONTH = 30n;
const MOST_SECOND_DIGITS = 6;
/** An interval has room for fewer digits of a fraction. */
const MOST_FRACTION = 40;

const UNITS: readonly (readonly [RegExp, Unit])[] = [
  [/^(?:us|usecs?|useconds?|microseconds?|microsecon)$/, { microseconds: 1n }],
  [/^(?:ms|msecs?|mseconds?|milliseconds?|millisecon)$/, { microseconds: 1_000n }],
  [/^(?:s|secs?|seconds?)$/, { microseconds: SECOND }],
  [/^(?:m|mins?|minutes?)$/, { microseconds: MINUTE }],
  [/^(?:h|hrs?|hours?)$/, { microseconds: HOUR }],
  [/^(?:d|days?)$/, { days: 1n }],
  [/^(?:w|weeks?)$/, { days: 7n }],
  [/^(?:mons?|months?)$/, 'month'],
  [/^(?:y|yrs?|years?)$/, { months: 12n }],
  [/^(?:dec|decs|decades?)$/, { months: 120n }],
  [/^(?:c|cent|century|centuries)$/, { months: 1_200n }],
  [/^(?:mil|mils|millennium|millennia)$/, { months: 12_000n }],
];

/** One amount with its unit, a time of day, or years and months with a hyphen. */
const AMOUNT =
  /\s*(?:([+-])\s*)?(?:(\d+):(\d\d?)(?::(\d\d?))?(?:\.(\d*))?|(\d+)-(\d\d?)(?![\d-])|(\d+(?:\.\d*)?|\.\d+)\s*([a-z]*))(?=\s|$|[+-]|\d)/y;

/**
 * Whether a column stores an interval as it is written: the server rounds fractions of a second and of a year, and drops what is smaller than the
 * smallest field of the column, without an error.
 *
 * @param modifier - `pg_attribute.atttypmod`
 */
export function keepsInterval(text: string, modifier: number): boolean {
  const digits = modifier < 0 || (modifier & 0xff_ff) > MOST_SECOND_DIGITS ? MOST_SECOND_DIGITS : modifier & 0xff_ff;
  const written = text.trim().toLowerCase();
  if (/^[+-]?infinity$/.test(written)) return true;
  const found = parsed(written);
  if (found === 'rounded') return false;
  if (found === undefined) return !hasFields(modifier) && fractionsFit(written, digits);
  return found.microseconds % 10n ** BigInt(MOST_SECOND_DIGITS - digits) === 0n && fitsFields(found, modifier);
}

/** Whether a text is an interval as the server reads one: `1 day 02:30:00`, `90 minutes`, `P1DT2H`, `infinity`. */
export function isInterval(text: string): boolean {
  const written = text.trim().toLowerCase();
  return /^[+-]?infinity$/.test(written) || (/\d/.test(written) && parsed(written) !== undefined);
}

function parsed(written: string): Interval | 'rounded' | undefined {
  return /^-?p/.test(written) ? ofIso(written) : ofText(written);
}

/** Whether a column of intervals has some fields only, as `interval day to hour`. */
export function hasFields(modifier: number): boolean {
  return modifier >= 0 && fieldsOf(modifier) !== ALL_FIELDS;
}

const ALL_FIELDS = 0x7f_ff;
/** The server's numbers of fields, as bits. */
const FIELD = { month: 1 << 1, year: 1 << 2, day: 1 << 3, hour: 1 << 10, minute: 1 << 11, second: 1 << 12 } as const;

function fieldsOf(modifier: number): number {
  return (modifier >> 16) & ALL_FIELDS;
}

function fitsFields({ months, days, microseconds }: Interval, modifier: number): boolean {
  if (!hasFields(modifier)) return true;
  const fields = fieldsOf(modifier);
  if ((fields & FIELD.second) !== 0) return true;
  if ((fields & FIELD.minute) !== 0) return microseconds % MINUTE === 0n;
  if ((fields & FIELD.hour) !== 0) return microseconds % HOUR === 0n;
  if (microseconds !== 0n) return false;
  if ((fields & FIELD.day) !== 0) return true;
  return days === 0n && ((fields & FIELD.month) !== 0 || months % 12n === 0n);
}

/** Of a text that isn't understood here the server says what is wrong, or its fractions are taken for those of seconds. */
function fractionsFit(text: string, digits: number): boolean {
  return [...text.matchAll(/\.(\d+)/g)].every(([, fraction = '']) => fraction.replace(/(?<!0)0+$/, '').length <= digits);
}

/** `1 year 2 days 03:04:05.6`, `1-2 3 4:05:06` and the like. */
function ofText(written: string): Interval | 'rounded' | undefined {
  const sum: Interval = { months: 0n, days: 0n, microseconds: 0n };
  const text = written
    .replace(/^@\s*/, '')
    .replace(/(?<=[\d\sa-z])ago$/, '')
    .trimEnd();
  AMOUNT.lastIndex = 0;
  while (AMOUNT.lastIndex < text.length) {
    const match = AMOUNT.exec(text);
    if (match === null) return undefined;
    const [, sign = '', hours, minutes = '', seconds, part, years, months = '', amount = '', name = ''] = match;
    const isLast = AMOUNT.lastIndex >= text.length;
    if (hours !== undefined) {
      // Two numbers with a fraction are minutes and seconds.
      const clock = seconds === undefined && part !== undefined ? ['0', hours, minutes] : [hours, minutes, seconds ?? '0'];
      if (!addTime(sum, sign, clock, part ?? '')) return 'rounded';
    } else if (years !== undefined) sum.months += signed(sign, BigInt(years) * 12n + BigInt(months));
    else {
      const unit: Unit | undefined = name === '' ? (isLast ? { microseconds: SECOND } : { days: 1n }) : unitOf(name);
      if (unit === undefined) return undefined;
      if (!add(sum, sign, amount, unit)) return 'rounded';
    }
  }
  return sum;
}

const ISO_DATE = /([+-]?)(\d+(?:\.\d*)?|\.\d+)([ymwd])/gy;
const ISO_TIME = /([+-]?)(\d+(?:\.\d*)?|\.\d+)([hms])/gy;
const ISO_UNITS: Readonly<Record<string, Unit>> = { y: { months: 12n }, m: 'month', w: { days: 7n }, d: { days: 1n } };

/** `P1Y2M3DT4H5M6.7S`. */
function ofIso(written: string): Interval | 'rounded' | undefined {
  const [, date = '', time = ''] = /^-?p([^t]*)(?:t(.*))?$/.exec(written) ?? [];
  const sum: Interval = { months: 0n, days: 0n, microseconds: 0n };
  for (const [part, pattern, units] of [
    [date, ISO_DATE, (letter: string) => ISO_UNITS[letter]],
    [time, ISO_TIME, unitOf],
  ] as const) {
    const found = [...part.matchAll(pattern)];
    if (found.map(([all]) => all).join('') !== part) return undefined;
    for (const [, sign = '', amount = '', letter = ''] of found) {
      const unit = units(letter);
      if (unit === undefined || !add(sum, sign, amount, unit)) return unit === undefined ? undefined : 'rounded';
    }
  }
  return sum;
}

function unitOf(name: string): Unit | undefined {
  return UNITS.find(([pattern]) => pattern.test(name))?.[1];
}

function signed(sign: string, value: bigint): bigint {
  return sign === '-' ? -value : value;
}

/** @returns whether the time has no more digits than microseconds */
function addTime(
  sum: Interval,
  sign: string,
  [hours = '0', minutes = '0', seconds = '0']: readonly string[],
  part: string,
): boolean {
  const fraction = part.replace(/(?<!0)0+$/, '');
  if (fraction.length > MOST_SECOND_DIGITS) return false;
  const whole = BigInt(hours) * HOUR + BigInt(minutes) * MINUTE + BigInt(seconds) * SECOND;
  sum.microseconds += signed(sign, whole + BigInt(fraction.padEnd(MOST_SECOND_DIGITS, '0')));
  return true;
}

/** @returns whether the server adds the amount as it is, by the way in which it passes fractions on to smaller units */
function add(sum: Interval, sign: string, amount: string, unit: Unit): boolean {
  const [whole = '', part = ''] = amount.split('.');
  const fraction = part.replace(/(?<!0)0+$/, '');
  if (fraction.length > MOST_FRACTION) return false;
  const scale = 10n ** BigInt(fraction.length);
  const count = BigInt(`${whole}${fraction}`);
  if (unit === 'month') {
    sum.months += signed(sign, count / scale);
    return addDays(sum, sign, (count % scale) * DAYS_OF_MONTH, scale);
  }
  if ('days' in unit) return addDays(sum, sign, count * unit.days, scale);
  const value = count * ('months' in unit ? unit.months : unit.microseconds);
  if (value % scale !== 0n) return false;
  sum['months' in unit ? 'months' : 'microseconds'] += signed(sign, value / scale);
  return true;
}

function addDays(sum: Interval, sign: string, count: bigint, scale: bigint): boolean {
  const rest = (count % scale) * DAY;
  sum.days += signed(sign, count / scale);
  sum.microseconds += signed(sign, rest / scale);
  return rest % scale === 0n;
}
