import { readFileSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { driverMessages, parseManifest, untranslatedTexts } from '@tabularium/sdk/manifest';
import { STATES } from './fault.ts';
import { OBJECT_KINDS } from './objects/objectKinds.ts';
import { FLAGS } from './roles/roleState.ts';

const { tabularium } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { tabularium: object };
const messages = driverMessages(tabularium, 'de');
const sources = readdirSync(new URL('.', import.meta.url), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'))
  .join('\n');

it('has every text in German', () => {
  expect(parseManifest(tabularium)).toMatchObject({ ok: true });
  expect([...untranslatedTexts(tabularium, 'de').keys()]).toEqual([]);
});

it('has a German message for each error, finding, note, and reason at a column, and no others', () => {
  const written = [
    ...sources.matchAll(
      /'((?:value|edit|column|table|note|finding|import|sql|state|explain|where|filter|export|operation|page|row|link|tls|signIn|connect|sort|metrics|activity|role|session|console|newTable|object|server|lock|read)\.[\w.]+)'/g,
    ),
  ].map(([, id]) => id ?? '');
  const findings = [...sources.matchAll(/warn\('[^']+', '(\w+)'/g)].flatMap(([, id]) => [`finding.${id}`, `finding.${id}.label`]);
  const ofMetrics = [...sources.matchAll(/metric\('(\w+)'/g)].flatMap(([, id]) => [`metrics.${id}`, `metrics.${id}.help`]);
  const ofFields = [...new Set([...sources.matchAll(/roleField\(\s*'(\w+)'/g)].map(([, id]) => id ?? '')), ...FLAGS].flatMap(
    (id) => [`role.field.${id}`, ...(id === 'comment' ? [] : [`role.field.${id}.help`])],
  );
  const ofFacts = [
    ...['memberOf', 'members', 'owned', 'grants', 'elsewhere', 'settings'].map((one) => `role.facts.${one}`),
    ...['role', 'options', 'grantor', 'kind', 'object', 'privileges', 'database', 'setting', 'owned', 'granted'].map(
      (one) => `role.column.${one}`,
    ),
  ];
  const ofStates = Object.entries(STATES).flatMap(([state, [, , advice]]) => [
    `state.${state}`,
    ...(advice === undefined ? [] : [`state.${state}.advice`]),
  ]);
  const ofOperations = ['empty', 'drop', 'refresh'].flatMap((one) =>
    ['', '.plan', '.done'].map((part) => `operation.${one}${part}`),
  );
  const ofObjects = OBJECT_KINDS.flatMap(({ kind }) => [
    ...['one', 'other', 'help'].map((part) => `object.${kind.id}.${part}`),
    ...kind.columns.map(({ id }) => `objectColumn.${id}`),
  ]);
  const ids = new Set([
    ...written,
    ...findings,
    ...ofMetrics,
    ...ofStates,
    ...ofOperations,
    ...ofFields,
    ...ofFacts,
    ...ofObjects,
  ]);
  expect(ids.size).toBeGreaterThan(80);
  expect([...messages.keys()].toSorted()).toEqual([...ids].toSorted());
});
