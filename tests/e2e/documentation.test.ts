import { expect, it } from 'vitest';
import { useOwnWindow } from './fixture.ts';
import { STEP_MILLISECONDS, watchFaults } from './browser.ts';

// The documentation of the window's own version, which its host serves.

const fixture = useOwnWindow({ products: 1, sharesConnection: true });

it('opens from the palette, behind the window and with a search', async () => {
  const { page } = fixture;
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Command palette' }).waitFor();
  await page.keyboard.type('manual');
  await page.getByRole('option', { name: /^Documentation/ }).waitFor();
  const opened = page.context().waitForEvent('page', { timeout: STEP_MILLISECONDS });
  await page.keyboard.press('Enter');
  const documentation = await opened;
  const faults = watchFaults(documentation);
  await documentation.getByRole('heading', { name: 'Tabularium: documentation' }).waitFor();
  expect(documentation.url()).toBe(new URL('docs/', page.url()).href);
  await documentation.keyboard.press('/');
  await documentation.keyboard.type('write a driver');
  await documentation.getByRole('option').first().waitFor();
  await documentation.keyboard.press('Enter');
  await documentation.waitForURL(/\/docs\/guide\/write-a-driver\.html/);
  await documentation.reload();
  await documentation.getByRole('heading', { name: 'Write a driver', level: 1 }).waitFor();
  expect(await documentation.evaluate(() => window.opener === null)).toBe(true);
  expect(faults).toEqual([]);
});
