import type { ColumnKind } from '@tabularium/sdk';
import { strings } from '../i18n/index.ts';
import { twoReadings } from '../i18n/plainNumber.ts';

/** How a typed number is read, where a person may mean another one; undefined elsewhere. */
export function readingText(text: string, kind: ColumnKind): string | undefined {
  const readings = kind === 'decimal' ? twoReadings(text) : undefined;
  return readings === undefined ? undefined : strings.editing.readAs(readings.read, readings.other);
}
