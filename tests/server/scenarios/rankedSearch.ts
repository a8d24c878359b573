import { NO_FILTER } from '@tabularium/sdk';
import type { Filter, SearchAnswer, SearchFacet, SearchRequest } from '@tabularium/sdk';
import { createCollection, importDocuments, tableOf } from '../scenario.ts';
import type { Problems, Scenario, ServerUnderTest } from '../scenario.ts';

const BOOKS = [
  { id: 'a', title: 'The red fox', text: 'A story of a fox', genre: 'tale', year: 1999, place: [52.5, 13.4], meaning: [1, 0] },
  { id: 'b', title: 'Foxes and hens', text: 'The red barn', genre: 'tale', year: 2004, place: [48.1, 11.6], meaning: [0.9, 0.1] },
  { id: 'c', title: 'Red wine', text: 'Grapes of the south', genre: 'food', year: 2010, place: [43.6, 1.4], meaning: [0, 1] },
  {
    id: 'd',
    title: 'A winter barn',
    text: 'Snow, and a red fox',
    genre: 'tale',
    year: 2021,
    place: [59.9, 10.7],
    meaning: [0.7, 0.3],
  },
];
const FIELDS = [
  { name: 'title', type: 'string' },
  { name: 'text', type: 'string' },
  { name: 'genre', type: 'string', facet: true },
  { name: 'year', type: 'int32' },
  { name: 'place', type: 'geopoint' },
  { name: 'meaning', type: 'float[]', num_dim: 2 },
];

/** Ranked search: words, weights, facets, typos, pins, groups, places, vectors and several collections at once. */
export const rankedSearch: Scenario = {
  id: 'ranked-search',
  title: 'Ranked search: weights, facets, highlights, typos, pins, groups, places, vectors, several collections',
  async run(server, problems) {
    const facet = server.session.search;
    if (facet === undefined) throw new Error('The driver has no ranked search.');
    const table = await createCollection(server, 'ranked', FIELDS);
    await importDocuments(
      server,
      table,
      BOOKS.map((book) => JSON.stringify(book)),
    );
    const form = await facet.form(tableOf(table), server.options);
    problems.same(
      'fields that are searched',
      form.fields
        .filter(({ isDefault }) => isDefault)
        .map(({ name }) => name)
        .toSorted(),
      ['genre', 'text', 'title'],
    );
    problems.same('facets', form.facets, ['genre']);
    const ask = (more: Partial<SearchRequest>): Promise<SearchAnswer> =>
      facet.search({ ...EMPTY, table: tableOf(table), ...more }, server.options);
    await ofWords(ask, problems);
    await ofOptions(ask, problems);
    await ofSeveralTables(server, facet, table, ask, problems);
  },
};

const EMPTY = { text: '', fields: [], facets: [], filter: NO_FILTER, sorts: [], options: {}, offset: 0, limit: 10 };
const TITLE_FIRST = [
  { name: 'title', weight: 10 },
  { name: 'text', weight: 1 },
];
const TEXT_FIRST = [
  { name: 'text', weight: 10 },
  { name: 'title', weight: 1 },
];
const idsOf = ({ hits }: SearchAnswer): unknown[] => hits.map(({ key }) => key[0]);

type AskSearch = (more: Partial<SearchRequest>) => Promise<SearchAnswer>;

async function ofWords(ask: AskSearch, problems: Problems): Promise<void> {
  const words = await ask({ text: 'red fox', fields: TITLE_FIRST, facets: ['genre'] });
  problems.same('the first hit by title', idsOf(words)[0], 'a');
  problems.same('the first hit by text', idsOf(await ask({ text: 'red fox', fields: TEXT_FIRST }))[0], 'd');
  problems.holds(
    'no hit has a score',
    words.hits.every(({ score }) => /^\d+$/.test(score ?? '')),
  );
  problems.holds('the first hit is not explained', (words.hits[0]?.explanation.length ?? 0) > 0);
  const marked = words.hits[0]?.highlights.find(({ field }) => field === 'title')?.parts.filter(({ isMatch }) => isMatch);
  problems.same(
    'marked words of the first title',
    marked?.map(({ text }) => text),
    ['red', 'fox'],
  );
  problems.same(
    'counted values',
    words.facets[0]?.values.find(({ value }) => value === 'tale')?.rows,
    idsOf(words).filter((id) => id !== 'c').length,
  );
  problems.holds('the request is not that of a search', words.request.path.startsWith('/multi_search'));
  const tales: Filter = { match: 'all', conditions: [{ column: 'genre', operator: 'equals', values: ['food'] }] };
  problems.same('hits of a filter', idsOf(await ask({ text: 'red', filter: tales })), ['c']);
  problems.same('all by year', idsOf(await ask({ sorts: [{ column: 'year', direction: 'descending' }] })), ['d', 'c', 'b', 'a']);
  const second = await ask({ sorts: [{ column: 'year', direction: 'ascending' }], offset: 2, limit: 1 });
  problems.same('the second page', [second.found, idsOf(second)], [4, ['c']]);
}

async function ofOptions(ask: AskSearch, problems: Problems): Promise<void> {
  const typo = await ask({ text: 'wiine', fields: [{ name: 'title' }] });
  problems.same('hits with a typo', idsOf(typo), ['c']);
  problems.holds('a hit with a typo has no mark', (typo.hits[0]?.marks.length ?? 0) > 0);
  problems.same(
    'hits without typos',
    idsOf(await ask({ text: 'wiine', fields: [{ name: 'title' }], options: { num_typos: 0 } })),
    [],
  );
  const pinned = await ask({ text: 'red', options: { pinned_hits: 'b:1', hidden_hits: 'a' } });
  problems.same('pinned and hidden', [idsOf(pinned)[0], idsOf(pinned).includes('a')], ['b', false]);
  const grouped = await ask({ text: 'red', options: { group_by: 'genre', group_limit: 1 } });
  problems.same('groups', grouped.hits.map(({ group }) => group).toSorted(), ['food', 'tale']);
  problems.same('nearest to a place', idsOf(await ask({ options: { sort_by: 'place(59.0, 10.0):asc' } }))[0], 'd');
  const vector = await ask({ options: { vector_query: 'meaning:([0, 1], k: 4)' } });
  problems.same('nearest to a vector', idsOf(vector)[0], 'c');
  await problems.rejected('a vector of three numbers', 'INVALID_INPUT', () =>
    ask({ options: { vector_query: 'meaning:([0, 1, 2])' } }),
  );
  await problems.rejected('a preset that is not there', 'INVALID_INPUT', () =>
    ask({ text: 'red', options: { preset: 'no-such-preset' } }),
  );
}

async function ofSeveralTables(
  server: ServerUnderTest,
  facet: SearchFacet,
  table: string,
  ask: AskSearch,
  problems: Problems,
): Promise<void> {
  const { mostTables } = await facet.form(tableOf(table), server.options);
  if (mostTables === undefined) return;
  const other = await createCollection(server, 'ranked-too', [{ name: 'title', type: 'string' }]);
  await importDocuments(server, other, ['{"id":"f","title":"red fox"}']);
  const both = await ask({ text: 'red fox', alsoIn: [tableOf(other)] });
  problems.holds(
    'a hit of the other collection is missing',
    both.hits.some((hit) => hit.table?.name === other && hit.key[0] === 'f'),
  );
  problems.holds(
    'a hit of the own collection is missing',
    both.hits.some((hit) => hit.table === undefined && hit.key[0] === 'a'),
  );
}
