import { ABSENT } from '@tabularium/sdk';
import type { BatchColumn, Cell } from '@tabularium/sdk';
import { describe, expect, it } from 'vitest';
import { copyFormat } from './copyFormats.ts';
import type { CopyFormat } from './copyFormats.ts';

const COLUMNS: readonly BatchColumn[] = [
  { name: 'id', kind: 'text' },
  { name: 'big|number', kind: 'integer' },
  { name: 'tags', kind: 'json' },
];
const ROWS: readonly (readonly Cell[])[] = [
  ['a\tb', '9007199254740993', '["x", 1.0]'],
  ['', null, ABSENT],
  ['=1+1', -5, 'line'],
  ['two\nlines | \\', 3, '{}'],
];

function copied(format: CopyFormat, header: boolean): string {
  const writer = copyFormat(format, header);
  return writer.begin(COLUMNS) + writer.rows(ROWS) + writer.end();
}

describe('copying', () => {
  it('writes lines of fields between tabs, quoted only where they must be', () => {
    expect(copied('tsv', true)).toBe(
      'id\tbig|number\ttags\n"a\tb"\t9007199254740993\t"[""x"",1.0]"\n""\t\t\n=1+1\t-5\tline\n"two\nlines | \\"\t3\t{}\n',
    );
  });

  it('writes CSV, and puts an apostrophe before formulas where that is asked for', () => {
    expect(copied('csv', false)).toBe(
      'a\tb,9007199254740993,"[""x"",1.0]"\r\n"",,\r\n=1+1,-5,line\r\n"two\nlines | \\",3,{}\r\n',
    );
    expect(copied('guardedCsv', false)).toContain("\r\n'=1+1,-5,line\r\n");
  });

  it('writes JSON with exact numbers, null apart from absent', () => {
    expect(copied('json', false)).toBe(
      '[\n{"id":"a\\tb","big|number":9007199254740993,"tags":["x",1.0]},\n{"id":"","big|number":null},\n' +
        '{"id":"=1+1","big|number":-5,"tags":"line"},\n{"id":"two\\nlines | \\\\","big|number":3,"tags":{}}\n]\n',
    );
  });

  it('writes a Markdown table in which no cell ends early', () => {
    expect(copied('markdown', false).split('\n')).toEqual([
      '| id | big\\|number | tags |',
      '| --- | ---: | --- |',
      '| a\tb | 9007199254740993 | ["x", 1.0] |',
      '|  |  |  |',
      '| =1+1 | -5 | line |',
      '| two<br>lines \\| \\\\ | 3 | {} |',
      '',
    ]);
  });
});
