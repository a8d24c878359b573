import { formatDecimal } from '../i18n/format.ts';

/** A metric from 0 to 1, to three places. */
export function formatMetric(value: number): string {
  return formatDecimal(value, 3);
}
