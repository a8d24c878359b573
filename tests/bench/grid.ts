import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { manifestSchema } from '@tabularium/sdk/manifest';
import { z } from 'zod';
import { createFakeServices } from '../../host/src/renderer/testing/fakeServices.test-helper.ts';
import { TABLES } from '../../host/src/renderer/testing/fakeTables.test-helper.ts';
import { root } from '../../scripts/paths.ts';
import { CHROMIUM_ARGUMENTS } from '../../scripts/testing/chromiumArguments.ts';
import { startBrowser } from '../e2e/browser.ts';
import { builtPages, serveWindow } from '../e2e/window/devServer.ts';
import type { Budget } from './budget.ts';
import { atMost } from './budget.ts';

/** Millions of rows, whose heights add up to more pixels than a browser can scroll. */
const VAST = 'vast';
/** Wheel events of a scroll through the table, as a person turns a wheel: one a frame or less. */
const TURNS = 240;

/** The built window over tables in memory: how even the frames are while a million rows are scrolled, and whether the end of many more is reached. */
export async function gridBudgets(): Promise<readonly Budget[]> {
  const file = await readFile(join(root, 'drivers/search/package.json'), 'utf8');
  const manifest = z.object({ tabularium: manifestSchema }).parse(JSON.parse(file)).tabularium;
  const services = createFakeServices({ manifests: [manifest], connections: ['Sample'], pace: 0.1 });
  await using stack = new AsyncDisposableStack();
  const server = await serveWindow(services, () => builtPages(join(root, 'host/dist/renderer')));
  stack.defer(() => server.close());
  const browser = await startBrowser({ args: CHROMIUM_ARGUMENTS });
  stack.defer(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(server.url);
  await page.getByRole('button', { name: 'Open Sample' }).click();
  const tables = page.getByRole('navigation', { name: manifest.terms.table.other });
  await tables.getByText('million', { exact: true }).click();
  const grid = page.getByRole('grid', { name: 'Rows of million' });
  await grid.getByRole('gridcell').first().waitFor();
  await grid.hover();

  await page.evaluate(() => {
    const frames: number[] = [];
    let last = performance.now();
    const tick = (now: number): void => {
      frames.push(now - last);
      last = now;
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    Object.assign(window, { benchFrames: frames });
  });
  for (let turn = 0; turn < TURNS; turn += 1) {
    await page.mouse.wheel(0, 240);
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
  const frames = z
    .array(z.number())
    .parse(await page.evaluate(() => (window as unknown as { benchFrames: unknown }).benchFrames));
  const sorted = frames.slice(5).toSorted((one, other) => one - other);
  const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;

  const vast = TABLES.find(({ ref }) => ref.name === VAST);
  if (vast === undefined) throw new Error('There is no such table.');
  await tables.getByText(VAST, { exact: true }).click();
  const longest = page.getByRole('grid', { name: `Rows of ${VAST}` });
  await longest.getByRole('gridcell').first().waitFor();
  await longest.focus();
  await page.keyboard.press('Control+End');
  const last = longest.locator(`[aria-rowindex="${vast.rows + 1}"] [role="gridcell"]`).first();
  const reached = await last.waitFor({ timeout: 10_000 }).then(
    () => true,
    () => false,
  );
  return [
    atMost('grid over 1,000,000 rows: p99 frame while scrolling', p99, 20, 'milliseconds'),
    {
      name: `grid over ${vast.rows.toLocaleString('en-US')} rows: last row reachable`,
      ...{ value: reached ? 1 : 0, limit: 1, unit: 'yes', holds: reached },
    },
  ];
}
