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

/** The log as CSV, in parts. */
export async function* activityCsv(pieces: AsyncIterable<readonly ActivityEntry[]>): AsyncGenerator<string> {
  yield `${COLUMNS.join(',')}\r\n`;
  for await (const entries of pieces) {
    const part = entries.map((entry) => `${COLUMNS.map((column) => cell(entry[column])).join(',')}\r\n`).join('');
    if (part !== '') yield part;
  }
}

function cell(value: string | number | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return String(value);
  // Client names and statements come from outside.
  return writeField(guardFormula(value), ',');
}
