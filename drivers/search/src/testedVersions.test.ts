import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { sandboxVersions } from '@tabularium/sandbox';
import driverPackage from '../package.json' with { type: 'json' };

const root = new URL('../../../', import.meta.url);
const text = (path: string): string => readFileSync(new URL(path, root), 'utf8');

/** The builds of real servers that there are results of in the repository. */
const builds = readdirSync(new URL('tests/server/', root)).flatMap((name) => /^bad-requests\.(.+)\.json$/.exec(name)?.[1] ?? []);

it('the documentation names the builds that were run, and no other', () => {
  expect(existsSync(new URL('tests/server/bad-requests.29.0.json', root))).toBe(true);
  const [paragraph = ''] = /^Real servers that the whole of[\s\S]*?\n\n/m.exec(text('docs/reference/search-driver.md')) ?? [];
  const named = Array.from(paragraph.matchAll(/\*\*(\d+\.\d[\w.-]*)\*\*/g), ([, version = '']) => version);
  expect(named.toSorted()).toEqual(builds.toSorted());
  expect(paragraph).toContain('No other build was run.');
});

it('the versions of the sample server are those that the documentation says are compared', () => {
  const [line = ''] = /^What the driver for[\s\S]*?\n\n/m.exec(text('docs/reference/search-driver.md')) ?? [];
  for (const version of sandboxVersions) expect(line).toContain(version);
});

it('the manifest promises the oldest version, and claims no tested one', () => {
  // A translation may say from which version on the server can do something.
  const { translations: _, ...manifest } = driverPackage.tabularium;
  const { tagline } = manifest;
  expect(tagline).toContain('26.0 and later');
  expect(JSON.stringify(manifest)).not.toMatch(/tested|\b(?:27|28|29|30)\.\d/i);
  for (const language of ['en', 'de']) {
    const folder = new URL(`host/src/renderer/i18n/${language}/`, root);
    for (const name of readdirSync(folder))
      expect(readFileSync(new URL(name, folder), 'utf8')).not.toMatch(/Typesense (?:\d|v\d)/);
  }
});
