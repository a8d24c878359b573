import { describe, expect, it } from 'vitest';
import { RowMapping } from './rowMapping.ts';
import { MOST_NESTING } from './nestingProblem.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const row = (text: string) => ({ bytes: bytesOf(text), line: 1, next: { offset: 0, line: 2 } });
const nested = (levels: number): string => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
const jsonl = { format: 'jsonl', gzip: false, separator: ',', header: true } as const;
const csv = { ...jsonl, format: 'csv' } as const;

describe('a row of an import', () => {
  it.each([undefined, [{ source: 'a', target: 'b' }]])(
    'is not nested so deep that a server could end by it (mapping %j)',
    (fields) => {
      const mapping = new RowMapping(jsonl, [], fields);
      expect(mapping.map(row(nested(MOST_NESTING)))).not.toHaveProperty('problem');
      expect(mapping.map(row(nested(MOST_NESTING + 1)))).toHaveProperty('problem');
      expect(mapping.map(row(nested(100_000)))).toHaveProperty('problem');
      expect(mapping.map(row(`{"a":"${'['.repeat(5_000)}\\"["}`))).not.toHaveProperty('problem');
      expect(mapping.map(row(`{"a":[${'[],'.repeat(5_000)}[]]}`))).not.toHaveProperty('problem');
    },
  );

  it('of csv is not nested so deep, either', () => {
    const mapping = new RowMapping(csv, ['a'], [{ source: 'a', target: 'a', type: 'json' }]);
    expect(mapping.map(row('['.repeat(500) + ']'.repeat(500)))).toHaveProperty('problem');
  });

  it.each(['[1,2]', '"text"', '12', 'nonsense'])('is a JSON object: %s is not sent', (text) => {
    expect(new RowMapping(jsonl, [], undefined).map(row(text))).toEqual({ problem: 'The row isn’t a JSON object.' });
  });

  it('has one value for each field: where two go to one, neither is lost in silence', () => {
    const both = [
      { source: 'a', target: 'title' },
      { source: 'b', target: 'title' },
    ];
    expect(new RowMapping(csv, ['a', 'b'], both).map(row('hello,world'))).toMatchObject({ column: 'title' });
    expect(new RowMapping(csv, ['a', 'b'], both).map(row('hello,'))).not.toHaveProperty('problem');
    const one = [{ source: 'a', target: 'title' }];
    expect(new RowMapping(jsonl, [], one).map(row('{"a":"x","title":"y"}'))).toMatchObject({ column: 'title' });
  });
});
