import { describe, expect, it } from 'vitest';
import { SentBytes } from './sentBytes.ts';

const PIECE = new Uint8Array([1]);

describe('bytes on their way to a socket', () => {
  it('are taken in order, each when the reader comes for more', async () => {
    const sent = new SentBytes('server:1');
    const reader = sent[Symbol.asyncIterator]();
    const taken: number[] = [];
    const added = [1, 2].map((value) => sent.add(new Uint8Array([value])).then(() => taken.push(value)));
    expect((await reader.next()).value).toEqual(new Uint8Array([1]));
    expect(taken).toEqual([]);
    expect((await reader.next()).value).toEqual(new Uint8Array([2]));
    expect(taken).toEqual([1]);
    sent.end();
    expect((await reader.next()).done).toBe(true);
    await Promise.all(added);
    expect(taken).toEqual([1, 2]);
  });

  it.each([
    { way: 'leaves with a piece', leave: (reader: AsyncGenerator<Uint8Array>) => reader.return(undefined) },
    {
      way: 'fails with a piece',
      leave: (reader: AsyncGenerator<Uint8Array>) => reader.throw(new Error('Away.')).catch(() => undefined),
    },
  ])('are refused, all of them, when the reader $way', async ({ leave }) => {
    const sent = new SentBytes('server:1');
    const reader = sent[Symbol.asyncIterator]();
    const ends = [sent.add(PIECE), sent.add(PIECE)].map((added) =>
      added.then(
        () => 'taken',
        (error: { code: string }) => error.code,
      ),
    );
    await reader.next();
    await leave(reader);
    expect(await Promise.all(ends)).toEqual(['CONNECTION_LOST', 'CONNECTION_LOST']);
    await expect(sent.add(PIECE)).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
  });

  it('are refused when the socket closes before they were read', async () => {
    const sent = new SentBytes('server:1');
    const added = sent.add(PIECE);
    sent.close();
    await expect(added).rejects.toMatchObject({ code: 'CONNECTION_LOST', message: 'The connection to server:1 was lost.' });
  });
});
