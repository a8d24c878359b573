import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../scripts/paths.ts';
import { screenshot } from './browser.ts';
import { useOwnWindow } from './fixture.ts';
import { openTable, soon } from './openTable.ts';

// The worked example of docs/guide/window/relevance.md, step by step: a change here changes the numbers of the page.

const fixture = useOwnWindow({ products: 300 });

const view = () => fixture.page.getByRole('region', { name: 'Relevance of articles' });
const objects = () => fixture.page.getByRole('region', { name: 'Objects', exact: true });
const dialog = () => fixture.page.getByRole('dialog');

/** nDCG, MRR, precision and recall of a configuration, as the newest run has them. */
async function metrics(configuration = 'Default'): Promise<string> {
  const row = view().getByRole('table', { name: 'Metrics in all' }).getByRole('row', { name: configuration });
  return (await row.innerText()).replaceAll(/\s+/g, ' ').trim();
}

async function saveTitlesFirst(): Promise<void> {
  const search = fixture.page.getByRole('region', { name: 'Search in articles' });
  const options = search.getByRole('region', { name: 'Options' });
  await view().getByText('Search', { exact: true }).click();
  await options.getByRole('textbox', { name: 'Weight of title', exact: true }).fill('10');
  await options.getByRole('button', { name: 'Save as…' }).click();
  await dialog().getByRole('textbox', { name: 'Name' }).fill('Titles first');
  await fixture.page.keyboard.press('Enter');
  await dialog().waitFor({ state: 'detached' });
  await search.getByText('Relevance', { exact: true }).click();
}

async function addSynonym(name: string, ...words: readonly string[]): Promise<void> {
  await objects().getByRole('button', { name: 'New Synonym…' }).first().click();
  await dialog().getByRole('textbox', { name: 'Name' }).fill(name);
  await dialog().getByRole('combobox', { name: 'Synonyms' }).click();
  for (const word of words) {
    await fixture.page.keyboard.type(word);
    await fixture.page.keyboard.press('Enter');
  }
  await dialog().getByRole('button', { name: 'Review…' }).click();
  await dialog().getByRole('button', { name: 'Save Synonym' }).click();
  await dialog().waitFor({ state: 'detached' });
  await objects()
    .getByRole('row', { name: new RegExp(`^${name}`) })
    .waitFor();
}

describe('the worked example of the guide', () => {
  it('has the numbers of the page before and after its synonyms, and with a weight', async () => {
    const { page } = fixture;
    await openTable(page, 'articles');
    await page.getByText('Relevance', { exact: true }).click();
    await view().waitFor();
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      view().getByRole('button', { name: 'Import…' }).click(),
    ]);
    await chooser.setFiles(join(root, 'docs/examples/articles-queries.csv'));
    await dialog().getByRole('textbox', { name: 'Name' }).fill('Everyday words');
    await page.keyboard.press('Enter');
    await dialog().waitFor({ state: 'detached' });
    await view().getByText('12 queries, 2,606 judgments', { exact: true }).waitFor();
    await view().getByText('Runs', { exact: true }).click();
    await view().getByRole('button', { name: 'Run', exact: true }).click();
    await soon(() => metrics()).toMatch(/^Default 0\.640 0\.700 0\.692 0\.032 12 of 12 1 /);

    await page.getByRole('navigation', { name: 'Collections' }).getByRole('button', { name: 'Objects', exact: true }).click();
    await objects().getByRole('button', { name: 'Synonyms', exact: true }).click();
    await objects().getByRole('combobox', { name: 'Collection' }).click();
    await page.getByRole('option', { name: 'articles', exact: true }).click();
    // The sample has one already.
    await objects()
      .getByRole('row', { name: /^typing-machines/ })
      .waitFor();
    await addSynonym('bread', 'bread', 'sourdough');
    await addSynonym('ferries', 'ferries', 'ferry');

    await page.getByRole('tab', { name: 'articles' }).click();
    await view().getByRole('button', { name: 'Run', exact: true }).click();
    await soon(() => metrics()).toMatch(/^Default 0\.(?!640)\d{3}/);
    await screenshot(page, 'worked-example-01');
    expect(await metrics()).toMatch(/^Default 0\.778 0\.850 0\.842 0\.039 12 of 12 0 /);

    await saveTitlesFirst();
    await view().getByRole('checkbox', { name: 'Titles first' }).click();
    await view().getByRole('button', { name: 'Run', exact: true }).click();
    await soon(() => metrics('Titles first')).toMatch(/^Titles first 0\.785 /);
    await screenshot(page, 'worked-example-02');
    expect(await metrics()).toMatch(/^Default 0\.778 /);
  });
});
