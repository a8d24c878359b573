import type { DriverTexts, PrincipalField } from '@tabularium/sdk';
import { has } from '../versions.ts';

type Action = readonly [action: string, label: string];

/** The actions of a key, by the server's own terms; it takes others too, for new features. */
const groups: readonly (readonly [group: string, actions: readonly Action[], versions?: { since?: number; until?: number }])[] = [
  ['General', [['*', 'Everything']]],
  [
    'Documents',
    [
      ['documents:search', 'Search'],
      ['documents:get', 'Read one'],
      ['documents:create', 'Create'],
      ['documents:upsert', 'Create or replace'],
      ['documents:update', 'Update'],
      ['documents:delete', 'Delete'],
      ['documents:import', 'Import'],
      ['documents:export', 'Export'],
      ['documents:*', 'Everything'],
    ],
  ],
  [
    'Collections',
    [
      ['collections:list', 'List'],
      ['collections:get', 'Read the schema'],
      ['collections:create', 'Create'],
      ['collections:delete', 'Delete'],
      ['collections:*', 'Everything'],
    ],
  ],
  ['Aliases', [['aliases:*', 'Everything']]],
  ['Synonyms', [['synonyms:*', 'Everything']], { until: 30 }],
  ['Curation', [['overrides:*', 'Everything']], { until: 30 }],
  ['Sets of synonyms', setActions('synonym_sets'), { since: 30 }],
  ['Sets of curation rules', setActions('curation_sets'), { since: 30 }],
  ['Stopwords', [['stopwords:*', 'Everything']]],
  ['Presets', [['presets:*', 'Everything']]],
  ['Analytics', [['analytics:*', 'Everything']]],
  [
    'Keys',
    [
      ['keys:list', 'List'],
      ['keys:get', 'Read one'],
      ['keys:create', 'Create'],
      ['keys:delete', 'Delete'],
      ['keys:*', 'Everything'],
    ],
  ],
  [
    'Operations',
    [
      ['metrics.json:list', 'Read metrics'],
      ['stats.json:list', 'Read statistics'],
      ['debug:list', 'Read the version'],
      ['operations:*', 'Snapshot, compact and others'],
    ],
  ],
];

/** In version 30 the actions of a set do not reach its items. */
function setActions(set: string): Action[] {
  return [
    [`${set}:list`, 'List'],
    [`${set}:get`, 'Read one'],
    [`${set}:upsert`, 'Create or replace'],
    [`${set}:delete`, 'Delete'],
    [`${set}:*`, 'Everything but items'],
    [`${set}/items:get`, 'Read items'],
    [`${set}/items:upsert`, 'Create or replace items'],
    [`${set}/items:delete`, 'Delete items'],
    [`${set}/items:*`, 'Everything with items'],
  ];
}

/** The catalogue of a version, as choices of a form; undefined: of all versions. */
export function actionOptions(version: number | undefined): NonNullable<PrincipalField['options']> {
  return groups
    .filter(([, , versions = {}]) => has(version, versions))
    .flatMap(([group, actions]) =>
      actions.map(([value, label]) => ({ value, label: `${value} (${label})`, group, texts: textsOf(value, label, group) })),
    );
}

/** Where the manifest has an action's texts in other languages. */
function textsOf(action: string, label: string, group: string): DriverTexts {
  const idOf = (text: string): string => text.replaceAll(/[^A-Za-z]+/g, '-');
  return { label: { id: `action.${idOf(label)}`, values: { action } }, group: { id: `actionGroup.${idOf(group)}` } };
}
