import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/**
 * axe over a page, for its violations alone.
 *
 * It runs in the page itself, because the window has no frames: gathering results in a second page, with the elements that pass, takes five times
 * the processor time.
 */
export function axe(page: Page): AxeBuilder {
  return new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
}
