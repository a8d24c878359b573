import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Fault, Sandbox, SeenRequest } from '@tabularium/sandbox';
import { NO_FILTER, isDriverError } from '@tabularium/sdk';
import type { PageRequest, Session } from '@tabularium/sdk';
import { createTestHttp } from '@tabularium/sdk/testing';
import type { TestHttp } from '@tabularium/sdk/testing';
import { driver } from './index.ts';
import { ADMIN_KEY, call, collect, keyHeaders, startFixture } from './fixture.test-helper.ts';

const page: PageRequest = {
  table: { namespace: [], name: 'many' },
  filter: NO_FILTER,
  sorts: [],
  position: { from: 'start' },
  limit: 100,
};

let sandbox: Sandbox;
let http: TestHttp;
let session: Session;
/** A server that isn't silent answers sooner on any machine. */
const open = (timeoutSeconds: number): Promise<Session> =>
  driver.definition.connect({ timeoutSeconds }, { http, log: () => undefined }, call);

beforeAll(async () => {
  sandbox = await startFixture();
  http = createTestHttp(sandbox.url, { credentials: keyHeaders(ADMIN_KEY) });
  session = await open(120);
  await session.readPage(page, call);
});
afterEach(() => {
  sandbox.fault(undefined);
  sandbox.setStarting(false);
});
afterAll(async () => {
  await session.close();
  http.close();
  await sandbox.close();
});

/** The fault for the first requests that match. */
function once(fault: Fault, matches: (request: SeenRequest) => boolean, times = 1): void {
  let left = times;
  sandbox.fault((request) => {
    if (left === 0 || !matches(request)) return undefined;
    left -= 1;
    return fault;
  });
}

const isSearch = ({ path }: SeenRequest): boolean => path === '/multi_search';
const answer = (status: number, body: string): Fault => ({ kind: 'answer', status, body });

/** How many requests of a path reached the server meanwhile. */
async function seen(path: string, act: () => Promise<unknown>): Promise<number> {
  const before = sandbox.requests.seen.length;
  await act();
  return sandbox.requests.seen.slice(before).filter((request) => request.path === path).length;
}

describe('a server in trouble', () => {
  it('that resets a connection: a read is asked once more, a write never', async () => {
    once({ kind: 'reset' }, isSearch);
    expect(await seen('/multi_search', async () => expect((await session.readPage(page, call)).rowCount).toBe(100))).toBe(2);
    once({ kind: 'reset' }, isSearch, 2);
    expect(
      await seen('/multi_search', () =>
        expect(session.readPage(page, call)).rejects.toMatchObject({ code: 'CONNECTION_LOST', retryable: true }),
      ),
    ).toBe(2);
    const { console: requests } = session;
    if (requests === undefined) throw new Error('The session has no console.');
    const run = (statement: string): Promise<unknown> => collect(requests.run(statement, { maxRows: 1, signal: call.signal }));
    for (const [statement, path] of [
      ['POST /collections/many/documents\n{"id":"w","n":1}', '/collections/many/documents'],
      ['POST /operations/db/compact', '/operations/db/compact'],
      ['DELETE /collections/many/documents/w', '/collections/many/documents/w'],
    ] as const) {
      once({ kind: 'reset' }, (request) => request.path === path);
      expect(await seen(path, () => expect(run(statement)).rejects.toMatchObject({ code: 'CONNECTION_LOST' }))).toBe(1);
    }
  });

  it.each<[string, Fault, string]>([
    ['is silent', { kind: 'silence' }, 'TIMEOUT'],
    ['breaks off inside an answer', { kind: 'cut', afterBytes: 100 }, 'CONNECTION_LOST'],
    ['rate limit was reached', answer(429, '{"message":"Rate limit exceeded or blocked"}'), 'RATE_LIMITED'],
    ['is not ready', answer(503, '{"message":"Not Ready or Lagging"}'), 'SERVER_NOT_READY'],
    ['fails', answer(500, '{"message":"Oops."}'), 'SERVER_ERROR'],
    [
      'takes the key back',
      answer(401, '{"message":"Forbidden - a valid `x-typesense-api-key` header must be sent."}'),
      'ACCESS_REFUSED',
    ],
    ['is a proxy by now', answer(200, '<html>Welcome</html>'), 'BAD_ANSWER'],
  ])('that %s', async (_name, fault, code) => {
    const own = fault.kind === 'silence' ? await open(5) : session;
    sandbox.fault((request) => (isSearch(request) ? fault : undefined));
    const error: unknown = await own.readPage(page, call).catch((caught: unknown) => caught);
    if (!isDriverError(error)) throw new Error('It must fail.');
    expect(error.code).toBe(code);
    expect(error.message + error.advice).not.toContain(ADMIN_KEY);
    expect(error.advice).not.toBe('');
    if (fault.kind === 'answer' && fault.status >= 400) {
      expect(error.details).toMatchObject({ request: 'POST /multi_search', status: String(fault.status) });
      expect(error.details.serverMessage).toMatch(/\w/);
    }
    sandbox.fault(undefined);
    expect((await session.readPage(page, call)).rowCount).toBe(100);
  });

  it('that is starting says so, also to who connects, and is fine afterwards', async () => {
    sandbox.setStarting(true);
    await expect(session.readPage(page, call)).rejects.toMatchObject({ code: 'SERVER_NOT_READY', retryable: true });
    await expect(session.ping(call)).rejects.toMatchObject({ code: 'SERVER_NOT_READY' });
    await expect(driver.definition.connect({}, { http, log: () => undefined }, call)).rejects.toMatchObject({
      code: 'SERVER_NOT_READY',
    });
    sandbox.setStarting(false);
    await session.ping(call);
  });

  it('is left alone when the caller gives up', async () => {
    sandbox.fault((request) => (isSearch(request) ? { kind: 'silence' } : undefined));
    const controller = new AbortController();
    const reading = session.readPage(page, { signal: controller.signal });
    controller.abort();
    await expect(reading).rejects.toMatchObject({ code: 'CANCELLED' });
  });
});
