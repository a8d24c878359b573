import { describe, expect, it } from 'vitest';
import { jsonValue, parseJsonExactly } from './jsonValue.ts';

const value = (...args: [Parameters<typeof jsonValue>[0], Parameters<typeof jsonValue>[1]]): unknown =>
  jsonValue(...args, { values: 0, longest: 0, limit: 10_000 });

describe('a cell for a model', () => {
  it.each([
    [12, 'integer', 12],
    ['9007199254740993', 'integer', '9007199254740993'],
    ['12.50', 'decimal', '12.50'],
    [null, 'text', null],
    [true, 'boolean', true],
    [['absent'], 'text', undefined],
    [['number', '9007199254740993'], 'text', '9007199254740993'],
    [['number', '7'], 'text', 7],
    [['boolean', 'true'], 'text', true],
    [['json', '{"a":1}'], 'text', { a: 1 }],
    ['{"a":[1,9007199254740993]}', 'json', '{"a":[1,9007199254740993]}'],
    [['json', '[1,9007199254740993]'], 'json', '[1,9007199254740993]'],
    [['json', '[1,9007199254740993]'], 'integer', [1, '9007199254740993']],
    ['not json', 'json', 'not json'],
    ['[48.85,2.35]', 'geo', [48.85, 2.35]],
    ['POINT(2.35 48.85)', 'geo', 'POINT(2.35 48.85)'],
    ['aGk=', 'bytes', 'aGk='],
  ] as const)('%j in a column of kind %s', (cell, kind, expected) => {
    expect(value(cell, kind)).toEqual(expected);
  });

  it('that is too long is cut, says so, and is counted', () => {
    const cut = { values: 0, longest: 0, limit: 10_000 };
    const text = jsonValue('x'.repeat(10_005), 'text', cut);
    expect(text).toMatch(/x… \(cut: 10005 characters in all\)$/);
    expect(cut).toMatchObject({ values: 1, longest: 10_005 });
  });

  it.each([
    ['1.50', 1.5],
    ['1e3', 1_000],
    ['0.1', 0.1],
    ['123456789012345678', '123456789012345678'],
    ['1.2345678901234567891', '1.2345678901234567891'],
    ['1e400', '1e400'],
    ['9007199254740994', 9_007_199_254_740_994],
    ['-0', '-0'],
    ['0', 0],
  ])('the number %s loses no digit', (text, expected) => {
    expect(parseJsonExactly(text)).toEqual(expected);
  });
});
