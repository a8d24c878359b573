import type { Locator } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { useOwnWindow } from './fixture.ts';
import { openTable, soon, tableGrid } from './openTable.ts';
import { expectNoViolations, lookEverywhere } from './openTool.ts';

// Compact rows: chosen in the settings, kept, and the same in grids and lists. Every screen holds the rules of axe in this density too.

const fixture = useOwnWindow({ products: 2_000 });

const sidebar = () => fixture.page.getByRole('navigation', { name: 'Collections' });

async function choose(density: 'Comfortable' | 'Compact'): Promise<void> {
  const { page } = fixture;
  await page.getByRole('button', { name: 'Settings' }).click();
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await settings.getByText(density, { exact: true }).click();
  await soon(() => page.locator('html').getAttribute('data-density')).toBe(density.toLowerCase());
  await page.keyboard.press('Escape');
  await settings.waitFor({ state: 'hidden' });
}

const heightOf = (element: Locator): Promise<number> =>
  element.evaluate((node) => Math.round(node.getBoundingClientRect().height));

/** From one row to the next. */
async function pitchOf(rows: Locator): Promise<number> {
  const tops = await rows.evaluateAll((nodes) => nodes.slice(0, 2).map((node) => node.getBoundingClientRect().top));
  return Math.round((tops[1] ?? 0) - (tops[0] ?? 0));
}

async function look(name: string): Promise<void> {
  await expectNoViolations(fixture.page);
  await lookEverywhere(fixture.page, `compact-${name}`);
}

describe('compact rows', () => {
  beforeEach(async () => {
    await sidebar().getByText('products', { exact: true }).waitFor();
    await choose('Compact');
  });

  it('are 24 pixels high in the grid, the list of tables and the rows of an answer, also after a reload', async () => {
    const { page } = fixture;
    await openTable(page, 'products');
    const rows = tableGrid(page, 'products').locator('[data-row]');
    await soon(() => pitchOf(rows)).toBe(24);
    await soon(() => pitchOf(sidebar().locator('li'))).toBe(24);
    await page.reload();
    await rows.first().waitFor();
    await soon(() => pitchOf(rows)).toBe(24);
    await soon(() => heightOf(sidebar().locator('li').first())).toBe(24);
    await look('grid');
    await sidebar().getByRole('button', { name: 'Console', exact: true }).click();
    await page.getByRole('textbox', { name: 'Requests', exact: true }).focus();
    await page.keyboard.type('GET /collections/products/documents/search?q=*&query_by=name');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+Enter');
    const answer = page.getByRole('region', { name: 'Results' }).getByRole('grid');
    await answer.getByRole('gridcell').first().waitFor();
    await soon(() => pitchOf(answer.locator('[role="row"]').filter({ has: page.getByRole('gridcell') }))).toBe(24);
    await look('console');
    await choose('Comfortable');
    await soon(() => pitchOf(sidebar().locator('li'))).toBe(28);
  });

  it('have no fault for assistive technology on the other screens, and nothing reaches outside of a small window', async () => {
    const { page } = fixture;
    await openTable(page, 'products');
    const grid = tableGrid(page, 'products');
    await grid.locator('[data-row="1"]').getByRole('gridcell').nth(1).click();
    await page.keyboard.press('Control+i');
    await page.getByRole('complementary', { name: 'Value' }).waitFor();
    await look('inspector');
    await page.keyboard.press('Control+i');
    await grid.locator('[data-row="1"]').getByRole('gridcell').nth(1).click();
    await page.keyboard.press('F2');
    await page.keyboard.type('Compact{');
    // The editor of a cell fits its row.
    expect(await heightOf(page.getByRole('textbox', { name: /^Edit / }))).toBeLessThanOrEqual(26);
    await page.keyboard.press('Enter');
    await page.getByText('1 change', { exact: true }).waitFor();
    await look('staged');
    await page.getByRole('button', { name: 'Review…' }).click();
    await page.getByRole('dialog', { name: 'Changes of products' }).waitFor();
    await look('review');
    await page.keyboard.press('Escape');
    const content = page.getByRole('main');
    const views = {
      Structure: content.getByRole('table').getByRole('row').nth(1),
      Search: page.getByRole('region', { name: 'Search in products' }).getByRole('textbox').first(),
    };
    for (const [view, shown] of Object.entries(views)) {
      await page
        .locator('label', { hasText: new RegExp(`^${view}$`) })
        .filter({ visible: true })
        .click();
      await shown.waitFor();
      await look(view.toLowerCase());
    }
    const tools = {
      Dashboard: content.locator('canvas').first(),
      Objects: page.getByRole('navigation', { name: 'Kinds' }).getByRole('button').first(),
      'API Keys': page.getByRole('button', { name: /^Add / }).first(),
    };
    for (const [tool, shown] of Object.entries(tools)) {
      await sidebar().getByRole('button', { name: tool, exact: true }).click();
      await shown.waitFor();
      await look(tool.toLowerCase().replace(' ', '-'));
    }
  });
});
