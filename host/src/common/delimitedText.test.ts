import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { guardFormula, readDelimited, writeField } from './delimitedText.ts';
import type { Separator } from './delimitedText.ts';
import { DelimitedRows } from './rowFormats.ts';

const texts = (text: string, separator: Separator = ','): string[][] =>
  readDelimited(text, separator).map((row) => row.map((field) => field.text));

describe('delimited text', () => {
  it.each([
    ['CRLF', 'a,b\r\nc,d\r\n'],
    ['LF', 'a,b\nc,d\n'],
    ['CR alone', 'a,b\rc,d\r'],
    ['no break at its end', 'a,b\nc,d'],
    ['a byte order mark', '\uFEFFa,b\nc,d'],
    ['a byte order mark before a quote', '\uFEFF"a",b\r\nc,d'],
    ['quotes that it does not need', '"a","b"\r\n"c","d"'],
  ])('is read with %s', (_name, text) => {
    expect(texts(text)).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });

  it('is read with breaks of every kind in one text, empty lines and rows of any length', () => {
    expect(texts('a,b\r\nc\nd,e,f\r\rg,"x\r\ny\rz"')).toEqual([['a', 'b'], ['c'], ['d', 'e', 'f'], [''], ['g', 'x\r\ny\rz']]);
    expect(texts('')).toEqual([['']]);
    expect(texts('\uFEFF')).toEqual([['']]);
  });

  it('keeps text around quotes: inside a field, behind a closing quote, behind one that nothing closes', () => {
    expect(texts('a 5" screen,"a"b,"open\n,')).toEqual([['a 5" screen', 'ab', 'open\n,']]);
  });

  it('says which fields have quotation marks that do not pair', () => {
    const broken = (text: string): (string | undefined)[][] =>
      readDelimited(text, ',').map((row) => row.map((field) => field.broken));
    expect(broken('a 5" screen,"a"b,"a" ,"","a""b"\n"open\n,')).toEqual([
      [undefined, 'followed', undefined, undefined, undefined],
      ['unclosed'],
    ]);
    expect(broken('"')).toEqual([['unclosed']]);
    expect(broken('"a""')).toEqual([['unclosed']]);
    expect(broken('""')).toEqual([[undefined]]);
  });

  it('distinguishes an empty string from a missing value', () => {
    expect(readDelimited('"",', ',')).toEqual([
      [
        { form: 'text', text: '', quoted: true },
        { form: 'text', text: '', quoted: false },
      ],
    ]);
  });

  it('has no formula that a spreadsheet would run', () => {
    expect(['=1', '+1', '-1', '@a', '\t=1', '\uFF1D1', 'a=1'].map(guardFormula)).toEqual([
      ...["'=1", "'+1", "'-1", "'@a", "'\t=1", "'\uFF1D1"],
      'a=1',
    ]);
  });

  it.each([
    ['quotes', '"'],
    ['separators', ','],
    ['carriage returns', '\r'],
    ['open quotes', '"a\n'],
  ])('is read in bounded time: 2 MB of %s', (_name, part) => {
    const started = process.threadCpuUsage();
    readDelimited(part.repeat(2_000_000 / part.length), ',');
    const { user, system } = process.threadCpuUsage(started);
    // In microseconds of this thread's own work: how busy the machine is does not count.
    expect(user + system).toBeLessThan(5_000_000);
  });
});

const separator = fc.constantFrom<Separator>(',', '\t');
/** Any text, and often one with what has a meaning here. */
const cell = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('"', ',', '\t', '\r', '\n', ' ', '\uFEFF', "'", '=', 'a') }),
);
const table = fc
  .integer({ min: 1, max: 5 })
  .chain((width) => fc.array(fc.array(fc.option(cell), { minLength: width, maxLength: width }), { minLength: 1, maxLength: 20 }));

describe('what is exported', () => {
  it('is read back unchanged, with null and the empty string distinct', () => {
    fc.assert(
      fc.property(
        table,
        separator,
        fc.constantFrom('\r\n' as const, '\n' as const),
        fc.boolean(),
        (rows, between, lineEnd, header) => {
          const columns = (rows[0] ?? []).map((_, place) => ({ name: `"${place}", `, kind: 'text' as const }));
          const format = new DelimitedRows({ header, guardFormulas: false, separator: between, lineEnd });
          const read = readDelimited(format.begin(columns) + format.rows(rows) + format.end(), between);
          const names = header ? [columns.map(({ name }) => name)] : [];
          expect(read.map((row) => row.map(({ text, quoted }) => (text === '' && !quoted ? null : text)))).toEqual([
            ...names,
            ...rows,
          ]);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('is one field, whatever its text', () => {
    fc.assert(
      fc.property(cell, separator, (text, between) => {
        expect(texts(writeField(text, between), between)).toEqual([[text]]);
      }),
      { numRuns: 1_000 },
    );
  });
});
