import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { gathered } from './gathered.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

async function textsOf(chunks: AsyncIterable<Uint8Array>): Promise<string[]> {
  const texts: string[] = [];
  for await (const chunk of gathered(chunks)) texts.push(new TextDecoder().decode(chunk));
  return texts;
}

it('gathers what is ready at once, and waits for nothing that comes later', async () => {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (let index = 0; index < 100; index += 1) yield bytes('a');
    await turn();
    await turn();
    yield bytes('b');
    await turn();
    await turn();
    for (let index = 0; index < 100; index += 1) yield bytes('c');
  }
  const texts = await textsOf(chunks());
  expect(texts.join('')).toBe(`${'a'.repeat(100)}b${'c'.repeat(100)}`);
  expect(texts).toHaveLength(3);
});

it('sends much of it in parts, and nothing of nothing', async () => {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    await turn();
    for (let index = 0; index < 10; index += 1) yield bytes('x'.repeat(20_000));
  }
  const texts = await textsOf(chunks());
  expect(texts.join('')).toBe('x'.repeat(200_000));
  expect(Math.max(...texts.map(({ length }) => length))).toBeLessThan(90_000);
  async function* none(): AsyncGenerator<Uint8Array> {
    await turn();
    yield* [];
  }
  expect(await textsOf(none())).toEqual([]);
});

it('gives what came before an error, and then the error', async () => {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield bytes('a');
    yield bytes('b');
    throw new Error('over');
  }
  const found: string[] = [];
  await expect(async () => {
    for await (const chunk of gathered(chunks())) found.push(new TextDecoder().decode(chunk));
  }).rejects.toThrow('over');
  expect(found).toEqual(['ab']);
});

it('ends what it reads when it is left', async () => {
  let ended = 0;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        yield bytes('x'.repeat(50_000));
        await turn();
      }
    } finally {
      ended += 1;
    }
  }
  for await (const chunk of gathered(chunks())) if (chunk.length > 0) break;
  expect(ended).toBe(1);
});
