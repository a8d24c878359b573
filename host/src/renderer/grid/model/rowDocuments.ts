import { rowKeyText } from '@tabularium/sdk';
import type { RowKey } from '@tabularium/sdk';
import type { DecodedDocuments } from '../../api/decodedPage.ts';

/** Rows that are read by their keys at a time; the host takes no more. */
const AT_ONCE = 100;

/** Reads rows with their documents. */
export type DocumentsReader = (keys: readonly RowKey[], signal: AbortSignal) => Promise<DecodedDocuments>;

/** Reads rows as the database returns them. */
export class RowDocuments {
  readonly #key: readonly string[];
  readonly #read: DocumentsReader | undefined;

  /** @param read - absent where rows cannot be read by their keys */
  constructor(key: readonly string[], read: DocumentsReader | undefined) {
    this.#key = key;
    this.#read = read;
  }

  /**
   * The JSON texts of rows by the texts of their keys; a row that is gone is missing. Undefined where rows are nothing but their cells.
   *
   * @throws what reading throws
   */
  async read(keys: readonly RowKey[], signal: AbortSignal): Promise<ReadonlyMap<string, string> | undefined> {
    if (this.#read === undefined) return undefined;
    const found = new Map<string, string>();
    for (let done = 0; done < keys.length; done += AT_ONCE) {
      const { batch, documents } = await this.#read(keys.slice(done, done + AT_ONCE), signal);
      if (documents === undefined) return undefined;
      const places = this.#key.map((name) => batch.columns.findIndex((column) => column.name === name));
      for (const row of batch.rows) {
        const text = row[documents];
        if (typeof text === 'string') found.set(rowKeyText(places.map((place) => row[place] ?? null)), text);
      }
    }
    return found;
  }
}
