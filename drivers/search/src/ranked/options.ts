import type { SearchOption } from '@tabularium/sdk';

type Group = 'matching' | 'words' | 'rules' | 'ranking' | 'semantic' | 'results';

const GROUPS: Readonly<Record<Group, string>> = {
  matching: 'Typos and beginnings',
  words: 'Words',
  rules: 'Rules',
  ranking: 'Ranking',
  semantic: 'Vectors',
  results: 'Results',
};

interface Facts {
  readonly label: string;
  readonly help?: string;
  readonly group: Group;
  /** The first version that has it. */
  readonly since?: number;
  /** The first version that has it no more. */
  readonly until?: number;
}

/** An option whose id is the server's parameter. The default is the server's own, so that a default need not be sent. */
export type RankedOption = Facts &
  (
    | { readonly type: 'switch'; readonly default: boolean }
    | { readonly type: 'number'; readonly default: number; readonly minimum: number; readonly maximum: number }
    | { readonly type: 'text'; readonly default: string }
    | { readonly type: 'choice'; readonly default: string; readonly choices: Readonly<Record<string, string>> }
  );

const count = (value: number, maximum: number, minimum = 0) => ({ type: 'number', default: value, minimum, maximum }) as const;
const on = (value: boolean) => ({ type: 'switch', default: value }) as const;
const text = { type: 'text', default: '' } as const;
const choice = <Choices extends Readonly<Record<string, string>>>(choices: Choices, value: keyof Choices & string) =>
  ({ type: 'choice', choices, default: value }) as const;

const WHEN_NOTHING = { off: 'Never', fallback: 'Where nothing else is found', always: 'Always' };

/** The options of every collection by the server's parameter, in the order of the form. */
export const RANKED_OPTIONS: Readonly<Record<string, RankedOption>> = {
  num_typos: { ...count(2, 2), group: 'matching', label: 'Typos at most', help: 'Per word.' },
  min_len_1typo: { ...count(4, 100, 1), group: 'matching', label: 'One typo from letters' },
  min_len_2typo: { ...count(7, 100, 1), group: 'matching', label: 'Two typos from letters' },
  typo_tokens_threshold: {
    ...count(1, 1_000_000),
    group: 'matching',
    label: 'Typos while fewer hits than',
    help: 'Words with typos are looked for only while fewer hits were found.',
  },
  prefix: {
    ...on(true),
    group: 'matching',
    label: 'Beginning of the last word',
    help: 'The last word is also found as the beginning of a longer one.',
  },
  infix: {
    ...choice(WHEN_NOTHING, 'off'),
    group: 'matching',
    label: 'Inside words',
    help: 'In the fields that have an infix index.',
  },
  split_join_tokens: { ...choice(WHEN_NOTHING, 'fallback'), group: 'matching', label: 'Split and join words' },
  drop_tokens_threshold: {
    ...count(1, 1_000_000),
    group: 'words',
    label: 'Drop words while fewer hits than',
    help: 'Words of the search are left out only while fewer hits were found.',
  },
  drop_tokens_mode: {
    ...choice(
      { right_to_left: 'From the end', left_to_right: 'From the beginning', 'both_sides:3': 'From both sides' },
      'right_to_left',
    ),
    group: 'words',
    label: 'Which words are dropped first',
    since: 26,
  },
  enable_synonyms: { ...on(true), group: 'words', label: 'Synonyms', since: 27.01 },
  synonym_prefix: { ...on(false), group: 'words', label: 'Synonyms of beginnings', since: 27 },
  synonym_num_typos: { ...count(0, 2), group: 'words', label: 'Typos in synonyms at most', since: 27 },
  pre_segmented_query: { ...on(false), group: 'words', label: 'Words are already separated by spaces' },
  enable_overrides: { ...on(true), group: 'rules', label: 'Curation rules', help: 'Overrides pin, hide and filter.', until: 30 },
  enable_curations: { ...on(true), group: 'rules', label: 'Curation rules', help: 'Curations pin, hide and filter.', since: 30 },
  override_tags: {
    ...text,
    group: 'rules',
    label: 'Only rules with these tags',
    help: 'Separated by commas.',
    since: 26,
    until: 30,
  },
  curation_tags: { ...text, group: 'rules', label: 'Only rules with these tags', help: 'Separated by commas.', since: 30 },
  pinned_hits: { ...text, group: 'rules', label: 'Pin documents', help: 'id:place, separated by commas, such as 12:1,7:2.' },
  hidden_hits: { ...text, group: 'rules', label: 'Hide documents', help: 'Ids, separated by commas.' },
  text_match_type: {
    ...choice({ max_score: 'Best field', max_weight: 'Heaviest field', sum_score: 'Sum of the fields' }, 'max_score'),
    group: 'ranking',
    label: 'Which score counts',
  },
  prioritize_exact_match: { ...on(true), group: 'ranking', label: 'Whole value before a part' },
  prioritize_token_position: { ...on(false), group: 'ranking', label: 'Earlier places before later ones' },
  prioritize_num_matching_fields: { ...on(true), group: 'ranking', label: 'More fields before fewer' },
  sort_by: {
    ...text,
    group: 'ranking',
    label: 'Sort expression',
    help: 'As sort_by takes it, such as _text_match(buckets: 10):desc,price:asc or place(48.8, 2.3):asc.',
  },
  vector_query: {
    ...text,
    group: 'semantic',
    label: 'Vector query',
    help: 'Such as embedding:([], alpha: 0.7) beside words, or embedding:([0.1, 0.2], k: 100) without.',
  },
  group_by: { ...text, group: 'results', label: 'Group by', help: 'Facet fields, separated by commas.' },
  group_limit: { ...count(3, 99, 1), group: 'results', label: 'Hits per group' },
  exhaustive_search: {
    ...on(false),
    group: 'results',
    label: 'Look at every candidate',
    help: 'Slower: every typo and dropped word is tried.',
  },
  max_candidates: { ...count(4, 10_000, 1), group: 'results', label: 'Candidates per word' },
  search_cutoff_ms: { ...count(30_000, 600_000, 1), group: 'results', label: 'Stop after milliseconds' },
  max_facet_values: { ...count(10, 250, 1), group: 'results', label: 'Values per facet' },
  stopwords: { ...text, group: 'words', label: 'Stopwords', help: 'The name of a set of the server.' },
  preset: {
    ...text,
    group: 'results',
    label: 'Preset',
    help: 'The name of a preset of the server; other options are sent beside it.',
  },
  enable_analytics: {
    ...on(false),
    group: 'results',
    label: 'Count as a search of a user',
    help: 'In the analytics rules of the server; off, this search leaves no trace there.',
    since: 27.01,
  },
};

/** An option as the contract has it. */
export function formOption(id: string, { label, help, group, ...option }: RankedOption): SearchOption {
  const facts = {
    id,
    label,
    group: GROUPS[group],
    ...(help === undefined ? {} : { help }),
    texts: {
      label: { id: `search.${id}.label` },
      group: { id: `search.group.${group}` },
      ...(help === undefined ? {} : { help: { id: `search.${id}.help` } }),
    },
  };
  switch (option.type) {
    case 'switch':
      return { ...facts, type: 'switch', default: option.default };
    case 'number':
      return { ...facts, type: 'number', default: option.default, minimum: option.minimum, maximum: option.maximum };
    case 'text':
      return { ...facts, type: 'text', default: option.default };
    case 'choice':
      return {
        ...facts,
        type: 'choice',
        default: option.default,
        choices: Object.entries(option.choices).map(([value, words]) => ({
          value,
          label: words,
          texts: { label: { id: `search.choice.${value.replace(':', '.')}` } },
        })),
      };
  }
}
