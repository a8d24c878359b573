import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { manifestSchema } from '@tabularium/sdk/manifest';
import { z } from 'zod';
import { createFakeServices } from '../../host/src/renderer/testing/fakeServices.test-helper.ts';
import { root } from '../../scripts/paths.ts';
import { CHROMIUM_ARGUMENTS } from '../../scripts/testing/chromiumArguments.ts';
import { startBrowser } from '../e2e/browser.ts';
import { builtPages, serveWindow } from '../e2e/window/devServer.ts';
import type { Budget } from './budget.ts';
import { atMost, median } from './budget.ts';

const VISITS = 5;
/** From the host being ready to the list of connections. */
const PAINTED_MILLISECONDS = 700;
/** Below this nothing is seen to move. */
const SHIFT = 0.01;

/** The built window in a browser with an empty cache: the time of its first screen, and whether that screen moves. */
export async function windowBudgets(): Promise<readonly Budget[]> {
  const file = await readFile(join(root, 'drivers/search/package.json'), 'utf8');
  const manifest = z.object({ tabularium: manifestSchema }).parse(JSON.parse(file)).tabularium;
  const services = createFakeServices({ manifests: [manifest], connections: ['Sample'], pace: 0 });
  await using stack = new AsyncDisposableStack();
  const server = await serveWindow(services, () => builtPages(join(root, 'host/dist/renderer')));
  stack.defer(() => server.close());
  const browser = await startBrowser({ args: CHROMIUM_ARGUMENTS });
  stack.defer(() => browser.close());
  const visits: { readonly painted: number; readonly shift: number }[] = [];
  for (let visit = 0; visit < VISITS; visit += 1) {
    // A context of its own: nothing is cached.
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    await page.addInitScript(() => {
      const seen = { painted: Number.NaN, shift: 0 };
      Object.assign(window, { seen });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) seen.shift += (entry as PerformanceEntry & { value: number }).value;
      }).observe({ type: 'layout-shift', buffered: true });
      const look = (): void => {
        // The frame that shows the list is the one after the list is there.
        if (document.querySelector('[data-row]') === null) requestAnimationFrame(look);
        else requestAnimationFrame((now) => (seen.painted = now));
      };
      requestAnimationFrame(look);
    });
    await page.goto(server.url);
    await page.getByRole('button', { name: 'Open Sample' }).waitFor();
    await page.waitForFunction(() => !Number.isNaN((window as unknown as { seen: { painted: number } }).seen.painted));
    visits.push(await page.evaluate(() => (window as unknown as { seen: { painted: number; shift: number } }).seen));
    await context.close();
  }
  return [
    atMost(
      'first window, painted after navigation, median',
      median(visits.map(({ painted }) => painted)),
      PAINTED_MILLISECONDS,
      'milliseconds',
    ),
    atMost('first window, layout shift, worst', Math.max(...visits.map(({ shift }) => shift)), SHIFT, 'ratio'),
  ];
}
