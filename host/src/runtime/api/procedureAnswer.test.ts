import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { answersWith, nothing, outputsOf, passesOn, streams } from './procedureAnswer.ts';
import { ownerRouter } from './owner/ownerRouter.ts';

const schema = z.object({ name: z.string() });

afterEach(() => vi.unstubAllEnvs());

/** The module as an application has it, where nothing asks for strict answers. */
async function ofApplication(): Promise<Pick<typeof import('./procedureAnswer.ts'), 'answersWith' | 'streams'>> {
  vi.stubEnv('TABULARIUM_STRICT_ANSWERS', undefined);
  vi.resetModules();
  return import('./procedureAnswer.ts');
}

describe('an answer', () => {
  it('leaves out fields that its schema does not have', async () => {
    const { answersWith: answers } = await ofApplication();
    expect(answers(schema)({ name: 'a', secret: 'b' })).toEqual({ name: 'a' });
  });

  it.each([
    [schema, { name: 'a', secret: 'b' }, 'secret'],
    [z.array(schema), [{ name: 'a' }, { name: 'b', title: 'c' }], '1.title'],
    [z.object({ inner: schema.optional() }), { inner: { name: 'a', more: null }, other: 0 }, 'inner.more, other'],
    [z.discriminatedUnion('ok', [schema.extend({ ok: z.literal(true) })]), { ok: true, name: 'a', named: 'a' }, 'named'],
    [z.record(z.string(), schema), { one: { name: 'a', two: 'b' } }, 'one.two'],
  ])('in a test fails for a field that no schema names: %#', (shape, value, names) => {
    expect(() => answersWith(shape)(value)).toThrow(`The schema of the procedure has no field ${names}.`);
  });

  it('in a test may have a field without a value, and bytes', () => {
    expect(answersWith(schema)({ name: 'a', secret: undefined })).toEqual({ name: 'a' });
    const bytes = z.object({ bytes: z.instanceof(Uint8Array) });
    expect(answersWith(bytes)({ bytes: new Uint8Array(2) })).toEqual({ bytes: new Uint8Array(2) });
  });

  it('fails where the schema does not hold', () => {
    expect(() => answersWith(schema)({ name: 1 })).toThrow(z.ZodError);
  });

  it('of a driver is passed on as it is', () => {
    const rows = { name: 'a' };
    expect(passesOn(schema)(rows)).toBe(rows);
  });

  it('of a procedure without an answer is undefined, whatever its service returns', () => {
    expect(nothing(true)).toBeUndefined();
  });

  it('in a stream fails for a field that no schema names', async () => {
    async function* source(): AsyncGenerator<unknown> {
      yield { name: 'a', secret: 'b' };
    }
    await expect(streams(schema)(source())[Symbol.asyncIterator]().next()).rejects.toThrow('no field secret');
  });

  it('in a stream is checked event by event, and leaving the stream ends its source', async () => {
    const { streams: streamsLoosely } = await ofApplication();
    let ended = false;
    async function* source(): AsyncGenerator<unknown> {
      try {
        yield { name: 'a', secret: 'b' };
        yield { name: 'c' };
      } finally {
        ended = true;
      }
    }
    for await (const event of streamsLoosely(schema)(source())) {
      expect(event).toEqual({ name: 'a' });
      break;
    }
    expect(ended).toBe(true);
  });
});

it('every procedure has an output schema', () => {
  const procedures = Object.keys(ownerRouter._def.procedures);
  expect(procedures.length).toBeGreaterThan(100);
  expect([...outputsOf(ownerRouter).keys()]).toEqual(procedures);
});
