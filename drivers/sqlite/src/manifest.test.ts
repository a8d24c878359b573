import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { driverMessages, parseManifest, untranslatedTexts } from '@tabularium/sdk/manifest';

/** Held by the test of translations. */
const OF_ERRORS = /^(?:value|edit|code|rule)\./;

it('has every text in German', () => {
  const { tabularium } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { tabularium: object };
  expect(parseManifest(tabularium).ok).toBe(true);
  expect([...untranslatedTexts(tabularium, 'de').keys()]).toEqual([]);
});

it('has a German message for each finding, note, and reason at a column', () => {
  const { tabularium } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { tabularium: object };
  const sources = ['./schema.ts', './connect.ts'].map((file) => readFileSync(new URL(file, import.meta.url), 'utf8')).join('\n');
  const ids = [...sources.matchAll(/'((?:column|table|note|finding)\.[a-zA-Z.]+)'/g)].map(([, id]) => id);
  expect(ids.length).toBeGreaterThan(15);
  expect([...driverMessages(tabularium, 'de').keys()].filter((id) => !OF_ERRORS.test(id)).toSorted()).toEqual(ids.toSorted());
});
