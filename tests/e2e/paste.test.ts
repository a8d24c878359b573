import { beforeEach, describe, it } from 'vitest';
import { screenshot } from './browser.ts';
import { cellOf, openTable, soon, tableGrid } from './openTable.ts';
import { expectNoViolations, lookEverywhere } from './openTool.ts';
import { useOwnWindow } from './fixture.ts';

// Changing many rows at once: pasting, deleting, duplicating, setting to null; from the keyboard alone.

const fixture = useOwnWindow({ products: 2_500, clipboard: true });
beforeEach(async () => void (await openTable(fixture.page, 'products')));

const grid = () => tableGrid(fixture.page, 'products');
const cell = (row: number, column: string) => cellOf(fixture.page, grid(), row, column);
const dialog = () => fixture.page.getByRole('dialog', { name: 'Paste into products' });
const changes = (count: number) => fixture.page.getByText(`${count} change${count === 1 ? '' : 's'}`, { exact: true }).waitFor();

async function pasteAt(row: number, column: string, text: string): Promise<void> {
  await fixture.page.evaluate((value) => navigator.clipboard.writeText(value), text);
  await (await cell(row, column)).click();
  await fixture.page.keyboard.press('Control+v');
}

async function undo(): Promise<void> {
  await grid().focus();
  await fixture.page.keyboard.press('Control+z');
  await soon(() => grid().locator('[data-staged]').count()).toBe(0);
}

describe('pasting', () => {
  it('stages one value at once', async () => {
    await pasteAt(0, 'brand', 'Acme & Sons');
    await soon(async () => (await cell(0, 'brand')).innerText()).toBe('Acme & Sons');
    await changes(1);
    await undo();
  });

  it('shows more than one row first, with what is wrong in each field, and stages the rest as one step', async () => {
    await pasteAt(1, 'brand', 'Oak\tShed\nElm\tHouse\n');
    await dialog().waitFor();
    await dialog().getByText('4 cells in all', { exact: false }).waitFor();
    await screenshot(fixture.page, 'paste-01-preview');
    await expectNoViolations(fixture.page);
    await fixture.page.keyboard.press('Enter');
    await changes(2);
    await soon(async () => (await cell(2, 'category')).innerText()).toBe('House');
    await undo();
    await pasteAt(1, 'barcode', '9007199254740993\t1700000000\nmany\t1700000001');
    await dialog().getByText("1 field can't be staged", { exact: false }).waitFor();
    await dialog().getByRole('cell', { name: /^many/ }).getByText("This isn't a whole number.").waitFor();
    await screenshot(fixture.page, 'paste-02-faults');
    await dialog().getByRole('button', { name: 'Stage 3 cells, leave 1 out' }).click();
    await soon(async () => (await cell(1, 'barcode')).innerText()).toBe('9007199254740993');
    await soon(async () => (await cell(2, 'added_at')).innerText()).toBe('1700000001');
    await undo();
  });

  it('makes new rows of JSON, every digit kept, and of lines with a header', async () => {
    await pasteAt(0, 'brand', '[{"name":"Lamp","brand":"Oak","barcode":9007199254740993,"price":5},{"name":"Desk","nobody":1}]');
    await dialog().getByText('No column has this name. It is stored with the row.').waitFor();
    await dialog().getByText("1 name isn't a column of the table: nobody. Saving stores it with the rows.").waitFor();
    await screenshot(fixture.page, 'paste-05-undeclared');
    await soon(() => dialog().getByLabel('As new rows').isChecked()).toBe(true);
    await dialog()
      .getByRole('button', { name: /^Stage / })
      .click();
    await soon(() => grid().locator('[data-staged="insert"]').count()).toBe(2);
    await soon(async () => (await cell(0, 'barcode')).innerText()).toBe('9007199254740993');
    await soon(() => grid().locator('[data-row="0"] [role="rowheader"]').innerText()).toBe('+');
    await soon(() => grid().locator('[data-row="2"] [role="rowheader"]').innerText()).toBe('1');
    await undo();
    await pasteAt(0, 'brand', 'brand\tname\nOak\tLamp\nElm\tDesk');
    await soon(() => dialog().getByLabel('The first line has the names of the columns').isChecked()).toBe(true);
    await dialog().getByLabel('As new rows').check();
    await dialog().getByText('4 cells in all, 2 new rows').waitFor();
    await fixture.page.keyboard.press('Escape');
    await soon(() => dialog().count()).toBe(0);
  });

  it('gives back what was copied: nothing differs', async () => {
    await (await cell(0, 'id')).click();
    await fixture.page.keyboard.press('Shift+End');
    await fixture.page.keyboard.press('Shift+ArrowDown');
    await fixture.page.keyboard.press('Control+c');
    await fixture.page.getByText(/^Copied 2 rows × /).waitFor();
    await fixture.page.keyboard.press('Escape');
    await fixture.page.keyboard.press('Control+v');
    await dialog().getByText('Nothing to stage', { exact: false }).waitFor();
    await fixture.page.keyboard.press('Escape');
    await soon(() => dialog().count()).toBe(0);
  });
});

describe('many rows', () => {
  it('are deleted as one step, also those that were not on the screen', async () => {
    await (await cell(0, 'brand')).click();
    await fixture.page.keyboard.press('Shift+Space');
    await fixture.page.keyboard.press('Control+g');
    const goTo = fixture.page.getByRole('dialog', { name: 'Go to' });
    await goTo.waitFor();
    await fixture.page.keyboard.press('Escape');
    await goTo.waitFor({ state: 'detached' });
    await soon(() => grid().evaluate((element) => element === document.activeElement)).toBe(true);
    for (let turn = 0; turn < 3; turn += 1) await fixture.page.keyboard.press('Shift+ArrowDown');
    await fixture.page.keyboard.press('Delete');
    await changes(4);
    await soon(() => grid().locator('[data-staged="delete"]').count()).toBe(4);
    await screenshot(fixture.page, 'paste-03-deleted');
    await fixture.page.keyboard.press('Delete');
    await soon(() => grid().locator('[data-staged]').count()).toBe(0);
  });

  it('are duplicated and set to null from the menu of the keyboard', async () => {
    await (await cell(0, 'brand')).click();
    await fixture.page.keyboard.press('Shift+ArrowDown');
    await fixture.page.keyboard.press('Shift+F10');
    await fixture.page.getByRole('menuitem', { name: 'Duplicate 2 rows' }).click();
    await soon(() => grid().locator('[data-staged="insert"]').count()).toBe(2);
    await undo();
    const before = await (await cell(0, 'discount')).innerText();
    await (await cell(0, 'discount')).click();
    await fixture.page.keyboard.press('Shift+ArrowDown');
    await fixture.page.keyboard.press('Shift+F10');
    await fixture.page.getByRole('menuitem', { name: 'Set to null' }).click();
    await fixture.page.getByText(/^[12] changes?$/).waitFor();
    await soon(async () => (await cell(1, 'discount')).getAttribute('data-tone')).toBe('null');
    await undo();
    await soon(async () => (await cell(0, 'discount')).innerText()).toBe(before);
  });

  it('are offered in the palette', async () => {
    await (await cell(0, 'brand')).click();
    await fixture.page.keyboard.press('Control+k');
    await fixture.page.getByRole('combobox', { name: 'Search commands, tables and connections' }).fill('copy as markdown');
    await fixture.page.getByRole('option', { name: /Copy as Markdown table/ }).waitFor();
    await fixture.page.keyboard.press('Enter');
    await soon(() => fixture.page.evaluate(() => navigator.clipboard.readText())).toContain('| brand |');
  });

  it('stay staged over sort, filter and another page, and hold in the dark and at 900×600', async () => {
    await pasteAt(0, 'brand', 'Zzz first');
    await changes(1);
    await (await cell(0, 'price')).click();
    await fixture.page.keyboard.press('Control+ArrowUp');
    await fixture.page.keyboard.press('ArrowUp');
    await fixture.page.keyboard.press('Enter');
    await changes(1);
    await fixture.page.keyboard.press('Control+End');
    await changes(1);
    await fixture.page.keyboard.press('Control+Home');
    await fixture.page.keyboard.press('Enter');
    await (await cell(0, 'brand')).click();
    await fixture.page.keyboard.press('Shift+ArrowDown');
    await lookEverywhere(fixture.page, 'paste-04');
  });
});
