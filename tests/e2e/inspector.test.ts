import { beforeEach, describe, expect, it } from 'vitest';
import { screenshot } from './browser.ts';
import { cellOf, openTable, soon, tableGrid } from './openTable.ts';
import { expectNoViolations } from './openTool.ts';
import { useOwnWindow } from './fixture.ts';

// The row beside the grid: looked at, searched, copied, and changed as a form and as JSON.

const fixture = useOwnWindow({ products: 1_500, clipboard: true });

const grid = () => tableGrid(fixture.page, 'products');
const cell = (row: number, column: string) => cellOf(fixture.page, grid(), row, column);
const panel = () => fixture.page.getByRole('complementary', { name: 'Value' });
const field = (column: string) => panel().getByLabel(`Value of ${column}`, { exact: true });
const copied = () => fixture.page.evaluate(() => navigator.clipboard.readText());
const changes = (count: number) => fixture.page.getByText(count === 1 ? '1 change' : `${count} changes`, { exact: true });
const show = (view: 'JSON') => panel().getByRole('radiogroup', { name: 'View' }).getByText(view, { exact: true }).click();

describe('the inspector', () => {
  beforeEach(async () => {
    await openTable(fixture.page, 'products');
    await (await cell(0, 'brand')).click();
    await fixture.page.keyboard.press('Control+i');
    await panel().waitFor();
    await field('brand').waitFor();
  });

  it('shows the whole value, and the fields of the row to find, copy and go to', async () => {
    await screenshot(fixture.page, 'inspector-01-fields');
    await expectNoViolations(fixture.page);
    await panel().getByRole('textbox', { name: 'Find in the row' }).fill('price');
    await panel().getByRole('button', { name: 'Copy the path of offers.price' }).click();
    await soon(() => copied()).toBe('offers.price');
    await panel().getByRole('textbox', { name: 'Find in the row' }).fill('');
    await soon(() => field('id').getAttribute('readonly')).not.toBeNull();
    await field('barcode').waitFor();
    await soon(() => field('barcode').inputValue()).toMatch(/^9\d{15}$/);
  });

  it('stages a field when it loses the focus, and rejects a value of the wrong type', async () => {
    await field('price').fill('a lot');
    await field('price').press('Enter');
    await panel().getByRole('alert').getByText('Not changed: enter a number.').waitFor();
    await screenshot(fixture.page, 'inspector-02-fault');
    await field('price').press('Escape');
    await soon(() => panel().getByRole('alert').count()).toBe(0);
    await field('barcode').fill('9007199254740993');
    await field('barcode').press('Enter');
    await changes(1).waitFor();
    await soon(async () => (await cell(0, 'barcode')).innerText()).toBe('9007199254740993');
  });

  it('distinguishes null, absent and empty', async () => {
    const act = async (item: string): Promise<void> => {
      await panel().getByRole('button', { name: 'Actions for brand' }).click();
      await fixture.page.getByRole('menuitem', { name: item }).click();
    };
    await act('Set to an empty string');
    await soon(() => field('brand').getAttribute('placeholder')).toBe('empty text');
    await act('Leave the field out');
    await soon(() => field('brand').getAttribute('placeholder')).toBe('not there');
    await screenshot(fixture.page, 'inspector-03-marks');
  });

  it('has the row as a tree, with the path and value of each part', async () => {
    await show('JSON');
    await panel().getByText('Tree', { exact: true }).click();
    const tree = panel().getByRole('tree', { name: 'Row as JSON' });
    await tree.getByRole('treeitem', { name: /^barcode/ }).click();
    await panel().getByRole('button', { name: 'Copy path' }).click();
    await soon(() => copied()).toBe('barcode');
    await panel().getByRole('button', { name: 'Copy value', exact: true }).last().click();
    await soon(() => copied()).toMatch(/^9\d{15}$/);
    await screenshot(fixture.page, 'inspector-04-tree');
    await expectNoViolations(fixture.page);
    await panel().getByRole('button', { name: 'Copy the row as JSON' }).click();
    await soon(() => copied()).toMatch(/"barcode": 9\d{15}/);
  });

  it('takes text that is typed over text without a message of the page’s policy', async () => {
    await show('JSON');
    await panel().getByRole('button', { name: 'Edit as JSON' }).click();
    const text = panel().getByRole('textbox', { name: 'Row as JSON' });
    await text.click();
    await fixture.page.keyboard.press('Control+a');
    await fixture.page.keyboard.type('{"brand": "Typed",');
    await fixture.page.keyboard.press('Enter');
    await fixture.page.keyboard.type('"x": 1');
    await soon(() => text.innerText()).toMatch(/^\{"brand": "Typed",\n\s*"x": 1\n?\}$/);
    expect(fixture.faults).toEqual([]);
    await fixture.page.keyboard.press('Escape');
  });

  it('takes the row as text, held to its columns, as one step of undo', async () => {
    await show('JSON');
    await panel().getByRole('button', { name: 'Copy the row as JSON' }).click();
    await soon(() => copied()).toMatch(/"barcode": 9\d{15}/);
    await panel().getByRole('button', { name: 'Edit as JSON' }).click();
    const text = panel().getByRole('textbox', { name: 'Row as JSON' });
    await text.waitFor();
    await panel().getByRole('button', { name: 'Stage the changes' }).waitFor();
    const row = await copied();
    const replaceText = async (changed: string): Promise<void> => {
      await fixture.page.evaluate((copy) => navigator.clipboard.writeText(copy), changed);
      await text.click();
      await fixture.page.keyboard.press('Control+a');
      await fixture.page.keyboard.press('Control+v');
    };
    const stage = panel().getByRole('button', { name: 'Stage the changes' });

    await replaceText(row.replace('"brand":', '"brnd":').replace(/^ {2}"price": [\d.]+/m, '  "price": "dear"'));
    await stage.click();
    const issues = panel().getByRole('alert', { name: 'Problems' });
    await issues.getByText(/“price” holds numbers/).waitFor();
    await screenshot(fixture.page, 'inspector-05-issues');
    await expectNoViolations(fixture.page);
    await replaceText('{"brand": }');
    await stage.click();
    await issues.getByText('Line 1, column 11: A value is missing.').waitFor();

    // The edited row stays the same, whatever the person looks at meanwhile.
    await (await cell(3, 'brand')).click();
    await soon(() => text.innerText()).toBe('{"brand": }');
    await replaceText(
      row.replace(/"brand": "[^"]*"/, '"brand": "Acme"').replace(/"barcode": \d+/, '"barcode": 9007199254740995'),
    );
    await stage.click();
    await changes(1).waitFor();
    await soon(async () => (await cell(0, 'brand')).innerText()).toBe('Acme');
    await soon(async () => (await cell(0, 'barcode')).innerText()).toBe('9007199254740995');
    await grid().focus();
    await fixture.page.keyboard.press('Control+z');
    await soon(() => changes(1).count()).toBe(0);
    await soon(async () => (await cell(0, 'brand')).innerText()).not.toBe('Acme');
  });

  it('duplicates and inserts rows', async () => {
    await panel().getByRole('button', { name: 'Insert row' }).click();
    await fixture.page.getByRole('menuitem', { name: 'Duplicate this row' }).click();
    await changes(1).waitFor();
    await grid().locator('[data-staged="insert"]').waitFor();
    await grid().focus();
    await fixture.page.keyboard.press('Control+z');
    await soon(() => changes(1).count()).toBe(0);
  });

  it('lies over the rows in a narrow window, and holds in the dark', async () => {
    await fixture.page.setViewportSize({ width: 900, height: 600 });
    await fixture.page.emulateMedia({ colorScheme: 'dark' });
    await field('brand').waitFor();
    await screenshot(fixture.page, 'inspector-06-small-dark');
    await expectNoViolations(fixture.page);
    expect(await fixture.page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)).toBe(false);
    await panel().getByRole('button', { name: 'Close the value' }).click();
    await soon(() => panel().count()).toBe(0);
  });
});
