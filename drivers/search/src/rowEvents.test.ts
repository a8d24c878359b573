import { describe, expect, it } from 'vitest';
import { RowEventBatch, textMustFit } from './rowEvents.ts';

describe('rows of an event', () => {
  it('are at most 250, and few where they are wide', () => {
    const batch = new RowEventBatch();
    const sizes: number[] = [];
    for (let index = 0; index < 600; index += 1) {
      const rows = batch.add([index]);
      if (rows !== undefined) sizes.push(rows.length);
    }
    expect([...sizes, batch.take()?.length]).toEqual([250, 250, 100]);
    expect(batch.take()).toBeUndefined();
    const wide = ['text', 'x'.repeat(400_000)] as const;
    expect([wide, wide, wide, wide, wide].map((cell) => batch.add([cell])?.length)).toEqual([
      undefined,
      undefined,
      2,
      undefined,
      2,
    ]);
    expect(batch.take()).toHaveLength(1);
  });

  it('that no event can hold are an error, and no end of the process', () => {
    const batch = new RowEventBatch();
    expect(() => batch.add(['\u0001'.repeat(3 * 1_048_576)])).toThrow(expect.objectContaining({ code: 'TOO_LARGE' }));
    expect(batch.add(['x'.repeat(14 * 1_048_576)])).toBeUndefined();
    expect(() => textMustFit('"'.repeat(8 * 1_048_576))).toThrow(expect.objectContaining({ code: 'TOO_LARGE' }));
    textMustFit('x'.repeat(14 * 1_048_576));
  });
});
