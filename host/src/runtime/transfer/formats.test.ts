import type { BatchColumn, Cell } from '@tabularium/sdk';
import { ABSENT } from '@tabularium/sdk';
import { describe, expect, it } from 'vitest';
import { ArrayDocuments, LineDocuments } from './documentFormats.ts';
import { LineCounter } from './lineCounter.ts';
import { rowFormat } from '../../common/rowFormats.ts';

/** The bytes in every way of cutting them in two, and byte by byte. */
function cuts(text: string): Uint8Array[][] {
  const bytes = new TextEncoder().encode(text);
  const two = Array.from({ length: bytes.length + 1 }, (_, at) => [bytes.subarray(0, at), bytes.subarray(at)]);
  return [...two, [...bytes].map((byte) => Uint8Array.of(byte))];
}

describe('LineCounter', () => {
  it.each([
    ['', 0, ''],
    ['a', 1, 'a'],
    ['a\n', 1, 'a'],
    ['a\nbc', 2, 'bc'],
    ['a\n\n\nbc\n\n', 2, 'bc'],
    ['\n\n', 0, ''],
    ['é\nñandú\n', 2, 'ñandú'],
  ])('counts %j wherever it is cut', (text, lines, lastLine) => {
    for (const chunks of cuts(text)) {
      const counter = new LineCounter();
      for (const chunk of chunks) counter.feed(chunk);
      expect(counter.end()).toEqual({ lines, lastLine });
    }
  });

  it('keeps 64 KiB of a last line that is longer, whether it is ended or not', () => {
    for (const end of ['', '\n']) {
      const counter = new LineCounter();
      for (const part of ['x\n', 'a'.repeat(60_000), 'b'.repeat(60_000), end]) counter.feed(new TextEncoder().encode(part));
      expect(counter.end()).toEqual({ lines: 2, lastLine: 'a'.repeat(60_000) + 'b'.repeat(5_536) });
    }
  });
});

describe('documents', () => {
  it.each(['', '{"a":1}', '{"a":1}\n{"b":9007199254740993}', '{"a":1}\n\n{"b":2}\n', '\n'])(
    'makes an array of %j wherever it is cut',
    (text) => {
      const documents = text.split('\n').filter(Boolean);
      for (const chunks of cuts(text)) {
        const format = new ArrayDocuments();
        const out = [...chunks.map((chunk) => format.feed(chunk)), format.end()];
        const whole = new TextDecoder().decode(Buffer.concat(out));
        expect(whole.replaceAll(/\s/g, '')).toBe(`[${documents.join(',')}]`);
        expect(whole.endsWith(']\n')).toBe(true);
      }
    },
  );

  it.each(['', '{ }', '{ }\n', '{ }\n{"a":1}'])('leaves lines as they come and ends the last one: %j', (text) => {
    for (const chunks of cuts(text)) {
      const format = new LineDocuments();
      const out = [...chunks.map((chunk) => format.feed(chunk)), format.end()];
      expect(new TextDecoder().decode(Buffer.concat(out))).toBe(text === '' || text.endsWith('\n') ? text : `${text}\n`);
    }
  });
});

const columns: readonly BatchColumn[] = [
  { name: 'id', kind: 'text' },
  { name: 'big', kind: 'integer' },
  { name: 'json', kind: 'json' },
  { name: 'note, "x"', kind: 'text' },
];
const rows: readonly (readonly Cell[])[] = [
  ['1', '9007199254740993', '{ "n": 12345678901234567890 }', 'a "b"'],
  ['=1+1', -5, null, ''],
  ['3', ['text', 'many'], ['text', 'l1\r\nl2'], ABSENT],
];

function written(format: 'jsonl' | 'json' | 'csv', options = { header: true, guardFormulas: false }, all = rows): string {
  const writer = rowFormat(format, options);
  return writer.begin(columns) + writer.rows(all.slice(0, 1)) + writer.rows(all.slice(1)) + writer.end();
}

describe('rows', () => {
  it('as JSON keep every digit, distinguish null from absent, and are one object per line', () => {
    expect(written('jsonl').trimEnd().split('\n')).toEqual([
      String.raw`{"id":"1","big":9007199254740993,"json":{"n":12345678901234567890},"note, \"x\"":"a \"b\""}`,
      String.raw`{"id":"=1+1","big":-5,"json":null,"note, \"x\"":""}`,
      String.raw`{"id":"3","big":"many","json":"l1\r\nl2"}`,
    ]);
    expect(JSON.parse(written('json'))).toHaveLength(3);
    expect(JSON.parse(written('json', undefined, []))).toEqual([]);
    expect(written('jsonl', undefined, [])).toBe('');
  });

  it('as CSV are quoted where needed, end in CRLF, and distinguish empty from null', () => {
    expect(written('csv').split('\r\n').slice(0, 3)).toEqual([
      'id,big,json,"note, ""x"""',
      '1,9007199254740993,"{""n"":12345678901234567890}","a ""b"""',
      '=1+1,-5,,""',
    ]);
    expect(written('csv').endsWith('3,many,"l1\r\nl2",\r\n')).toBe(true);
    expect(written('csv', { header: false, guardFormulas: false }, [])).toBe('');
  });

  it('as CSV are kept from being formulas where that is asked for, and numbers stay numbers', () => {
    expect(written('csv', { header: false, guardFormulas: true }).split('\r\n')[1]).toBe('\'=1+1,-5,,""');
    const nasty = ['+x', '-x', '@x', '\tx', '\rx', '=x'].map((text): Cell[] => [text, 0, null, null]);
    for (const line of written('csv', { header: false, guardFormulas: true }, nasty).split('\r\n').slice(0, -1)) {
      expect(line).toMatch(/^"?'/);
    }
    expect(written('csv', { header: false, guardFormulas: true }, [['x', ['text', '-1+2'], null, null]])).toBe("x,'-1+2,,\r\n");
    expect(written('csv', { header: false, guardFormulas: true }, [['\uFF1D1+1', ['text', '\n=1'], null, null]])).toBe(
      '\'\uFF1D1+1,"\'\n=1",,\r\n',
    );
  });
});
