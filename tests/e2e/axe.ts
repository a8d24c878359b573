import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** A page that has axe already runs nothing. An empty text would mean axe itself. */
const NO_SOURCE = 'undefined';

/** An axe builder for a page, which skips the injection if the page has axe already. */
class Axe {
  readonly #page: Page;
  readonly #choices: ((builder: AxeBuilder) => AxeBuilder)[] = [];

  constructor(page: Page) {
    this.#page = page;
  }

  /** Looks at these elements only. */
  include(selector: string): this {
    this.#choices.push((builder) => builder.include(selector));
    return this;
  }

  /** Leaves these elements out. */
  exclude(selector: string): this {
    this.#choices.push((builder) => builder.exclude(selector));
    return this;
  }

  /** Tries these rules only. */
  withRules(rules: readonly string[]): this {
    this.#choices.push((builder) => builder.withRules([...rules]));
    return this;
  }

  async analyze(): ReturnType<AxeBuilder['analyze']> {
    const page = this.#page;
    const loaded = await page.evaluate(() => 'axe' in window);
    const builder = new AxeBuilder({ page, ...(loaded ? { axeSource: NO_SOURCE } : {}) });
    return this.#choices
      .reduce((chosen, choose) => choose(chosen), builder.setLegacyMode().options({ resultTypes: ['violations'] }))
      .analyze();
  }
}

/**
 * axe over a page, for its violations alone.
 *
 * It runs in the page itself, because the window has no frames: gathering results in a second page, with the elements that pass, takes five times
 * the processor time. It is loaded once for each page: to load it takes as long as to look at a dialog.
 */
export function axe(page: Page): Axe {
  return new Axe(page);
}
