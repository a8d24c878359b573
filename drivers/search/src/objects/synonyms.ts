import type { SearchClient } from '../client.ts';
import { collectionPath, encodeSegment } from '../paths.ts';
import { factOf } from './objectDocument.ts';
import type { ObjectMembers } from './objectDocument.ts';
import { objectKind } from './objectKind.ts';
import { restSource } from './objectSource.ts';
import type { ObjectSource } from './objectSource.ts';
import { linkedSetConsequence } from './setLinks.ts';

const form = [
  {
    path: ['synonyms'],
    type: 'texts',
    label: 'Synonyms',
    help: 'Words that find each other, or that find the root where there is one.',
    required: true,
  },
  {
    path: ['root'],
    type: 'text',
    label: 'Root',
    help: 'With a root, only a search for this word finds the others. Without one, each word finds all.',
    required: false,
  },
  { path: ['locale'], type: 'text', label: 'Language', help: 'A language code such as de. Empty: English.', required: false },
  {
    path: ['symbols_to_index'],
    type: 'texts',
    label: 'Symbols to keep',
    help: 'Symbols such as + that are part of a synonym.',
    required: false,
  },
] as const;

const columns = [
  ['synonyms', 'Synonyms'],
  ['root', 'Root'],
] as const;

const facts = ({ synonyms, root }: ObjectMembers) => ({ synonyms: factOf(synonyms), root: factOf(root) });

/** A symbol is one character to the server. */
function fault({ symbols_to_index: symbols }: ObjectMembers): string | undefined {
  const list: readonly unknown[] = Array.isArray(symbols) ? symbols : [];
  const long = list.find((one): one is string => typeof one === 'string' && one.length > 1);
  return long === undefined ? undefined : `“symbols_to_index” (Symbols to keep) has “${long}”: each is one character.`;
}

/** Before version 30 each collection has its own synonyms. */
export function synonymSource(client: SearchClient): ObjectSource {
  return restSource(client, {
    kind: objectKind({
      id: 'synonym',
      term: { one: 'Synonym', other: 'Synonyms' },
      help: 'Words that a search takes for each other.',
      scope: 'table',
      columns,
      form,
    }),
    versions: { until: 30 },
    nameMember: 'id',
    path: ({ collection = '' }) => `${collectionPath(collection)}/synonyms`,
    listMember: 'synonyms',
    fault,
    facts,
  });
}

/** From version 30 on they are in sets, which collections name. */
export function synonymSetSource(client: SearchClient): ObjectSource {
  return restSource(client, {
    kind: objectKind({
      id: 'synonym-set',
      term: { one: 'Synonym Set', other: 'Synonym Sets' },
      help: 'Synonyms that several collections can use. A collection uses a set once the set is linked to it.',
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
    path: () => '/synonym_sets',
    facts: ({ items }) => ({ items: Array.isArray(items) ? String(items.length) : undefined }),
    consequence: linkedSetConsequence(client, 'synonym_sets'),
  });
}

/** The synonyms of a set. */
export function synonymItemSource(client: SearchClient): ObjectSource {
  return restSource(client, {
    kind: objectKind({
      id: 'synonym-item',
      term: { one: 'Synonym', other: 'Synonyms' },
      help: 'Words that a search takes for each other, in every collection that the set is linked to.',
      scope: 'server',
      within: 'synonym-set',
      columns,
      form,
    }),
    versions: { since: 30 },
    nameMember: 'id',
    path: ({ within = '' }) => `/synonym_sets/${encodeSegment(within)}/items`,
    fault,
    facts,
  });
}
