import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Frame } from './frame.ts';
import { FrameReader, frameStart, WireViolation } from './frame.ts';
import { WIRE_LIMITS } from './limits.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function joined(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

const anyFrame = fc.oneof(
  fc.record({
    kind: fc.constantFrom('request' as const, 'answer' as const),
    id: fc.integer({ min: 0, max: 0xffff_ffff }),
    head: fc.uint8Array({ minLength: 1, maxLength: 300 }),
    body: fc.uint8Array({ maxLength: 2_000 }),
  }),
  fc.record({
    kind: fc.constantFrom('data' as const),
    id: fc.integer({ min: 0, max: 0xffff_ffff }),
    head: fc.constant(new Uint8Array(0)),
    body: fc.uint8Array({ minLength: 1, maxLength: 2_000 }),
  }),
  fc.record({
    kind: fc.constantFrom('end' as const, 'cancel' as const),
    id: fc.integer({ min: 0, max: 0xffff_ffff }),
    head: fc.constant(new Uint8Array(0)),
    body: fc.constant(new Uint8Array(0)),
  }),
);

describe('frames', () => {
  it('come out as they went in, wherever the pipe cuts them', () => {
    fc.assert(
      fc.property(
        fc.array(anyFrame, { maxLength: 12 }),
        fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1 }),
        (frames, cuts) => {
          const stream = joined(frames.flatMap(({ kind, id, head, body }) => [frameStart(kind, id, head, body.length), body]));
          const seen: Frame[] = [];
          const reader = new FrameReader((frame) => seen.push(frame));
          for (let offset = 0, index = 0; offset < stream.length; index += 1) {
            const length = cuts[index % cuts.length] ?? 1;
            reader.push(stream.subarray(offset, offset + length));
            offset += length;
          }
          expect(seen.map(({ kind, id, head, body }) => ({ kind, id, head: [...head], body: [...body] }))).toEqual(
            frames.map(({ kind, id, head, body }) => ({ kind, id, head: [...head], body: [...body] })),
          );
        },
      ),
    );
  });

  it('of random bytes are refused or wait for more, and never read beyond what is there', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 20 }), (chunks) => {
        const reader = new FrameReader(() => undefined);
        try {
          for (const chunk of chunks) reader.push(chunk);
        } catch (error) {
          expect(error).toBeInstanceOf(WireViolation);
        }
      }),
    );
  });

  it('are judged by their announced length before their bytes arrive', () => {
    const announced = (length: number): void => {
      const prefix = new Uint8Array(4);
      new DataView(prefix.buffer).setUint32(0, length);
      new FrameReader(() => undefined).push(prefix);
    };
    const largest = 9 + WIRE_LIMITS.head + WIRE_LIMITS.body;
    expect(() => announced(largest)).not.toThrow();
    expect(() => announced(largest + 1)).toThrow(/was announced/);
    expect(() => announced(8)).toThrow(/was announced/);
    expect(() => announced(0xffff_ffff)).toThrow(/was announced/);
  });

  it('carry head and body only where their kind has them', () => {
    const read = (kind: Parameters<typeof frameStart>[0], head: string, body: string) => (): void =>
      new FrameReader(() => undefined).push(joined([frameStart(kind, 2, bytes(head), body.length), bytes(body)]));
    expect(read('data', '', '')).toThrow(/with a body of 0 bytes/);
    expect(read('data', '{}', 'x')).toThrow(/with a head/);
    expect(read('credit', '', '')).toThrow(/without a head/);
    expect(read('end', '', 'x')).toThrow(/with a body of 1 bytes/);
    expect(read('error', '{}', 'x')).toThrow(/with a body of 1 bytes/);
  });
});
