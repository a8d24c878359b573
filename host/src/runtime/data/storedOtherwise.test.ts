import { expect, it } from 'vitest';
import { storedOtherwise } from './storedOtherwise.ts';

it.each([
  [
    '{"stopwords":["the","é","😀","  "]}',
    '{"stopwords":["the"]}',
    [
      ['stopwords', 'é'],
      ['stopwords', '😀'],
    ],
  ],
  ['{"stopwords":["The"]}', '{"stopwords":["the"]}', [['stopwords', 'The', 'the']]],
  ['{"a":1,"b":{"c":true}}', '{"b":{"c":false},"a":1,"d":5}', [['b.c', 'true', 'false']]],
  ['{"includes":[{"id":"x","position":2}]}', '{"includes":[{"id":"x","position":2,"more":1}]}', []],
  ['{"includes":[{"id":"x","position":2}]}', '{"includes":[{"id":"x","position":1}]}', [['includes', '{"id":"x","position":2}']]],
  ['{"root":"","synonyms":[],"off":false,"none":null,"in":{"no":[]}}', '{}', []],
  ['{"a":[2,1]}', '{"a":[1,2]}', []],
  ['{"a":"x"}', '{}', [['a', 'x']]],
  ['{"a":{"b":1}}', '{"a":"b"}', [['a', '{"b":1}', 'b']]],
  ['{"__proto__":{"a":1}}', '{}', [['__proto__', '{"a":1}']]],
  ['not JSON', '{}', []],
])('of %s, a database that has %s is said to differ in %j', (sent, stored, expected) => {
  const found = storedOtherwise(sent, stored).map(({ member, sent: value, stored: is }) =>
    is === undefined ? [member, value] : [member, value, is],
  );
  expect(found).toEqual(expected);
});

it('names twenty differences, and values by their first characters', () => {
  const sent = { list: Array.from({ length: 1_000 }, (_, place) => `${place}${'x'.repeat(500)}`) };
  const found = storedOtherwise(JSON.stringify(sent), '{}');
  expect(found).toHaveLength(20);
  expect(found[0]?.sent).toHaveLength(200);
});
