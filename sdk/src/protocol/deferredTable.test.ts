import { expect, it } from 'vitest';
import { deferredTable } from './deferredTable.ts';

it('has all names, makes an entry when it is first read, and makes it once', () => {
  const made: string[] = [];
  const entry = (name: string) => () => {
    made.push(name);
    return { name };
  };
  const table = deferredTable({ a: entry('a'), b: entry('b') });
  expect(Object.keys(table)).toEqual(['a', 'b']);
  expect(Object.hasOwn(table, 'a')).toBe(true);
  expect(made).toEqual([]);
  expect(table.b).toBe(table.b);
  expect(made).toEqual(['b']);
  expect(Object.values(table)).toEqual([{ name: 'a' }, { name: 'b' }]);
  expect(made).toEqual(['b', 'a']);
});
