import type {
  RecordedQueries,
  RecordedQueriesRequest,
  SearchAnswer,
  SearchFacet,
  SearchForm,
  SearchRequest,
} from '@tabularium/sdk';
import { acts } from '../seeded.ts';
import type { Seeded } from '../seeded.ts';

const FORM = ['search', 'its form has columns that are there and options whose defaults change nothing'] as const;
const FOUND = ['search', 'without words every row is found that the filter lets pass, each once, and pages join'] as const;
const COUNTED = ['search', 'a value that was counted can be filtered by, as often as it was counted'] as const;
const REFUSED = [
  'search',
  'what is not there, or of another type, is refused by name; nothing is changed; it is cancelled',
] as const;

const TOGETHER = [
  'search',
  'of tables that are searched together every row is found once, and says in which of them it is',
] as const;

const REASONS = [
  'search',
  'recorded queries have the most frequent first, or a reason for none; what is not there is refused; they are cancelled',
] as const;
const KNOWN = ['search', 'recorded queries are those that are known, and parts of them join'] as const;
const TREES = { namespace: ['orchard'], name: 'trees' };

const offering = (name: string, says: RegExp, change: (form: SearchForm) => Partial<SearchForm>): Seeded =>
  acts(name, FORM, says, ({ search }) => ({
    search: {
      ...search,
      form: async (...asked) => {
        const form = await search.form(...asked);
        return { ...form, ...change(form) };
      },
    },
  }));

const asking = (
  name: string,
  breaks: Seeded['breaks'],
  says: RegExp,
  change: (request: SearchRequest) => Partial<SearchRequest>,
): Seeded =>
  acts(name, breaks, says, ({ search }) => ({
    search: { ...search, search: (request, options) => search.search({ ...request, ...change(request) }, options) },
  }));

const answering = (
  name: string,
  breaks: Seeded['breaks'],
  says: RegExp,
  change: (answer: SearchAnswer, request: SearchRequest) => Partial<SearchAnswer>,
): Seeded =>
  acts(name, breaks, says, ({ search }) => ({
    search: {
      ...search,
      search: async (request, options) => {
        const answer = await search.search(request, options);
        return { ...answer, ...change(answer, request) };
      },
    },
  }));

const withDocument = (document: string): ((answer: SearchAnswer) => Partial<SearchAnswer>) => {
  return ({ hits }) => ({ hits: hits.map((hit) => ({ ...hit, document })) });
};

const replacing = (
  name: string,
  says: RegExp,
  change: (search: SearchFacet) => Partial<SearchFacet>,
  breaks: Seeded['breaks'] = REFUSED,
): Seeded => acts(name, breaks, says, ({ search }) => ({ search: { ...search, ...change(search) } }));

const recorded = async (search: SearchFacet, request: RecordedQueriesRequest, signal: AbortSignal): Promise<RecordedQueries> => {
  if (search.recordedQueries === undefined) throw new Error('The correct driver has recorded queries.');
  return search.recordedQueries(request, { signal });
};

/** Other recorded queries in the answer. */
const recording = (
  name: string,
  breaks: Seeded['breaks'],
  says: RegExp,
  change: (answer: RecordedQueries, request: RecordedQueriesRequest) => Partial<RecordedQueries>,
): Seeded =>
  replacing(
    name,
    says,
    (search) => ({
      recordedQueries: async (request, { signal }) => {
        const answer = await recorded(search, request, signal);
        return { ...answer, ...change(answer, request) };
      },
    }),
    breaks,
  );

/** Another question for recorded queries. */
const reading = (
  name: string,
  breaks: Seeded['breaks'],
  says: RegExp,
  change: (request: RecordedQueriesRequest) => RecordedQueriesRequest,
): Seeded =>
  replacing(
    name,
    says,
    (search) => ({ recordedQueries: async (request, { signal }) => recorded(search, change(request), signal) }),
    breaks,
  );

export const searchFaults: readonly Seeded[] = [
  offering('a field that is not a column', /not a column/, () => ({ fields: [{ name: 'nowhere', isDefault: true }] })),
  offering('a facet that cannot be filtered by', /cannot be filtered by/, () => ({ facets: ['nowhere'] })),
  offering('two options of one id', /one id/, ({ options }) => ({ options: [...options, ...options] })),
  offering('a default outside its bounds', /default is not one of its values/, ({ options }) => ({
    options: options.map((option) => (option.type === 'number' ? { ...option, default: 1_000 } : option)),
  })),
  asking('a default that changes the hits when it is said', FORM, /other hits are found/, ({ options }) =>
    Object.keys(options).length === 0 ? {} : { offset: 1 },
  ),
  asking('a filter that is not honoured', FOUND, /with the filter|finds/, () => ({ filter: { match: 'all', conditions: [] } })),
  asking('more hits than were asked for', FOUND, /were asked for/, () => ({ limit: 250 })),
  asking('other tables that are passed over', TOGETHER, /hits of/, (request) => {
    const { alsoIn: _, ...alone } = request;
    return { ...alone, alsoIn: [] };
  }),
  answering('hits of another table that do not say so', TOGETHER, /says of 0 hits/, ({ hits }) => ({
    hits: hits.map(({ table: _, ...hit }) => hit),
  })),
  asking('a table twice that is searched once', TOGETHER, /refused with nothing/, ({ alsoIn }) =>
    alsoIn === undefined || alsoIn.length === 0 ? {} : { alsoIn: alsoIn.slice(0, 1) },
  ),
  asking('pages that begin too early', FOUND, /join/, ({ offset }) => ({ offset: Math.max(0, offset - 1) })),
  answering('a count of hits that is not theirs', FOUND, /finds 1 rows/, () => ({ found: 1 })),
  answering('hits that are there twice', FOUND, /came twice|hits/, ({ hits }) => ({
    hits: [...hits, ...hits].slice(0, hits.length + 1),
  })),
  answering('a document that is not an object', FOUND, /JSON object/, withDocument('[]')),
  answering('a document that is not JSON', FOUND, /JSON object/, withDocument('{')),
  answering('a column that is said to be left out and is there', FOUND, /said to be left out/, ({ hits }) => ({
    leftOut: Object.keys(JSON.parse(hits[0]?.document ?? '{}') as object).slice(0, 1),
  })),
  answering('a highlight without a text', FOUND, /without a text/, ({ hits }) => ({
    hits: hits.map((hit) => ({ ...hit, highlights: [{ field: 'name', parts: [] }] })),
  })),
  answering('a search whose sort is dropped in silence', FOUND, /said to be dropped/, () => ({ droppedSorts: [] })),
  answering('a search that is saved as an object of no kind', FOUND, /which is not there/, () => ({
    object: { kind: 'nothing', document: '{}' },
  })),
  answering('a request without a path', FOUND, /The request is/, () => ({ request: { method: 'GET', path: 'search' } })),
  answering('values that are counted wrong', COUNTED, /a filter finds|is counted/, ({ facets }) => ({
    facets: facets.map(({ column, values }) => ({
      column,
      values: values.map(({ value, rows }) => ({ value, rows: rows + 1 })),
    })),
  })),
  answering('a facet that is left out', COUNTED, /counts the values of/, () => ({ facets: [] })),
  asking('an unknown field that is passed over', REFUSED, /unknown field/, () => ({ fields: [] })),
  asking('an unknown facet that is passed over', REFUSED, /unknown facet/, () => ({ facets: [] })),
  asking('an unknown option that is passed over', REFUSED, /unknown option/, () => ({ options: {} })),
  acts('a form for a table that is not there', REFUSED, /NOT_FOUND is wanted/, ({ search }, world) => ({
    search: {
      ...search,
      form: (table, options) => {
        const [first] = [...world.tables.values()];
        return search.form(table.name.startsWith('kit_') && first !== undefined ? first.ref : table, options);
      },
    },
  })),
  replacing('a search that is not cancelled', /aborted signal/, ({ search }) => ({
    search: (request, options) => search(request, { ...options, signal: new AbortController().signal }),
  })),
  recording('two recordings of one name', REASONS, /one name/, ({ recordings }) => ({
    recordings: [...recordings, ...recordings],
  })),
  recording('no queries without a reason', REASONS, /a reason for none/, () => ({ queries: [], found: 0, missing: undefined })),
  recording('an empty reason', REASONS, /reason for no queries is empty/, ({ missing }) =>
    missing === undefined ? {} : { missing: { reason: ' ' } },
  ),
  recording('more queries than were found', REASONS, /more than were found/, ({ found }) => (found === 0 ? {} : { found: 1 })),
  recording('a query without a text', REASONS, /has no text/, ({ queries }) => ({
    queries: queries.map((query) => ({ ...query, text: '' })),
  })),
  recording('queries with the rarest first', REASONS, /less frequent/, ({ queries }) => ({ queries: queries.toReversed() })),
  reading(
    'a recording that is not there and is passed over',
    REASONS,
    /succeeded|INVALID_INPUT/,
    ({ recording: _, ...request }) => request,
  ),
  reading('recorded queries of a table that is not there', REASONS, /NOT_FOUND/, (request) =>
    request.table.name.startsWith('kit_') ? { ...request, table: TREES } : request,
  ),
  replacing(
    'recorded queries that are not cancelled',
    /aborted signal/,
    (search) => ({
      recordedQueries: async (request) => recorded(search, request, new AbortController().signal),
    }),
    REASONS,
  ),
  recording('other queries than were recorded', KNOWN, /are known/, ({ queries }) => ({
    queries: queries.map((query) => ({ ...query, text: `${query.text}!` })),
  })),
  recording('a count of queries that is not theirs', KNOWN, /were found/, ({ found }) =>
    found === 0 ? {} : { found: found + 1 },
  ),
  reading('more queries than were asked for', KNOWN, /was asked for/, (request) => ({ ...request, limit: 1_000 })),
  reading('parts that begin too early', KNOWN, /join/, (request) => ({ ...request, offset: Math.max(0, request.offset - 1) })),
  recording('queries of no recording', KNOWN, /no recording/, ({ found }) => (found === 0 ? {} : { recordings: [] })),
  recording('a recording that has others when it is named', KNOWN, /when it is named/, ({ queries }, { recording: named }) =>
    named === undefined ? {} : { queries: queries.slice(1) },
  ),
];
