import { describe, expect, it } from 'vitest';
import { de } from '../../host/src/renderer/i18n/de/index.ts';
import { en } from '../../host/src/renderer/i18n/en/index.ts';
import type { Strings } from '../../host/src/renderer/i18n/en/index.ts';
import { axe } from './axe.ts';
import { screenshot } from './browser.ts';
import { englishTexts } from './englishTexts.ts';
import { useOwnWindow } from './fixture.ts';
import { Screens } from './screens.ts';
import { speak } from './speak.ts';
import { unreachable } from './unreachable.ts';

// Rules for every screen of the window. Each walk goes through all of them in one window: to open them takes longer than to look at them.

const fixture = useOwnWindow({
  products: 2_000,
  // The test of a connection asks a port without a server.
  provokes: /Failed to load resource/,
});

/** Rows of a grid are alike: the first few speak for all. */
const MORE_OF_THE_SAME = '[role="row"]:nth-child(n + 6)';

async function violations(rules?: readonly string[]): Promise<readonly string[]> {
  const builder = axe(fixture.page).exclude(MORE_OF_THE_SAME);
  const found = await (rules === undefined ? builder : builder.withRules(rules)).analyze();
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
}

/** The faults of each screen that has some. */
async function faultsOnEachScreen(
  walk: string,
  words: Strings,
  look: () => Promise<readonly string[]>,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const faults: Record<string, readonly string[]> = {};
  let count = 0;
  for await (const name of new Screens(fixture.page, words)) {
    count += 1;
    await screenshot(fixture.page, `every-screen-${walk}-${String(count).padStart(2, '0')}-${name.replaceAll(/\W+/g, '-')}`);
    const found = await look();
    if (found.length > 0) faults[name] = found;
  }
  expect(count).toBeGreaterThan(40);
  return faults;
}

describe('every screen', { timeout: 800_000 }, () => {
  it('has no fault for assistive technology, in the light and in the dark theme', async () => {
    const { page } = fixture;
    // The other walk leaves the host in German.
    await speak(page, 'en');
    const look = async (): Promise<readonly string[]> => {
      const light = await violations();
      await page.emulateMedia({ colorScheme: 'dark' });
      // Of what axe looks at, a theme changes the colors.
      const dark = await violations(['color-contrast']);
      await page.emulateMedia({ colorScheme: 'light' });
      return [...light, ...dark.map((fault) => `dark: ${fault}`)];
    };
    expect(await faultsOnEachScreen('light', en, look)).toEqual({});
  });

  // The longest language in the smallest window: 1280 × 800 at 200 %.
  it('has everything in reach in a zoomed window with compact rows, and says nothing in English in German', async () => {
    const { page } = fixture;
    await speak(page, 'de');
    await page.getByRole('button', { name: de.titleBar.settings }).click();
    const settings = page.getByRole('dialog', { name: de.settings.title });
    await settings.getByText(de.settings.densities.compact, { exact: true }).click();
    await page.locator('html[data-density="compact"]').waitFor({ state: 'attached' });
    await page.keyboard.press('Escape');
    await settings.waitFor({ state: 'hidden' });
    await page.setViewportSize({ width: 640, height: 400 });
    const look = async (): Promise<readonly string[]> => [...(await unreachable(page)), ...(await englishTexts(page))];
    expect(await faultsOnEachScreen('zoomed', de, look)).toEqual({});
  });
});
