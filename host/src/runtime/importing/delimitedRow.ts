import type { DelimitedField, FieldTarget } from '../../common/delimitedText.ts';

/** The fields of one row, in lists that the next row fills again. */
export class DelimitedRow implements FieldTarget {
  readonly #texts: string[] = [];
  readonly #quoted: boolean[] = [];
  #length = 0;
  #hasBroken = false;

  /** How many fields it has. */
  get length(): number {
    return this.#length;
  }

  /** Whether the quotation marks of a field don't pair. */
  get hasBroken(): boolean {
    return this.#hasBroken;
  }

  /** The text of a field; undefined where it says nothing: it was not quoted and is empty, as opposed to "". */
  given(index: number): string | undefined {
    const text = this.#texts[index];
    return text === '' && this.#quoted[index] === false ? undefined : text;
  }

  add(text: string, quoted: boolean, broken: DelimitedField['broken']): void {
    this.#texts[this.#length] = text;
    this.#quoted[this.#length] = quoted;
    this.#length += 1;
    if (broken !== undefined) this.#hasBroken = true;
  }

  clear(): void {
    this.#length = 0;
    this.#hasBroken = false;
  }
}
