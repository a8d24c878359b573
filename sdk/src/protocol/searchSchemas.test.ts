import { describe, expect, it } from 'vitest';
import type { SearchAnswer, SearchRequest } from '../facets/search.ts';
import { searchAnswerSchema, searchRequestSchema } from './searchSchemas.ts';

const answer = (document: string): SearchAnswer => ({
  found: 1,
  isCutOff: false,
  hits: [{ key: ['1'], document, highlights: [], explanation: [], marks: [] }],
  facets: [],
  leftOut: [],
  droppedSorts: [],
  request: { method: 'GET', path: '/' },
  code: [],
  notes: [],
});

describe('the answer of a ranked search', () => {
  it.each(['{}', '{"serial":9007199254740993}', ' {"a":[1.50,null]}\n'])(
    'may have the document %j, which keeps its digits',
    (document) => {
      expect(searchAnswerSchema.parse(answer(document)).hits[0]?.document).toBe(document);
    },
  );

  it.each(['', '[]', 'null', '"a"', '{', '{}]}', '{"a":1}{"found":2}', "{'a':1}", 'undefined'])(
    'is refused with the document %j, which would be another thing inside the JSON of a host',
    (document) => {
      expect(searchAnswerSchema.safeParse(answer(document)).success).toBe(false);
    },
  );
});

describe('the request of a ranked search', () => {
  const request: SearchRequest = {
    ...{ table: { namespace: [], name: 'a' }, text: '', fields: [], facets: [], filter: { match: 'all', conditions: [] } },
    ...{ sorts: [], options: {}, offset: 0, limit: 1 },
  };

  it.each([
    { limit: 0 },
    { limit: 251 },
    { limit: 1.5 },
    { offset: -1 },
    { text: 'x'.repeat(4_001) },
    { options: { 'two words': true } },
    { options: { half: 0.5 } },
    { options: { __proto__: null, ...Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`o${index}`, true])) } },
    { fields: [{ name: 'a', weight: -1 }] },
  ])('is refused with %j', (more) => {
    expect(searchRequestSchema.safeParse({ ...request, ...more }).success).toBe(false);
  });

  it('is taken with what is at its limits', () => {
    const most = { ...request, limit: 250, offset: 1_000_000, text: 'x'.repeat(4_000), options: { a: true, b: -1, c: 'x' } };
    expect(searchRequestSchema.parse(most)).toEqual(most);
  });
});
