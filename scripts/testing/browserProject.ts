import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import react from '@vitejs/plugin-react';
import { playwright } from '@vitest/browser-playwright';
import type { TestProjectInlineConfiguration } from 'vitest/config';
import type { BrowserCommand } from 'vitest/node';
import { visibleJsx } from '../build/visibleJsx.ts';
import { root, workFolder } from '../paths.ts';
import { TEST_CHROMIUM_ARGUMENTS } from './chromiumArguments.ts';
import { runtimeInBrowser } from './runtimeInBrowser.ts';
import { findChromium } from './tools.ts';

const REPEAT_MILLISECONDS = 30;

/** Holds a key down, which repeats as a keyboard does it. */
const hold: BrowserCommand<[key: string, milliseconds: number]> = async ({ page }, key, milliseconds) => {
  const end = performance.now() + milliseconds;
  while (performance.now() < end) {
    await page.keyboard.down(key);
    await sleep(REPEAT_MILLISECONDS);
  }
  await page.keyboard.up(key);
};

/** Text that an input method has composed and not inserted yet; empty: none any more. */
const compose: BrowserCommand<[text: string]> = async ({ page, context }, text) => {
  const session = await context.newCDPSession(page);
  await session.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
  await session.detach();
};

/**
 * React as people get it. Its development build, which measures each component and keeps a stack for each element, took half as much processor
 * time again in the page.
 */
const PRODUCTION = { 'process.env.NODE_ENV': JSON.stringify('production') };

/** Tests of the window's components in a real Chromium: from their source, compiled as the build compiles them. */
export function browserProject(): TestProjectInlineConfiguration {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('There is no Chromium on this machine.');
  return {
    root,
    cacheDir: join(workFolder, 'vitest-browser'),
    plugins: [visibleJsx(root), runtimeInBrowser(), react()],
    resolve: { conditions: ['tabularium:source', 'module', 'browser', 'production', 'import', 'default'] },
    define: PRODUCTION,
    // The component library is compiled to the house's JSX as well.
    optimizeDeps: { rolldownOptions: { plugins: [visibleJsx(root)], transform: { define: PRODUCTION } } },
    test: {
      name: 'browser',
      include: ['host/src/renderer/**/*.browser.test.tsx'],
      setupFiles: ['host/src/renderer/testing/browserSetup.test-helper.ts'],
      testTimeout: 240_000,
      expect: { poll: { timeout: 120_000 } },
      sequence: { groupOrder: 2 },
      // One after the other: all pages of a browser share one clipboard.
      fileParallelism: false,
      // Nor a page of its own for each file: to load the window's modules for each took an eighth of the processor time of all. The setup file
      // clears what a test leaves behind.
      isolate: false,
      api: { host: '127.0.0.1' },
      browser: {
        enabled: true,
        headless: true,
        commands: { hold, compose },
        // Wide enough for every column of the example, whatever widths the grid begins with.
        viewport: { width: 1_920, height: 900 },
        screenshotDirectory: join(workFolder, 'browser-tests'),
        provider: playwright({
          launchOptions: { executablePath, args: [...TEST_CHROMIUM_ARGUMENTS] },
          contextOptions: { permissions: ['clipboard-read', 'clipboard-write'] },
          actionTimeout: 30_000,
        }),
        instances: [{ browser: 'chromium' }],
      },
    },
  };
}
