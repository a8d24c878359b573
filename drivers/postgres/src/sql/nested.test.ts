import { expect, it } from 'vitest';
import { splitPlaced, withoutLines } from './connectLine.ts';
import { plpgsqlOnlyReads } from './plpgsqlOnlyReads.ts';
import { verdictOf } from './verdict.ts';

it.each(['explain explain select 1', 'explain (costs off) explain analyze select 1', 'explain '.repeat(15_000)])(
  'refuses an EXPLAIN of an EXPLAIN',
  (text) => {
    expect(() => verdictOf(text)).toThrow('An EXPLAIN is of one statement, and not of another EXPLAIN.');
  },
);

it('follows blocks of PL/pgSQL as deep as people write them, and no deeper', () => {
  const body = (depth: number): string => `${'begin '.repeat(depth)}return 1; ${'end; '.repeat(depth)}`;
  expect(plpgsqlOnlyReads(body(50))).toBe(true);
  expect(plpgsqlOnlyReads(body(20_000))).toBe(false);
});

it('takes no line that is longer than a name for one that changes the database', () => {
  const name = `"${'""'.repeat(63)}"`;
  expect(splitPlaced(`\\connect ${name}\nselect 1;select 2`).map(({ text }) => text)).toEqual([
    `\\connect ${name}\nselect 1`,
    `\\connect ${name}\nselect 2`,
  ]);
  expect(splitPlaced(`\\connect ${'a'.repeat(500)}\nselect 1;select 2`)).toHaveLength(2);
  expect(withoutLines('\\c a\nselect 1;\n\\c b\nselect 2')).toBe('    \nselect 1;\n    \nselect 2');
});
