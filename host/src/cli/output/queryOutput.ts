import type { BatchColumn, Cell, ResultEvent } from '@tabularium/sdk';
import { escapedJson } from '@tabularium/sdk';
import { batchColumnSchema } from '@tabularium/sdk/protocol';
import { z } from 'zod';
import { cellJson, cellText, compactJson } from './cellText.ts';
import { textTable } from './table.ts';

/** Takes the events of a query's results and writes them, as they come where that is possible. */
export interface QueryOutput {
  event(event: ResultEvent): Promise<void>;
  end(): Promise<void>;
}

const resultSchema = z.object({
  columns: z.array(batchColumnSchema).optional(),
  /** Objects by column; a name that repeats gets a number, such as `id (2)`. Numbers have all their digits. */
  rows: z.array(z.record(z.string(), z.json())).optional(),
  /** An answer that isn't a table, as JSON or as text. */
  json: z.json().optional(),
  text: z.string().optional(),
  truncated: z.boolean().optional(),
  affectedRows: z.number().optional(),
  status: z.string().optional(),
  milliseconds: z.number().optional(),
});
/** The JSON of a query, as {@link JsonQueryOutput} writes it. */
export const queryResultSchema = resultSchema.extend({ more: z.array(resultSchema).optional() });

type Write = (text: string) => Promise<void>;

/**
 * One JSON object, written as it arrives: `columns` and `rows`, or `json`, or `text`; then `truncated` and what else is known. Further results
 * are in `more`, each of the same shape.
 */
export class JsonQueryOutput implements QueryOutput {
  readonly #write: Write;
  #columns: readonly BatchColumn[] = [];
  #names: readonly string[] = [];
  #results = 0;
  #state: 'between' | 'rows' | 'text' = 'between';
  #firstRow = true;

  constructor(write: Write) {
    this.#write = write;
  }

  async event(event: ResultEvent): Promise<void> {
    switch (event.type) {
      case 'rowsBegin':
        this.#columns = event.columns;
        this.#names = distinctNames(event.columns).map((name) => JSON.stringify(name));
        this.#firstRow = true;
        this.#state = 'rows';
        return this.#write(`${this.#open()}"columns":${JSON.stringify(event.columns)},"rows":[`);
      case 'rows':
        for (const row of event.rows) await this.#row(row);
        return;
      case 'text': {
        const json = event.mediaType === 'application/json' ? compactJson(event.text) : undefined;
        this.#state = 'text';
        return this.#write(`${this.#open()}${json === undefined ? `"text":${JSON.stringify(event.text)}` : `"json":${json}`}`);
      }
      case 'done': {
        const { type: _type, ...facts } = event;
        const before = this.#state === 'between' ? this.#open() : this.#state === 'rows' ? '],' : ',';
        this.#state = 'between';
        return this.#write(`${before}${JSON.stringify(facts).slice(1, -1)}${this.#results > 1 ? '}' : ''}`);
      }
    }
  }

  async end(): Promise<void> {
    if (this.#results === 0) return this.#write('{}\n');
    await this.#write(this.#results > 1 ? ']}\n' : '}\n');
  }

  /** The first result is the object itself, so that it stays open until the end. */
  #open(): string {
    this.#results += 1;
    if (this.#results === 1) return '{';
    return this.#results === 2 ? ',"more":[{' : ',{';
  }

  async #row(row: readonly Cell[]): Promise<void> {
    const fields: string[] = [];
    row.forEach((cell, index) => {
      const json = cellJson(cell, this.#columns[index]?.kind ?? 'text');
      if (json !== undefined) fields.push(`${this.#names[index] ?? '""'}:${json}`);
    });
    const separator = this.#firstRow ? '\n' : ',\n';
    this.#firstRow = false;
    await this.#write(`${separator}{${fields.join(',')}}`);
  }
}

/** An object has each name once: what repeats gets a number. */
function distinctNames(columns: readonly BatchColumn[]): string[] {
  const seen = new Set<string>();
  return columns.map(({ name }) => {
    let distinct = name;
    for (let number = 2; seen.has(distinct); number += 1) distinct = `${name} (${number})`;
    seen.add(distinct);
    return distinct;
  });
}

const ROWS_AT_ONCE = 500;

/** Tables for people, aligned over some hundred rows at a time, so that a long answer is not held back. */
export class TextQueryOutput implements QueryOutput {
  readonly #write: Write;
  readonly #notice: Write;
  #columns: readonly BatchColumn[] = [];
  #rows: (readonly string[])[] = [];
  #count = 0;

  /** @param notice - takes what is said beside the answer */
  constructor(write: Write, notice: Write) {
    this.#write = write;
    this.#notice = notice;
  }

  async event(event: ResultEvent): Promise<void> {
    switch (event.type) {
      case 'rowsBegin':
        this.#columns = event.columns;
        this.#count = 0;
        return;
      case 'rows':
        for (const row of event.rows) {
          this.#rows.push(row.map((cell, index) => cellText(cell, this.#columns[index]?.kind ?? 'text')));
          this.#count += 1;
          if (this.#rows.length >= ROWS_AT_ONCE) await this.#flush();
        }
        return;
      case 'text': {
        // JSON keeps its value; any other text is shown with its hidden characters marked.
        const text = /\bjson/i.test(event.mediaType) ? escapedJson(event.text) : event.text;
        return this.#write(text.endsWith('\n') ? text : `${text}\n`);
      }
      case 'done':
        if (this.#columns.length > 0 && (this.#rows.length > 0 || this.#count === 0)) await this.#flush();
        await this.#notice(`${this.#facts(event)}\n`);
        this.#columns = [];
        return;
    }
  }

  async end(): Promise<void> {
    return Promise.resolve();
  }

  #facts(done: ResultEvent & { type: 'done' }): string {
    return [
      ...(this.#columns.length > 0
        ? [`${this.#count} ${this.#count === 1 ? 'row' : 'rows'}${done.truncated ? ', and there are more' : ''}`]
        : []),
      ...(done.affectedRows === undefined ? [] : [`${done.affectedRows} changed`]),
      ...(done.status === undefined ? [] : [done.status]),
      `${Math.round(done.milliseconds)} ms`,
    ].join(' · ');
  }

  async #flush(): Promise<void> {
    const columns = this.#columns.map(({ name, kind }) => ({
      title: name,
      align: kind === 'integer' || kind === 'decimal' ? ('right' as const) : ('left' as const),
    }));
    await this.#write(textTable(columns, this.#rows));
    this.#rows = [];
  }
}
