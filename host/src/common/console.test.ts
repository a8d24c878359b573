import { expect, it } from 'vitest';
import { filledLength, fillVariables, variablesOf } from './console.ts';

it('fills variables to the letter, and no variable of a value', () => {
  const text = 'GET /{{ a }}/{{b}}/{{constructor}}';
  expect(variablesOf(text)).toEqual(['a', 'b', 'constructor']);
  const values = { a: '{{b}}$&', b: '' };
  expect(fillVariables(text, values)).toBe('GET /{{b}}$&//{{constructor}}');
  expect(filledLength(text, values)).toBe('GET /{{b}}$&//{{constructor}}'.length);
  expect(filledLength('{{a}}', { a: '{{a}}' })).toBe(5);
});

it('has the length of a text that would be longer than a text can be', () => {
  expect(filledLength(`x${'{{a}}'.repeat(10_000)}`, { a: 'y'.repeat(100_000) })).toBe(1_000_000_001);
});
