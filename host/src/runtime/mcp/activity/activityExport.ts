import type { ActivityEntry } from '../../../common/integrations.ts';
import { guardFormula, writeField } from '../../../common/delimitedText.ts';

const COLUMNS = [
  'sequence',
  'time',
  'kind',
  'tokenName',
  'client',
  'connectionName',
  'action',
  'outcome',
  'code',
  'milliseconds',
  'approvedBy',
  'statementDigest',
  'statement',
  'tokenId',
  'connectionId',
] as const satisfies readonly (keyof ActivityEntry)[];

/** The log as CSV, line by line. */
export function* activityCsv(entries: Iterable<ActivityEntry>): Generator<string> {
  yield `${COLUMNS.join(',')}\r\n`;
  for (const entry of entries) {
    yield `${COLUMNS.map((column) => cell(entry[column])).join(',')}\r\n`;
  }
}

function cell(value: string | number | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return String(value);
  // Client names and statements come from outside.
  return writeField(guardFormula(value), ',');
}
