import type { Cell, ColumnKind } from '@tabularium/sdk';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sameCell } from '../../editing/cellEquality.ts';
import { sendableValue } from './sendableValue.ts';
import { ToolFailure } from './tool.ts';
import { writtenCell } from './writtenCell.ts';

const KINDS: readonly ColumnKind[] = [
  'text',
  'integer',
  'decimal',
  'boolean',
  'json',
  'bytes',
  'date',
  'timestamp',
  'uuid',
  'geo',
  'enum',
  'array',
  'range',
  'interval',
  'vector',
];
const PLAIN_TEXTS: ReadonlySet<ColumnKind> = new Set<ColumnKind>([
  'text',
  'date',
  'timestamp',
  'uuid',
  'enum',
  'array',
  'range',
  'interval',
  'vector',
]);
const TRAPS = [
  'true',
  '1',
  'null',
  '"1"',
  '{"a":1}',
  '[]',
  '{"$json":"1"}',
  '',
  'aGk=',
  'NaN',
  '12',
  '-0',
  '(not read: a vector of 3 numbers)',
];

const given = (cell: Cell, kind: ColumnKind, toTheLetter = false): unknown =>
  sendableValue(cell, kind, { values: 0, longest: 0, limit: 10_000 }, toTheLetter);
/** The cell that arrives when a client sends a given value back. */
const back = (value: unknown, kind: ColumnKind): Cell => writtenCell('x', JSON.parse(JSON.stringify(value)), kind);

const json = fc.oneof(
  fc.json(),
  fc.constantFrom(
    ...['null', 'true', '1', '"true"', '"1"', '"null"', '"{\\"a\\":1}"', '"[]"', '-0', '1.0', '9007199254740993', '[1e400]'],
    ...['{"a":1,"a":2}', '{"$json":"1"}', '{"$text":"x"}', '{"$json":1}', '{"__proto__":1}', '"… (cut: 5 characters in all)"'],
  ),
);
const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom(...TRAPS, 'so… (cut: 5 characters in all)'), json);
const numeral = fc
  .oneof(fc.bigInt().map(String), fc.double({ noNaN: true, noDefaultInfinity: true }).map(String))
  .filter((one) => !one.includes('e+'));
const bytes = fc.uint8Array().map((one) => Buffer.from(one).toString('base64'));

/** Cells as drivers make them for a column: a value of its kind plain, any other with its tag. */
function cellOf(kind: ColumnKind): fc.Arbitrary<Cell> {
  const tagged = fc.oneof<fc.Arbitrary<Cell>[]>(
    text.map((one): Cell => ['text', one]),
    numeral.map((one): Cell => ['number', one]),
    fc.constantFrom<Cell>(['boolean', 'true'], ['boolean', 'false']),
    json.map((one): Cell => ['json', one]),
    bytes.map((one): Cell => ['bytes', one]),
  );
  const own: Record<string, fc.Arbitrary<Cell>> = {
    integer: fc.oneof(fc.maxSafeInteger(), fc.bigInt().map(String)),
    decimal: fc.oneof(fc.integer(), numeral),
    boolean: fc.boolean(),
    json,
    bytes,
    geo: fc.oneof(fc.constantFrom('[48.85, 2.35]', 'POINT(2 48)', '[1.00000000000000000001,2]', '["x"]'), json),
  };
  return fc.oneof(fc.constant<Cell>(null), own[kind] ?? text, tagged);
}

/** A plain value of a text kind and a text with its tag are one value. */
const plain = (cell: Cell, kind: ColumnKind): Cell =>
  typeof cell === 'object' && cell?.[0] === 'text' && (PLAIN_TEXTS.has(kind) || kind === 'geo') ? cell[1] : cell;

describe('a value that is given to a client and sent back', () => {
  it.each(KINDS)('is the same cell in a column of kind %s', (kind) => {
    fc.assert(
      fc.property(cellOf(kind), fc.boolean(), (cell, isKey) => {
        const value = given(cell, kind, isKey);
        const again = back(value, kind);
        const isSame =
          sameCell(again, cell, kind) ||
          // A place is JSON in a text.
          (kind === 'geo' && typeof cell === 'string' && sameCell(plain(again, kind), cell, 'json'));
        if (!isSame)
          throw new Error(
            `${JSON.stringify(cell)} was given as ${JSON.stringify(value)} and came back as ${JSON.stringify(again)}`,
          );
        // A text in a column of other values says so: without its tag a driver reads it as the column's kind.
        if (
          Array.isArray(cell) &&
          cell[0] === 'text' &&
          !PLAIN_TEXTS.has(kind) &&
          kind !== 'geo' &&
          !/^(?:NaN|-?Infinity)$/.test(String(cell[1]))
        )
          expect(again).toEqual(cell);
        if (isKey && kind === 'json' && typeof cell === 'string') expect(again).toBe(cell);
      }),
      { numRuns: 400 },
    );
  });

  it.each<[Cell, ColumnKind, unknown]>([
    ['"true"', 'json', 'true'],
    ['true', 'json', true],
    ['"1"', 'json', '1'],
    ['1', 'json', 1],
    ['{"a": [1, null]}', 'json', { a: [1, null] }],
    [null, 'json', null],
    ['null', 'json', { $json: 'null' }],
    ['[1,9007199254740993]', 'json', { $json: '[1,9007199254740993]' }],
    ['{"a": 1,  "a": 2}', 'json', { $json: '{"a": 1,  "a": 2}' }],
    ['"[1]"', 'json', { $json: '"[1]"' }],
    [['text', 'not json'], 'json', { $text: 'not json' }],
    [['text', 'abcd'], 'bytes', { $text: 'abcd' }],
    [['text', '12'], 'integer', { $text: '12' }],
    [['text', 'NaN'], 'decimal', 'NaN'],
    [['text', 'infinity'], 'date', 'infinity'],
    [['number', '7'], 'text', 7],
    [['number', '9007199254740993'], 'text', { $number: '9007199254740993' }],
    [['bytes', 'aGk='], 'text', { $bytes: 'aGk=' }],
    [['absent'], 'json', undefined],
  ])('of %j in a column of kind %s reads %j', (cell, kind, value) => {
    expect(given(cell, kind)).toEqual(value);
  });

  it('in a key keeps the characters of JSON, which a database may compare', () => {
    expect(given('{"a": 1}', 'json', true)).toEqual({ $json: '{"a": 1}' });
    expect(given('{"a":1}', 'json', true)).toEqual({ a: 1 });
  });
});

describe('a value of a client', () => {
  it.each<[unknown, ColumnKind, string]>([
    ['{"a":1}', 'json', 'is a string that holds JSON'],
    ['ab… (cut: 12000 characters in all)', 'text', 'was cut when it was read'],
    ['ab… (cut: 12000 bytes in all)', 'json', 'was cut when it was read'],
    ['(not read: a vector of 3 numbers)', 'text', 'was cut when it was read'],
    [{ $json: '{' }, 'json', `isn't JSON`],
    [{ $number: 'one' }, 'text', `isn't a number`],
    [{ $bytes: '!' }, 'bytes', `isn't base64`],
    [{ $boolean: 'yes' }, 'text', `isn't true or false`],
    [2 ** 60, 'integer', 'too large to be exact'],
  ])('%j for a column of kind %s is refused with its column', (value, kind, message) => {
    const write = (): unknown => writtenCell('note', value, kind);
    expect(write).toThrow(ToolFailure);
    expect(write).toThrow(message);
    expect(write).toThrow('"note"');
  });

  it('is an object of its own where it only looks like one that says what it is', () => {
    expect(writtenCell('x', { $json: 1 }, 'json')).toBe('{"$json":1}');
    expect(writtenCell('x', { $json: '1', a: 1 }, 'json')).toBe('{"$json":"1","a":1}');
    expect(writtenCell('x', { constructor: 'x' }, 'json')).toBe('{"constructor":"x"}');
  });
});
