import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { axe } from './axe.ts';

/** No serious fault for assistive technology in the dialogs that are open. */
export async function expectDialogsAccessible(page: Page): Promise<void> {
  const { violations } = await axe(page).include('[role="dialog"]').analyze();
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(grave.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)).toEqual([]);
}
