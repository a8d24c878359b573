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
    expect(long.notes('')).toEqual([expect.stringMatching(/^1 long value was cut; the longest has 50000 characters\./)]);

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
    expect(rows.notes('')).toEqual([
      '3 long values were cut. For a whole one, ask for its row and column alone with cellCharacters: 200000.',
    ]);
  });

  it('gives columns of one name a number, and keeps rows of odd names', () => {
    const rows = result(columns('__proto__', 'a', 'a'));
    rows.add([['one', 'two', ['absent']]]);
    expect(rows.columns).toEqual(['__proto__', 'a', 'a (2)']);
    expect(rows.rows).toEqual([['one', 'two', null]]);
  });

  it('keeps to its tokens without a row, too, however many columns there are', () => {
    const rows = result(columns(...Array.from({ length: 5_000 }, (_, index) => `column_of_a_wide_table_${index}`)), {
      maxTokens: 500,
    });
    expect(countTokens(JSON.stringify(rows.columns))).toBeLessThan(550);
    expect(rows.notes('')).toEqual([expect.stringMatching(/^\d+ columns were left out/)]);
  });

  it('gives as much of a value as fits, not less than was asked for before', () => {
    const rows = result(columns('a'), { maxTokens: 12_000, cellCharacters: 200_000 });
    rows.add([['0.123456789012345678,'.repeat(1_500)]]);
    expect(String(rows.rows[0]?.[0]).length).toBeGreaterThan(10_000);
  });

  it('ends a chain of answers whose advice is followed to the letter: with the whole value, or with the word that none holds it', () => {
    const values: readonly string[] = [
      'x'.repeat(5_000),
      'word '.repeat(20_000),
      '猫'.repeat(150_000),
      '\u0001'.repeat(50_000),
      'A'.repeat(5_000_000),
      JSON.stringify(Array.from({ length: 1_536 }, (_, index) => Math.sin(index))),
    ];
    for (const value of values) {
      for (const start of [{}, { maxTokens: 500 }, { cellCharacters: 200_000 }]) {
        let bounds: Partial<ConstructorParameters<typeof ResultRows>[1]> = start;
        let names = ['id', 'body'];
        let notes: string[] = [];
        for (let call = 0; call < 4; call += 1) {
          const rows = result(columns(...names), bounds);
          rows.add([names.length === 1 ? [value] : ['1', value]]);
          notes = rows.notes('');
          const [note] = notes;
          if (note === undefined || note.includes('No answer can hold it')) break;
          names = ['body'];
          for (const [, name = '', number] of note.matchAll(/(maxTokens|cellCharacters): (\d+)/g)) {
            bounds = { ...bounds, [name]: Number(number) };
          }
        }
        const isTooLong = value.length > 100_000 || value.startsWith('\u0001');
        expect(notes, value.slice(0, 20)).toEqual(isTooLong ? [expect.stringContaining('No answer can hold it')] : []);
      }
    }
  });
});
