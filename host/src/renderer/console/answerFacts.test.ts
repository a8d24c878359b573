import { describe, expect, it } from 'vitest';
import { answerFacts } from './answerFacts.ts';

describe('the facts of an answer', () => {
  it('are its single values, by the names of the database', () => {
    const answer = '{"facet_counts":[],"found":3,"hits":[{"a":1}],"search_time_ms":1.5,"cutoff":false,"empty":""}';
    expect(answerFacts(answer)).toEqual([
      { name: 'found', value: '3' },
      { name: 'search_time_ms', value: '1.5' },
      { name: 'cutoff', value: 'false' },
    ]);
  });

  it('are looked for inside of an object or a list around a single one', () => {
    expect(answerFacts('{"results":[{"found":3,"hits":[]}]}')).toEqual([{ name: 'found', value: '3' }]);
  });

  it('never show a number that the page cannot hold exactly', () => {
    expect(answerFacts('{"found":9007199254740993,"page":1}')).toEqual([{ name: 'page', value: '1' }]);
  });

  it.each(['[1,2]', '[{"a":1},{"a":2}]', '"text"', 'no JSON', `{"a":1,"b":"${'x'.repeat(4_000_000)}"}`])(
    'are none of %.20s',
    (answer) => {
      expect(answerFacts(answer)).toEqual([]);
    },
  );
});
