import { DriverError } from '@tabularium/sdk';
import type { HttpCapability, OperationCall, OperationEvent, OperationsFacet } from '@tabularium/sdk';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { answering, json } from '../answers.test-helper.ts';
import type { Answer } from '../answers.test-helper.ts';
import { connect } from '../connect.ts';
import { call } from '../fixture.test-helper.ts';

const COUNT = 8;
const asked: OperationCall = {
  place: { on: 'table', table: { namespace: [], name: 'shelf' } },
  operation: 'delete-by-query',
  input: '{"filter_by":"pages:<5"}',
};
const forbidden: Answer = { status: 403, body: '{"message":"Forbidden"}' };

interface Server {
  /** @param looks - how many counts were asked for before */
  readonly count: (looks: number) => Answer;
  readonly deletion: () => Promise<Answer>;
}

async function facetOf({
  count,
  deletion,
}: Server): Promise<{ readonly facet: OperationsFacet; readonly deletions: () => number }> {
  let looks = 0;
  let deletions = 0;
  const plain = answering(({ path }) => {
    if (path === '/debug') return json({ version: '29.0' });
    if (path.includes('search')) return count(looks++);
    return path === '/collections/shelf'
      ? json({ name: 'shelf', fields: [{ name: 'pages', type: 'int32' }], num_documents: 24, created_at: 1 })
      : json([]);
  });
  const http: HttpCapability = {
    async request(request) {
      if (request.method !== 'DELETE') return plain.request(request);
      deletions += 1;
      const answer = await deletion();
      return answering(() => answer).request(request);
    },
  };
  const { operations } = await connect({}, { http, log: () => undefined }, call);
  if (operations === undefined) throw new Error('The session has no operations.');
  return { facet: operations, deletions: () => deletions };
}

const found = (rows: number): Answer => json({ found: rows, hits: [], results: [{ found: rows, hits: [] }] });
const timedOut = (): Promise<Answer> => Promise.reject(new DriverError('TIMEOUT', 'No response within 10 minutes.'));

describe('a deletion by filter', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  async function run(
    server: Server,
    signal = call.signal,
  ): Promise<{ events: OperationEvent[]; error: unknown; deletions: number }> {
    const { facet, deletions } = await facetOf(server);
    const { basis } = await facet.plan(asked, call);
    const events: OperationEvent[] = [];
    let error: unknown;
    let isOver = false;
    const running = (async () => {
      for await (const event of facet.run(asked, { basis, signal })) events.push(event);
    })()
      .catch((failure: unknown) => {
        error = failure;
      })
      .finally(() => {
        isOver = true;
      });
    while (!isOver) await vi.advanceTimersByTimeAsync(1_000);
    await running;
    return { events, error, deletions: deletions() };
  }

  it('says that it timed out where no count was read before it', async () => {
    // The plan counts once, the run twice.
    const { events, error } = await run({ count: (looks) => (looks === 1 ? forbidden : found(COUNT)), deletion: timedOut });
    expect(error).toMatchObject({ code: 'TIMEOUT' });
    expect(events.some(({ type }) => type === 'result')).toBe(false);
  });

  it('says nothing of a request that was not sent, where it is cancelled before', async () => {
    const cancelling = new AbortController();
    const server: Server = {
      count: (looks) => {
        if (looks === 1) cancelling.abort();
        return found(COUNT);
      },
      deletion: timedOut,
    };
    const { error, deletions } = await run(server, cancelling.signal);
    expect(deletions).toBe(0);
    expect(String(error)).not.toContain('continues to delete');
  });

  it('runs to its end where a look at what is left fails', async () => {
    const deletion = (): Promise<Answer> =>
      new Promise((resolve) => {
        setTimeout(resolve, 7_000, json({ num_deleted: COUNT }));
      });
    const { events, error } = await run({ count: (looks) => (looks >= 3 ? forbidden : found(COUNT)), deletion });
    expect(error).toBeUndefined();
    expect(events.at(-1)).toMatchObject({ type: 'result', affectedRows: COUNT });
  });

  it('follows the count after a time-out until nothing is left', async () => {
    const { events } = await run({
      count: (looks) => found(Math.max(0, COUNT - Math.max(0, looks - 2) * 4)),
      deletion: timedOut,
    });
    expect(events.at(-1)).toMatchObject({ type: 'result', affectedRows: COUNT });
  });
});
