import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { axe } from './axe.ts';

/** No fault for assistive technology in the dialogs that are open, of whatever weight. */
export async function expectNoDialogViolations(page: Page): Promise<void> {
  const { violations } = await axe(page).include('[role="dialog"]').analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)).toEqual([]);
}
