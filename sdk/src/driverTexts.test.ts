import { describe, expect, it } from 'vitest';
import { driverText, listOfNames } from './driverTexts.ts';

const many = Array.from({ length: 100 }, (_, index) => `column_${index}`);

describe('a list of names', () => {
  it('is whole where it fits', () => {
    expect(listOfNames([])).toBe('');
    expect(listOfNames(['a', 'b'])).toBe('a, b');
    expect(listOfNames(['abc', 'def'], 8)).toBe('abc, def');
  });

  it('ends behind a whole name and counts the others', () => {
    expect(listOfNames(['abc', 'def', 'ghi'], 8)).toBe('abc, def and 1 more');
    expect(listOfNames(['abc', 'def', 'ghi'], 7)).toBe('abc and 2 more');
    const [names = '', more] = listOfNames(many).split(' and ');
    expect(names.split(', ').every((name) => many.includes(name))).toBe(true);
    expect(names.length).toBeGreaterThan(380);
    expect(more).toBe(`${100 - names.split(', ').length} more`);
  });

  it('begins with a name that is too long alone', () => {
    expect(listOfNames(['abcdef', 'b'], 4)).toBe('abc… and 1 more');
    expect(listOfNames(['ab😀cd'], 4)).toBe('ab…');
  });
});

describe('a translation', () => {
  it('has no value that is too long for it', () => {
    expect(driverText('a.b')).toEqual({ id: 'a.b' });
    expect(driverText('a.b', { field: 'price', count: 3 })).toEqual({ id: 'a.b', values: { field: 'price', count: 3 } });
    expect(driverText('a.b', { field: 'x'.repeat(500) }).values?.['field']).toBe(`${'x'.repeat(399)}…`);
  });

  it('has the names of a list that fit whole, and how many others there are', () => {
    expect(driverText('a.b', { names: ['a', 'b'] })).toEqual({ id: 'a.b', values: { names: 'a, b', namesMore: 0 } });
    const { names = '', namesMore } = driverText('a.b', { names: many }).values ?? {};
    const shown = String(names).split(', ');
    expect(shown.every((name) => many.includes(name))).toBe(true);
    expect(namesMore).toBe(100 - shown.length);
  });
});
