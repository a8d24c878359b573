import { describe, expect, it } from 'vitest';
import { axe } from './axe.ts';
import { screenshot } from './browser.ts';
import { useOwnWindow } from './fixture.ts';
import { cellOf, openTable, soon, tableGrid } from './openTable.ts';

// Editing rows over the real driver and a real server: staged, reviewed, saved.

const fixture = useOwnWindow({ products: 2_000, clipboard: true });

const grid = () => tableGrid(fixture.page, 'products');
const cell = (row: number, column: string) => cellOf(fixture.page, grid(), row, column);
const review = () => fixture.page.getByRole('dialog', { name: 'Changes of products' });

const open = () => openTable(fixture.page, 'products');
const staged = (text: string) => fixture.page.getByText(text, { exact: true }).waitFor();

async function edit(row: number, column: string, text: string): Promise<void> {
  await (await cell(row, column)).click();
  await fixture.page.keyboard.press('F2');
  const field = fixture.page.getByRole('textbox', { name: `Edit ${column}` });
  await field.fill(text);
  await field.press('Enter');
}

/** An update of the first row, a deletion of the third and a copy of the fourth. */
async function stageThree(brand = 'Acme & Sons'): Promise<void> {
  await edit(0, 'brand', brand);
  await (await cell(2, 'brand')).click();
  await fixture.page.keyboard.press('Delete');
  await grid().locator('[data-staged="delete"]').waitFor();
  await (await cell(3, 'brand')).click({ button: 'right' });
  await fixture.page.getByRole('menuitem', { name: 'Duplicate row' }).click();
  await grid().locator('[data-staged="insert"]').waitFor();
  await staged('3 changes');
}

describe('editing', () => {
  it('stages a cell from the keyboard, marks it, and takes it back', async () => {
    await open();
    await (await cell(0, 'brand')).click();
    await fixture.page.keyboard.type('Acme & Sons');
    await screenshot(fixture.page, 'editing-01-editor');
    await fixture.page.keyboard.press('Enter');
    await staged('1 change');
    await soon(async () => (await cell(0, 'brand')).innerText()).toBe('Acme & Sons');
    await soon(async () => (await cell(0, 'brand')).getAttribute('data-changed')).toBe('true');
    await grid().focus();
    await fixture.page.keyboard.press('Control+z');
    await soon(() => fixture.page.getByText('1 change', { exact: true }).count()).toBe(0);
    await fixture.page.keyboard.press('Control+Shift+z');
    await staged('1 change');
  });

  it("rejects a value of the wrong type, and explains why a key can't be edited", async () => {
    await open();
    await (await cell(1, 'price')).click();
    await fixture.page.keyboard.press('F2');
    const field = fixture.page.getByRole('textbox', { name: 'Edit price' });
    await field.fill('a lot');
    await field.press('Enter');
    await fixture.page.getByRole('alert').getByText('Not changed: enter a number.').waitFor();
    await screenshot(fixture.page, 'editing-02-fault');
    await field.press('Escape');
    await (await cell(1, 'id')).click();
    await fixture.page.keyboard.press('F2');
    await fixture.page
      .getByRole('contentinfo')
      .getByText(/^Read-only: /)
      .waitFor();
  });

  it('inserts, duplicates and deletes rows', async () => {
    await open();
    await edit(0, 'brand', 'Acme & Sons');
    await (await cell(2, 'brand')).click();
    await fixture.page.keyboard.press('Delete');
    await grid().locator('[data-staged="delete"]').waitFor();
    await (await cell(3, 'brand')).click({ button: 'right' });
    await screenshot(fixture.page, 'editing-03-menu');
    await fixture.page.getByRole('menuitem', { name: 'Duplicate row' }).click();
    await grid().locator('[data-staged="insert"]').waitFor();
    await staged('3 changes');
    await screenshot(fixture.page, 'editing-04-staged');
  });

  it('keeps what is staged over sorting, a reload of the rows and of the window', async () => {
    await open();
    await stageThree();
    await fixture.page.getByRole('button', { name: 'Reload rows' }).click();
    await staged('3 changes');
    await fixture.page.reload();
    await grid().getByRole('gridcell').first().waitFor();
    await staged('3 changes');
    await grid().locator('[data-staged="delete"]').waitFor();
    // The row to be inserted is above the others.
    await soon(async () => (await cell(1, 'brand')).innerText()).toBe('Acme & Sons');
  });

  it('shows the exact requests, saves them, and says what became of each', async () => {
    await open();
    // The other tests find it saved, and still have something to change.
    await stageThree('Saved & Sons');
    await grid().focus();
    await fixture.page.keyboard.press('Control+s');
    await review()
      .getByText(/PATCH \/collections\/products\/documents\//)
      .waitFor();
    await review()
      .getByText(/DELETE \/collections\/products\/documents\//)
      .waitFor();
    await review()
      .getByText(/POST \/collections\/products\/documents/)
      .waitFor();
    await screenshot(fixture.page, 'editing-05-review');
    const { violations } = await axe(fixture.page).include('[role="dialog"]').analyze();
    expect(violations).toEqual([]);
    await review().getByRole('button', { name: 'Save 3 changes' }).click();
    await fixture.page.getByText('Saved 3 changes of products').waitFor();
    await soon(() => fixture.page.getByRole('button', { name: 'Review…' }).count()).toBe(0);
    await fixture.page.getByText('1–1,000 of 2,000').waitFor();
    await soon(() => grid().locator('[data-staged]').count()).toBe(0);
  });

  it('keeps a row that failed, with the reason beside its cell', async () => {
    await open();
    await edit(4, 'price', '12.5');
    await edit(5, 'stock', '41');
    // A value that its column can't store isn't staged any more: the server rejects this one.
    let patched = 0;
    fixture.application.sandbox.fault(({ method }) => {
      if (method !== 'PATCH') return undefined;
      patched += 1;
      return patched === 2 ? { kind: 'answer', status: 400, body: '{"message":"Field `stock` must be an int32."}' } : undefined;
    });
    await fixture.page.getByRole('button', { name: 'Review…' }).click();
    await review().getByRole('listitem').nth(1).waitFor();
    await review().getByRole('button', { name: 'Save 2 changes' }).click();
    await review().getByText('Failed', { exact: true }).waitFor();
    await review().getByText(/int32/).waitFor();
    fixture.application.sandbox.fault(undefined);
    await screenshot(fixture.page, 'editing-06-failed');
    await fixture.page.keyboard.press('Escape');
    await grid().locator('[data-failed]').waitFor();
    await fixture.page.getByText('1 failed', { exact: true }).waitFor();
    await screenshot(fixture.page, 'editing-07-failed-grid');
    await fixture.page.getByRole('button', { name: 'Discard' }).click();
    await fixture.page.getByRole('button', { name: 'Discard 1 change' }).click();
    await soon(() => grid().locator('[data-staged]').count()).toBe(0);
  });

  it('holds in the dark and at 900×600, without a script error', async () => {
    await open();
    await edit(0, 'name', 'Lamp');
    await (await cell(1, 'brand')).click();
    await fixture.page.keyboard.press('Delete');
    await fixture.page.emulateMedia({ colorScheme: 'dark' });
    await fixture.page.setViewportSize({ width: 900, height: 600 });
    await screenshot(fixture.page, 'editing-10-small-dark');
    const overflow = await fixture.page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    expect(overflow).toBe(false);
  });
});
