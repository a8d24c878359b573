import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeBatch, encodeBatch } from './batch.ts';
import { ABSENT, isAbsent, numeralCell } from './cell.ts';
import type { Cell } from './cell.ts';
import { FILTER_OPERATORS, FILTER_VALUES } from './filter.ts';
import { rowKeyText } from './rowKey.ts';

const cell: fc.Arbitrary<Cell> = fc.oneof(
  fc.constantFrom<Cell>(null, true, false, ABSENT),
  fc.integer(),
  fc.string({ unit: 'binary' }).map((text) => text.toWellFormed()),
  fc.tuple(fc.constantFrom('number', 'text', 'json', 'bytes'), fc.string({ unit: 'grapheme' })) as fc.Arbitrary<Cell>,
);

describe('a batch', () => {
  it('comes back as it was', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 5 }), fc.array(fc.array(cell, { minLength: 5, maxLength: 5 })), (width, wide) => {
        const columns = Array.from({ length: width }, (_, index) => ({ name: `c${index}`, kind: 'text' as const }));
        const batch = { columns, rows: wide.map((row) => row.slice(0, width)) };
        expect(decodeBatch(encodeBatch(batch))).toEqual(batch);
      }),
    );
  });

  it.each([
    '',
    'null',
    '[]',
    '{}',
    '{"columns":[],"rows":{}}',
    '{"columns":[{}],"rows":[[]]}',
    '{"columns":[],"rows":[1]}',
    '{"columns":[]',
  ])('that is none is refused: %j', (text) => {
    expect(() => decodeBatch(new TextEncoder().encode(text))).toThrow(SyntaxError);
  });

  it("rejects bytes that aren't UTF-8", () => {
    expect(() => decodeBatch(Uint8Array.of(0x22, 0xff, 0x22))).toThrow();
  });
});

describe('a number by its digits', () => {
  it.each<[string, number | string]>([
    ['0', 0],
    ['-7', -7],
    ['12.5', 12.5],
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', '9007199254740993'],
    ['-9007199254740993', '-9007199254740993'],
    ['12.50', '12.50'],
    ['1e3', '1e3'],
    ['-0', '-0'],
    ['1e400', '1e400'],
    ['0.1', 0.1],
  ])('%s', (digits, expected) => {
    expect(numeralCell(digits)).toBe(expected);
  });

  it('keeps every integer', () => {
    fc.assert(
      fc.property(fc.bigInt(), (value) => {
        expect(BigInt(numeralCell(String(value)))).toBe(value);
      }),
    );
  });

  it.each(['', 'abc', '01', '1.', '.5', '+1', 'NaN', 'Infinity', '0x10', '1 '])('%j is none', (text) => {
    expect(() => numeralCell(text)).toThrow(RangeError);
  });
});

it('only the absent cell is absent', () => {
  expect(isAbsent(ABSENT)).toBe(true);
  for (const other of [null, '', 'absent', 0, ['text', 'absent']] as const) expect(isAbsent(other)).toBe(false);
});

it('different keys have different texts', () => {
  const keys: Cell[][] = [['1'], [1], [['number', '1']], [['text', '1']], [null], [ABSENT], ['1', '2'], ['1,2'], ['1"', '2']];
  expect(new Set(keys.map(rowKeyText)).size).toBe(keys.length);
});

it('every operator takes a known number of values', () => {
  expect(Object.keys(FILTER_VALUES).sort()).toEqual([...FILTER_OPERATORS].sort());
});
