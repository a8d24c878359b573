import fc from 'fast-check';
import { expect, it } from 'vitest';
import { connectLine, fitsLine, placedStatement, splitPlaced } from './connectLine.ts';

const NAMES = fc
  .oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 63 }),
    fc.string({
      unit: fc.constantFrom('-', '"', "'", '\\', ' ', ';', '\t', '\u00a0', '\u0085', '\u2028', '$', 'a', ':'),
      minLength: 1,
      maxLength: 8,
    }),
  )
  .filter((name) => fitsLine(name) && !name.includes('\0'));

it('the line of every name leads to the database of that name', () => {
  fc.assert(
    fc.property(NAMES, (name) => {
      const line = connectLine(name);
      const start = line.length + 1;
      expect(placedStatement(`${line}\nSELECT 1`)).toEqual({ database: name, sql: 'SELECT 1', start });
      expect(splitPlaced(`${connectLine(name)}\nSELECT 1`)).toHaveLength(1);
    }),
    { examples: [['-'], ['--'], ['a"b'], [' '], ['\u0085a']] },
  );
});

it('no line says a name with the end of a line', () => {
  for (const name of ['a\nb', 'a\r', '\n']) expect(fitsLine(name)).toBe(false);
});

it('several lines in one statement are several statements, and no line of a connection that has only one database', () => {
  for (const text of ['\\connect a\n\\connect b', '\\c a\n\\c b\nSELECT 1'])
    expect(() => placedStatement(text), text).toThrow('These are several statements');
});
