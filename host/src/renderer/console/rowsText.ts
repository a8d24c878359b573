import { rowFormat } from '../../common/rowFormats.ts';
import type { ExportFormat } from '../../common/transfer.ts';
import type { Answer } from './runs.ts';

export const ROW_FORMATS: readonly ExportFormat[] = ['jsonl', 'json', 'csv'];

/** Rows that become text at a time, so that a large result is not one string of hundreds of megabytes. */
const ROWS_AT_A_TIME = 2_000;

/** The rows of an answer in a format, every digit kept, in parts. */
export function rowsText({ columns, rows }: Extract<Answer, { is: 'rows' }>, format: ExportFormat): readonly string[] {
  const writer = rowFormat(format, { header: true, guardFormulas: false });
  const parts = [writer.begin(columns)];
  for (let from = 0; from < rows.length; from += ROWS_AT_A_TIME) parts.push(writer.rows(rows.slice(from, from + ROWS_AT_A_TIME)));
  return [...parts, writer.end()];
}
