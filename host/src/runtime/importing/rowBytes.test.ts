import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RowBytes } from './rowBytes.ts';

const encoder = new TextEncoder();

it('gives back each row, of bytes or of text, however long, and again after it was cleared', () => {
  const row = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 30 }),
    fc.constantFrom('', '€'.repeat(50_000), 'x'.repeat(90_000)),
  );
  const lists = fc.array(fc.array(fc.tuple(row, fc.boolean()), { maxLength: 12 }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(
      lists,
      fc.integer({ min: 0, max: 12 }),
      fc.integer({ min: 1, max: 12 }),
      fc.nat(200_000),
      (all, from, count, most) => {
        const bytes = new RowBytes(1_000, 3);
        for (const list of all) {
          bytes.clear();
          for (const [text, isText] of list) bytes.add(isText ? text : encoder.encode(text));
          const texts = list.map(([text]) => text);
          expect(bytes.rows).toBe(texts.length);
          expect(Buffer.from(bytes.content).toString()).toBe(texts.map((text) => `${text}\n`).join(''));
          expect(texts.map((_, index) => Buffer.from(bytes.row(index)).toString())).toEqual(texts);
          const some = bytes.texts(from, count, most);
          expect(some).toEqual(texts.slice(from, from + some.length));
          expect(some.length).toBeLessThanOrEqual(count);
          if (from < texts.length) expect(some.length).toBeGreaterThan(0);
          if (some.length > 1) expect(Buffer.byteLength(`${some.join('\n')}\n`)).toBeLessThanOrEqual(most);
        }
      },
    ),
    { numRuns: 300 },
  );
});
