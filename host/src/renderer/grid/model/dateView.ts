/** The unit of an integer that counts from 1970-01-01T00:00:00Z. */
export const DATE_UNITS = ['seconds', 'milliseconds', 'microseconds'] as const;
export type DateUnit = (typeof DATE_UNITS)[number];

const PER_SECOND: Readonly<Record<DateUnit, bigint>> = { seconds: 1n, milliseconds: 1_000n, microseconds: 1_000_000n };
const FRACTION_DIGITS: Readonly<Record<DateUnit, number>> = { seconds: 0, milliseconds: 3, microseconds: 6 };
/** The last second that a Date can hold; the first is its opposite. */
const MAX_SECONDS = 8_640_000_000_000n;

/**
 * An integer as a moment in UTC, with as many decimals as its unit has. Undefined for a value that isn't an integer or is beyond the calendar: the
 * digits are shown then.
 */
export function dateText(digits: string, unit: DateUnit): string | undefined {
  if (!/^-?\d{1,20}$/.test(digits)) return undefined;
  const value = BigInt(digits);
  const per = PER_SECOND[unit];
  const rest = ((value % per) + per) % per;
  const seconds = (value - rest) / per;
  if (seconds > MAX_SECONDS || seconds < -MAX_SECONDS) return undefined;
  const moment = new Date(Number(seconds) * 1_000).toISOString().replace('T', ' ').replace('.000Z', '');
  const decimals = FRACTION_DIGITS[unit];
  return decimals === 0 ? `${moment}Z` : `${moment}.${rest.toString().padStart(decimals, '0')}Z`;
}

/** Moments that people store: from 1990 to 2100. */
const EARLIEST = 631_152_000n;
const LATEST = 4_102_444_800n;

/** The unit in which most of some integers would be such a moment; undefined when none is likely. */
export function likelyUnit(samples: readonly string[]): DateUnit | undefined {
  const integers = samples.filter((digits) => /^\d{9,17}$/.test(digits)).map(BigInt);
  if (integers.length === 0 || integers.length * 2 < samples.length) return undefined;
  return DATE_UNITS.find((unit) => {
    const per = PER_SECOND[unit];
    return integers.filter((value) => value >= EARLIEST * per && value <= LATEST * per).length * 10 >= integers.length * 9;
  });
}
