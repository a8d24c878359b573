import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { axe } from './axe.ts';
import { screenshot } from './browser.ts';
import { drawsIn } from './drawsIn.ts';
import { useOwnWindow } from './fixture.ts';
import { openTable, soon, tableGrid } from './openTable.ts';

// Query sets, judgments and runs over the real driver and the sample server.

const fixture = useOwnWindow({ products: 3_000 });

const view = () => fixture.page.getByRole('region', { name: 'Relevance of products' });
const search = () => fixture.page.getByRole('region', { name: 'Search in products' });
const hits = () => search().getByRole('list', { name: 'Hits' }).getByRole('article');
const dialog = () => fixture.page.getByRole('dialog');
const totals = () => view().getByRole('table', { name: 'Metrics in all' });

async function openRelevance(): Promise<void> {
  await openTable(fixture.page, 'products');
  await fixture.page.getByText('Relevance', { exact: true }).click();
  await view().waitFor();
}

async function newSet(name: string): Promise<void> {
  await view().getByRole('button', { name: 'New query set…' }).click();
  await dialog().getByRole('textbox', { name: 'Name' }).fill(name);
  await fixture.page.keyboard.press('Enter');
  await dialog().waitFor({ state: 'detached' });
  await soon(() => view().getByRole('combobox', { name: 'Query set', exact: true }).inputValue()).toBe(name);
}

async function addQueries(...texts: readonly string[]): Promise<void> {
  await view().getByRole('textbox', { name: 'Queries to add' }).fill(texts.join('\n'));
  await fixture.page.keyboard.press('Enter');
  for (const text of texts)
    await view()
      .getByRole('button', { name: `Judge hits of ${text}`, exact: true })
      .waitFor();
}

async function judge(rank: number, meaning: string): Promise<void> {
  const grade = search()
    .getByRole('group', { name: `Grade of hit ${rank}`, exact: true })
    .getByRole('button', { name: meaning });
  await grade.click();
  await soon(() => grade.getAttribute('aria-pressed')).toBe('true');
}

describe('the relevance of a search', () => {
  it('is proved by judged queries: a change of options that finds less has a worse figure', async () => {
    await openRelevance();
    await view().getByText('No query set yet').waitFor();
    await screenshot(fixture.page, 'relevance-01-empty');
    await newSet('Everyday words');
    await addQueries('kettle', 'ketle');
    await screenshot(fixture.page, 'relevance-02-queries');
    // Judged by clicks on hits: the misspelt word should find what the right one finds.
    for (const text of ['kettle', 'ketle']) {
      await view()
        .getByRole('button', { name: `Judge hits of ${text}`, exact: true })
        .click();
      await soon(() => search().getByRole('textbox', { name: 'Words to search for' }).inputValue()).toBe(text);
      await hits().first().waitFor();
      await judge(1, '3: exactly what was looked for');
      await judge(2, '2: relevant');
      await judge(3, '0: not relevant');
      await search().getByText('3 of 25 judged').waitFor();
      if (text === 'kettle') await screenshot(fixture.page, 'relevance-03-judging');
      if (text === 'ketle') break;
      await search().getByText('Relevance', { exact: true }).click();
    }
    const options = search().getByRole('region', { name: 'Options' });
    await options.getByRole('textbox', { name: 'Typos at most' }).fill('0');
    await options.getByRole('button', { name: 'Save as…' }).click();
    await dialog().getByRole('textbox', { name: 'Name' }).fill('No typos');
    await fixture.page.keyboard.press('Enter');
    await dialog().waitFor({ state: 'detached' });
    await soon(() => options.getByRole('combobox', { name: 'Configuration' }).inputValue()).toBe('No typos');

    await search().getByText('Relevance', { exact: true }).click();
    await view().getByText('2 queries, 6 judgments').waitFor();
    await view().getByText('Runs', { exact: true }).click();
    await view().getByText('No runs yet').waitFor();
    await view().getByRole('checkbox', { name: 'No typos' }).click();
    await view().getByRole('button', { name: 'Run', exact: true }).click();
    await totals().waitFor();
    const line = async (name: string): Promise<string> =>
      (await totals().getByRole('row', { name }).innerText()).replaceAll(/\s+/g, ' ');
    expect(await line('Default')).toMatch(/^Default 1\.000 1\.000 0\.200 1\.000 2 of 2 0 0/);
    expect(await line('No typos')).toMatch(/^No typos 0\.500 0\.500 0\.100 0\.500 2 of 2 1 0/);
    await view().getByText('Better: 0, worse: 1, same: 1').waitFor();
    // A number outside the limits, and at once a click on the button: it runs with the nearest one.
    const hitsPerQuery = view().getByRole('textbox', { name: 'Hits per query' });
    await hitsPerQuery.fill('');
    await hitsPerQuery.pressSequentially('-3');
    await view().getByText('A whole number, 1 to 250').waitFor();
    await screenshot(fixture.page, 'relevance-08-limits');
    await view().getByRole('button', { name: 'Run', exact: true }).click();
    await soon(() => view().getByRole('combobox', { name: 'Run' }).inputValue()).toMatch(/first hit$/);
    await hitsPerQuery.fill('10');
    await view().getByRole('button', { name: 'Run', exact: true }).click();
    const trend = view().getByRole('figure', { name: 'nDCG, run by run' });
    await trend.getByText(/^Run 3: .*, first 10 hits$/).waitFor();
    await soon(() => trend.getByRole('listitem').allInnerTexts()).toEqual(['Default\n1.000', 'No typos\n0.500']);
    expect(await trend.getByRole('img').getAttribute('aria-label')).toBe(
      'nDCG, run by run. Default: 1.000 at first, 1.000 at last. No typos: 0.500 at first, 0.500 at last',
    );
    for (const color of ['accent', 'amber']) await soon(() => drawsIn(trend.getByRole('img'), color)).toBe(true);
    // The run at the pointer is the one that the list has the values of.
    await trend.getByRole('img').hover({ position: { x: 70, y: 50 } });
    await trend.getByText(/^Run 1: /).waitFor();
    await screenshot(fixture.page, 'relevance-04-runs');
    expect((await axe(fixture.page).analyze()).violations).toEqual([]);
    await fixture.page.setViewportSize({ width: 900, height: 600 });
    await fixture.page.emulateMedia({ colorScheme: 'dark' });
    await screenshot(fixture.page, 'relevance-05-narrow');
    expect((await axe(fixture.page).analyze()).violations).toEqual([]);
    await fixture.page.emulateMedia({ colorScheme: 'light' });
    await fixture.page.setViewportSize({ width: 1280, height: 800 });
  });

  it('keeps typed and pasted queries and what was found while another view or part is shown', async () => {
    const { page } = fixture;
    const tab = page.getByRole('tabpanel', { name: 'products' });
    const show = (name: string) =>
      tab.getByRole('radiogroup').filter({ hasText: 'Structure' }).getByText(name, { exact: true }).click();
    await openRelevance();
    await newSet('Kept');
    await view().getByRole('textbox', { name: 'Queries to add' }).fill('typed and not added');
    await show('Search');
    await search().waitFor();
    await search().getByRole('region', { name: 'Options' }).getByRole('textbox', { name: 'Typos at most' }).fill('0');
    await show('Relevance');
    await view().getByText('Differences', { exact: true }).click();
    await view().getByText('Pasted', { exact: true }).click();
    const pasted = view().getByRole('textbox', { name: 'Queries to compare' });
    await pasted.fill('kettle\nketle');
    await view().getByRole('button', { name: 'Compare' }).click();
    const differences = view().getByRole('table', { name: 'Differences' });
    await differences.getByText('ketle', { exact: true }).waitFor();
    await show('Search');
    await search().waitFor();
    await show('Data');
    await tableGrid(page, 'products').waitFor();
    await show('Relevance');
    await differences.getByText('ketle', { exact: true }).waitFor();
    expect(await pasted.inputValue()).toBe('kettle\nketle');
    await view().getByText('Queries', { exact: true }).click();
    await soon(() => view().getByRole('textbox', { name: 'Queries to add' }).inputValue()).toBe('typed and not added');
  });

  it('keeps queries that were typed for a set which another window deleted, and saves them into a new one', async () => {
    const { page, connection } = fixture;
    await openRelevance();
    await newSet('Deleted elsewhere');
    await view().getByRole('textbox', { name: 'Queries to add' }).fill('kettle\nlamp');

    const other = await page.context().newPage();
    await other.goto(new URL('#new', page.url()).href);
    await other
      .getByRole('button', { name: `Open ${connection}` })
      .first()
      .click();
    await openTable(other, 'products');
    await other.getByText('Relevance', { exact: true }).click();
    await other.getByRole('button', { name: 'More for this query set' }).click();
    await other.getByRole('menuitem', { name: 'Delete…' }).click();
    await other.getByRole('dialog').getByRole('button', { name: 'Delete “Deleted elsewhere”' }).click();
    await other.getByText('No query set yet').waitFor();

    // The window can have read the sets again before the key, and then says it already.
    await view()
      .getByRole('textbox', { name: 'Queries to add' })
      .press('Enter', { timeout: 5_000 })
      .catch(() => undefined);
    const lost = view().getByRole('region', { name: 'The query set “Deleted elsewhere” was deleted.' });
    await soon(() => lost.getByRole('textbox', { name: 'Kept queries' }).inputValue()).toBe('kettle\nlamp');
    await screenshot(page, 'relevance-lost-set');
    await lost.getByRole('button', { name: 'Save into a new query set…' }).click();
    await dialog().getByRole('textbox', { name: 'Name' }).fill('Saved again');
    await page.keyboard.press('Enter');
    await lost.waitFor({ state: 'detached' });
    await soon(() => view().getByRole('combobox', { name: 'Query set', exact: true }).inputValue()).toBe('Saved again');
    for (const text of ['kettle', 'lamp'])
      await view()
        .getByRole('button', { name: `Judge hits of ${text}`, exact: true })
        .waitFor();
  });

  it('takes a grade back, and needs words and a set', async () => {
    await openRelevance();
    await newSet('Taken back');
    await addQueries('lamp');
    await addQueries('lamp', 'sofa', 'sofa');
    await fixture.page.getByText('1 query added; 2 duplicates were left out').waitFor();
    await view().getByRole('button', { name: 'Judge hits of lamp', exact: true }).click();
    await judge(1, '1: slightly relevant');
    const grade = search()
      .getByRole('group', { name: 'Grade of hit 1', exact: true })
      .getByRole('button', { name: '1: slightly relevant' });
    await grade.click();
    await soon(() => grade.getAttribute('aria-pressed')).toBe('false');
    await search().getByText('0 of 25 judged').waitFor();
    await search().getByText('Rows', { exact: true }).click();
    await judge(2, '2: relevant');
    await search().getByText('1 of 25 judged').waitFor();
    await screenshot(fixture.page, 'relevance-07-rows');
    expect((await axe(fixture.page).analyze()).violations).toEqual([]);
    await search().getByRole('textbox', { name: 'Words to search for' }).press('Escape');
    await search().getByText('Type the words of a query to judge its hits.').waitFor();
    await soon(() =>
      search()
        .getByRole('group', { name: /^Grade of hit/ })
        .count(),
    ).toBe(0);
  });

  it('is exported and imported as files, and a file with a fault changes nothing', async () => {
    await openRelevance();
    await newSet('Files');
    await addQueries('kettle, big', '=1+1');
    const more = view().getByRole('button', { name: 'More for this query set' });
    await more.click();
    const [download] = await Promise.all([
      fixture.page.waitForEvent('download'),
      fixture.page.getByRole('menuitem', { name: 'Export as CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('Files.csv');
    expect(await readFile(await download.path(), 'utf8')).toBe('query,key,grade\n"kettle, big",,\n=1+1,,\n');

    const file = join(fixture.application.files, 'graded.csv');
    await writeFile(file, 'query,key,grade\nlamp,7,9\n');
    const choose = async (): Promise<void> => {
      const [chooser] = await Promise.all([
        fixture.page.waitForEvent('filechooser'),
        view().getByRole('button', { name: 'Import…' }).click(),
      ]);
      await chooser.setFiles(file);
      await dialog().getByRole('textbox', { name: 'Name' }).fill('Imported');
      await fixture.page.keyboard.press('Enter');
    };
    await choose();
    await dialog().getByText('Line 2: the grade is "9". A grade is a whole number from 0 to 3.').waitFor();
    await fixture.page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await writeFile(file, 'query,key,grade\nlamp,7,2\n');
    await choose();
    await dialog().waitFor({ state: 'detached' });
    await view().getByText('1 query, 1 judgment', { exact: true }).waitFor();

    await more.click();
    await fixture.page.getByRole('menuitem', { name: 'Delete…' }).click();
    await dialog().getByText('1 query, 1 judgment and all its runs are deleted.').waitFor();
    await screenshot(fixture.page, 'relevance-06-delete');
    await fixture.page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await view().getByText('1 query, 1 judgment', { exact: true }).waitFor();
    await more.click();
    await fixture.page.getByRole('menuitem', { name: 'Delete…' }).click();
    await dialog().getByRole('button', { name: 'Delete “Imported”' }).click();
    await dialog().waitFor({ state: 'detached' });
    await soon(() => view().getByRole('combobox', { name: 'Query set', exact: true }).inputValue()).not.toBe('Imported');
  });
});
