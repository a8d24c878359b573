import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { WireBody } from '@tabularium/sdk/protocol';
import { paramsBody } from './paramsBody.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

async function read(params: unknown): Promise<unknown> {
  const body = paramsBody(params);
  const chunks = body instanceof Uint8Array ? [body] : await Array.fromAsync(body);
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)));
}

it('is the JSON of the parameters, also where rows are sent piece by piece', async () => {
  const rows = fc.array(fc.string({ unit: 'binary', maxLength: 40 }), { maxLength: 200 });
  const filler = fc.constantFrom('', 'x'.repeat(70_000), '"\\\n€😀'.repeat(20_000));
  await fc.assert(
    fc.asyncProperty(rows, filler, fc.json(), async (some, long, target) => {
      const params = { target: JSON.parse(target) as unknown, rows: [...some, long, ...some] };
      expect(await read(params)).toEqual(params);
    }),
    { numRuns: 100 },
  );
});

/** A function of its own: no rows stay on the stack of the test. */
function bodyOfMany(): { readonly body: WireBody; readonly held: WeakRef<readonly string[]> } {
  const rows = Array.from({ length: 10_000 }, (_, id) => JSON.stringify({ id }));
  return { body: paramsBody({ target: {}, rows }), held: new WeakRef(rows) };
}

it('lets go of the rows when they are read', async () => {
  const { body, held } = bodyOfMany();
  if (body instanceof Uint8Array) throw new Error('The rows are few.');
  for await (const chunk of body) expect(chunk.length).toBeLessThan(256 * 1024);
  // A reference is held until its turn of the event loop is over.
  await turn();
  collectGarbage();
  expect(held.deref()).toBeUndefined();
  expect(body).toBeDefined();
});

it.each([{}, { rows: [] }, { rows: 'x' }, { rows: [1, 'x'.repeat(70_000)] }, { changes: ['x'.repeat(70_000)] }])(
  'is in one piece for other parameters',
  async (params) => {
    expect(paramsBody(params)).toBeInstanceOf(Uint8Array);
    expect(await read(params)).toEqual(params);
  },
);
