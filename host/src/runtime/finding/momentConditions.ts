import type { FilterOperator } from '@tabularium/sdk';
import type { FindMatch } from '../../common/findingRows.ts';

const DAY = /^\d{4}-\d\d-\d\d$/;
const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?$/;
const ZONE = /(?:Z|[+-]\d\d(?::?\d\d)?)$/;

/**
 * How a text is compared with a column of dates or times; undefined where it writes none. A day is looked for in moments as all moments of that day, because
 * that is how a person means it.
 */
export function momentConditions(
  kind: 'date' | 'time' | 'timestamp',
  text: string,
  { match, hasBetween }: { readonly match: FindMatch; readonly hasBetween: boolean },
): { readonly operator: FilterOperator; readonly values: readonly string[] } | undefined {
  if (kind === 'time') return TIME.test(text) ? { operator: 'equals', values: [text] } : undefined;
  if (kind === 'date') return isDay(text) ? { operator: 'equals', values: [text] } : undefined;
  if (isDay(text)) {
    if (match === 'exact' || !hasBetween) return undefined;
    return { operator: 'between', values: [`${text} 00:00:00`, `${text} 23:59:59.999999`] };
  }
  const [, day = '', time = ''] = /^(\S{10})[T ](\S{5,40})$/.exec(text) ?? [];
  return isDay(day) && TIME.test(time.replace(ZONE, '')) ? { operator: 'equals', values: [text] } : undefined;
}

/** A server would refuse the whole filter for a February 30th. */
function isDay(text: string): boolean {
  if (!DAY.test(text)) return false;
  const milliseconds = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString().startsWith(text);
}
