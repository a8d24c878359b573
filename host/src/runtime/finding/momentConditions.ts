import type { FilterOperator } from '@tabularium/sdk';
import type { FindMatch } from '../../common/findingRows.ts';

const DAY = /^(\d{4,6})-(\d\d)-(\d\d)$/;
/** The end of a day is a time of some databases. */
const TIME = /^(?:(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?|24:00(?::00(?:\.0{1,6})?)?)$/;
const ZONE = /(?:Z|[+-]\d\d(?::?\d\d(?::\d\d)?)?)$/;
const BEFORE_CHRIST = / BC$/i;
const INFINITY = /^-?infinity$/i;

/**
 * How a text is compared with a column of dates or times; undefined where it writes none. A day is looked for in moments as all moments of that day, because
 * that is how a person means it.
 */
export function momentConditions(
  kind: 'date' | 'time' | 'timestamp',
  text: string,
  { match, hasBetween }: { readonly match: FindMatch; readonly hasBetween: boolean },
): { readonly operator: FilterOperator; readonly values: readonly string[] } | undefined {
  const same = { operator: 'equals', values: [text] } as const;
  if (kind === 'time') return TIME.test(text.replace(ZONE, '')) ? same : undefined;
  if (INFINITY.test(text)) return same;
  const era = BEFORE_CHRIST.exec(text)?.[0] ?? '';
  const plain = text.slice(0, text.length - era.length);
  if (kind === 'date') return isDay(plain) ? same : undefined;
  if (isDay(plain)) {
    if (match === 'exact' || !hasBetween) return undefined;
    return { operator: 'between', values: [`${plain} 00:00:00${era}`, `${plain} 23:59:59.999999${era}`] };
  }
  const [, day = '', time = ''] = /^([\d-]{10,12})[T ](\S{5,40})$/.exec(plain) ?? [];
  return isDay(day) && TIME.test(time.replace(ZONE, '')) ? same : undefined;
}

/** A server would refuse the whole filter for a February 30th. */
function isDay(text: string): boolean {
  const [, year = '', month = '', day = ''] = DAY.exec(text) ?? [];
  // Calendars repeat after 400 years, and years before 100 are others to `Date`.
  const days = new Date(Date.UTC(2_000 + (Number(year) % 400), Number(month), 0)).getUTCDate();
  return year !== '' && Number(year) > 0 && Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= days;
}
