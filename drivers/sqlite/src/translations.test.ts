import { readFileSync, readdirSync } from 'node:fs';
import { driverMessages } from '@tabularium/sdk/manifest';
import { expect, it } from 'vitest';
import { RESULT_CODES, BROKEN_RULES } from './fault.ts';

const { tabularium } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { tabularium: object };
const messages = driverMessages(tabularium, 'de');

const sources = readdirSync(new URL('.', import.meta.url), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'));
const WRITTEN = /'((?:value|edit|code|sql|where|filter|export|operation|file|newTable|page|sort)\.[\w.]+)'/g;
const written = sources.flatMap((source) => [...source.matchAll(WRITTEN)].map(([, id]) => id ?? ''));

it('every error of a change and of SQLite itself has a German message', () => {
  const ofCodes = Object.entries(RESULT_CODES).flatMap(([code, [, , advice]]) => [
    `code.${code}`,
    ...(advice === undefined ? [] : [`code.${code}.advice`]),
  ]);
  const ofOperations = ['empty', 'drop'].flatMap((one) => ['', '.plan', '.done'].map((part) => `operation.${one}${part}`));
  const ids = new Set([...written, ...ofOperations, ...ofCodes, ...Object.keys(BROKEN_RULES).map((code) => `rule.${code}`)]);
  expect(ids.size).toBeGreaterThan(40);
  for (const id of ids) expect(messages.get(id), id).toBeDefined();
  const ofErrors = [...messages.keys()].filter((id) =>
    /^(?:value|edit|code|rule|sql|where|filter|export|operation|file|newTable|page|sort)\./.test(id),
  );
  expect(ofErrors.filter((id) => !ids.has(id))).toEqual([]);
});
