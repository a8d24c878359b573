import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ImportFormat } from '../../common/imports.ts';
import { RowMapping } from './rowMapping.ts';
import type { MappedRow } from './rowMapping.ts';
import { FILE_START } from './rowSplitter.ts';
import { sourceRows } from './sourceRows.ts';

const CSV: ImportFormat = { format: 'csv', gzip: false, separator: ',', header: true };

interface Outcome {
  readonly line: number;
  readonly mapped: MappedRow;
  readonly source: string;
}

async function outcomes(text: string, names: readonly string[]): Promise<Outcome[]> {
  const mapping = new RowMapping(CSV, names, undefined);
  async function* whole(): AsyncGenerator<Uint8Array> {
    yield new TextEncoder().encode(text);
  }
  const found: Outcome[] = [];
  for await (const { rows } of sourceRows(whole(), CSV, FILE_START))
    for (const row of rows) found.push({ line: row.line, mapped: mapping.map(row), source: mapping.source(row.bytes) });
  return found;
}

const problems = async (text: string): Promise<(string | null)[]> =>
  (await outcomes(text, ['id', 'title'])).map(({ mapped }) => ('problem' in mapped ? mapped.problem : null));

describe('quotation marks that do not pair', () => {
  it('reject the row that they begin in, which says how many lines it has swallowed', async () => {
    expect(await problems('1,"Emma\n2,Dune\n3,Ulysses\n')).toEqual([
      'The quotation mark before “title” has no end. So the 2 lines after it are part of this row. In the file, double each quotation mark that belongs to a text ("").',
    ]);
    expect(await problems('1,"Emma\n2,"Dune"\n3,Ulysses\n')).toEqual([
      'Text follows the closing quotation mark of “title”. So the line after it is part of this row. In the file, double each quotation mark that belongs to a text ("").',
      null,
    ]);
    expect(await problems('1,"5" screen\n2,Dune\n')).toEqual([
      'Text follows the closing quotation mark of “title”. In the file, double each quotation mark that belongs to a text ("").',
      null,
    ]);
  });

  it('are in the file of rejected rows as they were', async () => {
    const [row] = await outcomes('1,"5" screen\n', ['id', 'title']);
    expect(row?.source).toBe(JSON.stringify('1,"5" screen'));
  });

  it('never make one accepted row of two lines, whichever of them is missing', async () => {
    // A mark beside a separator or a blank reads as another mark would, so texts neither begin nor end with those.
    const cell = fc.stringMatching(/^[abé](?:[ab, é]{0,6}[abé])?$/);
    const table = fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(table, fc.nat(), async (rows, which) => {
        const text = rows.map(([id, title]) => `"${id}","${title}"\n`).join('');
        const marks = Array.from(text.matchAll(/"/g), ({ index }) => index);
        const missing = marks[which % marks.length] ?? 0;
        const found = await outcomes(text.slice(0, missing) + text.slice(missing + 1), ['id', 'title']);
        const accepted = found.flatMap(({ mapped }) => ('text' in mapped ? [mapped.text] : []));
        expect(accepted.filter((row) => row.includes(String.raw`\n`))).toEqual([]);
        // The row with the mistake, and the one after it where no separator was between them.
        expect(found.filter(({ mapped }) => 'text' in mapped).length).toBeGreaterThanOrEqual(
          which % marks.length === marks.length - 1 || rows.length < 2 ? rows.length - 1 : rows.length - 2,
        );
      }),
      { numRuns: 500 },
    );
  });
});
