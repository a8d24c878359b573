import { describe, expect, it } from 'vitest';
import { axe } from './axe.ts';
import { screenshot } from './browser.ts';
import { useOwnWindow } from './fixture.ts';
import { openTable, soon } from './openTable.ts';

// The ranked search of a table over the real driver and the sample server.

const fixture = useOwnWindow({
  products: 3_000,
  clipboard: true,
  provokes: /\/api\/trpc\/search\.search|Failed to load resource/,
});

const view = () => fixture.page.getByRole('region', { name: 'Search in products' });
const box = () => view().getByRole('textbox', { name: 'Words to search for' });
const hits = () => view().getByRole('list', { name: 'Hits' }).getByRole('article');
const counted = () => view().getByRole('status').first();

async function openSearch(): Promise<void> {
  await openTable(fixture.page, 'products');
  await fixture.page.getByText('Search', { exact: true }).click();
  await hits().first().waitFor();
}

/** Another client of the sandbox. */
async function ask(method: string, path: string, body?: string): Promise<string> {
  const { port, apiKey } = fixture.application.sandbox;
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { 'x-typesense-api-key': apiKey, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
  return response.text();
}

describe('the search of a table', () => {
  it('finds as a person types, and marks the words where they were found', async () => {
    await openSearch();
    await screenshot(fixture.page, 'search-01-everything');
    await box().pressSequentially('kettle', { delay: 20 });
    await soon(async () => (await hits().first().locator('mark').allTextContents()).join()).toMatch(/kettle/i);
    expect(await counted().textContent()).toMatch(/^\d+ hits/);
    await screenshot(fixture.page, 'search-02-words');
    await box().fill('ketle');
    await soon(() => hits().first().textContent()).toContain('Typo');
    await box().press('Escape');
    await soon(() => box().inputValue()).toBe('');
    await soon(() => counted().textContent()).toMatch(/^3,000 hits/);
  });

  it('filters by a value that was counted, and the rows in Data have the same filter', async () => {
    await openSearch();
    const facet = view().getByRole('group', { name: 'Values of category' });
    await facet.getByRole('button', { name: /^category: Kitchen,/ }).click();
    await soon(async () => (await facet.getByRole('button').allTextContents()).length).toBe(1);
    const filtered = await counted().textContent();
    expect(filtered).not.toMatch(/^3,000/);
    await view().getByText('Data', { exact: true }).click();
    const shown = /^([\d,]+) hits/.exec(filtered ?? '')?.[1] ?? 'nothing';
    await fixture.page.getByText(new RegExp(`of ${shown} filtered`)).waitFor();
    await fixture.page.getByText('Search', { exact: true }).click();
    await facet.getByRole('button', { name: /^category: Kitchen,/ }).click();
    await soon(() => counted().textContent()).toMatch(/^3,000 hits/);
  });

  it('marks what differs from the default, sends only that, and resets it', async () => {
    await openSearch();
    await box().fill('ketle');
    await soon(() => hits().first().textContent()).toContain('Typo');
    const options = view().getByRole('region', { name: 'Options' });
    await options.getByRole('textbox', { name: 'Typos at most' }).fill('0');
    await view().getByText('Nothing found').waitFor();
    await options.getByText('1 changed').waitFor();
    await view().getByRole('button', { name: 'Request', exact: true }).click();
    await soon(() => view().getByRole('textbox', { name: 'POST /multi_search' }).textContent()).toContain('"num_typos": 0');
    await screenshot(fixture.page, 'search-03-options');
    await options.getByRole('button', { name: 'Reset Typos at most' }).click();
    await hits().first().waitFor();
    expect(await view().getByRole('textbox', { name: 'POST /multi_search' }).textContent()).not.toContain('num_typos');
  });

  it('keeps the hits before where a search is refused, with the reason', async () => {
    await openSearch();
    const before = await hits().first().textContent();
    await view().getByRole('textbox', { name: 'Sort expression' }).fill('nothing:desc');
    await view()
      .getByRole('alert')
      .getByText(/cannot be sorted by “nothing”/)
      .waitFor();
    expect(await hits().first().textContent()).toBe(before);
    await screenshot(fixture.page, 'search-04-refused');
    await view().getByRole('textbox', { name: 'Sort expression' }).fill('');
    await view().getByRole('alert').waitFor({ state: 'detached' });
  });

  it('explains a hit, shows its document, and shows hits as rows', async () => {
    await openSearch();
    await box().fill('kettle');
    await soon(async () => (await hits().first().locator('mark').allTextContents()).join()).toMatch(/kettle/i);
    await hits().first().getByRole('button', { name: 'Explain' }).click();
    await hits().first().getByText('Words found').waitFor();
    await hits().first().getByRole('button', { name: 'Document' }).click();
    await hits().first().getByRole('textbox', { name: 'Document of hit 1' }).waitFor();
    await screenshot(fixture.page, 'search-05-document');
    await view().getByText('Rows', { exact: true }).click();
    await view().getByRole('columnheader', { name: 'Score' }).waitFor();
    expect(await view().locator('tbody tr').first().locator('mark').first().textContent()).toMatch(/kettle/i);
    await screenshot(fixture.page, 'search-06-rows');
  });

  it('pins, hides and releases hits by a rule whose requests are shown first', async () => {
    const { page } = fixture;
    const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });
    const place = async (rank: number, entry: string) => {
      const button = view().getByRole('button', { name: `Pin or hide hit ${rank}…` });
      await soon(() => button.isEnabled()).toBe(true);
      await button.click();
      await screenshot(page, 'search-10-place-menu');
      await page.getByRole('menuitem', { name: entry }).click();
    };
    /** Its id, which follows its rank. */
    const idOf = async (rank: number) =>
      (
        await hits()
          .nth(rank - 1)
          .innerText()
      )
        .split('\n')
        .filter((line) => /^\d+$/.test(line))[1] ?? '';
    const ids = async () => Promise.all(Array.from({ length: await hits().count() }, (_, place) => idOf(place + 1)));
    await openSearch();
    // Without words there is nothing that a rule would act on.
    expect(await view().getByRole('button', { name: 'Pin or hide hit 1…' }).count()).toBe(0);
    await box().fill('Garden');
    await soon(async () => (await hits().first().locator('mark').allTextContents()).join()).toMatch(/garden/i);
    const [first, third] = [await idOf(1), await idOf(3)];
    expect(third).not.toBe(first);

    await place(3, 'Pin as the first…');
    const review = dialog('New Curation Rule in products');
    await review.getByText('The curation rule “garden” is added.').waitFor();
    await review.getByText('PUT /collections/products/overrides/garden').waitFor();
    await screenshot(page, 'search-11-place-review');
    expect((await axe(page).analyze()).violations).toEqual([]);
    // Nothing was typed, so Escape closes it and nothing is asked; nothing was sent.
    await page.keyboard.press('Escape');
    await review.waitFor({ state: 'detached' });
    expect(await idOf(1)).toBe(first);
    await place(3, 'Pin as the first…');
    await review.getByRole('button', { name: 'Save Curation Rule' }).click();
    await soon(() => idOf(1)).toBe(third);
    await hits().first().getByText('Pinned').waitFor();
    await page.getByText('Saved “garden”').waitFor();

    // The form of the same change: what is not in it stays, and a person can change the rest.
    await place(2, 'Hide…');
    const change = dialog('Curation Rule “garden” in products');
    await change.getByRole('button', { name: 'Back' }).click();
    await change.getByRole('textbox', { name: 'Search words' }).waitFor();
    await screenshot(page, 'search-12-place-form');
    await change.getByRole('button', { name: 'Review…' }).click();
    await change.getByRole('button', { name: 'Save Curation Rule' }).click();
    await soon(ids).not.toContain(first);
    await page.getByRole('button', { name: 'Undo…' }).click();
    await change.getByText('PUT /collections/products/overrides/garden').waitFor();
    await change.getByRole('button', { name: 'Save Curation Rule' }).click();
    await soon(ids).toContain(first);
    await place(2, 'Hide…');
    await change.getByRole('button', { name: 'Save Curation Rule' }).click();
    await soon(ids).not.toContain(first);

    // Somebody else works on the same rule: taking back one's own change must not take theirs.
    const path = '/collections/products/overrides/garden';
    const rule = JSON.parse(await ask('GET', path)) as Record<string, unknown>;
    await ask('PUT', path, JSON.stringify({ ...rule, stop_processing: false }));
    await page.getByRole('button', { name: 'Undo…' }).click();
    await page.getByRole('dialog').getByText('“garden” is no longer as you saved it.').waitFor();
    await page.keyboard.press('Escape');
    expect(await ask('GET', path)).toContain('"stop_processing":false');

    await place(1, 'Pin here, as number 1…');
    await dialog('Pin a hit').getByText('The rule “garden” pins this document at place 1 already.').waitFor();
    await screenshot(page, 'search-13-place-conflict');
    await page.keyboard.press('Escape');
    await dialog('Pin a hit').waitFor({ state: 'detached' });

    await place(1, 'Release…');
    await change.getByRole('button', { name: 'Save Curation Rule' }).click();
    await soon(() => hits().first().getByText('Pinned').count()).toBe(0);
    // The last one is hidden, so no hit of the search can release it: the rule does.
    await page.getByRole('navigation', { name: 'Collections' }).getByRole('button', { name: 'Objects', exact: true }).click();
    await page.getByRole('button', { name: 'Curation Rules' }).click();
    await page.getByRole('combobox', { name: 'Collection' }).click();
    await page.getByRole('option', { name: 'products' }).click();
    await page.getByRole('button', { name: 'Delete garden…' }).click();
    await page.getByRole('button', { name: 'Delete garden', exact: true }).click();
    await page.getByText('Deleted “garden”').waitFor();
    await page.getByRole('tab', { name: /^products/ }).click();
    await view().getByRole('button', { name: 'Clear' }).click();
    await box().fill('Garden');
    await soon(() => idOf(1)).toBe(first);
    await page.setViewportSize({ width: 900, height: 600 });
    await view().getByText('Rows', { exact: true }).click();
    await screenshot(page, 'search-14-place-rows');
    expect((await axe(page).analyze()).violations).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('is saved as a preset of the server, whose request is shown first, and which the options have from then on', async () => {
    const { page } = fixture;
    await openSearch();
    const options = view().getByRole('region', { name: 'Options' });
    await options.getByRole('textbox', { name: 'Typos at most' }).fill('0');
    await box().fill('kettle');
    await view().getByRole('button', { name: 'Save as Preset…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('strict');
    await screenshot(page, 'search-12-preset');
    await dialog.getByRole('button', { name: 'Review…' }).click();
    await dialog.getByText('PUT /presets/strict').waitFor();
    await soon(() => dialog.innerText()).toContain('"num_typos": 0');
    expect(await dialog.innerText()).not.toContain('kettle');
    await dialog.getByRole('button', { name: 'Save Preset' }).click();
    await dialog.waitFor({ state: 'detached' });
    await options.getByRole('combobox', { name: 'Preset' }).click();
    await page.getByRole('option', { name: 'strict' }).waitFor();
  });

  it('opens its request in the console, ready to run', async () => {
    await openSearch();
    await box().fill('kettle');
    await soon(async () => (await hits().first().locator('mark').allTextContents()).join()).toMatch(/kettle/i);
    await view().getByRole('button', { name: 'Open in console' }).click();
    await soon(() => fixture.page.locator('.cm-content').filter({ visible: true }).first().textContent()).toContain(
      'POST /multi_search',
    );
    expect(await fixture.page.locator('.cm-content').filter({ visible: true }).first().textContent()).toContain('kettle');
  });

  it('compares two sets of options side by side, with the moves of ranks, also after a reload', async () => {
    await openSearch();
    await box().fill('kettle');
    await soon(async () => (await hits().first().locator('mark').allTextContents()).join()).toMatch(/kettle/i);
    await view().getByRole('button', { name: 'Compare' }).click();
    const comparison = view().getByRole('status', { name: 'Comparison' });
    await soon(() => comparison.textContent()).toBe(
      'Of the first 25 hits of each, in both: 25, 0 of them at another rank. Only in B: 0. Only in A: 0.',
    );
    await view().getByRole('textbox', { name: 'Sort expression' }).fill('price:asc');
    await soon(() => comparison.textContent()).toMatch(/Only in B: [1-9]/);
    const [sideA, sideB] = ['A', 'B'].map((name) => view().getByRole('region', { name, exact: true }));
    expect(await sideB?.getByText('Only in B').count()).toBeGreaterThan(0);
    expect(await sideA?.getByText('Only in A').count()).toBeGreaterThan(0);
    await screenshot(fixture.page, 'search-09-compare');
    // The options of A are as they were.
    await view().getByRole('region', { name: 'Options' }).getByText('A', { exact: true }).click();
    await soon(() => view().getByRole('textbox', { name: 'Sort expression' }).inputValue()).toBe('');
    await fixture.page.reload();
    await soon(() => comparison.textContent()).toMatch(/Only in B: [1-9]/);
    await view().getByRole('button', { name: 'Compare' }).click();
    await hits().first().waitFor();
    expect(await comparison.count()).toBe(0);
  });

  it('is reached from the palette, remembers its words, and has no fault for a screen reader, in light and dark, wide and narrow', async () => {
    await openTable(fixture.page, 'products');
    await fixture.page.keyboard.press('Control+k');
    await fixture.page.getByRole('dialog', { name: 'Command palette' }).waitFor();
    await fixture.page.keyboard.type('show search');
    await fixture.page.keyboard.press('Enter');
    await hits().first().waitFor();
    await soon(() => box().evaluate((element) => element === document.activeElement)).toBe(true);
    await fixture.page.keyboard.type('kettle');
    await soon(async () => (await hits().first().locator('mark').allTextContents()).join()).toMatch(/kettle/i);
    expect((await axe(fixture.page).analyze()).violations).toEqual([]);
    await fixture.page.emulateMedia({ colorScheme: 'dark' });
    await fixture.page.setViewportSize({ width: 900, height: 600 });
    await view().getByRole('region', { name: 'Options' }).waitFor({ state: 'detached' });
    await screenshot(fixture.page, 'search-07-narrow-dark');
    expect((await axe(fixture.page).analyze()).violations).toEqual([]);
    await view().getByText('Structure', { exact: true }).click();
    await fixture.page.locator('div:not([inert]) > * ').getByText('Search', { exact: true }).last().click();
    await soon(() => box().inputValue()).toBe('kettle');
    await view().getByRole('button', { name: 'Options' }).click();
    await view().getByRole('region', { name: 'Options' }).waitFor();
    await screenshot(fixture.page, 'search-08-narrow-options');
  });
});
