import { describe, expect, it } from 'vitest';
import { axe } from './axe.ts';
import { screenshot } from './browser.ts';
import { choose, openTable, shownIn, soon, tableGrid } from './openTable.ts';
import { useOwnWindow } from './fixture.ts';

// The filter bar over the real driver and a real server.

// The server's refusals of raw filters leave errors in the browser's log.
const fixture = useOwnWindow({ products: 3_000, clipboard: true, provokes: /\/api\/page|Failed to load resource/ });

const bar = () => fixture.page.getByRole('region', { name: 'Filter rows' });
const grid = () => tableGrid(fixture.page, 'products');
const column = () => bar().getByRole('combobox', { name: 'Column' });
const operator = () => bar().getByRole('combobox', { name: 'Operator' });

/** Waits until there are prices, and each of them is as it should be. */
const untilPrices = (fits: (price: number) => boolean) =>
  soon(async () => {
    const prices = (await shownIn(fixture.page, grid(), 'price')).map(Number);
    return prices.length > 0 && prices.every(fits);
  }).toBe(true);

const value = (name = 'Value') => bar().getByLabel(name, { exact: true });
const raw = () => bar().getByRole('textbox', { name: 'Raw filter' });

/** Opens the products with a condition on their price that waits for its values. */
async function beginCondition(chosen: string): Promise<void> {
  await openTable(fixture.page, 'products');
  await fixture.page.keyboard.press('Control+Shift+f');
  await value().waitFor();
  await choose(fixture.page, column(), /^price/);
  await choose(fixture.page, operator(), chosen);
}

async function filterAbove(price: number): Promise<void> {
  await beginCondition('is greater than');
  await value().fill(String(price));
  await value().press('Enter');
  await untilPrices((shown) => shown > price);
}

async function filterBetween(from: number, to: number): Promise<void> {
  await beginCondition('is between');
  await value('From').fill(String(from));
  await value('To').fill(String(to));
  await value('To').press('Enter');
  await untilPrices((shown) => shown >= from && shown <= to);
}

async function addRaw(text: string): Promise<void> {
  await bar().getByRole('button', { name: 'Raw filter' }).click();
  await raw().fill(text);
  await raw().press('Enter');
}

describe('the filter bar', () => {
  it('opens with Ctrl+Shift+F, and Enter applies what was typed', async () => {
    await openTable(fixture.page, 'products');
    await screenshot(fixture.page, 'filter-01-none');
    await fixture.page.keyboard.press('Control+Shift+f');
    await bar().getByLabel('Value', { exact: true }).waitFor();
    await column().first().click();
    await fixture.page.keyboard.type('pric');
    await fixture.page.getByRole('option', { name: /^price/ }).click();
    await soon(() => column().first().inputValue()).toBe('price');
    await choose(fixture.page, operator().first(), 'is greater than');
    await bar().getByLabel('Value', { exact: true }).fill('400');
    await bar().getByLabel('Value', { exact: true }).press('Enter');
    await fixture.page.getByText(/1–[\d,]+ of [\d,]+ filtered/).waitFor();
    const prices = (await shownIn(fixture.page, grid(), 'price')).map(Number);
    expect(prices.length).toBeGreaterThan(5);
    expect(prices.every((price) => price > 400)).toBe(true);
    await screenshot(fixture.page, 'filter-02-one');
  });

  it('dims the operators that are refused and says why', async () => {
    await beginCondition('is greater than');
    await operator().first().click();
    await fixture.page.getByRole('option', { name: /aren't supported: show why$/ }).click();
    const refused = fixture.page.getByRole('option', { name: /is null/ });
    await refused.getByText('The server keeps no index of missing values').waitFor();
    await soon(() => refused.getAttribute('data-combobox-disabled')).toBe('true');
    await refused.scrollIntoViewIfNeeded();
    await screenshot(fixture.page, 'filter-03-operators');
    await fixture.page.keyboard.press('Escape');
    const matchCase = bar().getByRole('button', { name: 'Match case' });
    await soon(() => matchCase.getAttribute('aria-disabled')).toBe('true');
    await soon(() => matchCase.getAttribute('aria-description')).toContain('Not supported by this database');
  });

  it('takes dates in a column whose numbers are moments, chosen by the keyboard alone as well', async () => {
    const { page } = fixture;
    await openTable(page, 'products');
    await page.keyboard.press('Control+Shift+f');
    await value().waitFor();
    await choose(page, column(), /^added_at/);
    await choose(page, operator(), 'is less than');
    await value().fill('2020-01-02');
    await value().press('Enter');
    await page.getByText(/of [\d,]+ filtered/).waitFor();
    const limit = Date.parse('2020-01-02T00:00:00Z') / 1_000;
    await soon(async () => {
      const moments = (await shownIn(page, grid(), 'added_at')).map(Number);
      return moments.length > 0 && moments.every((moment) => moment < limit);
    }).toBe(true);
    await value().fill('soon');
    await value().press('Enter');
    await bar()
      .getByRole('alert')
      .getByText(/^Enter a date such as/)
      .waitFor();
    await value().press('Tab');
    await page.keyboard.press('Enter');
    await screenshot(page, 'filter-04-dates');
    await page.getByLabel('Date and time (UTC)').fill('2020-01-01T12:00:00');
    await page.keyboard.press('Escape');
    await soon(() => value().inputValue()).toBe('2020-01-01 12:00');
    await soon(() =>
      bar()
        .getByRole('button', { name: 'Choose a date: Value' })
        .evaluate((one) => one === document.activeElement),
    ).toBe(true);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Last 7 days' }).click();
    await soon(() => value().inputValue()).toBe('now-7d');
    await soon(() => operator().inputValue()).toBe('is at least');
    await page.getByText('No rows match this filter').waitFor();
  });

  it('finds points within a distance and within an area, at the real driver', async () => {
    const { page } = fixture;
    await openTable(page, 'products');
    await page.keyboard.press('Control+Shift+f');
    await value().waitFor();
    await choose(page, column(), /^location/);
    await soon(() => operator().inputValue()).toBe('is within a distance of');
    const placed = (await shownIn(page, grid(), 'location')).find((text) => /^-?[\d.]+, -?[\d.]+$/.test(text));
    const point = placed ?? '48.8566, 2.3522';
    await value('Point (latitude, longitude)').fill('north');
    await value('Distance').fill('1 km');
    await value('Distance').press('Enter');
    await bar()
      .getByRole('alert')
      .getByText(/^Enter latitude and longitude/)
      .waitFor();
    await value('Point (latitude, longitude)').fill(point);
    await value('Distance').fill('40000 km');
    await value('Distance').press('Enter');
    await bar()
      .getByRole('alert')
      .getByText(/half around the earth/)
      .waitFor();
    await screenshot(page, 'filter-05-points');
    expect(await grid().getByRole('gridcell').count()).toBeGreaterThan(0);
    await value('Distance').fill('30 km');
    await value('Distance').press('Enter');
    await page.getByText(/of [\d,]+ filtered/).waitFor();
    await choose(page, operator(), 'is within the area');
    await value('Corners (latitude, longitude; …)').fill('-80, -179; -80, 179; 80, 179; 80, -179');
    await value('Corners (latitude, longitude; …)').press('Enter');
    await soon(() => bar().getByRole('alert').count()).toBe(0);
  });

  it('marks a value of the wrong kind before anything is sent', async () => {
    await beginCondition('is greater than');
    await bar().getByLabel('Value', { exact: true }).fill('much');
    await bar().getByLabel('Value', { exact: true }).press('Enter');
    await bar().getByRole('alert').getByText('Enter a number.').waitFor();
    await screenshot(fixture.page, 'filter-04-wrong');
    await bar().getByLabel('Value', { exact: true }).fill('400');
    await bar().getByLabel('Value', { exact: true }).press('Enter');
    await soon(() => bar().getByRole('alert').count()).toBe(0);
  });

  it('joins conditions by all or any, and switches one off', async () => {
    await filterAbove(400);
    await bar().getByRole('button', { name: 'Filter', exact: true }).click();
    await choose(fixture.page, column().last(), /^price/);
    await choose(fixture.page, operator().last(), 'is between');
    await bar().getByLabel('From', { exact: true }).fill('100');
    await bar().getByLabel('To', { exact: true }).fill('120');
    await bar().getByLabel('To', { exact: true }).press('Enter');
    await fixture.page.getByText('No rows match this filter').waitFor();
    await screenshot(fixture.page, 'filter-05-nothing');
    await bar().getByText('Any', { exact: true }).click();
    await grid().getByRole('gridcell').first().waitFor();
    await untilPrices((price) => price > 400 || (price >= 100 && price <= 120));
    await bar().getByRole('checkbox').first().uncheck();
    await untilPrices((price) => price >= 100 && price <= 120);
    await bar().getByRole('button', { name: 'Remove the condition on price' }).first().click();
    await soon(() => bar().getByTestId('filter-row').count()).toBe(1);
  });

  it('sends the raw row as typed, and shows what the server says of it in place', async () => {
    await filterBetween(100, 120);
    await addRaw('nowhere:=1');
    await bar().getByRole('alert').filter({ hasText: 'nowhere' }).waitFor();
    await bar().getByRole('button', { name: 'Reload structure' }).waitFor();
    await screenshot(fixture.page, 'filter-06-structure');
    await bar().getByText('All', { exact: true }).click();
    await raw().fill('price:<110');
    await raw().press('Enter');
    await untilPrices((price) => price >= 100 && price < 110);
  });

  it('shows what is sent, character by character, and copies it', async () => {
    await filterBetween(100, 120);
    await addRaw('price:<110');
    await bar().getByRole('button', { name: 'Expression' }).click();
    const sent = bar().getByRole('group', { name: 'Request' });
    await sent.getByText('(price:[100..120]) && (price:<110)', { exact: true }).waitFor();
    await grid()
      .getByRole('columnheader')
      .filter({ has: fixture.page.getByText('price', { exact: true }) })
      .click();
    await sent.getByText('price:asc', { exact: true }).waitFor();
    await screenshot(fixture.page, 'filter-08-expression');
    await sent.getByRole('button', { name: 'Copy filter_by' }).click();
    await soon(() => fixture.page.evaluate(() => navigator.clipboard.readText())).toBe('(price:[100..120]) && (price:<110)');
    await bar().getByLabel('From', { exact: true }).fill('a`b');
    await sent.getByText('Fill in every enabled condition').waitFor();
    await bar().getByLabel('From', { exact: true }).fill('100');
    await sent.getByText('price:asc', { exact: true }).waitFor();
  });

  it('keeps a filter under a name, renames it, and takes it up again', async () => {
    await filterBetween(100, 120);
    await bar().getByRole('button', { name: 'Presets' }).click();
    await fixture.page.getByRole('menuitem', { name: 'Save this filter…' }).click();
    const save = fixture.page.getByRole('dialog', { name: 'Save this filter' });
    await save.getByRole('textbox', { name: 'Name' }).fill('Cheap ones');
    await screenshot(fixture.page, 'filter-09-save-preset');
    await save.getByRole('button', { name: 'Save' }).click();
    await save.waitFor({ state: 'hidden' });
    await bar().getByRole('button', { name: 'Presets' }).click();
    await fixture.page.getByRole('menuitem', { name: 'Rename or delete…' }).click();
    const manage = fixture.page.getByRole('dialog', { name: 'Presets of this table' });
    await manage.getByRole('textbox', { name: 'New name of Cheap ones' }).fill('About a hundred');
    await manage.getByRole('button', { name: 'Rename' }).click();
    await manage.getByRole('textbox', { name: 'New name of About a hundred' }).waitFor();
    await screenshot(fixture.page, 'filter-10-presets');
    await fixture.page.keyboard.press('Escape');
    await manage.waitFor({ state: 'hidden' });
    await bar().getByRole('button', { name: 'Clear' }).click();
    await fixture.page.getByText('1–1,000 of 3,000').waitFor();
    await bar().getByRole('button', { name: 'Presets' }).click();
    await fixture.page.getByRole('menuitem', { name: 'About a hundred' }).click();
    await soon(() => bar().getByLabel('From', { exact: true }).inputValue()).toBe('100');
    await fixture.page.getByText(/^of [\d,]+ filtered$/).waitFor();
  });

  it('is remembered for its table, and cleared at once', async () => {
    await filterBetween(100, 120);
    await addRaw('price:<110');
    await untilPrices((price) => price >= 100 && price < 110);
    await fixture.page.reload();
    await grid().getByRole('gridcell').first().waitFor();
    await soon(() => bar().getByLabel('From', { exact: true }).inputValue()).toBe('100');
    await soon(() => raw().inputValue()).toBe('price:<110');
    await fixture.page.getByText(/^of [\d,]+ filtered$/).waitFor();
    await bar().getByRole('button', { name: 'Clear' }).click();
    await fixture.page.getByText('1–1,000 of 3,000').waitFor();
    await soon(() => bar().getByTestId('filter-row').count()).toBe(0);
  });

  it('suggests values that rows have, from the keyboard', async () => {
    await openTable(fixture.page, 'products');
    await fixture.page.keyboard.press('Control+Shift+f');
    await choose(fixture.page, column(), /^brand/);
    await choose(fixture.page, operator(), 'is one of');
    const values = bar().getByLabel('Values, separated by commas');
    await values.focus();
    const options = fixture.page.getByRole('listbox', { name: 'Values of brand' });
    await options.getByRole('option').first().waitFor();
    const brand = (await options.getByRole('option').first().locator('span > span').first().innerText()).trim();
    await values.pressSequentially(brand.slice(0, 2));
    await options.getByRole('option').filter({ hasText: brand }).first().waitFor();
    await screenshot(fixture.page, 'filter-11-suggestions');
    const { violations } = await axe(fixture.page).include('[role="listbox"]').analyze();
    expect(violations).toEqual([]);
    await values.press('ArrowDown');
    await values.press('Enter');
    await soon(() => values.inputValue()).toMatch(/, $/);
    await values.press('Escape');
    await values.press('Enter');
    await fixture.page.getByText(/^of [\d,]+ filtered$/).waitFor();
    const chosen = (await values.inputValue()).replace(/^"|"?, $/g, '');
    expect(new Set(await shownIn(fixture.page, grid(), 'brand'))).toEqual(new Set([chosen]));
  });

  it('holds in the dark, at 900×600, and for people who do not see it', async () => {
    await filterAbove(400);
    await fixture.page.emulateMedia({ colorScheme: 'dark' });
    await fixture.page.setViewportSize({ width: 900, height: 600 });
    await screenshot(fixture.page, 'filter-07-small-dark');
    const { violations } = await axe(fixture.page).include('section[aria-label="Filter rows"]').analyze();
    expect(violations).toEqual([]);
  });
});
