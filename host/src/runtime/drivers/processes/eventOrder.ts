/** Rows in one event; a driver sends as many events as it likes. The schema has the same limit, and rows do not go through it. */
const MOST_ROWS = 100_000;
/** Results of one statement. A consumer that collects them would grow without end. */
const MOST_RESULTS = 10_000;
/** Notices, and reports of progress and context, of one statement: each. */
const MOST_NEWS = 10_000;

/** An event as it came, its form already checked. */
export interface SentEvent {
  readonly type: string;
  readonly columns?: readonly unknown[];
  readonly rows?: readonly (readonly unknown[])[];
}

/**
 * Checks what a schema cannot: how the events of one answer follow one another, and that each row has a cell for each column. The host collects
 * rows and results in several places, and each relies on this.
 */
export class EventOrder {
  readonly #maxRows: number;
  #width: number | undefined;
  #rows = 0;
  #results = 0;
  #hasText = false;
  #hasBegun = false;
  readonly #news = new Map<string, number>();

  /** @param maxRows - rows that one result may have; Infinity where the whole table was asked for */
  constructor(maxRows: number) {
    this.#maxRows = maxRows;
  }

  /** @returns what is wrong with the next event, if anything is */
  problem(event: SentEvent): string | undefined {
    switch (event.type) {
      case 'begin':
      case 'rowsBegin':
        return this.#begin(event);
      case 'rows':
        return this.#add(event.rows ?? []);
      case 'done':
        this.#width = undefined;
        this.#hasText = false;
        this.#results += 1;
        return this.#results > MOST_RESULTS ? `more than ${MOST_RESULTS} results came` : undefined;
      // Between the others, at any place.
      case 'notice':
      case 'progress':
      case 'context':
        return this.#addNews(event.type);
      default:
        return this.#addText(event.type);
    }
  }

  #addNews(type: string): string | undefined {
    const count = (this.#news.get(type) ?? 0) + 1;
    this.#news.set(type, count);
    return count > MOST_NEWS ? `more than ${MOST_NEWS} events ${type} came` : undefined;
  }

  /** One for each result, which ends with `done`: so the number of texts is bounded too. */
  #addText(type: string): string | undefined {
    if (this.#width !== undefined) return `${type} came inside a result with rows`;
    if (this.#hasText) return `${type} came twice for one result`;
    this.#hasText = true;
    return undefined;
  }

  #begin({ type, columns }: SentEvent): string | undefined {
    if (this.#width !== undefined || (type === 'begin' && this.#hasBegun)) return 'columns came twice for one result';
    this.#hasBegun = true;
    this.#width = columns?.length ?? 0;
    this.#rows = 0;
    return undefined;
  }

  #add(rows: readonly (readonly unknown[])[]): string | undefined {
    const width = this.#width;
    if (width === undefined) return 'rows came before their columns';
    if (rows.length > MOST_ROWS) return `an event has more than ${MOST_ROWS} rows`;
    this.#rows += rows.length;
    if (this.#rows > this.#maxRows) return `more than the ${this.#maxRows} rows came that were asked for`;
    return rows.every((row) => row.length === width) ? undefined : 'a row has more or fewer cells than there are columns';
  }
}
