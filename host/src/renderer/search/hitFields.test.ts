import { expect, it } from 'vitest';
import { titleField } from './hitFields.ts';

const hit = (document: object) => ({ document: JSON.stringify(document) });
const long = 'a sentence of a body '.repeat(20);

it('hits are headed by the first searched field whose texts are short and differ', () => {
  const articles = [hit({ body: long, headline: 'Compost' }), hit({ body: long, headline: 'Mulch' })];
  expect(titleField(articles, ['body', 'headline'])).toBe('headline');
  expect(titleField(articles, ['headline', 'body'])).toBe('headline');
  expect(titleField(articles, ['body'])).toBe('body');
  expect(titleField(articles, ['missing', 'body', 'headline'])).toBe('headline');
  const sections = ['a', 'b', 'c'].map((headline) => hit({ section: 'Culture', headline }));
  expect(titleField(sections, ['section', 'headline'])).toBe('headline');
  expect(titleField(sections, ['section'])).toBe('section');
  expect(titleField([], ['body', 'headline'])).toBe('body');
  expect(titleField(articles, [])).toBe('');
});
