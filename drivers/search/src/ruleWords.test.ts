import { describe, expect, it } from 'vitest';
import { collectionSigns, ruleQuery, wordsOfRule, wordsOfSearch } from './ruleWords.ts';

const PLAIN = collectionSigns({});
const SIGNS = collectionSigns({ symbols_to_index: ['-', '+'], token_separators: ['/'] });

/** A rule for the first, a search for the second, as 29.0 and 30.0-dev answered: whether the rule acted. */
const ASKED: readonly (readonly [rule: string, search: string, plain: boolean, withSigns: boolean])[] = [
  ['lamp!', 'lamp', true, true],
  ['wi-fi lamp', 'wifi lamp', true, false],
  ['wi-fi', 'wi fi', false, false],
  ['t/able', 'table', true, false],
  ['t/able', 't able', false, true],
  ['{kettle}', 'kettle', false, false],
  ['{kettle}', '{kettle}', false, false],
  ['lamp.', 'lamp.', false, false],
  ['a*b', 'ab', false, false],
  ['lamp}', 'lamp', false, false],
  ['kettle🐈', 'kettle', true, true],
  ['kettle 🐈', 'kettle', true, true],
  ['Café', 'cafe', false, false],
  ['CAFÉ', 'café', true, true],
  ['straße', 'strasse', true, true],
  ['æ', 'ae', true, true],
  ['ﬁ', 'fi', true, true],
  ['１', '1', true, true],
  ['Lamp', 'lamp', true, true],
  [' lamp  wifi', 'lamp wifi', true, true],
  ['lamp, wifi', 'lamp wifi', true, true],
  ['lamp ! wifi', 'lamp wifi', true, true],
  ['c++', 'c', true, false],
  ['lamp\twifi', 'lampwifi', true, true],
  ['"lamp"', 'lamp', true, true],
  ['-lamp wifi', 'lamp wifi', true, false],
  ['lamp_wifi', 'lampwifi', true, true],
  ["lamp's", 'lamps', true, true],
  ['lamp。', 'lamp', true, true],
  ['!', '?', true, true],
];

describe('the words of rules and searches', () => {
  it.each(ASKED)(
    'of the rule %j and the search %j are the same: %s, with signs of the collection %s',
    (rule, search, plain, signs) => {
      expect(wordsOfRule(rule, PLAIN) === wordsOfSearch(search, PLAIN)).toBe(plain);
      expect(wordsOfRule(rule, SIGNS) === wordsOfSearch(search, SIGNS)).toBe(signs);
    },
  );

  it.each(['{kettle}', 'lamp.', 'w.{t}', 'a*b', 'c++ {x}', ' two  words. '])(
    'of a new rule for %j are those of the search',
    (text) => {
      for (const signs of [PLAIN, SIGNS, collectionSigns({ symbols_to_index: ['.'], token_separators: ['{'] })]) {
        expect(wordsOfRule(ruleQuery(text, signs), signs)).toBe(wordsOfSearch(text, signs));
      }
    },
  );
});
