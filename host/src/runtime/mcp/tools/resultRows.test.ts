import type { BatchColumn, PageCell } from '@tabularium/sdk';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { ResultRows } from './resultRows.ts';

const columns = (...names: readonly string[]): BatchColumn[] => names.map((name) => ({ name, kind: 'text' }));
const result = (names: readonly BatchColumn[], bounds: Partial<ConstructorParameters<typeof ResultRows>[1]> = {}): ResultRows =>
  new ResultRows(names, { maxRows: 1_000, maxTokens: 12_000, cellCharacters: 1_000, ...bounds });

describe('ResultRows', () => {
  it('ends before the tokens are over, whatever the rows are made of', () => {
    for (const value of [
      'The coat pocket.',
      '9f86d081884c7d659a2feaa0c55ad015',
      '保存了所有的产品信息',
      '0.8414709848078965',
      'x'.repeat(900),
    ]) {
      const rows = result(columns('a', 'b'), { maxRows: 10_000, maxTokens: 2_000 });
      rows.add(Array.from({ length: 5_000 }, (): PageCell[] => [value, value]));
      expect(rows.isFull).toBe(true);
      const tokens = countTokens(JSON.stringify({ columns: rows.columns, rows: rows.rows }));
      expect(tokens, value.slice(0, 20)).toBeLessThan(2_200);
      expect(tokens, value.slice(0, 20)).toBeGreaterThan(500);
    }
  });

  it('gives one row in any case: with shorter values, else with fewer columns, and says so', () => {
    const long = result(columns('a', 'b'), { maxTokens: 500, cellCharacters: 100_000 });
    long.add([['word '.repeat(10_000), 'end']]);
    expect(long.rows).toEqual([[expect.stringMatching(/^(word ){10,}.*… \(cut: 50000 characters in all\)$/), 'end']]);
    expect(long.notes('')).toEqual([expect.stringMatching(/^1 long values were cut; the longest has 50000 characters\./)]);

    const names = Array.from({ length: 1_000 }, (_, index) => `column ${index}`);
    const wide = result(columns(...names), { maxTokens: 500 });
    wide.add([names.map((name) => `the value of ${name}`)]);
    expect(wide.rows).toHaveLength(1);
    expect(wide.rows[0]).toHaveLength(wide.columns.length);
    expect(wide.columns.length).toBeGreaterThan(10);
    expect(wide.columns.length).toBeLessThan(100);
    expect(wide.notes('')).toEqual([
      `${1_000 - wide.columns.length} columns were left out, since one row of all is too long. Name the columns you need.`,
    ]);
  });

  it('says what was not read, and how long it is', () => {
    const rows = result(columns('vector', 'body', 'other'));
    rows.add([
      [
        ['unread', { dimensions: 1_536 }],
        ['unread', { bytes: 24_310, start: 'Once upon a time' }],
        ['unread', {}],
      ],
    ]);
    expect(rows.rows).toEqual([
      ['(not read: a vector of 1536 numbers)', 'Once upon a time… (cut: 24310 bytes in all)', '(not read: a long value)'],
    ]);
    expect(rows.notes('')).toEqual([expect.stringContaining('ask for its row and column alone with a larger cellCharacters')]);
  });

  it('gives columns of one name a number, and keeps rows of odd names', () => {
    const rows = result(columns('__proto__', 'a', 'a'));
    rows.add([['one', 'two', ['absent']]]);
    expect(rows.columns).toEqual(['__proto__', 'a', 'a (2)']);
    expect(rows.rows).toEqual([['one', 'two', null]]);
  });
});
