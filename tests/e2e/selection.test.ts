import { beforeEach, describe, expect, it } from 'vitest';
import { screenshot } from './browser.ts';
import { cellOf, openTable, shownIn, soon, tableGrid } from './openTable.ts';
import { expectNoViolations, lookEverywhere } from './openTool.ts';
import { useOwnWindow } from './fixture.ts';

// The grid as a spreadsheet: choosing, copying, finding, going, arranging columns.

const fixture = useOwnWindow({ products: 3_000, clipboard: true, provokes: /Failed to load resource/ });
beforeEach(async () => void (await openTable(fixture.page, 'products')));

const grid = () => tableGrid(fixture.page, 'products');
const cell = (row: number, column: string) => cellOf(fixture.page, grid(), row, column);
const rowNumber = (row: number) => grid().locator(`[data-row="${row}"] [role="rowheader"]`);
const header = (name: string) =>
  grid()
    .getByRole('columnheader')
    .filter({ has: fixture.page.getByText(name, { exact: true }) });
const summary = () => fixture.page.getByRole('status', { name: 'Selection' });
const clipboard = () => fixture.page.evaluate(() => navigator.clipboard.readText());
const selected = () => grid().locator('[data-selected][role="gridcell"]').count();

async function fromMenu(...path: readonly string[]): Promise<void> {
  await fixture.page.keyboard.press('Shift+F10');
  for (const name of path) {
    const item = fixture.page.getByRole('menuitem', { name, exact: true });
    await item.waitFor();
    if (name === path.at(-1)) await item.click();
    else await item.hover();
  }
}

describe('choosing cells', () => {
  it('draws a range with the mouse and says what its numbers come to', async () => {
    const at = { position: { x: 20, y: 10 } };
    const prices = (await shownIn(fixture.page, grid(), 'price')).slice(1, 5);
    // By the cells, and not by places of the screen: what comes late may move the grid.
    await (await cell(1, 'price')).hover(at);
    await fixture.page.mouse.down();
    await (await cell(4, 'price')).hover(at);
    await fixture.page.mouse.up();
    await soon(() => selected()).toBe(4);
    await summary().getByText('4 rows × 1 column').waitFor();
    const cents = prices.map((price) => Math.round(Number(price) * 100)).reduce((sum, one) => sum + one, 0);
    const shown = await summary().getByText(/^Sum /).innerText();
    expect(Math.round(Number(shown.slice(4)) * 100)).toBe(cents);
    await screenshot(fixture.page, 'selection-01-range');
  });

  it('extends by the keyboard, over rows that leave the screen, and back to one cell', async () => {
    await (await cell(0, 'brand')).click();
    for (let turn = 0; turn < 2; turn += 1) await fixture.page.keyboard.press('Shift+ArrowRight');
    await soon(() => summary().innerText()).toMatch(/3 columns/);
    for (let turn = 0; turn < 3; turn += 1) {
      const before = await summary().innerText();
      await fixture.page.keyboard.press('Shift+PageDown');
      await soon(() => summary().innerText()).not.toBe(before);
    }
    await soon(() => grid().locator('[data-row="0"]').count()).toBe(0);
    expect(await summary().innerText()).toMatch(/^\d+ rows × 3 columns/);
    const rows = Number(/^\d+/.exec(await summary().innerText())?.[0]);
    expect(rows).toBeGreaterThan(50);
    await fixture.page.keyboard.press('Control+c');
    await fixture.page.getByText(`Copied ${rows} rows × 3 columns`).waitFor();
    expect((await clipboard()).split('\n')).toHaveLength(rows);
    await fixture.page.keyboard.press('Escape');
    await soon(selected).toBe(0);
  });

  it('chooses rows by their numbers, more with Ctrl, a stretch with Shift', async () => {
    await fixture.page.keyboard.press('Control+Home');
    await rowNumber(2).click();
    await rowNumber(4).click({ modifiers: ['Shift'] });
    await rowNumber(7).click({ modifiers: ['Control'] });
    await rowNumber(3).click({ modifiers: ['Control'] });
    await summary()
      .getByText(/^3 rows × \d+ columns$/)
      .waitFor();
    await soon(() => grid().locator('[data-row="3"] [data-selected]').count()).toBe(0);
    await soon(() => grid().locator('[data-row="7"] [role="rowheader"][data-selected]').count()).toBe(1);
  });

  it('chooses columns, and everything: all rows of the table', async () => {
    await (await cell(1, 'price')).click();
    await fixture.page.keyboard.press('Control+Space');
    await summary().getByText('3,000 rows × 1 column').waitFor();
    await header('category').click({ modifiers: ['Control'] });
    await summary().getByText('3,000 rows × 2 columns').waitFor();
    await summary()
      .getByText(/In the [\d,]+ cells loaded:/)
      .waitFor();
    await grid().focus();
    await fixture.page.keyboard.press('Control+a');
    await summary().getByText('All 3,000 rows selected').waitFor();
    await soon(() => grid().getAttribute('aria-multiselectable')).toBe('true');
    await screenshot(fixture.page, 'selection-02-all');
    await expectNoViolations(fixture.page);
  });

  it('copies rows that have to be read first, with all their digits', async () => {
    await grid().focus();
    await fixture.page.keyboard.press('Control+a');
    await summary().getByText('All 3,000 rows selected').waitFor();
    await fixture.page.keyboard.press('Control+c');
    await fixture.page.getByText(/^Copied 3,000 rows × \d+ columns$/).waitFor();
    const lines = (await clipboard()).split('\n');
    expect(lines.length).toBeGreaterThanOrEqual(3_000);
  });

  it('copies as CSV, JSON and Markdown from a menu opened by the keyboard', async () => {
    await (await cell(0, 'id')).click();
    await fixture.page.keyboard.press('Shift+ArrowRight');
    await fixture.page.keyboard.press('Shift+ArrowDown');
    await fixture.page.keyboard.press('Shift+F10');
    await fixture.page.getByRole('menuitem', { name: 'Copy as' }).waitFor();
    await screenshot(fixture.page, 'selection-03-menu');
    await fixture.page.keyboard.press('Escape');
    // It fades away; the next one is another.
    await fixture.page.getByRole('menuitem', { name: 'Copy as' }).waitFor({ state: 'detached' });
    await soon(() => grid().evaluate((element) => element === document.activeElement)).toBe(true);
    const names = (await grid().getByRole('columnheader').allInnerTexts()).slice(1, 3).map((text) => text.split('\n')[0]?.trim());
    await fromMenu('Copy as', 'JSON');
    await fixture.page.getByText('Copied 2 rows × 2 columns').waitFor();
    const objects = JSON.parse(await clipboard()) as Record<string, unknown>[];
    expect(objects).toHaveLength(2);
    expect(Object.keys(objects[0] ?? {})[0]).toBe(names[0]);
    await fromMenu('Copy as', 'CSV, with column names');
    await soon(clipboard).toContain(`${names.join(',')}\r\n`);
    await fromMenu('Copy as', 'Markdown table');
    await soon(clipboard).toContain(`| ${names.join(' | ')} |`);
  });

  it("reports that ranges of different shapes aren't a table", async () => {
    await (await cell(0, 'brand')).click();
    await fixture.page.keyboard.press('Shift+ArrowDown');
    await (await cell(5, 'sku')).click({ modifiers: ['Control'] });
    await fixture.page.keyboard.press('Control+c');
    await fixture.page.getByText(/^These ranges share neither rows nor columns/).waitFor();
  });

  it('goes along the row with Tab and out of the grid at its end; round a range with Tab and Enter', async () => {
    await (await cell(1, 'id')).click();
    await fixture.page.keyboard.press('Shift+ArrowDown');
    await fixture.page.keyboard.press('Enter');
    await soon(() => grid().locator('[data-row="2"] [data-active][role="gridcell"]').count()).toBe(1);
    await fixture.page.keyboard.press('Tab');
    await soon(() => grid().locator('[data-row="1"] [data-active][role="gridcell"]').count()).toBe(1);
    await fixture.page.keyboard.press('Escape');
    await fixture.page.keyboard.press('Tab');
    await soon(() => grid().locator('[data-row="1"] [data-active]').getAttribute('aria-colindex')).toBe('3');
    await fixture.page.keyboard.press('End');
    await fixture.page.keyboard.press('Tab');
    await soon(() => grid().evaluate((element) => element === document.activeElement)).toBe(false);
  });
});

describe('finding and going', () => {
  it('finds in the rows that are loaded, says so, and goes from match to match', async () => {
    const [brand = ''] = await shownIn(fixture.page, grid(), 'brand');
    await grid().focus();
    await fixture.page.keyboard.press('Control+Home');
    await fixture.page.keyboard.press('Control+f');
    const bar = fixture.page.getByRole('search', { name: 'Find in loaded rows' });
    await bar.getByRole('textbox').fill(brand);
    await bar.getByText(/^0 of [\d,]+ in the [\d,]+ rows that are loaded$/).waitFor();
    await bar.getByRole('textbox').press('Enter');
    await bar.getByText(/^1 of /).waitFor();
    await soon(() => grid().locator('[data-found="current"]').count()).toBe(1);
    const found = async (): Promise<readonly number[]> =>
      [...((await bar.getByRole('status').textContent()) ?? '').matchAll(/[\d,]+/g)].map(([digits]) =>
        Number(digits.replaceAll(',', '')),
      );
    const [, matches = Number.NaN] = await found();
    expect(matches).toBeGreaterThan(1);
    await bar.getByRole('textbox').press('Shift+Enter');
    // The last match of those rows. It is not "N of N" for long: near the last row the next ones are read, and matches come after it.
    await soon(async () => (await found())[0] ?? 0).toBeGreaterThanOrEqual(matches);
    await screenshot(fixture.page, 'selection-04-find');
    await expectNoViolations(fixture.page);
    await bar.getByRole('textbox').fill('no such text anywhere');
    await bar.getByText('No match', { exact: false }).waitFor();
    await bar.getByRole('textbox').press('Escape');
    await soon(() => bar.count()).toBe(0);
    await soon(() => grid().evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it('goes to a row and a column, to the last row and back', async () => {
    await fixture.page.keyboard.press('Control+g');
    const dialog = fixture.page.getByRole('dialog', { name: 'Go to' });
    await dialog.getByLabel('Row').fill('9999999');
    await dialog.getByRole('button', { name: 'Go' }).click();
    await dialog.getByText('Enter a number from 1 to 3,000.').waitFor();
    await dialog.getByLabel('Row').fill('2,500');
    await dialog.getByRole('button', { name: 'Go' }).click();
    await fixture.page.getByText(/^Row 2,500, /).waitFor();
    await grid().locator('[data-row="2499"] [data-active]').waitFor();
    await fixture.page.keyboard.press('Control+End');
    await grid().locator('[data-row="2999"] [data-active]').waitFor();
    await fixture.page.keyboard.press('Control+Home');
    await grid().locator('[data-row="0"] [data-active]').waitFor();
  });
});

describe('columns', () => {
  const names = async () =>
    (await grid().getByRole('columnheader').allInnerTexts()).slice(1).map((text) => text.split('\n')[0]?.trim() ?? '');

  it('move by the keyboard and by drawing, and stay so after a reload of the window', async () => {
    await grid().focus();
    await fixture.page.keyboard.press('Control+Home');
    await soon(names).toContain('brand');
    const [first, second, third] = await names();
    await (await cell(0, second ?? '')).click();
    await fixture.page.keyboard.press('ArrowUp');
    await fixture.page.keyboard.press('Alt+Shift+ArrowRight');
    await soon(names).toSatisfy((now: string[]) => now[1] === third && now[2] === second);
    const from = await header(third ?? '').boundingBox();
    const to = await header(second ?? '').boundingBox();
    if (from === null || to === null) throw new Error('The headers are not on the screen.');
    await fixture.page.mouse.move(from.x + 40, from.y + 12);
    await fixture.page.mouse.down();
    await fixture.page.mouse.move(to.x + to.width - 20, to.y + 12, { steps: 6 });
    await screenshot(fixture.page, 'selection-05-drag-column');
    await fixture.page.mouse.up();
    await soon(names).toSatisfy((now: string[]) => now[0] === first && now[1] === second && now[2] === third);
    expect(await grid().locator('[aria-sort="ascending"]').count()).toBe(0);
  });

  it('are hidden from the menu of the header, found again among all, and remembered', async () => {
    await (await cell(0, 'brand')).click();
    await fixture.page.keyboard.press('ArrowUp');
    await fixture.page.keyboard.press('Alt+ArrowDown');
    await fixture.page.getByRole('menu', { name: 'Actions for brand' }).waitFor();
    await screenshot(fixture.page, 'selection-06-column-menu');
    await expectNoViolations(fixture.page);
    await fixture.page.getByRole('menuitem', { name: 'Hide column' }).click();
    await soon(names).not.toContain('brand');
    await fixture.page.reload();
    await grid().getByRole('gridcell').first().waitFor();
    await soon(names).not.toContain('brand');
    await fixture.page.getByRole('button', { name: 'Columns…' }).click();
    await fixture.page.getByRole('textbox', { name: 'Find a column' }).fill('bra');
    await fixture.page.getByRole('checkbox', { name: 'Show brand' }).check();
    await screenshot(fixture.page, 'selection-07-columns');
    await fixture.page.keyboard.press('Escape');
    await soon(names).toContain('brand');
  });

  it('say why they cannot be sorted by, and show whole numbers as dates when asked to', async () => {
    await (await cell(0, 'id')).click();
    await fixture.page.keyboard.press('ArrowUp');
    await fixture.page.keyboard.press('Shift+F10');
    const menu = fixture.page.getByRole('menu', { name: 'Actions for id' });
    await menu
      .getByText(/^Can't be sorted: /)
      .first()
      .waitFor();
    await fixture.page.keyboard.press('Escape');
    const stored = await (await cell(0, 'added_at')).innerText();
    await (await cell(0, 'added_at')).click();
    await fixture.page.keyboard.press('Control+ArrowUp');
    await fixture.page.keyboard.press('ArrowUp');
    await fixture.page.keyboard.press('Shift+F10');
    await fixture.page.getByRole('menuitem', { name: 'Show as dates (UTC)' }).hover();
    await fixture.page.getByRole('menuitemradio', { name: /^Seconds/ }).click();
    await soon(async () => (await cell(0, 'added_at')).innerText()).toBe(
      new Date(Number(stored) * 1_000).toISOString().replace('T', ' ').replace('.000Z', 'Z'),
    );
    // The copied text is the stored value.
    await (await cell(0, 'added_at')).click();
    await fixture.page.keyboard.press('Control+c');
    await soon(clipboard).toBe(stored);
  });

  it('are frozen up to one, and filtered by', async () => {
    await (await cell(0, 'id')).click();
    await fixture.page.keyboard.press('ArrowRight');
    await fixture.page.keyboard.press('ArrowUp');
    await fixture.page.keyboard.press('Shift+F10');
    await fixture.page.getByRole('menuitemradio', { name: 'Freeze up to here' }).click();
    await grid().evaluate((element) => element.scrollTo({ left: 600 }));
    const box = await grid().boundingBox();
    const second = await grid().getByRole('columnheader').nth(2).boundingBox();
    expect((second?.x ?? 0) - (box?.x ?? 0)).toBeLessThan(500);
    await grid().evaluate((element) => element.scrollTo({ left: 0 }));
    await header('sku').click({ button: 'right' });
    await fixture.page.getByRole('menuitem', { name: 'Filter by this column' }).click();
    await fixture.page.getByRole('region', { name: 'Filter rows' }).getByRole('combobox', { name: 'Column' }).waitFor();
    await fixture.page.keyboard.press('Escape');
  });

  it('hold in the dark and at 900×600', async () => {
    await (await cell(1, 'id')).click();
    await fixture.page.keyboard.press('Shift+ArrowRight');
    await fixture.page.keyboard.press('Shift+ArrowDown');
    await lookEverywhere(fixture.page, 'selection-08');
  });
});
