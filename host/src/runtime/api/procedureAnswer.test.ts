import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { answersWith, nothing, outputsOf, passesOn, streams } from './procedureAnswer.ts';
import { ownerRouter } from './owner/ownerRouter.ts';

const schema = z.object({ name: z.string() });

describe('an answer', () => {
  it('leaves out fields that its schema does not have', () => {
    expect(answersWith(schema)({ name: 'a', secret: 'b' })).toEqual({ name: 'a' });
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

  it('in a stream is checked event by event, and leaving the stream ends its source', async () => {
    let ended = false;
    async function* source(): AsyncGenerator<unknown> {
      try {
        yield { name: 'a', secret: 'b' };
        yield { name: 'c' };
      } finally {
        ended = true;
      }
    }
    for await (const event of streams(schema)(source())) {
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
