/** The anchors of the headings of one page, as GitHub makes them, so that a link holds here and there. */
export class HeadingAnchors {
  readonly #seen = new Map<string, number>();

  /** @param heading - its text, without marks */
  next(heading: string): string {
    const anchor = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-');
    const before = this.#seen.get(anchor) ?? 0;
    this.#seen.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${before}`;
  }
}
