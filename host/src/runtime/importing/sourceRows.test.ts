import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ImportFileFormat, ImportFormat } from '../../common/imports.ts';
import { readDelimited, writeField } from '../../common/delimitedText.ts';
import { sourceRows } from './sourceRows.ts';
import type { ReadingPlace } from './sourceRows.ts';
import { FILE_START, LARGEST_ROW } from './rowSplitter.ts';

const decoder = new TextDecoder();
const formatOf = (format: ImportFileFormat): ImportFormat => ({ format, gzip: false, separator: ',', header: true });

interface Read {
  readonly text: string | undefined;
  readonly line: number;
  readonly next: ReadingPlace;
}

/** The rows of a text that comes in chunks. */
async function rowsOf(
  bytes: Uint8Array,
  format: ImportFileFormat,
  cuts: readonly number[] = [],
  place: ReadingPlace = FILE_START,
): Promise<Read[]> {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    let start = place.offset;
    for (const cut of [...cuts.map((one) => Math.min(one, bytes.length)).toSorted((a, b) => a - b), bytes.length]) {
      // The memory of a chunk is used again, as a file's is.
      if (cut > start) yield bytes.slice(start, cut);
      start = Math.max(start, cut);
    }
  }
  const found: Read[] = [];
  for await (const { rows, isInList } of sourceRows(chunks(), formatOf(format), place)) {
    for (const row of rows)
      found.push({
        text: row.bytes === undefined ? row.problem : decoder.decode(row.bytes),
        line: row.line,
        next: { ...row.next, isInList },
      });
  }
  return found;
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const texts = async (text: string, format: ImportFileFormat): Promise<(string | undefined)[]> =>
  (await rowsOf(bytesOf(text), format)).map((row) => row.text);

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes of buffers that are in use: what other tests of this process left behind is collected first. */
function heldBytes(): number {
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

describe('the rows of a file', () => {
  it.each<[ImportFileFormat, string, string[]]>([
    ['jsonl', '{"a":1}\n\n  \r\n{"b":9007199254740993}\r\n{"c":3}', ['{"a":1}', '{"b":9007199254740993}', '{"c":3}']],
    ['json', ' [ {"a":[1,"],"]},\n {"b":"\\"}"}\n, 3 ] \n', ['{"a":[1,"],"]}', '{"b":"\\"}"}', '3']],
    ['json', '[]', []],
    ['json', '{"a":\n1}\n{"b":2} {"c":3}', ['{"a": 1}', '{"b":2}', '{"c":3}']],
    ['csv', 'a,b\r\n1,"x\ny"\r\n\r\n"2 ""q""",\n', ['a,b', '1,"x\ny"', '"2 ""q""",']],
  ])('of %s are %j', async (format, text, rows) => {
    expect(await texts(text, format)).toEqual(rows);
  });

  it('have the lines on which they begin', async () => {
    expect((await rowsOf(bytesOf('a\r\n"b\nc"\r\nd'), 'csv')).map(({ line }) => line)).toEqual([1, 2, 4]);
    expect((await rowsOf(bytesOf('[\n1,\n2]'), 'json')).map(({ line }) => line)).toEqual([2, 3]);
    expect((await rowsOf(bytesOf('{}\n\n{}'), 'jsonl')).map(({ line }) => line)).toEqual([1, 3]);
  });

  it('say what a cut file lacks', async () => {
    expect(await texts('[{"a":1},{"b":', 'json')).toEqual(['{"a":1}', 'The file ends before its list does. It may be cut off.']);
    expect(await texts('{"a":1}{"b":', 'json')).toEqual(['{"a":1}', 'The file ends in the middle of a value.']);
    expect(await texts('[1] 2', 'json')).toEqual(['1', 'There is text behind the end of the list.']);
    expect(await texts('[1,,2]', 'json')).toEqual(['1', 'A value is missing between two commas.', '2']);
  });

  it.each<ImportFileFormat>(['jsonl', 'csv', 'json'])(
    'of %s that are too long are passed over, and cost no memory',
    async (format) => {
      const chunk = new Uint8Array(1024 * 1024).fill(0x61);
      async function* endless(): AsyncGenerator<Uint8Array> {
        if (format === 'json') yield bytesOf('["');
        for (let count = 0; count < 96; count += 1) yield chunk;
        yield bytesOf(format === 'json' ? '",2]' : '\n2\n');
      }
      const before = heldBytes();
      let most = 0;
      const found: (string | undefined)[] = [];
      for await (const { rows } of sourceRows(endless(), formatOf(format), FILE_START)) {
        most = Math.max(most, heldBytes());
        for (const row of rows) found.push(row.bytes === undefined ? row.problem : decoder.decode(row.bytes));
      }
      expect(found).toEqual([expect.stringContaining(`The row has more than ${LARGEST_ROW / 1_048_576} MB.`), '2']);
      expect(most - before).toBeLessThan(60 * 1024 * 1024);
    },
  );

  const fields = fc.array(
    fc.array(fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', 'é', '💥') }), { minLength: 2, maxLength: 4 }),
    {
      minLength: 1,
      maxLength: 8,
    },
  );
  const cuts = fc.array(fc.nat(200), { maxLength: 12 });

  it('of CSV are those of the text as a whole, wherever it is cut', () =>
    fc.assert(
      fc.asyncProperty(fields, cuts, fc.constantFrom('\n', '\r\n', '\r'), async (rows, places, end) => {
        const text = rows.map((row) => row.map((field) => writeField(field, ',')).join(',')).join(end) + end;
        const read = await rowsOf(bytesOf(text), 'csv', places);
        expect(read.map((row) => readDelimited(row.text ?? '', ',')[0])).toEqual(readDelimited(text, ','));
        expect(read).toEqual(await rowsOf(bytesOf(text), 'csv'));
      }),
    ));

  it('of JSON are the values of the list, wherever it is cut and however it is indented', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { maxLength: 6 }),
        cuts,
        fc.constantFrom(undefined, 1, 4),
        async (values, places, indent) => {
          const list = bytesOf(JSON.stringify(values, undefined, indent));
          const read = await rowsOf(list, 'json', places);
          expect(read.map(({ text }) => JSON.parse(text ?? '') as unknown)).toEqual(JSON.parse(decoder.decode(list)));
          expect(read.every(({ text }) => text?.includes('\n') === false)).toBe(true);
          const lines = bytesOf(values.map((value) => JSON.stringify(value)).join('\n'));
          expect((await rowsOf(lines, 'jsonl', places)).map(({ text }) => text)).toEqual(
            values.map((value) => JSON.stringify(value)),
          );
        },
      ),
    ));

  it('continue behind any of them as if they had been read from the start', () =>
    fc.assert(
      fc.asyncProperty(fields, cuts, fc.constantFrom<ImportFileFormat>('csv', 'json', 'jsonl'), async (rows, places, format) => {
        const text = {
          csv: rows.map((row) => row.map((field) => writeField(field, ',')).join(',')).join('\n'),
          json: JSON.stringify(rows, undefined, 1),
          jsonl: rows.map((row) => JSON.stringify(row)).join('\n'),
          rejected: '',
        }[format];
        const whole = await rowsOf(bytesOf(text), format);
        for (const [index, { next }] of whole.slice(0, -1).entries()) {
          const rest = await rowsOf(bytesOf(text), format, places, next);
          expect(rest.map((row) => [row.text, row.line])).toEqual(whole.slice(index + 1).map((row) => [row.text, row.line]));
        }
      }),
    ));
});
