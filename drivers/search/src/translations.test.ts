import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { isDriverError } from '@tabularium/sdk';
import type { DriverTexts, OperationsFacet } from '@tabularium/sdk';
import { driverMessages } from '@tabularium/sdk/manifest';
import { FORBIDDEN, answering, json } from './answers.test-helper.ts';
import { ID_COLUMN, schemaMarks, uneditableReason, unsortableReason } from './columns.ts';
import { importModes } from './import/modes.ts';
import { connect, serverFinding } from './connect.ts';
import { call } from './fixture.test-helper.ts';
import { errorRules } from './errorRules/errorRules.ts';
import { keyFindings } from './keyFindings.ts';
import { CARD_FIELDS, NODE_FIELDS, metricOf } from './metrics/metricFields.ts';
import { NARROW_PROBES } from './probes.ts';
import { actionOptions } from './principals/actions.ts';
import { droppedWordsNotes } from './ranked/droppedWords.ts';
import { excludedNotes } from './ranked/excludedWords.ts';
import { explanationOf, hitMarks } from './ranked/explanation.ts';
import { RANKED_OPTIONS, formOption } from './ranked/options.ts';
import type { SchemaField } from './schema.ts';

const { tabularium } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { tabularium: object };
const messages = driverMessages(tabularium, 'de');

const field = (more: Partial<SchemaField>): SchemaField => ({
  name: 'price',
  type: 'string',
  optional: false,
  sort: false,
  index: true,
  store: true,
  facet: false,
  infix: false,
  locale: '',
  symbolsToIndex: [],
  tokenSeparators: [],
  dimensions: 0,
  embedded: false,
  ...more,
});

/** The translations that something of the driver names, with all that is in it. */
function textsIn(said: unknown): NonNullable<DriverTexts[string]>[] {
  if (typeof said !== 'object' || said === null) return [];
  const { texts } = said as { readonly texts?: DriverTexts };
  const own = Object.values(texts ?? {}).flatMap((text) => text ?? []);
  return [...own, ...Object.entries(said).flatMap(([member, inner]) => (member === 'texts' ? [] : textsIn(inner)))];
}

/** Answers that are not an empty list. */
const LISTS: Readonly<Record<string, object>> = {
  '/aliases': { aliases: [] },
  '/collections/products': { name: 'products', fields: [] },
  '/presets': { presets: [{ name: 'shop' }] },
};

/** A hit with everything that a hit can have. */
const RANKED_HIT = {
  curated: true,
  text_match: 1,
  text_match_info: {
    ...{ tokens_matched: 1, fields_matched: 1, best_field_score: '1', best_field_weight: 1 },
    ...{ typo_prefix_score: 2, num_tokens_dropped: 1 },
  },
  hybrid_search_info: { rank_fusion_score: 0.5 },
  vector_distance: 0.5,
  geo_distance_meters: { place: 4 },
};

/** The messages that are said of collections, clusters and objects of many kinds, as they are written in the code. */
const WRITTEN = [
  ...['describe.ts', 'columns.ts', 'metrics/nodes.ts', 'objects/aliases.ts', 'objects/analyticsRules.ts', 'objects/models.ts'],
  ...['import/newCollection.ts', 'objects/objects.ts', 'objects/searchSettings.ts', 'objects/setLinks.ts', 'objects/stemming.ts'],
  ...['newCollection', 'changeFields', 'deleteByQuery', 'snapshot', 'moveAliases', 'cloneCollection', 'reindex', 'copyJob'].map(
    (name) => `operations/${name}.ts`,
  ),
  ...['operations/copyPlan.ts', 'tableOperations.ts', 'import/checkDocument.ts', 'import/outcomes.ts'],
  ...['objects/objectDocument.ts', 'serverErrors.ts', 'edits/apply.ts', 'edits/fieldValue.ts', 'edits/mergePatch.ts'],
  ...['edits/request.ts', 'documentId.ts', 'objects/hitRules.ts', 'ranked/recordedQueries.ts'],
];
const WRITTEN_ID =
  /(?:(?:id: |driverText\()'((?:node|fact|table|column|metric|object|error|value|edit|import|hitRule|recorded)\.[\w.]+)')|'((?:objectPlan|import|operation(?:Plan|Result|Undo|Unit)?)\.[\w.-]+)'/g;
/** The translation of a step's title is named after its id. */
const WRITTEN_STEP = /\bstep\(\s*'(\w+)'/g;
const writtenIds = WRITTEN.flatMap((file) => {
  const text = readFileSync(new URL(file, import.meta.url), 'utf8');
  return [
    ...[...text.matchAll(WRITTEN_ID)].map(([, one, other]) => one ?? other ?? ''),
    ...[...text.matchAll(WRITTEN_STEP)].map(([, id = '']) => `operationStep.${id}`),
  ];
});

/** The driver's own modules, with their text. */
const sources = globSync('**/*.ts', { cwd: import.meta.dirname })
  .filter((file) => !/\.test(?:-helper)?\.ts$/.test(file))
  .map((file) => ({ file: file.replaceAll('\\', '/'), text: readFileSync(new URL(file, import.meta.url), 'utf8') }));
/** Those of errors are named by the prefix of their ids. */
const faultIds = sources.flatMap(({ text }) => [...text.matchAll(/'(fault\.[\w.]+)'/g)].map(([, id = '']) => id));

/** The calls of a constructor in a module, each as its text up to the closing bracket. */
function callsOf(text: string, start: string): readonly string[] {
  return text
    .split(start)
    .slice(1)
    .map((rest) => {
      let depth = 1;
      for (let place = 0; place < rest.length; place += 1) {
        if (rest[place] === '(') depth += 1;
        if (rest[place] === ')') depth -= 1;
        if (depth === 0) return rest.slice(0, place);
      }
      return rest;
    });
}

/** Every operation with its form. */
async function operationForms(operations: OperationsFacet | undefined): Promise<unknown> {
  const places = [{ on: 'server' }, { on: 'table', table: { namespace: [], name: 'products' } }] as const;
  return Promise.all(
    places.map(async (place) => {
      const listed = (await operations?.list(place, call)) ?? [];
      return Promise.all(listed.map(async (one) => [one, await operations?.form(place, one.id, call)]));
    }),
  );
}

async function everythingSaid(): Promise<unknown> {
  const open = async (answer: typeof FORBIDDEN, version = '29.0') =>
    connect(
      {},
      {
        http: answering(({ path }) =>
          path.startsWith('/keys') ? answer : json(path === '/debug' ? { version } : (LISTS[path] ?? [])),
        ),
        log: () => undefined,
      },
      call,
    );
  const { principals, metrics, search, objects, operations } = await open(json({ keys: [] }));
  const newest = await open(json({ keys: [] }), '30.0');
  const refused: unknown = await (await open(FORBIDDEN)).principals?.list(call).catch((error: unknown) => error);
  return [
    [
      { lists: true, passed: NARROW_PROBES },
      { lists: false, passed: [] },
      { lists: false, passed: NARROW_PROBES },
      { lists: false, passed: NARROW_PROBES.slice(1) },
    ].map(keyFindings),
    [undefined, '25.0', '29.0'].map(serverFinding),
    metrics?.missingPanels,
    [...CARD_FIELDS, ...NODE_FIELDS].map((one) => metricOf(one, { [one.member]: 1, [one.total ?? one.member]: 1 })),
    [principals, await principals?.form(call), await principals?.generator?.form(call), actionOptions(undefined)],
    isDriverError(refused) ? refused.details : undefined,
    Object.entries(RANKED_OPTIONS).map(([id, option]) => formOption(id, option)),
    (await search?.form({ namespace: [], name: 'products' }, call))?.options,
    [await objects?.kinds(call), await newest.objects?.kinds(call)],
    await operationForms(operations),
    [explanationOf(RANKED_HIT), hitMarks(RANKED_HIT, ['a']), hitMarks(RANKED_HIT, [])],
    importModes('products'),
    excludedNotes('-a').map(({ translation }) => ({ texts: { note: translation } })),
    droppedWordsNotes('!', { text_match_info: { tokens_matched: 0 } }).map(({ translation }) => ({
      texts: { note: translation },
    })),
    ID_COLUMN,
    [
      { index: false },
      { type: 'string[]' },
      { type: 'geopoint' },
      { type: 'object' },
      { type: 'string' },
      { type: 'int32' },
      { name: 'a b:', sort: true },
    ].map((more) => ({ texts: unsortableReason(field(more))?.texts })),
    schemaMarks(field({ index: false, facet: true, infix: true, locale: 'de', dimensions: 3, reference: 'brands.id' })),
    { texts: uneditableReason(field({ embedded: true }), new Map())?.texts },
    {
      texts: uneditableReason(field({ name: 'offers.price' }), new Map([['offers', field({ name: 'offers', type: 'object[]' })]]))
        ?.texts,
    },
  ];
}

it('every text of findings, metrics, forms and columns that names a translation has a German message with its values', async () => {
  const said = textsIn(await everythingSaid());
  expect(said.length).toBeGreaterThan(80);
  for (const { id, values = {} } of said) {
    const message = messages.get(id);
    expect(message, id).toBeDefined();
    for (const name of Object.keys(values)) expect(message, id).toContain(`{${name}`);
  }
  const ofRules = errorRules.flatMap(({ id, message }) =>
    id === undefined ? [] : [...(message === undefined ? [] : [`error.${id}`]), `error.${id}.advice`],
  );
  const ofObjects = ['missing', 'exists', 'removed', 'changed'].map((is) => `object.${is}`);
  // Said only of a collection whose schema the key may not read.
  const hidden = ['field.schemaHidden', 'field.schemaHiddenSort', 'field.sortedAlready', 'field.notThere', 'field.mostSorts'];
  expect(writtenIds.length).toBeGreaterThan(15);
  expect([...messages.keys()].toSorted()).toEqual(
    [...new Set([...said.map(({ id }) => id), ...hidden, ...writtenIds, ...faultIds, ...ofRules, ...ofObjects])].toSorted(),
  );
});

it('every error names its translation', () => {
  const english = sources.map(({ file, text }) => {
    const calls = [...callsOf(text, 'new DriverError('), ...callsOf(text, 'super(')].filter((call) => /[`'"]/.test(call));
    // An error that passes on another one has its message, and its translation with the details.
    const untranslated = calls.filter(
      (call) => /,/.test(call) && !/\btexts\b/.test(call) && !/\b(?:error|cause)\.message\b/.test(call),
    );
    return [file, untranslated.length] as const;
  });
  expect(Object.fromEntries(english.filter(([, count]) => count > 0))).toEqual({});
});
