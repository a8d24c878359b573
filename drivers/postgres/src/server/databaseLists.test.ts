import { expect, it } from 'vitest';
import { DatabaseLists } from './databaseLists.ts';

const never = new AbortController().signal;
const shop = { name: 'shop', oid: '1' };
/** So many that an answer is good for as long as a test runs. */
const MANY = 1_000;

/** Lists of which each answer is its number, as soon as it is let pass. */
function numberedLists() {
  const readings: { readonly signal: AbortSignal; readonly pass: () => void; readonly fail: (error: Error) => void }[] = [];
  const lists = new DatabaseLists<number>(async (_name, signal) => {
    const { promise, resolve, reject } = Promise.withResolvers<readonly number[]>();
    const answer = [readings.length + 1];
    readings.push({ signal, pass: () => resolve(answer), fail: reject });
    return await promise;
  });
  return { lists, readings };
}

it('an answer is used again, and shared by those who ask at the same time', async () => {
  const { lists, readings } = numberedLists();
  const asked = [lists.of(shop, MANY, never), lists.of(shop, MANY, never)];
  readings[0]?.pass();
  expect(await Promise.all(asked)).toEqual([[1], [1]]);
  expect(await lists.of(shop, MANY, never)).toEqual([1]);
  expect(readings).toHaveLength(1);
});

it('an answer is used for a shorter time where there are fewer databases', async () => {
  const { lists, readings } = numberedLists();
  const first = lists.of(shop, 1, never);
  readings[0]?.pass();
  await first;
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(await lists.of(shop, MANY, never)).toEqual([1]);
  const second = lists.of(shop, 1, never);
  readings[1]?.pass();
  expect(await second).toEqual([2]);
});

it('a change makes the next call ask again, also while an answer from before it is on its way', async () => {
  const { lists, readings } = numberedLists();
  const before = lists.of(shop, MANY, never);
  lists.forget('shop');
  const after = lists.of(shop, MANY, never);
  readings[1]?.pass();
  readings[0]?.pass();
  expect(await before).toEqual([1]);
  expect(await after).toEqual([2]);
  expect(await lists.of(shop, MANY, never)).toEqual([2]);
});

it('a database that was made again under its name is asked', async () => {
  const { lists, readings } = numberedLists();
  const before = lists.of(shop, MANY, never);
  readings[0]?.pass();
  await before;
  const again = lists.of({ name: 'shop', oid: '2' }, MANY, never);
  readings[1]?.pass();
  expect(await again).toEqual([2]);
});

it('a failure is reported and not used again', async () => {
  const { lists, readings } = numberedLists();
  const failing = lists.of(shop, MANY, never);
  readings[0]?.fail(new Error('gone'));
  await expect(failing).rejects.toThrow('gone');
  const next = lists.of(shop, MANY, never);
  readings[1]?.pass();
  expect(await next).toEqual([2]);
});

it('a database is asked no longer when the last call that waits is cancelled', async () => {
  const { lists, readings } = numberedLists();
  const [one, other] = [new AbortController(), new AbortController()];
  const waiting = [lists.of(shop, MANY, one.signal), lists.of(shop, MANY, other.signal)].map((call) =>
    call.catch((error: unknown) => error),
  );
  one.abort();
  expect(await waiting[0]).toMatchObject({ code: 'CANCELLED' });
  expect(readings[0]?.signal.aborted).toBe(false);
  other.abort();
  expect(await waiting[1]).toMatchObject({ code: 'CANCELLED' });
  expect(readings[0]?.signal.aborted).toBe(true);
});
