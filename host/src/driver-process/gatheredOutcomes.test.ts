import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { gatheredOutcomes } from './gatheredOutcomes.ts';

const written = { outcome: 'written' };
const rejected = (message: string): object => ({ outcome: 'rejected', message });

/** The events of each piece. */
async function piecesOf(events: AsyncIterable<unknown>): Promise<unknown[][]> {
  const pieces: unknown[][] = [];
  for await (const piece of gatheredOutcomes(events)) {
    const lines = new TextDecoder().decode(piece).split('\n');
    expect(lines.pop()).toBe('');
    pieces.push(lines.map((line) => JSON.parse(line) as unknown));
  }
  return pieces;
}

it('gathers what is ready at once, and waits for nothing that comes later', async () => {
  async function* events(): AsyncGenerator<unknown> {
    for (let index = 0; index < 100; index += 1) yield written;
    await turn();
    await turn();
    yield rejected('b');
    await turn();
    await turn();
    for (let index = 0; index < 100; index += 1) yield rejected(`c${index}`);
  }
  const pieces = await piecesOf(events());
  expect(pieces).toHaveLength(3);
  expect(pieces[0]).toEqual([{ outcome: 'written', rows: 100 }]);
  expect(pieces[1]).toEqual([rejected('b')]);
  expect(pieces[2]).toHaveLength(100);
});

it('counts written rows that follow one another, in the order of all outcomes', async () => {
  async function* events(): AsyncGenerator<unknown> {
    yield written;
    yield rejected('a');
    yield { outcome: 'written', rows: 7 };
    yield written;
    yield written;
    yield rejected('b');
    yield rejected('c');
    yield { outcome: 'written', rows: 1 };
  }
  expect((await piecesOf(events())).flat()).toEqual([
    written,
    rejected('a'),
    { outcome: 'written', rows: 9 },
    rejected('b'),
    rejected('c'),
    written,
  ]);
});

it.each([0, -1, 1.5, '3', null, {}])('passes on what the host has to refuse: %j written rows', async (rows) => {
  async function* events(): AsyncGenerator<unknown> {
    yield written;
    yield { outcome: 'written', rows };
  }
  expect((await piecesOf(events())).flat()).toEqual([written, { outcome: 'written', rows }]);
});

it('sends much of it in parts, and nothing of nothing', async () => {
  async function* many(): AsyncGenerator<unknown> {
    await turn();
    for (let index = 0; index < 10; index += 1) yield rejected('x'.repeat(20_000));
  }
  const pieces = await piecesOf(many());
  expect(pieces.flat()).toHaveLength(10);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(5);
  async function* none(): AsyncGenerator<unknown> {
    await turn();
    yield* [];
  }
  expect(await piecesOf(none())).toEqual([]);
});

it('reads no further than its consumer while a driver reports rows without end', async () => {
  let reported = 0;
  async function* endless(): AsyncGenerator<unknown> {
    for (;;) {
      reported += 1;
      yield written;
    }
  }
  for await (const piece of gatheredOutcomes(endless())) if (piece.length > 0) break;
  expect(reported).toBeLessThan(30_000);
});

it('gives what came before an error, and then the error', async () => {
  async function* events(): AsyncGenerator<unknown> {
    yield written;
    yield rejected('b');
    throw new Error('over');
  }
  const found: string[] = [];
  await expect(async () => {
    for await (const piece of gatheredOutcomes(events())) found.push(new TextDecoder().decode(piece));
  }).rejects.toThrow('over');
  expect(found.map((text) => text.split('\n').length)).toEqual([3]);
});

it('ends what it reads when it is left, and when an outcome is too long', async () => {
  let ended = 0;
  async function* events(message: string): AsyncGenerator<unknown> {
    try {
      for (;;) {
        yield rejected(message);
        await turn();
      }
    } finally {
      ended += 1;
    }
  }
  for await (const piece of gatheredOutcomes(events('x'.repeat(50_000)))) if (piece.length > 0) break;
  expect(ended).toBe(1);
  await expect(piecesOf(events('x'.repeat(17 * 1024 * 1024)))).rejects.toThrow('MB are shown at most');
  expect(ended).toBe(2);
});
