import { describe, expect, it } from 'vitest';
import { screenshot } from './browser.ts';
import { useOwnWindow } from './fixture.ts';
import { openTable, soon } from './openTable.ts';

// The ranked search of a table over the real driver and the sample server.

const fixture = useOwnWindow({ products: 3_000, clipboard: true, provokes: /\/api\/trpc\/search\.search|Failed to load resource/ });

const view = () => fixture.page.getByRole('region', { name: 'Search in products' });
const box = () => view().getByRole('textbox', { name: 'Words to search for' });
const hits = () => view().getByRole('list', { name: 'Hits' }).getByRole('article');
const counted = () => view().getByRole('status').first();

async function openSearch(): Promise<void> {
  await openTable(fixture.page, 'products');
  await fixture.page.getByText('Search', { exact: true }).click();
  await hits().first().waitFor();
}

describe('the search of a table', { timeout: 120_000 }, () => {
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
});
