import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MOST_JUDGMENTS } from '../../common/relevance.ts';
import { BOOKS, FakeWork } from '../work.test-helper.ts';
import { QuerySets } from './querySets.ts';
import { SearchConfigurations } from './searchConfigurations.ts';

let work: FakeWork;
let sets: QuerySets;

beforeEach(() => {
  work = new FakeWork();
  sets = new QuerySets(work.database);
});
afterEach(() => work[Symbol.asyncDispose]());

const at = () => ({ connectionId: work.connectionId, table: BOOKS });
const create = (name = 'Novels') => sets.create({ ...at(), name });
const judge = (id: string, text: string, row: string, grade: number | null) => sets.judge({ id, text, key: [row], grade });

describe('query sets', () => {
  it('hold queries in the order of their coming, each once, with the best rows first', () => {
    const { id } = create();
    sets.addQueries({ id, texts: ['whale', 'sea', 'whale'] });
    judge(id, 'whale', 'a', 1);
    judge(id, 'whale', 'b', 3);
    judge(id, 'harpoon', 'a', 0);
    expect(sets.get(id).judged).toMatchObject([
      {
        text: 'whale',
        judgments: [
          { key: ['b'], grade: 3 },
          { key: ['a'], grade: 1 },
        ],
      },
      { text: 'sea', judgments: [] },
      { text: 'harpoon', judgments: [{ key: ['a'], grade: 0 }] },
    ]);
    expect(sets.list(at())).toMatchObject([{ id, name: 'Novels', queries: 3, judgments: 3 }]);
  });

  it('take a judgment back, and another grade in place of the one before', () => {
    const { id } = create();
    judge(id, 'whale', 'a', 1);
    expect(judge(id, 'whale', 'a', 2)?.judgments).toEqual([{ key: ['a'], grade: 2 }]);
    expect(judge(id, 'whale', 'a', null)?.judgments).toEqual([]);
    expect(judge(id, 'never judged', 'a', null)).toBeUndefined();
  });

  it('keep keys of every kind apart', () => {
    const { id } = create();
    for (const key of [['1'], [1], [['number', '1']], ['1', 2]] as const) {
      sets.judge({ id, text: 'x', key: structuredClone(key) as never, grade: 1 });
    }
    expect(sets.get(id).judged[0]?.judgments).toHaveLength(4);
  });

  it('have a name of their own in a table, letter case aside', () => {
    const { id } = create();
    expect(() => create('NOVELS')).toThrow('There is already a query set "Novels".');
    sets.create({ connectionId: work.connectionId, table: { namespace: [], name: 'films' }, name: 'Novels' });
    const other = create('Other');
    expect(() => sets.rename(other.id, 'novels')).toThrow('There is already a query set "Novels".');
    expect(sets.rename(id, 'NOVELS').name).toBe('NOVELS');
  });

  it('refuse judgments beyond the most of a query, and keep those that are there', () => {
    const { id } = create();
    const judgments = Array.from({ length: MOST_JUDGMENTS }, (_, row) => ({ key: [`${row}`], grade: 1 }));
    sets.import({ ...at(), name: 'Novels', content: JSON.stringify({ queries: [{ text: 'whale', judgments }] }) });
    expect(() => judge(id, 'whale', 'one more', 1)).toThrow('A query has at most 1000 judgments.');
    expect(sets.list(at())).toMatchObject([{ judgments: MOST_JUDGMENTS }]);
  });

  it('say that they are gone', () => {
    const { id } = create();
    judge(id, 'whale', 'a', 1);
    sets.remove(id);
    expect(() => sets.get(id)).toThrow('This query set no longer exists.');
    expect(() => judge(id, 'whale', 'a', 1)).toThrow('This query set no longer exists.');
    expect(work.database.connection.prepare('SELECT count(*) AS rows FROM judgments').get()).toEqual({ rows: 0 });
  });

  it('stay when their connection is removed, for every connection with a table of that name', () => {
    const { id } = create();
    judge(id, 'whale', 'a', 2);
    work.connections.remove(work.connectionId);
    const other = work.newConnection('Two');
    expect(sets.list({ connectionId: other, table: BOOKS })).toMatchObject([{ id, connectionId: null, judgments: 1 }]);
    expect(sets.list({ connectionId: other, table: { namespace: [], name: 'films' } })).toEqual([]);
  });
});

describe('files of query sets', () => {
  it.each(['json', 'csv'] as const)('in %s are read back as they were written', (format) => {
    const { id } = create();
    const texts = ['whale', '"quoted", with comma', '=1+1', 'line one line two', ' [a]', 'ünï'];
    const keys = [['a'], ['[a]'], [''], [7], [['number', '9007199254740993']], ['a', 1], ['with "quotes", and\nlines']];
    for (const text of texts) sets.addQueries({ id, texts: [text.trim()] });
    keys.forEach((key, place) => sets.judge({ id, text: 'whale', key: key as never, grade: place % 4 }));
    const content = sets.export(id, format);
    const copy = sets.import({ ...at(), name: 'Copy', content });
    expect(copy).toMatchObject({ merged: false, queries: texts.length, judgments: keys.length });
    const plain = (set: string) => sets.get(set).judged.map(({ text, judgments }) => ({ text, judgments }));
    expect(plain(copy.set.id)).toEqual(plain(id));
  });

  it('are taken from a file of a spreadsheet that separates by semicolons, and a line that is there twice once', () => {
    const content = 'query;key;grade\r\n"sea; deep";a;3\r\n"sea; deep";a;3\r\n';
    const { queries, judgments } = sets.import({ ...at(), name: 'Semicolons', content });
    expect([queries, judgments]).toEqual([1, 1]);
  });

  it('are added to the set of that name, and their grades replace those that are there', () => {
    const { id } = create();
    judge(id, 'whale', 'a', 1);
    judge(id, 'sea', 'a', 1);
    const content = '\uFEFFgrade,query,key,comment\r\n3,whale,a,better\r\n2,whale,b,\r\n,harpoon,,\r\n\r\n';
    expect(sets.import({ ...at(), name: 'novels', content })).toMatchObject({ merged: true, queries: 2, judgments: 2 });
    expect(sets.get(id).judged).toMatchObject([
      {
        text: 'whale',
        judgments: [
          { key: ['a'], grade: 3 },
          { key: ['b'], grade: 2 },
        ],
      },
      { text: 'sea', judgments: [{ grade: 1 }] },
      { text: 'harpoon', judgments: [] },
    ]);
  });

  it.each([
    ['an empty file', '', 'has no "query"'],
    ['a file of another kind', 'a,b\n1,2\n', 'has no "query"'],
    ['a header alone', 'query,key,grade\n', 'The file has no query.'],
    ['a grade beyond the best', 'query,key,grade\nsea,a,1\nwhale,b,4\n', 'Line 3: the grade is "4".'],
    ['a grade that is no number', 'query,key,grade\nwhale,b,very\n', 'Line 2: the grade is "very".'],
    ['a row without a query', 'query,key,grade\n,b,1\n', 'Line 2: the query is empty.'],
    ['a long query', `query\n${'x'.repeat(4_001)}\n`, 'longer than 4,000'],
    ['broken JSON', '{"queries":[', 'not valid JSON'],
    ['two grades for one row', 'query,key,grade\nsea,a,3\nwhale,a,1\nsea,a,1\n', '“sea” gives the row a two grades: 3 and 1.'],
    ['an open quotation mark', 'query,key,grade\n"sea,a,1\n', 'Line 2: a quotation mark that is not closed'],
    ['other JSON', '{"rows":[]}', 'not a query set: “queries'],
    ['a grade in JSON', '[{"text":"a","judgments":[{"key":["x"],"grade":9}]}]', '0.judgments.0.grade'],
    ['a key in JSON', '[{"text":"a","judgments":[{"key":{},"grade":1}]}]', '0.judgments.0.key'],
  ])('say the fault of %s, and change nothing', (_, content, message) => {
    const { id } = create();
    judge(id, 'whale', 'a', 1);
    expect(() => sets.import({ ...at(), name: 'Novels', content })).toThrow(message);
    expect(() => sets.import({ ...at(), name: 'New', content })).toThrow(message);
    expect(sets.list(at())).toMatchObject([{ id, queries: 1, judgments: 1 }]);
  });
});

describe('saved ways to search', () => {
  it('are saved in place of the one with that name, and stay when their connection is removed', () => {
    const configurations = new SearchConfigurations(work.database);
    const first = configurations.save({ ...at(), name: 'Title first', fields: [{ name: 'title', weight: 3 }], options: {} });
    const again = configurations.save({ ...at(), name: 'title FIRST', options: { num_typos: 0, prefix: false } });
    expect(again.id).toBe(first.id);
    const all = configurations.list(at());
    expect(all).toEqual([again]);
    expect(all[0]).not.toHaveProperty('fields');
    work.connections.remove(work.connectionId);
    const other = { connectionId: work.newConnection('Two'), table: BOOKS };
    expect(configurations.list(other)).toMatchObject([{ name: 'title FIRST', connectionId: null }]);
    configurations.remove(first.id);
    expect(configurations.list(other)).toEqual([]);
  });

  it('need a connection that is there', () => {
    const gone = { connectionId: '00000000-0000-4000-8000-000000000000', table: BOOKS };
    expect(() => new SearchConfigurations(work.database).save({ ...gone, name: 'x', options: {} })).toThrow(
      "The connection doesn't exist.",
    );
    expect(() => sets.create({ ...gone, name: 'x' })).toThrow("The connection doesn't exist.");
  });
});
