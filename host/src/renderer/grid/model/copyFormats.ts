import type { BatchColumn, Cell } from '@tabularium/sdk';
import { DelimitedRows, rowFormat } from '../../../common/rowFormats.ts';
import type { RowFormat } from '../../../common/rowFormats.ts';
import { wholeText } from './cellText.ts';

/** The formats for copying a selection. `guardedCsv`: a text that a spreadsheet would run as a formula gets an apostrophe before it. */
export const COPY_FORMATS = ['tsv', 'csv', 'guardedCsv', 'json', 'markdown'] as const;
export type CopyFormat = (typeof COPY_FORMATS)[number];

/** Whether a first line with the columns' names is a matter of choice. JSON has them in every object, Markdown has no table without. */
export function headerIsChoice(format: CopyFormat): boolean {
  return format !== 'json' && format !== 'markdown';
}

export function copyFormat(format: CopyFormat, header: boolean): RowFormat {
  switch (format) {
    case 'tsv':
      return new DelimitedRows({ header, guardFormulas: false, separator: '\t', lineEnd: '\n' });
    case 'csv':
    case 'guardedCsv':
      return new DelimitedRows({ header, guardFormulas: format === 'guardedCsv', separator: ',', lineEnd: '\r\n' });
    case 'json':
      return rowFormat('json', { header, guardFormulas: false });
    case 'markdown':
      return new MarkdownRows();
  }
}

/** A table of GitHub's Markdown. Null and absent are empty; what would end a cell is escaped, and a line break is `<br>`. */
class MarkdownRows implements RowFormat {
  #columns: readonly BatchColumn[] = [];

  begin(columns: readonly BatchColumn[]): string {
    this.#columns = columns;
    const rule = columns.map(({ kind }) => (kind === 'integer' || kind === 'decimal' ? '---:' : '---'));
    return line(columns.map(({ name }) => escaped(name))) + line(rule);
  }

  rows(rows: readonly (readonly Cell[])[]): string {
    return rows
      .map((row) => line(this.#columns.map(({ kind }, place) => escaped(wholeText(row[place] ?? null, kind).text))))
      .join('');
  }

  end(): string {
    return '';
  }
}

const line = (fields: readonly string[]): string => `| ${fields.join(' | ')} |\n`;

function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll('|', '\\|')
    .replaceAll(/\r\n|[\n\r]/g, '<br>');
}
