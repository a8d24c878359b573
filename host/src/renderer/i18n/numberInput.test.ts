import { describe, expect, it, vi } from 'vitest';
import { valueOf } from '../editing/editValue.ts';
import { readingText } from '../editing/readingText.ts';
import { faultOf, filterOf } from '../filter/filterModel.ts';
import type { FilterRow } from '../filter/filterModel.ts';

// Typed into a German window.
vi.mock('./language.ts', () => ({ language: 'de', locale: 'de-DE', loadedChoice: 'de' }));

const row = (text: string, more: Partial<FilterRow> = {}): FilterRow => ({
  id: 'r',
  enabled: true,
  column: 'price',
  operator: 'equals',
  texts: [text, ''],
  ...more,
});

describe('a number typed with a decimal comma', () => {
  it('is the value of a cell, every digit of it', () => {
    expect(valueOf('1.234,5', { kind: 'decimal' })).toEqual({ ok: true, value: 1234.5 });
    expect(valueOf('9.007.199.254.740.993,25', { kind: 'decimal' })).toEqual({ ok: true, value: '9007199254740993.25' });
    expect(valueOf('1.234.567', { kind: 'integer' })).toEqual({ ok: true, value: 1234567 });
  });

  it('is what it looks like in a cell where it could be two numbers', () => {
    expect(valueOf('1.234', { kind: 'decimal' })).toEqual({ ok: true, value: 1.234 });
    expect(valueOf('1.234', { kind: 'integer' })).toEqual({ ok: false, fault: { fault: 'kind', kind: 'integer' } });
  });

  it('says how it is read where it could be two numbers, and nowhere else', () => {
    expect(readingText('1.234', 'decimal')).toMatch(/1,234.*1234/);
    for (const text of ['1.234,5', '1,234', '1.5', '0.123']) expect(readingText(text, 'decimal')).toBeUndefined();
    expect(readingText('1.234', 'text')).toBeUndefined();
  });

  it('is text in a column of text', () => {
    expect(valueOf('1.234,5', { kind: 'text' })).toEqual({ ok: true, value: '1.234,5' });
  });

  it('is the value of a condition', () => {
    expect(faultOf(row('1.234,5'), 'number')).toBeUndefined();
    const draft = { match: 'all', rows: [row('1.234,5'), row('1,5', { column: 'name' })] } as const;
    const filter = filterOf({ ...draft, rows: [...draft.rows] }, (column) => (column === 'price' ? 'number' : 'text'));
    expect(filter.conditions.map(({ values }) => values)).toEqual([['1234.5'], ['1,5']]);
  });

  it('is one of a list where it is in quotes', () => {
    const list = filterOf({ match: 'all', rows: [row('"1,5", 2', { operator: 'in' })] }, () => 'number');
    expect(list.conditions[0]?.values).toEqual(['1.5', '2']);
  });
});
