import { randomUUID } from 'node:crypto';
import { DriverError } from '@tabularium/sdk';
import type { ActivityFacet, ConsoleFacet } from '@tabularium/sdk';
import type { World } from './world.ts';

/** The console, each of whose statements is in the list while it runs. */
export function recorded(world: World, console: ConsoleFacet): ConsoleFacet {
  return {
    ...console,
    async *run(text, options) {
      // Ends with a letter: a fault of the tests finds other ids by the digit behind them.
      const id = `${randomUUID()} s`;
      const ends = new AbortController();
      world.running.set(id, { text, began: performance.now(), ends });
      try {
        for await (const event of console.run(text, options)) {
          yield event;
          if (ends.signal.aborted) throw new DriverError('CANCELLED', 'The statement was ended.');
        }
      } finally {
        world.running.delete(id);
      }
    },
  };
}

export function createActivity(world: World): ActivityFacet {
  return {
    async list(options) {
      await world.ready(options);
      return {
        entries: [
          ...Array.from(world.running, ([id, { text, began }]) => ({
            id,
            kind: 'statement' as const,
            state: 'running' as const,
            statement: { id: `${id} statement`, text, isCut: false },
            milliseconds: performance.now() - began,
            own: true,
            ways: ['cancel', 'terminate'] as const,
          })),
          { id: 'gardener', kind: 'background', state: 'idle', own: false, ways: [], reason: 'The gardener stays.' },
        ],
        notes: ['Only this orchard is listed.'],
      };
    },
    async end({ id, statement }, options) {
      await world.ready(options);
      const running = world.running.get(id);
      if (id === 'gardener') throw new DriverError('UNSUPPORTED', 'The gardener stays.');
      if (running === undefined || (statement !== undefined && statement !== `${id} statement`)) return { outcome: 'gone' };
      running.ends.abort();
      world.running.delete(id);
      return { outcome: 'ended' };
    },
    async slow(options) {
      await world.ready(options);
      const statement = (text: string, totalMilliseconds: number) => ({
        text,
        isCut: false,
        calls: 2,
        totalMilliseconds,
        meanMilliseconds: totalMilliseconds / 2,
      });
      return { available: true, statements: [statement('list "bulk"', 40), statement('count "picks"', 2)], notes: [] };
    },
  };
}
