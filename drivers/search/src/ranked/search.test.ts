import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '@tabularium/sandbox';
import { isDriverError } from '@tabularium/sdk';
import type { DriverError, SearchAnswer, SearchForm, SearchRequest, Session } from '@tabularium/sdk';
import { ADMIN_KEY, admin, call, open, startFixture } from '../fixture.test-helper.ts';

const books = { namespace: [], name: 'books' };

const DOCUMENTS = [
  '{"id":"1","title":"The quick brown fox","author":"Ann Lee","tags":["animals","classic"],"year":1999,"place":[48.1,2.1],"serial":9007199254740993}',
  '{"id":"2","title":"Quick cooking","author":"Bob Ray","tags":["food"],"year":2001,"vector":[0.3,0.2,0.1]}',
  '{"id":"3","title":"Brown bears of the north","author":"Ann Lee","tags":["animals"],"year":2010}',
  '{"id":"4","title":"Slow living, <mark>marked</mark> quick","author":"Cy Fox","tags":["life"],"year":2015}',
];

async function filled(sandbox: Sandbox): Promise<void> {
  const fields = [
    { name: 'title', type: 'string', infix: true },
    { name: 'author', type: 'string', facet: true },
    { name: 'tags', type: 'string[]', facet: true },
    { name: 'year', type: 'int32', facet: true },
    { name: 'place', type: 'geopoint', optional: true },
    { name: 'vector', type: 'float[]', num_dim: 3, optional: true },
    { name: 'serial', type: 'int64', optional: true },
    { name: 'hidden', type: 'string', index: false, optional: true },
  ];
  await admin(sandbox, 'POST', '/collections', JSON.stringify({ name: 'books', fields }));
  await admin(sandbox, 'POST', '/collections/books/documents/import', DOCUMENTS.join('\n'));
}

const asking =
  (session: Session) =>
  async (more: Partial<SearchRequest> = {}): Promise<SearchAnswer> => {
    if (session.search === undefined) throw new Error('There is no ranked search.');
    const nothing = {
      fields: [],
      facets: [],
      filter: { match: 'all' as const, conditions: [] },
      sorts: [],
      options: {},
      offset: 0,
      limit: 10,
    };
    return session.search.search({ table: books, text: 'quick', ...nothing, ...more }, call);
  };
const ids = ({ hits }: SearchAnswer): readonly unknown[] => hits.map(({ key }) => key[0]);
const sent = ({ request }: SearchAnswer): Record<string, unknown> =>
  (JSON.parse(request.body ?? '') as { searches: [Record<string, unknown>] }).searches[0];
const shown = ({ hits }: SearchAnswer): readonly string[] =>
  hits.flatMap(({ highlights }) =>
    highlights.map(
      ({ field, parts }) => `${field}: ${parts.map(({ text, isMatch }) => (isMatch ? `[${text}]` : text)).join('')}`,
    ),
  );

describe.each(['29.0', '30.0'] as const)('ranked search on version %s', (version) => {
  let sandbox: Sandbox;
  let session: Session;
  let ask: ReturnType<typeof asking>;
  let form: SearchForm;

  beforeAll(async () => {
    sandbox = await startFixture(version);
    await filled(sandbox);
    session = await open(sandbox);
    ask = asking(session);
    if (session.search === undefined) throw new Error('There is no ranked search.');
    form = await session.search.form(books, call);
  });
  afterAll(async () => {
    await session?.close();
    await sandbox?.close();
  });

  it('offers texts to search in, facets to count, and the options of this version', () => {
    expect(form.fields).toEqual(['title', 'author', 'tags'].map((name) => ({ name, isDefault: true })));
    expect(form.facets).toEqual(['author', 'tags', 'year']);
    const options = form.options.map(({ id }) => id);
    expect(options).toContain('num_typos');
    expect(options.includes('enable_overrides')).toBe(version === '29.0');
    expect(options.includes('enable_curations')).toBe(version === '30.0');
  });

  it('finds words in the default fields, with typos and exact documents, and leaves vectors unread', async () => {
    const answer = await ask();
    expect(ids(answer).toSorted()).toEqual(['1', '2', '4']);
    expect(answer).toMatchObject({ found: 3, outOf: 4, isCutOff: false, leftOut: ['vector'] });
    expect(answer.hits.find(({ key }) => key[0] === '1')?.document).toContain('"serial":9007199254740993');
    expect(shown(answer)).toContain('title: The [quick] brown fox');
    const mistyped = await ask({ text: 'quikc' });
    expect(mistyped.hits[0]?.marks).toMatchObject([{ label: 'Typo' }]);
    expect(mistyped.hits[0]?.explanation.map(({ label }) => label)).toContain('Cost of typos and beginnings');
    const dropped = await ask({ text: 'quick zebra' });
    expect(dropped.hits[0]?.marks.map(({ label }) => label)).toContain('Words dropped');
  });

  it('shows no match of its own where a document has the tags of one', async () => {
    const { hits } = await ask({ filter: { match: 'all', conditions: [{ column: 'id', operator: 'equals', values: ['4'] }] } });
    const parts = hits.flatMap(({ highlights }) => highlights.flatMap((one) => one.parts));
    expect(parts.some(({ text, isMatch }) => isMatch && text === 'marked')).toBe(false);
    expect(parts.map(({ text }) => text).join('')).toContain('<mark>marked</mark>');
  });

  it('sends what was chosen and nothing that is the default', async () => {
    const plain = sent(await ask());
    expect(plain).toEqual({
      ...{ collection: 'books', q: 'quick', query_by: 'title,author,tags', exclude_fields: 'vector', offset: 0, limit: 10 },
      enable_analytics: false,
    });
    const chosen = sent(
      await ask({
        fields: [{ name: 'tags' }, { name: 'title', weight: 4 }],
        options: { num_typos: 0, prefix: true, infix: 'fallback', enable_analytics: true },
        facets: ['author'],
      }),
    );
    expect(chosen).toMatchObject({
      ...{ query_by: 'tags,title', query_by_weights: '1,4', num_typos: 0, infix: 'off,fallback' },
      ...{ enable_analytics: true, facet_by: 'author' },
    });
    expect(chosen).not.toHaveProperty('prefix');
  });

  it('finds everything without words, in the order of the sorts, page by page', async () => {
    const sorts = [{ column: 'year', direction: 'descending' as const }];
    expect(ids(await ask({ text: '', sorts }))).toEqual(['4', '3', '2', '1']);
    expect(ids(await ask({ text: '  ', sorts, offset: 1, limit: 2 }))).toEqual(['3', '2']);
    const byTitle = await ask({ sorts: [{ column: 'title', direction: 'ascending' }] });
    expect(byTitle.droppedSorts).toMatchObject([{ column: 'title' }]);
  });

  it('counts rounded values of floats with a range, and a filter for it finds as many', async () => {
    const fields = [
      { name: 'price', type: 'float', facet: true },
      { name: 'prices', type: 'float[]', facet: true },
    ];
    await admin(sandbox, 'POST', '/collections', JSON.stringify({ name: 'goods', fields }));
    const numbers = [
      '146.33333333333334',
      '146.3333',
      '-146.33333',
      '5',
      '9.99',
      '0',
      '16777217',
      '1e-10',
      '-1e20',
      '3.4e38',
      '0.0005',
    ];
    const lines = numbers.map((number) => `{"price":${number},"prices":[${number}]}`);
    await admin(sandbox, 'POST', '/collections/goods/documents/import', lines.join('\n'));
    const table = { namespace: [], name: 'goods' };
    const { facets } = await ask({ table, text: '', facets: ['price', 'prices'], options: { max_facet_values: 100 } });
    expect(facets[0]?.values).toContainEqual({ value: '146.333', rows: 2, between: ['146.3325', '146.3335'] });
    for (const { column, values } of facets) {
      expect(values.length).toBe(numbers.length - 1);
      for (const { value, rows, between } of values) {
        const condition =
          between === undefined
            ? { column, operator: 'equals' as const, values: [value] }
            : { column, operator: 'between' as const, values: between };
        const { found } = await ask({ table, text: '', filter: { match: 'all', conditions: [condition] } });
        expect({ value, found }).toEqual({ value, found: rows });
      }
    }
    await admin(sandbox, 'DELETE', '/collections/goods');
  });

  it('counts the values of facets, and a filter for one finds as many', async () => {
    const { facets } = await ask({ text: '', facets: ['tags', 'author'] });
    expect(facets.map(({ column }) => column)).toEqual(['tags', 'author']);
    expect(facets[0]?.values).toContainEqual({ value: 'animals', rows: 2 });
    const filter = { match: 'all' as const, conditions: [{ column: 'tags', operator: 'equals' as const, values: ['animals'] }] };
    expect((await ask({ text: '', filter })).found).toBe(2);
  });

  it('groups hits, and counts groups', async () => {
    const answer = await ask({ text: '', options: { group_by: 'author', group_limit: 2 } });
    expect(new Set(answer.hits.map(({ group }) => group))).toEqual(new Set(['Ann Lee', 'Bob Ray', 'Cy Fox']));
    expect(answer.hits.filter(({ group }) => group === 'Ann Lee')).toHaveLength(2);
    expect(answer).toMatchObject({ found: 3, foundRows: 4 });
    expect(await ask({ text: '' })).not.toHaveProperty('foundRows');
  });

  it('finds by a vector, with its distance', async () => {
    const answer = await ask({ text: '', options: { vector_query: 'vector:([0.3, 0.2, 0.1], k: 2)' } });
    expect(ids(answer)).toEqual(['2']);
    expect(answer.hits[0]?.explanation.map(({ label }) => label)).toContain('Distance of the vectors');
  });

  it('shows the same request for the console and for the client, without a key', async () => {
    const answer = await ask();
    expect(answer.statement).toMatch(/^POST \/multi_search\n\{/);
    expect(answer.code[0]?.text).toContain('client.multiSearch.perform(');
    expect(JSON.stringify(answer)).not.toContain(ADMIN_KEY);
    const { console } = session;
    expect(await console?.classify(answer.statement ?? '', call)).toMatchObject({ effect: 'read' });
  });

  describe('together with other collections', () => {
    const films = { namespace: [], name: 'films' };
    const together = (more: Partial<SearchRequest> = {}): Promise<SearchAnswer> => ask({ alsoIn: [films], ...more });
    const placed = ({ hits }: SearchAnswer): readonly string[] =>
      hits.map(({ key, table }) => `${table?.name ?? 'books'} ${String(key[0])}`);

    beforeAll(async () => {
      const fields = [
        { name: 'heading', type: 'string' },
        { name: 'year', type: 'int32' },
        { name: 'still', type: 'float[]', num_dim: 2, optional: true },
      ];
      await admin(sandbox, 'POST', '/collections', JSON.stringify({ name: 'films', fields }));
      const documents = [
        '{"id":"1","heading":"Quick","year":2020,"still":[1,2]}',
        '{"id":"f2","heading":"A slow film","year":2000}',
      ];
      await admin(sandbox, 'POST', '/collections/films/documents/import', documents.join('\n'));
    });

    it('ranks the hits of all together, each with its collection, in its own fields and without its vectors', async () => {
      expect(form.mostTables).toBe(10);
      const answer = await together();
      expect(placed(answer).toSorted()).toEqual(['books 1', 'books 2', 'books 4', 'films 1']);
      expect(answer).toMatchObject({ found: 4, outOf: 6, facets: [], leftOut: ['vector', 'still'] });
      const film = answer.hits.find(({ table }) => table !== undefined);
      expect(film).toMatchObject({ key: ['1'], table: films, document: expect.not.stringContaining('still') as string });
      expect(film?.highlights).toEqual([{ field: 'heading', parts: [{ text: 'Quick', isMatch: true }] }]);
      expect(answer.request.path).toBe('/multi_search?limit=10&offset=0');
      expect(answer.statement).toMatch(/^POST \/multi_search\?limit=10&offset=0\n\{\n {2}"union": true,/);
      // 30.0-dev left 2 of 120 hits of two collections out, as they had equal ids; 29.0 has no such option.
      const { remove_duplicates: removes } = JSON.parse(answer.request.body ?? '') as { remove_duplicates?: boolean };
      expect(removes).toBe(version === '30.0' ? false : undefined);
    });

    it('gives pages that join, in the order of a sort that all have', async () => {
      const sorts = [{ column: 'year', direction: 'descending' as const }];
      const whole = placed(await together({ text: '', sorts }));
      expect(whole).toEqual(['films 1', 'books 4', 'books 3', 'books 2', 'films f2', 'books 1']);
      const pages = await Promise.all([0, 2, 4].map((offset) => together({ text: '', sorts, offset, limit: 2 })));
      expect(pages.flatMap(placed)).toEqual(whole);
    });

    it('drops a sort that one of them lacks, and says which', async () => {
      const answer = await together({ sorts: [{ column: 'serial', direction: 'ascending' }] });
      expect(answer.droppedSorts).toMatchObject([{ column: 'serial', reason: expect.stringMatching(/^films: /) as string }]);
      expect(answer.found).toBe(4);
    });

    it('filters all of them', async () => {
      const filter = {
        match: 'all' as const,
        conditions: [{ column: 'year', operator: 'greaterThan' as const, values: ['2005'] }],
      };
      expect(placed(await together({ text: '', filter })).toSorted()).toEqual(['books 3', 'books 4', 'films 1']);
    });

    it.each([
      ['a collection that is not there', { alsoIn: [{ namespace: [], name: 'nope' }] }, { code: 'NOT_FOUND' }],
      ['a collection twice', { alsoIn: [films, films] }, { code: 'INVALID_INPUT', details: { field: 'alsoIn' } }],
      ['the collection itself', { alsoIn: [books] }, { code: 'INVALID_INPUT', details: { field: 'alsoIn' } }],
      ['facets', { facets: ['author'] }, { code: 'INVALID_INPUT', details: { field: 'alsoIn' } }],
      [
        'too many collections',
        { alsoIn: Array.from({ length: 10 }, (_, at) => ({ namespace: [], name: `c${at}` })) },
        { code: 'INVALID_INPUT', details: { field: 'alsoIn' } },
      ],
      [
        'a filter by a field that only one has',
        {
          filter: { match: 'all' as const, conditions: [{ column: 'author', operator: 'equals' as const, values: ['Ann Lee'] }] },
        },
        { code: 'STRUCTURE_CHANGED' },
      ],
    ])('refuses %s', async (_what, more, error) => {
      await expect(together(more)).rejects.toMatchObject(error);
    });
  });

  it('names the rule that pins a hit, and marks nothing where rules are off', async () => {
    const rule = { rule: { query: 'quick', match: 'exact' }, includes: [{ id: '3', position: 1 }] };
    if (version === '29.0') {
      await admin(sandbox, 'PUT', '/collections/books/overrides/bears-first', JSON.stringify(rule));
    } else {
      await admin(sandbox, 'PUT', '/curation_sets/shelf', JSON.stringify({ items: [{ id: 'bears-first', ...rule }] }));
      await admin(sandbox, 'PATCH', '/collections/books', JSON.stringify({ curation_sets: ['shelf'] }));
    }
    const pinned = await ask();
    expect(pinned.hits[0]).toMatchObject({
      key: ['3'],
      marks: [{ label: 'Pinned', detail: 'A rule put it here: “bears-first”.' }],
    });
    const off = await ask({ options: { [version === '29.0' ? 'enable_overrides' : 'enable_curations']: false } });
    expect(ids(off)).not.toContain('3');
    // The rows of the grid are the stored ones whatever rules say.
    const stored = await session.countRows({ table: books, filter: { match: 'all', conditions: [] } }, call);
    expect(stored.rows).toBe(4);
  });

  it.each([
    ['an unknown option', { options: { nope: true } }, 'nope'],
    ['a number outside its bounds', { options: { num_typos: 3 } }, 'num_typos'],
    ['a text for a number', { options: { num_typos: '1' } }, 'num_typos'],
    ['a text for a switch', { options: { prefix: 'no' } }, 'prefix'],
    ['a choice that is not there', { options: { infix: 'sometimes' } }, 'infix'],
    ['a number for a text', { options: { sort_by: 4 } }, 'sort_by'],
    ['a member of every object', { options: { constructor: 'x' } }, 'constructor'],
    ['a field of numbers', { fields: [{ name: 'year' }] }, 'year'],
    ['a field that is not indexed', { fields: [{ name: 'hidden' }] }, 'hidden'],
    ['a field twice', { fields: [{ name: 'title' }, { name: 'title' }] }, 'title'],
    ['two names in one', { fields: [{ name: 'title,author' }] }, 'title,author'],
    ['too large a weight', { fields: [{ name: 'title', weight: 128 }] }, 'title'],
    ['a facet that is not counted', { facets: ['title'] }, 'title'],
  ] as const)('refuses %s by its name before anything is sent', async (_what, more, field) => {
    const error = await ask(more as Partial<SearchRequest>).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(isDriverError(error)).toBe(true);
    expect(error as DriverError).toMatchObject({ code: 'INVALID_INPUT', details: { field } });
  });

  it.each([
    ['a vector that is none', { vector_query: 'nonsense' }, 'INVALID_INPUT'],
    ['a sort by nothing', { sort_by: 'nope:desc' }, 'STRUCTURE_CHANGED'],
    ['groups of a field without facets', { group_by: 'title' }, 'INVALID_INPUT'],
    ['stopwords that are not there', { stopwords: 'nope' }, 'NOT_FOUND'],
  ] as const)('says what the server has against %s, and which option it is', async (_what, options, code) => {
    await expect(ask({ options: { prefix: false, ...options } })).rejects.toMatchObject({
      code,
      details: { field: Object.keys(options)[0] },
    });
  });

  it('is saved as a preset of how it searches, without its words, its filter and its place', async () => {
    const { object } = await ask({
      fields: [{ name: 'title', weight: 3 }, { name: 'tags' }],
      facets: ['year'],
      filter: { match: 'all', conditions: [{ column: 'year', operator: 'equals', values: ['1999'] }] },
      options: { num_typos: 0, sort_by: 'year:desc' },
    });
    expect(object?.kind).toBe('preset');
    expect(JSON.parse(object?.document ?? '')).toEqual({
      value: { query_by: 'title,tags', query_by_weights: '3,1', num_typos: 0, sort_by: 'year:desc' },
    });
  });
});

describe('a key that may only search', () => {
  it('says which words a hyphen leaves out, in the words of the person', async () => {
    await using sandbox = await startFixture('29.0');
    await filled(sandbox);
    const session = await open(sandbox);
    const ask = asking(session);
    expect((await ask({ text: 'quick' })).notes).toEqual([]);
    expect(await ask({ text: 'quick -fox' })).toMatchObject({
      notes: [expect.stringContaining('Documents with “fox” are left out')],
      noteTexts: [{ id: 'search.excluded', values: { names: '“fox”' } }],
    });
    await session.close();
  });

  it('searches in the fields that are named, and learns that the schema is hidden where none is', async () => {
    await using sandbox = await startFixture('29.0');
    await filled(sandbox);
    const key = { actions: ['documents:search'], collections: ['books'], description: 'search only' };
    const made = JSON.parse(await admin(sandbox, 'POST', '/keys', JSON.stringify(key))) as { value: string };
    const session = await open(sandbox, made.value);
    const ask = asking(session);
    expect(ids(await ask({ fields: [{ name: 'title' }] })).toSorted()).toEqual(['1', '2', '4']);
    await expect(ask()).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { advice: expect.stringContaining('collections:get') as string },
    });
    const form = await session.search?.form(books, call);
    expect(form).toMatchObject({ fields: [], facets: [] });
    await session.close();
  });
});
