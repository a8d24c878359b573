import type { ConsoleFacet } from '@tabularium/sdk';
import { TRPCClientError, createTRPCClient, httpBatchStreamLink } from '@trpc/client';
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ROUTER_PATH } from '../../../common/api.ts';
import type { FetchHandler } from '../../../common/fetchHandler.ts';
import { silentLogger } from '../../storage/logger.ts';
import { inputsOf } from '../boundInputs.ts';
import { createApiHandler } from '../handler.ts';
import { appRouter } from '../router.ts';
import { createOwnerHandler } from './ownerHandler.ts';
import { ownerRouter } from './ownerRouter.ts';
import type { OwnerContext } from './ownerContext.ts';

const url = `http://host${ROUTER_PATH}`;
const statement = { connectionId: randomUUID(), text: 'read', maxRows: 10, agreedTo: 'read' as const };

/** The services that these calls reach. The console gives one result and then waits until it is cancelled. */
function services(reported: { stopped?: boolean } = {}): OwnerContext {
  const console: Pick<ConsoleFacet, 'split' | 'classify' | 'run'> = {
    split: (text) => [{ text, start: 0, end: 0 }],
    classify: async () => ({ effect: 'read', tables: [], summary: 'read' }),
    run: async function* (_statement, { signal }) {
      yield { type: 'text', mediaType: 'text/plain', text: 'one' };
      await new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          reported.stopped = true;
          reject(signal.reason as Error);
        });
      });
    },
  };
  const sessions = { use: (_id: string, work: (open: unknown) => unknown) => work({ session: { console }, manifest: {} }) };
  const shell = { lifetime: 'host', newWindowUrl: () => 'http://127.0.0.1/?key=x' };
  return { connectionStore: { list: () => [] }, sessions, shell } as unknown as OwnerContext;
}

function client(handler: FetchHandler) {
  const fetch = (to: RequestInfo | URL | string, init?: unknown): Promise<Response> =>
    handler(new Request(to, init as RequestInit));
  return createTRPCClient<typeof ownerRouter>({ links: [httpBatchStreamLink({ url, fetch, methodOverride: 'POST' })] });
}

async function reportOf(call: Promise<unknown>): Promise<unknown> {
  const error = await call.catch((failure: unknown) => failure);
  return error instanceof TRPCClientError ? (error.data as { report?: unknown } | undefined)?.report : error;
}

describe("a window's handler", () => {
  const ownersPaths = Object.keys(ownerRouter._def.procedures).filter((path) => path.startsWith('owner.'));

  it('is compared with all of the owner’s procedures', () => {
    expect(ownersPaths.length).toBeGreaterThan(10);
    const shared = Object.keys(appRouter._def.procedures).filter((path) => !path.startsWith('console.sessions.'));
    expect(Object.keys(ownerRouter._def.procedures).length).toBe(shared.length + ownersPaths.length);
  });

  it('alone has the sessions of the console: no command opens one', () => {
    expect(Object.keys(appRouter._def.procedures)).toContain('console.sessions.open');
    expect(Object.keys(ownerRouter._def.procedures).filter((path) => path.startsWith('console.sessions.'))).toEqual([]);
  });

  it.each(ownersPaths)('has no %s, however it is asked', async (path) => {
    const handler = createApiHandler(services(), silentLogger);
    const headers = { 'content-type': 'application/json' };
    for (const request of [
      new Request(`${url}/${path}?input={}`),
      new Request(`${url}/${path}`, { method: 'POST', headers, body: '{}' }),
      new Request(`${url}/${path}?batch=1`, { method: 'POST', headers, body: '{"0":{}}' }),
    ]) {
      const answer = await handler(request);
      expect(answer.status).toBe(404);
      expect(await answer.text()).toContain('No procedure found');
    }
  });
});

describe("the owner's handler", () => {
  it("answers the window's calls and the owner's", async () => {
    const api = client(createOwnerHandler(services(), silentLogger));
    expect(await api.connections.list.query()).toEqual([]);
    expect(await api.owner.windowUrl.mutate()).toEqual({ url: 'http://127.0.0.1/?key=x' });
  });

  it('says in a sentence which value cannot be used, and quotes none', async () => {
    const api = client(createOwnerHandler(services(), silentLogger));
    const report = await reportOf(api.owner.drivers.install.mutate({ driver: '', version: 3 as unknown as string }));
    expect(report).toMatchObject({
      code: 'INVALID_REQUEST',
      message: 'The value of "driver" must not be empty. The value of "version" cannot be used: it has to be a text.',
    });
  });

  it('says of a call that it does not know that it is the older one', async () => {
    const fetch = createOwnerHandler(services(), silentLogger);
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(new Request(`${url}/owner.tomorrow`, { method: 'POST', headers, body: '{}' }));
    expect(await answer.json()).toMatchObject({
      error: {
        data: {
          report: {
            code: 'INVALID_REQUEST',
            message: 'This host does not know the command "owner.tomorrow".',
            advice: 'The host that runs is an older version: stop it, and start this one.',
          },
        },
      },
    });
  });

  it('passes on what runs as it comes, and ends it when the caller goes', async () => {
    const reported: { stopped?: boolean } = {};
    const api = client(createOwnerHandler(services(reported), silentLogger));
    const leaving = new AbortController();
    const events: unknown[] = [];
    const following = (async () => {
      for await (const event of await api.owner.query.mutate(statement, { signal: leaving.signal })) {
        events.push(event);
        leaving.abort();
      }
    })();
    await expect(following).rejects.toThrow();
    expect(events).toEqual([{ type: 'result', event: { type: 'text', mediaType: 'text/plain', text: 'one' } }]);
    await expect.poll(() => reported.stopped).toBe(true);
  });

  it('notifies a waiting caller when the host ends its call', async () => {
    const stopping = new AbortController();
    const handler = createOwnerHandler(services(), silentLogger);
    const api = client((request) => handler(new Request(request, { signal: stopping.signal })));
    const following = (async () => {
      for await (const event of await api.owner.query.mutate(statement)) {
        expect(event.type).toBe('result');
        stopping.abort();
      }
    })();
    expect(await reportOf(following)).toMatchObject({ code: 'CANCELLED' });
  });

  it('bounds every input', () => {
    expect([...inputsOf(ownerRouter)].length).toBe(Object.keys(ownerRouter._def.procedures).length);
  });
});
