import { setTimeout as delay } from 'node:timers/promises';
import { initTRPC } from '@trpc/server';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { describe, expect, it } from 'vitest';
import { ROUTER_PATH } from '../common/api.ts';
import { OWNER_ORIGIN } from '../runtime/ownerSocket/ownerProtocol.ts';
import { AnswerPace } from './answerPace.ts';
import { ownerApi } from './ownerApi.ts';

const t = initTRPC.create();

/** A host whose answers count how many of their events were asked for. */
function countingHost(events: number, size: number) {
  const counts = { made: 0, ended: false };
  const router = t.router({
    owner: t.router({
      query: t.procedure.mutation(async function* () {
        try {
          for (; counts.made < events;) {
            counts.made += 1;
            yield `${counts.made} ${'x'.repeat(size)}`;
            await delay(0);
          }
        } finally {
          counts.ended = true;
        }
      }),
    }),
  });
  const api = ownerApi((req) =>
    fetchRequestHandler({ endpoint: new URL(`${OWNER_ORIGIN}${ROUTER_PATH}`).pathname, req, router, allowMethodOverride: true }),
  );
  const query = async (signal = new AbortController().signal): Promise<AsyncIterable<unknown>> =>
    (await api.owner.query.mutate(
      { connectionId: 'a', text: 'b', maxRows: 1, agreedTo: 'read' },
      { signal },
    )) as AsyncIterable<unknown>;
  return { counts, query };
}

describe('a streamed answer', () => {
  it.each([
    ['small', 10],
    ['large', 100_000],
  ])('of %s events is made no faster than its events are taken', async (_name, size) => {
    const { counts, query } = countingHost(500, size);
    let taken = 0;
    let furthest = 0;
    for await (const event of await query()) {
      taken += 1;
      expect(event).toMatch(new RegExp(`^${taken} x`));
      if (taken % 50 === 0) await delay(20);
      furthest = Math.max(furthest, counts.made - taken);
    }
    expect(taken).toBe(500);
    expect(furthest).toBeLessThan(30);
  });

  it('ends at the host when its taker gives up', async () => {
    const { counts, query } = countingHost(100_000, 1_000);
    const leaving = new AbortController();
    const taking = (async () => {
      for await (const event of await query(leaving.signal)) if (event !== undefined) leaving.abort();
    })();
    await expect(taking).rejects.toThrow();
    await expect.poll(() => counts.ended).toBe(true);
    expect(counts.made).toBeLessThan(200);
  });

  it("isn't delayed by lines that aren't events", async () => {
    const pace = new AnswerPace();
    let sent = 0;
    const lines = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent === 200) return controller.close();
        sent += 1;
        controller.enqueue(new TextEncoder().encode('\n'));
      },
    });
    const { body } = pace.response(new Response(lines), new AbortController().signal);
    let read = 0;
    const ended = (async () => {
      for await (const chunk of body ?? []) read += chunk.byteLength;
    })();
    const events = pace.events(
      (async function* () {
        await ended;
        yield read;
      })(),
    );
    expect((await events.next()).value).toBe(200);
  });
});
