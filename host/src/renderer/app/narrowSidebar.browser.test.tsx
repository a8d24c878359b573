import { afterEach, beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { OtherWriter } from '../testing/exampleTable.test-helper.ts';
import { cell } from '../testing/gridSteps.test-helper.ts';
import { exampleServices, press, renderProducts } from '../testing/renderWindow.test-helper.tsx';

// A small window, as one at 200 % zoom is: the sidebar lies over the tab.

const sidebar = () => page.getByRole('navigation', { name: 'Tables' });
const show = () => page.getByRole('button', { name: 'Unfold sidebar' }).first();

let size: readonly [number, number];
beforeEach(async () => {
  size = [window.innerWidth, window.innerHeight];
  await page.viewport(640, 400);
});
afterEach(() => page.viewport(...size));

it('the sidebar over a tab is left by a click into the tab, and by Escape in it', async () => {
  const grid = await renderProducts();
  await cell(grid, 'Lamp 1').click();
  await show().click();
  await expect.element(sidebar()).toBeVisible();
  grid.element().focus();
  await press('{Escape}');
  await expect.element(sidebar()).not.toBeInTheDocument();
  await show().click();
  await expect.element(sidebar()).toBeVisible();
  // Right of the sidebar.
  await grid.click({ position: { x: grid.element().getBoundingClientRect().width - 30, y: 120 } });
  await expect.element(sidebar()).not.toBeInTheDocument();
});

it('the sidebar has room for tables under a notice, and draws nothing below its end', async () => {
  const others = new OtherWriter();
  const grid = await renderProducts(exampleServices({}, others));
  await cell(grid, 'Lamp 1').click();
  await press('{F2}{Control>}a{/Control}Floor lamp{Enter}');
  await show().click();
  others.dropTable();
  await sidebar()
    .getByRole('button', { name: /^(Refresh|Reload)/ })
    .click();
  await expect.element(page.getByRole('region', { name: 'Staged changes of missing tables' })).toBeVisible();
  const nav = sidebar().element();
  const end = nav.getBoundingClientRect().bottom;
  const shown = [...nav.querySelectorAll('div')].filter((element) => getComputedStyle(element).overflowY === 'auto');
  expect(shown.some((element) => element.clientHeight >= 84 && element.getBoundingClientRect().top + 56 < end)).toBe(true);
  expect(getComputedStyle(nav).overflowY).toBe('auto');
  expect(nav.scrollWidth).toBe(nav.clientWidth);
});
