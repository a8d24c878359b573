import { expect, it } from 'vitest';
import { axe } from './axe.ts';
import { startBrowser } from './browser.ts';

it('axe finds each violation in the whole page and in a region', async () => {
  await using browser = await startBrowser();
  const page = await (await browser.newContext()).newPage();
  await page.setContent(
    `<!doctype html><html lang="en"><title>Window</title><main><h1>Window</h1>
    <button></button><button></button>
    <p style="color: #999; background: #fff">Faint</p>
    <div role="dialog" aria-label="Settings"><input></div></main></html>`,
  );
  const found = async (builder: ReturnType<typeof axe>) =>
    (await builder.analyze()).violations.map(({ id, impact, nodes }) => [id, impact, nodes.length]);
  expect(await found(axe(page))).toEqual([
    ['button-name', 'critical', 2],
    ['color-contrast', 'serious', 1],
    ['label', 'critical', 1],
  ]);
  expect(await found(axe(page).include('[role="dialog"]'))).toEqual([['label', 'critical', 1]]);
  expect(await found(axe(page).exclude('button, [role="dialog"]'))).toEqual([['color-contrast', 'serious', 1]]);
});
