import { encodeBatch } from '@tabularium/sdk';
import type { Cell } from '@tabularium/sdk';
import { describe, expect, it } from 'vitest';
import { batchProblem } from './batchProblem.ts';

const columns = [
  { name: 'id', kind: 'integer' as const },
  { name: 'text [{,"', kind: 'text' as const },
];
/** However short the batch is. */
const counted = { short: 0 };
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('the bounds of a batch', () => {
  it('let a batch pass that is what its head says', () => {
    const cells: Cell[][] = [
      [1, 'a [[[ \\" {{ ,,,, \\'],
      [
        ['number', '12345678901234567890'],
        ['json', '[[],[],{"a":[]}]'],
      ],
      [null, ['absent']],
    ];
    expect(batchProblem(encodeBatch({ columns, rows: cells }), { ...counted, rows: 3, mostRows: 10 })).toBeUndefined();
    expect(batchProblem(encodeBatch({ columns, rows: [] }), { ...counted, rows: 0, mostRows: 1 })).toBeUndefined();
    expect(batchProblem(encodeBatch({ columns: [], rows: [[], []] }), { ...counted, rows: 2, mostRows: 2 })).toBeUndefined();
    const wide = Array.from({ length: 2_000 }, (_item, index) => ({ name: `column ${index}`, kind: 'text' as const }));
    const row = wide.map((): Cell => ['json', '{}']);
    expect(batchProblem(encodeBatch({ columns: wide, rows: [row, row] }), { ...counted, rows: 2, mostRows: 2 })).toBeUndefined();
  });

  it.each([
    ['more rows than its head', '{"columns":[],"rows":[[],[],[]]}', 'more than 2 rows'],
    ['no end', '{"columns":[],"rows":[[],[]', 'complete'],
    ['values beyond its columns', `{"columns":[{}],"rows":[[1],[${'1,'.repeat(5_000)}1]]}`, 'more values'],
    ['lists within a value', `{"columns":[{}],"rows":[[1],[[${'[],'.repeat(5_000)}1]]]}`, 'more values'],
    ['too many columns', `{"columns":[${'{},'.repeat(10_001)}{}],"rows":[[],[]]}`, '10000 columns'],
  ])('refuse one with %s', (_what, text, problem) => {
    expect(batchProblem(bytes(text), { ...counted, rows: 2, mostRows: 10 })).toContain(problem);
  });

  it('count nothing in a short batch, which is parsed in a moment', () => {
    expect(batchProblem(bytes('{"columns":[],"rows":[[],[],[]]}'), { rows: 2, mostRows: 2 })).toBeUndefined();
  });

  it('refuse one with more rows than were asked for, and one that is not UTF-8', () => {
    expect(batchProblem(bytes('{"columns":[],"rows":[[],[]]}'), { rows: 2, mostRows: 1 })).toContain('1 were asked for');
    expect(batchProblem(bytes('{"columns":[],"rows":[[],[]]}'), { ...counted, rows: undefined, mostRows: 1 })).toContain(
      'more than 1 rows',
    );
    expect(batchProblem(Uint8Array.of(0x22, 0xff, 0x22), { ...counted, rows: 0, mostRows: 1 })).toContain('UTF-8');
  });
});
