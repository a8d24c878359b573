import type { BatchColumn, Cell, ColumnKind } from '@tabularium/sdk';
import { isAbsent } from '@tabularium/sdk';
import { guardFormula, writeField } from './delimitedText.ts';
import type { Separator } from './delimitedText.ts';
import { cellJson, compactJson, kindOfCell } from './cellJson.ts';
import type { CsvOptions, ExportFormat } from './transfer.ts';

/** Turns rows into a file's text, part by part. */
export interface RowFormat {
  begin(columns: readonly BatchColumn[]): string;
  rows(rows: readonly (readonly Cell[])[]): string;
  end(): string;
}

export function rowFormat(format: ExportFormat, csv: CsvOptions): RowFormat {
  switch (format) {
    case 'jsonl':
      return new JsonRows('', '\n', '\n', '');
    case 'json':
      return new JsonRows('[', ',\n', '', '\n]\n');
    case 'csv':
      return new DelimitedRows({ ...csv, separator: ',', lineEnd: '\r\n' });
  }
}

/** One object a row, with exact numbers; a field that a row does not have is left out. */
class JsonRows implements RowFormat {
  readonly #before: string;
  readonly #separator: string;
  readonly #lineEnd: string;
  readonly #after: string;
  #columns: readonly { readonly member: string; readonly kind: ColumnKind }[] = [];
  #first = true;

  constructor(before: string, separator: string, lineEnd: string, after: string) {
    this.#before = before;
    this.#separator = separator;
    this.#lineEnd = lineEnd;
    this.#after = after;
  }

  begin(columns: readonly BatchColumn[]): string {
    this.#columns = columns.map(({ name, kind }) => ({ member: `${JSON.stringify(name)}:`, kind }));
    return this.#before;
  }

  rows(rows: readonly (readonly Cell[])[]): string {
    let text = '';
    for (const row of rows) {
      if (this.#lineEnd === '') text += this.#first ? '\n' : this.#separator;
      this.#first = false;
      text += `{${this.#members(row)}}${this.#lineEnd}`;
    }
    return text;
  }

  end(): string {
    return this.#first && this.#after !== '' ? ']\n' : this.#after;
  }

  #members(row: readonly Cell[]): string {
    let members = '';
    this.#columns.forEach(({ member, kind }, index) => {
      const json = cellJson(row[index] ?? null, kind);
      if (json !== undefined) members += `${members === '' ? '' : ','}${member}${json}`;
    });
    return members;
  }
}

/** The form of rows as lines of fields. */
export interface DelimitedOptions extends CsvOptions {
  readonly separator: Separator;
  readonly lineEnd: '\r\n' | '\n';
}

/** As RFC 4180 has it: quotes where they are needed. Null and absent are empty; the empty text is `""`. */
export class DelimitedRows implements RowFormat {
  readonly #options: DelimitedOptions;
  #kinds: readonly ColumnKind[] = [];

  constructor(options: DelimitedOptions) {
    this.#options = options;
  }

  begin(columns: readonly BatchColumn[]): string {
    this.#kinds = columns.map(({ kind }) => kind);
    return this.#options.header ? this.#line(columns.map(({ name }) => this.#text(name))) : '';
  }

  rows(rows: readonly (readonly Cell[])[]): string {
    let text = '';
    for (const row of rows) text += this.#line(this.#kinds.map((kind, index) => this.#cell(row[index] ?? null, kind)));
    return text;
  }

  end(): string {
    return '';
  }

  #line(fields: readonly string[]): string {
    return fields.join(this.#options.separator) + this.#options.lineEnd;
  }

  #cell(cell: Cell, columnKind: ColumnKind): string {
    if (cell === null || isAbsent(cell)) return '';
    const { kind, value } = kindOfCell(cell, columnKind);
    if (typeof value !== 'string') return String(value);
    if (kind === 'integer' || kind === 'decimal' || kind === 'number') return this.#number(value);
    return this.#text(kind === 'json' ? (compactJson(value) ?? value) : value);
  }

  /** A negative number isn't a formula. */
  #number(text: string): string {
    return /^-?\d[\d.eE+-]*$/.test(text) ? text : this.#text(text);
  }

  #text(text: string): string {
    return writeField(this.#options.guardFormulas ? guardFormula(text) : text, this.#options.separator);
  }
}
