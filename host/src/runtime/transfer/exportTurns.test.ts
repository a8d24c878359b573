import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ExportTurns, MOST_EXPORTS_AT_ONCE } from './exportTurns.ts';

const never = new AbortController().signal;

/** Begins so many exports. Each ends when its gate is opened. */
function begin(turns: ExportTurns, count: number, connectionId = 'shop') {
  const begun: number[] = [];
  const all = Array.from({ length: count }, (_unused, index) => {
    const gate = Promise.withResolvers<void>();
    const stop = new AbortController();
    const done = turns.inTurn(connectionId, stop.signal, async () => {
      begun.push(index);
      await gate.promise;
      return index;
    });
    return { done, end: () => gate.resolve(), fail: () => gate.reject(new Error('broken')), stop };
  });
  return { begun, all };
}

describe('exports of one connection', () => {
  it('read four at a time, the others in the order in which they were asked for, also when one fails', async () => {
    const turns = new ExportTurns();
    const { begun, all } = begin(turns, 7);
    await turn();
    expect(begun).toEqual([0, 1, 2, 3]);
    all[2]?.end();
    await expect(all[2]?.done).resolves.toBe(2);
    all[0]?.fail();
    await expect(all[0]?.done).rejects.toThrow('broken');
    await turn();
    expect(begun).toEqual([0, 1, 2, 3, 4, 5]);
    for (const one of all) one.end();
    await Promise.allSettled(all.map(({ done }) => done));
    expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6]);
    // Every place is free again.
    const again = begin(turns, MOST_EXPORTS_AT_ONCE + 1);
    await turn();
    expect(again.begun).toHaveLength(MOST_EXPORTS_AT_ONCE);
    for (const one of again.all) one.end();
    await Promise.all(again.all.map(({ done }) => done));
  });

  it('say that they wait, and when their turn has come', async () => {
    const turns = new ExportTurns();
    const { all } = begin(turns, MOST_EXPORTS_AT_ONCE);
    const said: boolean[] = [];
    const last = turns.inTurn(
      'shop',
      never,
      async () => said.length,
      (isWaiting) => said.push(isWaiting),
    );
    await turn();
    expect(said).toEqual([true]);
    for (const one of all) one.end();
    await expect(last).resolves.toBe(2);
    expect(said).toEqual([true, false]);
  });

  it('that are cancelled while they wait are not begun, and hold no place', async () => {
    const turns = new ExportTurns();
    const { begun, all } = begin(turns, 6);
    all[4]?.stop.abort(new Error('cancelled'));
    await expect(all[4]?.done).rejects.toThrow('cancelled');
    all[0]?.end();
    await all[0]?.done;
    await turn();
    expect(begun).toEqual([0, 1, 2, 3, 5]);
    for (const one of all) one.end();
    await Promise.allSettled(all.map(({ done }) => done));
  });

  it('do not wait for those of another connection', async () => {
    const turns = new ExportTurns();
    const { all } = begin(turns, MOST_EXPORTS_AT_ONCE);
    expect(await turns.inTurn('other', never, async () => 'read')).toBe('read');
    for (const one of all) one.end();
    await Promise.all(all.map(({ done }) => done));
  });
});
