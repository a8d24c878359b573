import type { SearchClient } from '../client.ts';
import { isExactObject } from '../edits/exactValue.ts';
import { collectionPath, encodeSegment } from '../paths.ts';
import { factOf, memberAt } from './objectDocument.ts';
import type { ObjectMembers } from './objectDocument.ts';
import { objectKind } from './objectKind.ts';
import { restSource } from './objectSource.ts';
import type { ObjectSource } from './objectSource.ts';
import { linkedSetConsequence } from './setLinks.ts';

/** The latest second that the server takes. */
const LAST_SECOND = 253_402_300_799;

const form = [
  {
    path: ['rule', 'query'],
    type: 'text',
    label: 'Search words',
    help: 'The rule acts on searches for these words.',
    required: false,
  },
  {
    path: ['rule', 'match'],
    type: 'choice',
    label: 'Match',
    help: 'Whether the search has only these words, or has them among others. Needed where there are search words.',
    required: false,
    choices: [
      { value: 'exact', label: 'Exactly these words' },
      { value: 'contains', label: 'These words among others' },
    ],
  },
  {
    path: ['rule', 'filter_by'],
    type: 'text',
    label: 'With the filter',
    help: 'The rule acts on searches with this filter.',
    required: false,
  },
  {
    path: ['rule', 'tags'],
    type: 'texts',
    label: 'With a tag',
    help: 'The rule acts on searches that send one of these tags.',
    required: false,
  },
  {
    path: ['includes'],
    type: 'list',
    label: 'Pinned documents',
    help: 'Documents that are shown at a place, 1 is the first.',
    required: false,
    fields: [
      { path: ['id'], type: 'text', label: 'Document', required: true },
      { path: ['position'], type: 'number', label: 'Place', required: true, minimum: 1, maximum: 10_000 },
    ],
  },
  {
    path: ['excludes'],
    type: 'list',
    label: 'Hidden documents',
    help: 'Documents that are not found.',
    required: false,
    fields: [{ path: ['id'], type: 'text', label: 'Document', required: true }],
  },
  { path: ['filter_by'], type: 'text', label: 'Filter', help: 'A filter that is added to the search.', required: false },
  { path: ['sort_by'], type: 'text', label: 'Order', help: 'An order instead of that of the search.', required: false },
  {
    path: ['replace_query'],
    type: 'text',
    label: 'Search instead for',
    help: 'Words that are searched for instead.',
    required: false,
  },
  {
    path: ['remove_matched_tokens'],
    type: 'switch',
    label: 'Remove the search words',
    help: 'The words of the rule are not searched for. The server’s own default is on where there is a filter.',
    required: false,
    default: false,
  },
  {
    path: ['filter_curated_hits'],
    type: 'switch',
    label: 'Filter pinned documents',
    help: 'Pinned documents that the filter of a search leaves out are not shown.',
    required: false,
    default: false,
  },
  {
    path: ['stop_processing'],
    type: 'switch',
    label: 'Last rule',
    help: 'No other rule acts on a search that this one acts on.',
    required: false,
    default: true,
  },
  {
    path: ['effective_from_ts'],
    type: 'number',
    label: 'From',
    help: 'Seconds since 1970, from which on the rule acts.',
    required: false,
    minimum: 0,
    maximum: LAST_SECOND,
  },
  {
    path: ['effective_to_ts'],
    type: 'number',
    label: 'Until',
    help: 'Seconds since 1970, until which the rule acts.',
    required: false,
    minimum: 0,
    maximum: LAST_SECOND,
  },
  { path: ['metadata'], type: 'json', label: 'Extra data', help: 'JSON that a search’s answer carries.', required: false },
] as const;

const columns = [
  ['query', 'Search words'],
  ['match', 'Match'],
  ['pinned', 'Pinned'],
  ['hidden', 'Hidden'],
  ['filter', 'Filter'],
] as const;

function facts(members: ObjectMembers): Record<string, string | undefined> {
  const ids = (list: unknown): string | undefined =>
    factOf(Array.isArray(list) ? list.flatMap((one: unknown) => factOf(memberAt(one, ['id'])) ?? []) : undefined);
  return {
    query: factOf(memberAt(members, ['rule', 'query'])) ?? factOf(memberAt(members, ['rule', 'tags'])),
    match: factOf(memberAt(members, ['rule', 'match'])),
    pinned: ids(members['includes']),
    hidden: ids(members['excludes']),
    filter: factOf(members['filter_by']),
  };
}

/** Members without which a rule does nothing. */
const EFFECTS = ['includes', 'excludes', 'filter_by', 'sort_by', 'replace_query', 'remove_matched_tokens', 'metadata'] as const;

/** As the server asks for it, which says it only when the rule is sent; some rules it takes, and they do nothing. */
function fault(members: ObjectMembers): string | undefined {
  const part = (name: string): unknown => memberAt(members, ['rule', name]) ?? '';
  const hasTags = Array.isArray(part('tags')) && (part('tags') as readonly unknown[]).length > 0;
  const hasWords = part('query') !== '';
  if (hasWords && part('match') === '') return 'With “rule.query” (Search words) goes “rule.match” (Match): exact or contains.';
  if (part('match') !== '' && !hasWords) return 'With “rule.match” (Match) go words: “rule.query” (Search words) is missing.';
  if (!hasWords && !hasTags && part('filter_by') === '') {
    return 'It never acts: give it search words, a filter or a tag in “rule”.';
  }
  const does = EFFECTS.some((name) => {
    const value = members[name] ?? '';
    return value !== '' && !(Array.isArray(value) && value.length === 0);
  });
  if (!does) return 'It does nothing: pin or hide a document, or give it a filter, an order, other words or extra data.';
  const metadata = members['metadata'];
  if (metadata === undefined || isExactObject(metadata)) return undefined;
  return '“metadata” (Extra data) is not a JSON object.';
}

/** Before version 30 each collection has its own rules. */
export function curationSource(client: SearchClient): ObjectSource {
  return restSource(client, {
    kind: objectKind({
      id: 'curation',
      term: { one: 'Curation Rule', other: 'Curation Rules' },
      help: 'Documents to pin or to hide, or a filter to add, when people search for certain words.',
      scope: 'table',
      columns,
      form,
    }),
    versions: { until: 30 },
    nameMember: 'id',
    path: ({ collection = '' }) => `${collectionPath(collection)}/overrides`,
    listMember: 'overrides',
    fault,
    facts,
  });
}

/** From version 30 on they are in sets, which collections name. */
export function curationSetSource(client: SearchClient): ObjectSource {
  return restSource(client, {
    kind: objectKind({
      id: 'curation-set',
      term: { one: 'Curation Set', other: 'Curation Sets' },
      help: 'Curation rules that several collections can use. A collection uses a set once the set is linked to it.',
      scope: 'server',
      columns: [['items', 'Entries']],
      form: [
        {
          path: ['items'],
          type: 'json',
          label: 'Entries',
          help: 'A list of entries, each with an id. Without one the set begins empty.',
          required: false,
        },
      ],
    }),
    versions: { since: 30 },
    nameMember: 'name',
    emptyList: 'items',
    path: () => '/curation_sets',
    facts: ({ items }) => ({ items: Array.isArray(items) ? String(items.length) : undefined }),
    consequence: linkedSetConsequence(client, 'curation_sets'),
  });
}

/** The rules of a set. */
export function curationItemSource(client: SearchClient): ObjectSource {
  return restSource(client, {
    kind: objectKind({
      id: 'curation-item',
      term: { one: 'Curation Rule', other: 'Curation Rules' },
      help: 'Documents to pin or to hide, or a filter to add, in every collection that the set is linked to.',
      scope: 'server',
      within: 'curation-set',
      columns,
      form,
    }),
    versions: { since: 30 },
    nameMember: 'id',
    path: ({ within = '' }) => `/curation_sets/${encodeSegment(within)}/items`,
    fault,
    facts,
  });
}
