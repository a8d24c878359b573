import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseManifest, untranslatedTexts } from '@tabularium/sdk/manifest';

it('has every text in German', () => {
  const { tabularium } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { tabularium: object };
  expect(parseManifest(tabularium).ok).toBe(true);
  expect([...untranslatedTexts(tabularium, 'de').keys()]).toEqual([]);
});
