import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { axe } from './axe.ts';
import { screenshot } from './browser.ts';
import { useOwnWindow } from './fixture.ts';
import { openTable, shownIn, soon, tableGrid } from './openTable.ts';

// Imports of files, from the window.

const fixture = useOwnWindow({ products: 20 });

const CSV = `id,title,price,ok,big
a1,"Lamp, small",12.50,true,9007199254740993
a2,"Desk ""old""",8,false,2
a3,=1+1,,true,3
`;

/** Drops a file on something, as a person does from a file manager. */
async function drop(on: Locator, name: string, text: string): Promise<void> {
  const transfer = await fixture.page.evaluateHandle(
    ([fileName = '', content = '']) => {
      const data = new DataTransfer();
      data.items.add(new File([content], fileName));
      return data;
    },
    [name, text],
  );
  for (const type of ['dragover', 'drop']) await on.dispatchEvent(type, { dataTransfer: transfer });
}

const newDialog = () => fixture.page.getByRole('dialog', { name: 'Import into a new collection' });

describe('import', () => {
  it('creates a collection for a dropped CSV file, and its rows are there, integers digit for digit', async () => {
    const { page } = fixture;
    const name = `lamps${Date.now()}`;
    await drop(page.getByRole('navigation', { name: 'Collections' }), 'lamps.csv', CSV);
    await newDialog().getByRole('table').getByText('Desk "old"').waitFor();
    await newDialog().getByText('None of them would be rejected').waitFor();
    await newDialog().getByLabel('Type of price').selectOption('Number');
    await soon(() => newDialog().getByLabel('Definition').inputValue()).toContain('"float"');
    await newDialog().getByLabel('Name', { exact: true }).fill(name);
    await soon(() => newDialog().getByLabel('Definition').inputValue()).toContain(name);
    // The request that creates it, before it is sent.
    await newDialog().getByText('Created by').waitFor();
    await newDialog().getByText('POST /collections').waitFor();
    await screenshot(page, 'import-01-new');
    const { violations } = await axe(page).include('[role="dialog"]').analyze();
    expect(violations).toEqual([]);
    await newDialog().getByRole('button', { name: 'Create and import' }).click();
    await newDialog().waitFor({ state: 'hidden' });
    await page.getByRole('contentinfo').getByText(`Imported 3 rows into ${name}.`).waitFor();
    const grid = await openTable(page, name);
    expect((await shownIn(page, grid, 'big')).toSorted()).toEqual(['2', '3', '9007199254740993']);
    expect((await shownIn(page, grid, 'title')).toSorted()).toEqual(['=1+1', 'Desk "old"', 'Lamp, small']);
  });

  it('marks what would be rejected, says why rows were, and tries those again with another type', async () => {
    const { page } = fixture;
    const name = `sizes${Date.now()}`;
    await drop(page.getByRole('navigation', { name: 'Collections' }), 'sizes.jsonl', '{"id":"1","size":"8"}\n');
    await newDialog().getByLabel('Name', { exact: true }).fill(name);
    await soon(() => newDialog().getByLabel('Definition').inputValue()).toContain(name);
    await newDialog().getByRole('button', { name: 'Create and import' }).click();
    await newDialog().waitFor({ state: 'hidden' });
    await openTable(page, name);
    await drop(tableGrid(page, name), 'more.jsonl', '{"id":"2","size":"9"}\n{"id":"3","size":10}\nnonsense\n');
    const dialog = page.getByRole('dialog', { name: `Import into ${name}` });
    await dialog.getByText('At least 2 of them would be rejected.').waitFor();
    await dialog.getByText(/“size” holds string/).waitFor();
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 900, height: 600 });
    await screenshot(page, 'import-02-problems-small-dark');
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    const list = page.getByRole('region', { name: 'Imports' });
    await list.getByText(`Imported 1 row into ${name}; 2 rows were rejected.`).waitFor();
    await list.getByRole('button', { name: 'Show reasons' }).click();
    await list.getByText(/Line 2: Field `size` must be a string/).waitFor();
    await screenshot(page, 'import-03-rejected-small-dark');
    const { violations } = await axe(page).include('[data-region="imports"]').analyze();
    expect(violations).toEqual([]);
    await list.getByRole('button', { name: 'Try these again' }).click();
    await dialog.getByLabel('Type of size').selectOption('Text');
    await dialog.getByText('At least 1 of them would be rejected.').waitFor();
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await list.getByText(`Imported 1 row into ${name}; 1 row was rejected.`).waitFor();
    // The open table shows them without a press.
    await soon(async () => (await shownIn(page, tableGrid(page, name), 'size')).toSorted()).toEqual(['10', '8', '9']);
    // Together with one of another test, they would fold the bars into one line.
    await list.getByRole('button', { name: 'Dismiss all 2 ended' }).click();
    await list.waitFor({ state: 'hidden' });
  });

  it('asks before Escape loses a mapping, and loses nothing by a second Escape', async () => {
    const { page } = fixture;
    await drop(page.getByRole('navigation', { name: 'Collections' }), 'lamps.csv', CSV);
    await newDialog().getByLabel('Type of price').selectOption('Text');
    await page.keyboard.press('Escape');
    const question = page.getByRole('dialog', { name: 'Discard your changes?' });
    await question.waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'hidden' });
    expect(await newDialog().getByLabel('Type of price').inputValue()).toBe('text');
    await page.keyboard.press('Escape');
    await question.getByRole('button', { name: 'Discard' }).click();
    await newDialog().waitFor({ state: 'hidden' });
  });

  it('is cancelled in the window: rows that were written stay, and the notice names them and the connection', async () => {
    const { page, connection } = fixture;
    const name = `many${Date.now()}`;
    const rows = Array.from({ length: 400_000 }, (_, index) => `{"id":"${index}","n":${index}}`).join('\n');
    await drop(page.getByRole('navigation', { name: 'Collections' }), 'many.jsonl', rows);
    await newDialog().getByLabel('Name', { exact: true }).fill(name);
    await soon(() => newDialog().getByLabel('Definition').inputValue()).toContain(name);
    // The server takes the first requests and answers no later one: however busy this computer is, the import isn't over before it is cancelled.
    let requests = 0;
    fixture.application.sandbox.fault(({ path }) => {
      if (path.includes(`/${name}/documents/import`)) requests += 1;
      return requests > 3 && path.includes('/documents/import') ? { kind: 'silence' } : undefined;
    });
    await newDialog().getByRole('button', { name: 'Create and import' }).click();
    await newDialog().waitFor({ state: 'hidden' });
    const status = page.getByRole('contentinfo');
    await status.getByText(`Importing into ${name}`).waitFor();
    const list = page.getByRole('region', { name: 'Imports' });
    await list.getByText(connection, { exact: true }).waitFor();
    await list.getByRole('button', { name: 'Cancel' }).click();
    await status.getByText(`The import into ${name} was cancelled`).waitFor();
    fixture.application.sandbox.fault();
    await list.getByText(name).waitFor({ state: 'hidden' });
    const grid = await openTable(page, name);
    expect(await grid.count()).toBe(1);
  });
});
