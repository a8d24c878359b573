import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { CHROMIUM_ARGUMENTS, PLAYWRIGHTS_DISABLED_FEATURES } from './chromiumArguments.ts';

it('the features that Playwright disables stay disabled', () => {
  const folder = dirname(createRequire(import.meta.url).resolve('playwright-core/package.json'));
  const bundle = readFileSync(join(folder, 'lib/coreBundle.js'), 'utf8');
  const list = /\bdisabledFeatures = \[(.*?)\]\.filter\(Boolean\)/s.exec(bundle)?.[1] ?? '';
  const features = list.split('\n').flatMap((line) => /^\s*"(\w+)"/.exec(line)?.[1] ?? []);
  expect(PLAYWRIGHTS_DISABLED_FEATURES).toEqual(features);
  expect(CHROMIUM_ARGUMENTS.filter((argument) => argument.startsWith('--disable-features='))).toHaveLength(1);
});
