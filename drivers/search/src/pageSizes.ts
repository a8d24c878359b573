import { DriverError, isDriverError } from '@tabularium/sdk';
import { faultTexts } from './faultTexts.ts';

/** More bytes came than one answer may have. */
export class AnswerTooLarge extends DriverError {
  /** How many of its rows were whole by then; undefined where it was not counted. */
  readonly rows: number | undefined;

  constructor(mostBytes: number, rows: number | undefined) {
    super('TOO_LARGE', `The server's answer is larger than ${mostBytes} bytes.`, {
      details: {
        advice: 'Read fewer documents at once.',
        texts: faultTexts('fault.largeAnswer', { most: mostBytes }, 'fault.largeAnswer.advice'),
      },
    });
    this.rows = rows;
  }
}

/** The known sizes of a collection's documents: so many fitted into one answer, and so many did not. */
interface KnownSize {
  readonly fitted: number;
  readonly failed: number;
}

/** How many documents of each collection fit into one answer. A page that is too large is asked for again, smaller. */
export class PageSizes {
  readonly #known = new Map<string, KnownSize>();

  /**
   * Reads as many rows as fit, at least one.
   *
   * @param read - reads a number of rows
   * @param readKey - reads one row that is too large alone: its key, and placeholders
   */
  async read<Page>(
    collection: string,
    limit: number,
    read: (limit: number) => Promise<Page>,
    readKey: () => Promise<Page>,
  ): Promise<Page> {
    for (let rows = this.#likely(collection, limit); ;) {
      try {
        const page = await read(rows);
        this.#fitted(collection, rows);
        return page;
      } catch (error) {
        if (!isDriverError(error) || error.code !== 'TOO_LARGE') throw error;
        this.#failed(collection, rows);
        const whole = error instanceof AnswerTooLarge ? error.rows : undefined;
        if (rows === 1 || whole === 0) return await readKey();
        // Fewer each time, so that this ends.
        rows = Math.max(1, Math.min(rows >> 1, whole ?? Infinity));
      }
    }
  }

  #likely(collection: string, limit: number): number {
    const known = this.#known.get(collection);
    if (known === undefined) return limit;
    const { fitted, failed } = known;
    return Math.min(limit, fitted * 2 < failed ? fitted * 2 : fitted);
  }

  #fitted(collection: string, rows: number): void {
    const known = this.#known.get(collection);
    if (known !== undefined) this.#known.set(collection, { ...known, fitted: rows });
  }

  #failed(collection: string, rows: number): void {
    const known = this.#known.get(collection);
    this.#known.set(collection, { fitted: Math.max(1, Math.min(known?.fitted ?? rows, rows >> 1)), failed: rows });
  }
}
