import { expect, it } from 'vitest';
import { lower } from './term.ts';

it('a word of a driver is written small within a sentence, and a word in capitals as it is', () => {
  expect(lower('Functions')).toBe('functions');
  expect(lower('Curation Rules')).toBe('curation rules');
  expect(lower('API Keys')).toBe('API keys');
});
