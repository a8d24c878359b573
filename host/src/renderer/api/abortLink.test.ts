import { createTRPCClient, httpBatchStreamLink } from '@trpc/client';
import { initTRPC } from '@trpc/server';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { describe, expect, it } from 'vitest';
import { abortLink } from './abortLink.ts';

const { router, procedure } = initTRPC.create();

/** Two queries in one request, which the server answers when it may. */
function twoQueries() {
  const mayAnswer = Promise.withResolvers<void>();
  const appRouter = router({
    first: procedure.query(() => mayAnswer.promise.then(() => 'first')),
    second: procedure.query(() => mayAnswer.promise.then(() => 'second')),
  });
  const requests: string[] = [];
  const api = createTRPCClient<typeof appRouter>({
    links: [
      abortLink(),
      httpBatchStreamLink({
        url: 'http://window.test/api',
        fetch: async (input, init) => {
          const request = new Request(input, init);
          requests.push(request.url);
          return fetchRequestHandler({ endpoint: '/api', req: request, router: appRouter });
        },
      }),
    ],
  });
  return { api, requests, answer: () => mayAnswer.resolve() };
}

describe('abortLink', () => {
  it('ends an aborted call whose batch still has another one, and the other is answered', async () => {
    const { api, requests, answer } = twoQueries();
    const controller = new AbortController();
    const first = api.first.query(undefined, { signal: controller.signal });
    const second = api.second.query();
    await expect.poll(() => requests.length).toBe(1);
    expect(requests[0]).toContain('first,second');
    controller.abort();
    await expect(first).rejects.toThrow('aborted');
    answer();
    await expect(second).resolves.toBe('second');
  });

  it('sends nothing for a call that was aborted before', async () => {
    const { api, requests } = twoQueries();
    await expect(api.first.query(undefined, { signal: AbortSignal.abort() })).rejects.toThrow('aborted');
    expect(requests).toEqual([]);
  });
});
