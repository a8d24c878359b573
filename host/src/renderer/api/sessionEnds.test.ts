import { createTRPCClient, httpBatchStreamLink } from '@trpc/client';
import { initTRPC } from '@trpc/server';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { wasAborted } from './problem.ts';
import { SESSION_ENDS_AGREED, askBeforeSessionsEnd, sessionEndsLink, sessionsEndedBy } from './sessionEnds.ts';

const { router, procedure } = initTRPC.create();
const connectionId = 'shop';

/** A client of a host that writes down which connections were signed out or renamed. */
function client() {
  const done: string[] = [];
  const named = procedure.input(z.object({ connectionId: z.string() }));
  const appRouter = router({
    connections: router({
      signOut: named.mutation(({ input }) => void done.push(`out ${input.connectionId}`)),
      rename: named.mutation(({ input }) => void done.push(`renamed ${input.connectionId}`)),
    }),
  });
  const api = createTRPCClient<typeof appRouter>({
    links: [
      sessionEndsLink(),
      httpBatchStreamLink({
        url: 'http://window.test/api',
        fetch: (input, init) => fetchRequestHandler({ endpoint: '/api', req: new Request(input, init), router: appRouter }),
      }),
    ],
  });
  return { api, done };
}

const ask = vi.fn<(ended: unknown, signal: AbortSignal) => Promise<boolean>>();

beforeEach(() => {
  ask.mockReset().mockResolvedValue(true);
  askBeforeSessionsEnd(ask);
});

describe('a call that ends console sessions', () => {
  it('is sent when the person agrees', async () => {
    const { api, done } = client();
    await api.connections.signOut.mutate({ connectionId });
    expect(ask.mock.calls.map(([ended]) => ended)).toEqual([{ of: 'connection', connectionId }]);
    expect(done).toEqual(['out shop']);
  });

  it("isn't sent when the person keeps them open, and fails as one that was aborted", async () => {
    ask.mockResolvedValue(false);
    const { api, done } = client();
    const error: unknown = await api.connections.signOut.mutate({ connectionId }).catch((thrown: unknown) => thrown);
    expect(wasAborted(error)).toBe(true);
    expect(done).toEqual([]);
  });

  it('asks nothing where its caller has asked, and where it ends none', async () => {
    ask.mockResolvedValue(false);
    const { api, done } = client();
    await api.connections.signOut.mutate({ connectionId }, SESSION_ENDS_AGREED);
    await api.connections.rename.mutate({ connectionId });
    expect(ask).not.toHaveBeenCalled();
    expect(done).toEqual(['out shop', 'renamed shop']);
  });
});

it.each([
  ['connections.close', { connectionId }, { of: 'connection', connectionId }],
  ['connections.remove', { connectionId }, { of: 'connection', connectionId }],
  ['connections.update', { connectionId, input: {} }, { of: 'connection', connectionId }],
  ['connections.signIn', { connectionId }, { of: 'connection', connectionId }],
  ['connections.import', { text: '', choices: [] }, { of: 'any' }],
  ['drivers.applyToOpen', { driver: 'postgres' }, { of: 'driver', driver: 'postgres' }],
  ['drivers.disable', { driver: 'postgres' }, { of: 'driver', driver: 'postgres' }],
  ['drivers.remove', { driver: 'postgres' }, { of: 'driver', driver: 'postgres' }],
  ['drivers.forgetFolder', { driver: 'postgres' }, { of: 'driver', driver: 'postgres' }],
  ['drivers.withdrawGrants', { driver: 'postgres' }, { of: 'driver', driver: 'postgres' }],
  ['drivers.revoke', { keyId: 'k' }, { of: 'any' }],
  ['drivers.rollback', { driver: 'postgres' }, undefined],
  ['tables.count', { connectionId }, undefined],
])('%s ends the sessions that it closes', (path, input, ended) => {
  expect(sessionsEndedBy(path, input)).toEqual(ended);
});
