import { formatDecimal } from '../i18n/format.ts';

/** A metric from 0 to 1, to three places; a dash where nothing was measured. */
export function formatMetric(value: number | null): string {
  return value === null ? '–' : formatDecimal(value, 3);
}
