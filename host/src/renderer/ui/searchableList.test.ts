import { expect, it } from 'vitest';
import { bestFirst } from './searchableList.ts';

const options = ['Paid', 'valid_until', 'id', 'idle'].map((name) => ({ value: name, label: name }));
const found = (search: string, limit = Infinity): readonly unknown[] =>
  bestFirst({ options, search, limit }).map((option) => ('value' in option ? option.value : undefined));

it('the name that was typed comes before names that begin with it, and these before others that have it within', () => {
  expect(found(' ID ')).toEqual(['id', 'idle', 'Paid', 'valid_until']);
});

it('the limit leaves out the worst matches, not the last ones of the list', () => {
  expect(found('id', 2)).toEqual(['id', 'idle']);
});

it('the list stays in its order while nothing is typed', () => {
  expect(found('')).toEqual(['Paid', 'valid_until', 'id', 'idle']);
});

it('the members of a group are sorted within it', () => {
  const grouped = [{ group: 'Columns', items: options }];
  const [group] = bestFirst({ options: grouped, search: 'id', limit: 10 });
  expect(group).toEqual({
    group: 'Columns',
    items: ['id', 'idle', 'Paid', 'valid_until'].map((name) => ({ value: name, label: name })),
  });
});
