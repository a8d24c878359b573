import { createTRPCClient } from '@trpc/client';
import { expect, it } from 'vitest';
import type { AppRouter } from '../../runtime/api/router.ts';
import { callLink } from './callLink.ts';

interface Sent {
  readonly path: string;
  readonly signal: AbortSignal | null | undefined;
}

/** A client whose requests are never answered. */
function unanswered(): { readonly api: ReturnType<typeof createTRPCClient<AppRouter>>; readonly sent: Sent[] } {
  const sent: Sent[] = [];
  const api = createTRPCClient<AppRouter>({
    links: [
      callLink({
        url: 'http://host.test/api',
        fetch: (input, init) => {
          sent.push({ path: new URL(input instanceof Request ? input.url : input).pathname, signal: init?.signal });
          return new Promise(() => undefined);
        },
      }),
    ],
  });
  return { api, sent };
}

it('gives up the request of a change that is stopped, whatever else was called in the same moment', async () => {
  const { api, sent } = unanswered();
  const stopping = new AbortController();
  const left = api.console.sessions.leave.mutate({ sessionId: 'one' }, { signal: stopping.signal });
  left.catch(() => undefined);
  void api.console.sessions.leave.mutate({ sessionId: 'two' });
  await expect.poll(() => sent.length).toBe(2);
  stopping.abort();
  await expect.poll(() => sent.map(({ signal }) => signal?.aborted === true).toSorted()).toEqual([false, true]);
});

it('sends questions of one moment in one request', async () => {
  const { api, sent } = unanswered();
  void api.console.places.query({ connectionId: 'one' });
  void api.console.places.query({ connectionId: 'two' });
  await expect.poll(() => sent.map(({ path }) => path)).toEqual(['/api/console.places,console.places']);
});
