import { describe, expect, it } from 'vitest';
import { AnswerBuilder } from './runs.ts';

describe('AnswerBuilder', () => {
  it('collects rows, and shows what has arrived', () => {
    const builder = new AnswerBuilder();
    builder.add({ type: 'rowsBegin', columns: [{ name: 'a', kind: 'integer' }] });
    builder.add({ type: 'rows', rows: [[1]] });
    const early = builder.answers();
    builder.add({ type: 'rows', rows: [['9007199254740993']] });
    builder.add({ type: 'done', truncated: true, status: '200 OK', milliseconds: 3 });
    expect(early).toMatchObject([{ is: 'rows', rows: [[1]], truncated: false }]);
    expect(builder.answers()).toEqual([
      {
        is: 'rows',
        columns: [{ name: 'a', kind: 'integer' }],
        rows: [[1], ['9007199254740993']],
        truncated: true,
        status: '200 OK',
        milliseconds: 3,
      },
    ]);
  });

  it('keeps several answers of one statement apart', () => {
    const builder = new AnswerBuilder();
    builder.add({ type: 'done', truncated: false, affectedRows: 2, milliseconds: 1 });
    builder.add({ type: 'text', mediaType: 'text/plain', text: 'x' });
    builder.add({ type: 'done', truncated: false, milliseconds: 1 });
    expect(builder.answers().map(({ is }) => is)).toEqual(['nothing', 'text']);
  });
});
