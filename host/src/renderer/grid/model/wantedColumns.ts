/** Which columns pages read: those on the screen. Remembers what was left out, so that a column that is shown again is read. */
export class WantedColumns {
  #hidden: readonly string[];
  readonly #leftOut = new Set<string>();

  /** @param hidden - the columns that are not on the screen */
  constructor(hidden: readonly string[]) {
    this.#hidden = hidden;
  }

  /**
   * The columns to read now; undefined: all.
   *
   * @param columns - all columns of the table
   * @param key - those of its key, which are always read
   */
  of(columns: readonly string[], key: readonly string[]): readonly string[] | undefined {
    const hidden = columns.filter((name) => this.#hidden.includes(name) && !key.includes(name));
    for (const name of hidden) this.#leftOut.add(name);
    return hidden.length === 0 ? undefined : columns.filter((name) => !hidden.includes(name));
  }

  /** Takes which columns are hidden now. @returns whether rows have to be read again: they lack one that is shown */
  hide(hidden: readonly string[]): boolean {
    this.#hidden = hidden;
    const isLacking = [...this.#leftOut].some((name) => !hidden.includes(name));
    if (isLacking) this.#leftOut.clear();
    return isLacking;
  }
}
