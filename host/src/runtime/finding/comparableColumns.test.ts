import { describe, expect, it } from 'vitest';
import type { FindMatch } from '../../common/findingRows.ts';
import { MOST_COMPARED, comparableColumns } from './comparableColumns.ts';
import { FAKE_MANIFEST, column } from './fakeTables.test-helper.ts';

const { filtering } = FAKE_MANIFEST;
if (filtering === undefined) throw new Error('The fixture has filters.');

const conditions = (one: ReturnType<typeof column>, text: string, match: FindMatch = 'contains') => {
  const { compared, uncompared } = comparableColumns([one], filtering, { text, match });
  return uncompared.length > 0 ? 'uncompared' : compared.map(({ condition }) => [condition.operator, ...condition.values]);
};

describe('the operator for each kind of column', () => {
  it('compares text as it was typed', () => {
    expect(conditions(column('a'), ' 50% _off\\ ')).toEqual([['contains', ' 50% _off\\ ']]);
    expect(conditions(column('a'), 'ann', 'exact')).toEqual([['equals', 'ann']]);
    expect(conditions(column('a', 'json'), '{"a')).toEqual([['contains', '{"a']]);
    expect(conditions(column('a', 'text', 'whole'), 'ann')).toEqual([['equals', 'ann']]);
  });

  it('compares numbers with texts that write one, within the range of the column', () => {
    const int = { ...column('n', 'integer'), range: { least: '-128', greatest: '127' } };
    expect(['42', ' 42 ', '-128'].map((text) => conditions(int, text))).toEqual([
      [['equals', '42']],
      [['equals', '42']],
      [['equals', '-128']],
    ]);
    // Neither is a value of the column, nor is a code that begins with zeros a number.
    expect(['128', '1.5', '007', '1e3', '0x1', '４２', 'ann', '1e999'].map((text) => conditions(int, text))).toEqual(
      Array(8).fill([]),
    );
    expect(['1.50', '12345678901234567890.123'].map((text) => conditions(column('d', 'decimal'), text))).toEqual([
      [['equals', '1.5']],
      [['equals', '12345678901234567890.123']],
    ]);
  });

  it('compares a number in any usual spelling', () => {
    const inColumn = (kind: 'integer' | 'decimal', texts: readonly string[]) =>
      texts.map((text) => conditions(column('n', kind), text)[0]?.[1]);
    expect(inColumn('integer', ['4711.00', '4.711e3', '+4711', ' 4711. ', '47110E-1'])).toEqual(Array(5).fill('4711'));
    expect(inColumn('decimal', ['.1', '0.10', '1e-1', '-.1', '-0.0', '1e20', '2.5E+2'])).toEqual([
      ...['0.1', '0.1', '0.1', '-0.1', '0', '100000000000000000000', '250'],
    ]);
    expect(inColumn('decimal', ['1e300', '1e-300', '.', '1e', '1e99999', '00.1', '1.2.3', ''])).toEqual([
      ...['1e300', '1e-300', undefined, undefined, undefined, undefined, undefined, undefined],
    ]);
  });

  it('compares a special value with columns that store it', () => {
    const float = { ...column('f', 'decimal'), specialValues: ['NaN', 'Infinity', '-Infinity'] };
    expect(['nan', 'inf', '+Infinity', '-INF'].map((text) => conditions(float, text))).toEqual(
      ['NaN', 'Infinity', 'Infinity', '-Infinity'].map((value) => [['equals', value]]),
    );
    expect(conditions(column('f', 'decimal'), 'NaN')).toEqual([]);
  });

  it('compares a text with columns of other kinds in which the database finds text, too', () => {
    const mixed = column('n', 'integer', 'mixed');
    expect(conditions(mixed, 'n/a')).toEqual([['contains', 'n/a']]);
    expect(conditions(mixed, '4711.00')).toEqual([
      ['equals', '4711'],
      ['contains', '4711.00'],
    ]);
    expect(conditions(mixed, '4711', 'exact')).toEqual([['equals', '4711']]);
    expect(conditions(mixed, 'n/a', 'exact')).toBe('uncompared');
    expect(conditions(column('b', 'bytes', 'mixedBytes'), 'note')).toEqual([['contains', 'note']]);
    expect(conditions(column('b', 'boolean', 'mixedBytes'), 'note')).toEqual([['contains', 'note']]);
  });

  it('compares dates and times with texts that write one', () => {
    expect(conditions(column('d', 'date'), '2026-02-28')).toEqual([['equals', '2026-02-28']]);
    expect(conditions(column('t', 'time'), '23:59')).toEqual([['equals', '23:59']]);
    expect(conditions(column('s', 'timestamp'), '2026-02-28 10:30:00+02')).toEqual([['equals', '2026-02-28 10:30:00+02']]);
    expect(conditions(column('s', 'timestamp'), '2026-02-28')).toEqual([
      ['between', '2026-02-28 00:00:00', '2026-02-28 23:59:59.999999'],
    ]);
    expect(conditions(column('s', 'timestamp'), '2026-02-28', 'exact')).toEqual([]);
    expect(conditions(column('t', 'time'), '10:30:00+02')).toEqual([['equals', '10:30:00+02']]);
    for (const text of ['infinity', '0044-03-15 BC', '10000-02-29'])
      expect(conditions(column('d', 'date'), text)).toEqual([['equals', text]]);
    for (const text of [
      '2026-02-30',
      '2027-02-29',
      '0000-01-01',
      '2026-00-10',
      '24:01',
      '2026-13-01',
      'now',
      '2026-02-28 25:00',
      '2026-02-28 10:30 x',
      'today',
    ])
      for (const kind of ['date', 'time', 'timestamp'] as const) expect(conditions(column('c', kind), text)).toEqual([]);
  });

  it('compares UUIDs as a whole, or a part where the database can', () => {
    const id = '8c1d0a52-8a3f-4f5b-9d1e-0c3a8b6f2e11';
    expect(conditions(column('u', 'uuid', 'whole'), id)).toEqual([['equals', id]]);
    expect(conditions(column('u', 'uuid', 'whole'), '8c1d')).toEqual([]);
    expect(conditions(column('u', 'uuid'), '8c1d')).toEqual([['contains', '8c1d']]);
    expect(conditions(column('u', 'uuid'), 'ann')).toEqual([]);
    const bare = id.replaceAll('-', '');
    expect(conditions(column('u', 'uuid'), bare)).toEqual([['equals', bare]]);
  });

  it('asks for the labels that hold the text where the database compares them as a whole, and for none where none does', () => {
    const values = ['open', 'Reopened', 'done'];
    const whole = { ...column('s', 'enum', 'label'), values };
    const labels = (text: string, match?: FindMatch) => {
      const classes = { ...filtering.classes, label: { value: 'text' as const, operators: ['equals' as const, 'in' as const] } };
      const { compared, uncompared } = comparableColumns([whole], { classes }, { text, match: match ?? 'contains' });
      return uncompared.length > 0 ? 'uncompared' : compared.map(({ condition }) => [condition.operator, ...condition.values]);
    };
    expect(labels('OPEN')).toEqual([['in', 'open', 'Reopened']]);
    expect(labels('open', 'exact')).toEqual([['in', 'open']]);
    expect(labels('opens')).toEqual([]);
    // A database that looks into labels finds those, too, that were added after its table was described.
    expect(conditions({ ...column('s', 'enum'), values }, 'opens')).toEqual([['contains', 'opens']]);
  });

  it('leaves out truth values, bytes and places, and names what it cannot compare', () => {
    expect((['boolean', 'bytes', 'geo'] as const).map((kind) => conditions(column('c', kind), 'true'))).toEqual([[], [], []]);
    expect(conditions(column('c', 'text', ''), 'ann')).toBe('uncompared');
    expect(conditions(column('c', 'text', 'unusable'), 'ann')).toBe('uncompared');
    expect(conditions(column('c', 'text', 'constructor'), 'ann')).toBe('uncompared');
    // A number can't hold the text, however it could be filtered.
    expect(conditions(column('c', 'integer', ''), 'ann')).toEqual([]);
    expect(conditions(column('c', 'integer', ''), '12')).toBe('uncompared');
  });

  it('compares as many columns as a filter bar holds', () => {
    const many = Array.from({ length: MOST_COMPARED + 3 }, (_, index) => column(`c${index}`));
    const { compared, uncompared } = comparableColumns(many, filtering, { text: 'a', match: 'contains' });
    expect([compared.length, uncompared]).toEqual([MOST_COMPARED, ['c200', 'c201', 'c202']]);
  });
});
