import { locale } from './language.ts';

const integers = new Intl.NumberFormat(locale);
const decimals = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
const moments = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });
const times = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' });
const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });

/** `200,000` */
export function formatCount(value: number): string {
  return integers.format(value);
}

/** `9,223,372,036,854,775,807`: whole numbers of any size to the last digit. Other digits stay as they are. */
export function formatNumeral(digits: string): string {
  return /^-?\d{1,400}$/.test(digits) ? integers.format(BigInt(digits)) : digits;
}

/** `~1,200` for an estimate. */
export function formatRowCount(count: { readonly rows: number; readonly exact: boolean }): string {
  return count.exact ? formatCount(count.rows) : `~${formatCount(count.rows)}`;
}

/** `12 ms`, `1.2 s` */
export function formatMilliseconds(milliseconds: number): string {
  return milliseconds < 1_000 ? `${Math.round(milliseconds)} ms` : `${decimals.format(milliseconds / 1_000)} s`;
}

/** `5 s`, `40 s`, `3 min`: an estimate, in steps that don't change with every reading. */
export function formatRoughly(seconds: number): string {
  if (seconds < 55) return `${Math.max(5, Math.round(seconds / 5) * 5)} s`;
  return `${formatCount(Math.max(1, Math.round(seconds / 60)))} min`;
}

/** `512 B`, `48.2 kB`, `1.3 MB` */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${decimals.format(bytes / 1_000)} kB` : `${decimals.format(bytes / 1_000_000)} MB`;
}

const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** `5 minutes ago`, `now` */
export function formatAgo(iso: string, now: number): string {
  const seconds = (now - Date.parse(iso)) / 1_000;
  if (Number.isNaN(seconds)) return iso;
  for (const [unit, length] of STEPS) {
    if (seconds >= length) return relative.format(-Math.floor(seconds / length), unit);
  }
  return relative.format(0, 'second');
}

export function formatDate(iso: string): string {
  const time = Date.parse(iso);
  return Number.isNaN(time) ? iso : dates.format(time);
}

/** With that many decimal places. */
export function formatDecimal(value: number, places: number): string {
  return new Intl.NumberFormat(locale, { minimumFractionDigits: places, maximumFractionDigits: places }).format(value);
}

/** With its seconds. */
export function formatMoment(iso: string): string {
  const time = Date.parse(iso);
  return Number.isNaN(time) ? iso : moments.format(time);
}

/** The time of day, with its seconds. */
export function formatTime(iso: string): string {
  const time = Date.parse(iso);
  return Number.isNaN(time) ? iso : times.format(time);
}

/** `a`, `a and b`, `a, b and c` */
export function formatList(items: readonly string[]): string {
  return new Intl.ListFormat(locale, { type: 'conjunction' }).format(items);
}
