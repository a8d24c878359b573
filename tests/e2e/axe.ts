import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** A page that has axe already runs nothing. An empty text would mean axe itself. */
const NO_SOURCE = 'undefined';

type Violation = Awaited<ReturnType<AxeBuilder['analyze']>>['violations'][number];

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

  /** A menu that is fading away has entries without contrast, and then none: what is found is there a second time, or it was on its way out. */
  async analyze(): ReturnType<AxeBuilder['analyze']> {
    const first = await this.#look();
    if (first.violations.length === 0) return first;
    await this.#page.waitForTimeout(FADED_MILLISECONDS);
    return this.#look();
  }

  async #look(): ReturnType<AxeBuilder['analyze']> {
    const page = this.#page;
    const loaded = await page.evaluate(() => 'axe' in window);
    const builder = new AxeBuilder({ page, ...(loaded ? { axeSource: NO_SOURCE } : {}) });
    const results = await this.#choices
      .reduce((chosen, choose) => choose(chosen), builder.setLegacyMode().options({ resultTypes: ['violations'] }))
      .analyze();
    return { ...results, violations: await withoutLayers(page, results.violations) };
  }
}

/** Longer than anything in the window takes to appear or to go. */
const FADED_MILLISECONDS = 1_000;

/** Menus and pop-ups name themselves. The library draws them at the end of the body, where no landmark can be around them. */
async function withoutLayers(page: Page, violations: readonly Violation[]): Promise<Violation[]> {
  const found: Violation[] = [];
  for (const violation of violations) {
    const nodes = [];
    for (const node of violation.nodes) {
      const isLayer =
        violation.id === 'region' &&
        (await page.evaluate(
          (selector) => document.querySelector(selector)?.closest('[data-portal]') !== null,
          node.target.join(' '),
        ));
      if (!isLayer) nodes.push(node);
    }
    if (nodes.length > 0) found.push({ ...violation, nodes });
  }
  return found;
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
