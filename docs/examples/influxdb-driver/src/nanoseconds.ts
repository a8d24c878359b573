const MOMENT = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?)?(?:Z|\+00:00)?$/i;
const PER_MILLISECOND = 1_000_000n;
const PER_SECOND = 1_000_000_000n;

/** The times that InfluxDB can store: the ends of 64 bits are used for something else. */
const LEAST = -9_223_372_036_854_775_806n;
const GREATEST = 9_223_372_036_854_775_806n;

/** Nanoseconds since 1970 as a moment with nine digits, so that moments sort as texts, and none is rounded. */
export function momentOf(nanoseconds: bigint): string {
  const fraction = ((nanoseconds % PER_SECOND) + PER_SECOND) % PER_SECOND;
  const seconds = (nanoseconds - fraction) / PER_SECOND;
  const day = new Date(Number(seconds) * 1_000).toISOString().slice(0, 19);
  return `${day}.${String(fraction).padStart(9, '0')}Z`;
}

/** Nanoseconds since 1970 of a moment in UTC, or of a whole number of nanoseconds; undefined for what isn't a time that can be stored. */
export function nanosecondsOf(text: string): bigint | undefined {
  const nanoseconds = /^-?\d{1,19}$/.test(text) ? BigInt(text) : ofMoment(text);
  return nanoseconds === undefined || nanoseconds < LEAST || nanoseconds > GREATEST ? undefined : nanoseconds;
}

function ofMoment(text: string): bigint | undefined {
  const [, day, time = '00:00', second = '00', fraction = ''] = MOMENT.exec(text) ?? [];
  if (day === undefined) return undefined;
  const milliseconds = Date.parse(`${day}T${time}:${second}Z`);
  // Of February 30th, March would be made.
  if (Number.isNaN(milliseconds) || !new Date(milliseconds).toISOString().startsWith(day)) return undefined;
  return BigInt(milliseconds) * PER_MILLISECOND + BigInt(fraction.padEnd(9, '0'));
}
