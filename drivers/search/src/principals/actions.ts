type Action = readonly [action: string, label: string];

/** What a key can be allowed, by the server's own words; it takes others too, for what is new in it. */
const groups: readonly (readonly [group: string, actions: readonly Action[]])[] = [
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
  ['Synonyms', [['synonyms:*', 'Everything']]],
  ['Curation', [['overrides:*', 'Everything']]],
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

/** The catalogue, as choices of a form. */
export const ACTION_OPTIONS = groups.flatMap(([group, actions]) =>
  actions.map(([value, label]) => ({ value, label: `${value} (${label})`, group })),
);
