import { describe, expect, it } from 'vitest';
import { axe } from './axe.ts';
import { screenshot } from './browser.ts';
import { cellOf, openTable, soon } from './openTable.ts';
import { useOwnWindow } from './fixture.ts';

// Operations on a whole table, from the sidebar and from its tab.

const fixture = useOwnWindow({ products: 1_500 });

const entry = (name: string) => fixture.page.getByRole('navigation', { name: 'Collections' }).getByText(name, { exact: true });

describe('operations on a table', () => {
  it('are offered in the sidebar, and name the table behind an alias', async () => {
    await entry('shop').click({ button: 'right' });
    await fixture.page.getByRole('menuitem', { name: 'Empty…' }).waitFor();
    await screenshot(fixture.page, 'operations-01-menu');
    await fixture.page.getByRole('menuitem', { name: 'Empty…' }).click();
    const dialog = fixture.page.getByRole('dialog', { name: 'Empty products' });
    await dialog.getByText('“shop” is an alias of “products”').waitFor();
    await screenshot(fixture.page, 'operations-02-alias');
    const { violations } = await axe(fixture.page).include('[role="dialog"]').analyze();
    expect(violations).toEqual([]);
    const confirm = dialog.getByRole('button', { name: 'Empty products' });
    await dialog.getByLabel('Type products to confirm').fill('shop');
    await soon(() => confirm.isDisabled()).toBe(true);
    await fixture.page.keyboard.press('Escape');
    await soon(() => dialog.count()).toBe(0);
  });

  it('are done after the name was typed, say what they did, and take off what was staged', async () => {
    const grid = await openTable(fixture.page, 'articles');
    await (await cellOf(fixture.page, grid, 0, 'title')).click();
    await fixture.page.keyboard.type('Another title');
    await fixture.page.keyboard.press('Enter');
    await fixture.page.getByText('1 change', { exact: true }).waitFor();
    await fixture.page.getByRole('button', { name: 'More for this table' }).click();
    await fixture.page.getByRole('menuitem', { name: 'Empty…' }).click();
    const dialog = fixture.page.getByRole('dialog', { name: 'Empty articles' });
    await fixture.page.emulateMedia({ colorScheme: 'dark' });
    await fixture.page.setViewportSize({ width: 900, height: 600 });
    await soon(() => dialog.getByLabel('Discard 1 change of it that is staged').isChecked()).toBe(true);
    await dialog.getByLabel('Type articles to confirm').fill('articles');
    await screenshot(fixture.page, 'operations-03-small-dark');
    await dialog.getByRole('button', { name: 'Empty articles' }).click();
    await fixture.page
      .getByRole('contentinfo')
      .getByText(/articles/)
      .waitFor();
    await fixture.page.getByText(/^No documents$/).waitFor();
    await soon(() => fixture.page.getByText('1 change', { exact: true }).count()).toBe(0);
    await screenshot(fixture.page, 'operations-04-done');
  });
});
