import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { driverMessages, parseManifest, untranslatedTexts } from '@tabularium/sdk/manifest';

/** Held by the test of translations. */
const OF_ERRORS = /^(?:value|edit|code|rule|sql|where|filter|export|operation|file|newTable|page|sort)\./;

it('has every text in German', () => {
  const { tabularium } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { tabularium: object };
  expect(parseManifest(tabularium).ok).toBe(true);
  expect([...untranslatedTexts(tabularium, 'de').keys()]).toEqual([]);
});

it('has a German message for each finding, note, mode of an import, and reason at a column', () => {
  const { tabularium } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { tabularium: object };
  const sources = [
    'schema',
    'connect',
    'import/import',
    'import/modes',
    'import/newTable',
    'import/readRow',
    'import/writeImported',
  ]
    .map((file) => readFileSync(new URL(`${file}.ts`, import.meta.url), 'utf8'))
    .join('\n');
  const named = [...sources.matchAll(/'((?:column|table|note|finding|import)\.[a-zA-Z.]+)'/g)].map(([, id]) => id);
  const ofModes = [...sources.matchAll(/`import\.\$\{id\}\.(\w+)`/g)].flatMap(([, text]) =>
    ['create', 'upsert'].map((mode) => `import.${mode}.${text}`),
  );
  const ids = [...new Set([...named, ...ofModes])];
  expect(ids.length).toBeGreaterThan(15);
  expect([...driverMessages(tabularium, 'de').keys()].filter((id) => !OF_ERRORS.test(id)).toSorted()).toEqual(ids.toSorted());
});
