import { describe, expect, it } from 'vitest';
import type { HttpCapability, Session } from '@tabularium/sdk';
import { FORBIDDEN, answering, json } from './answers.test-helper.ts';
import type { Answer } from './answers.test-helper.ts';
import { connect } from './connect.ts';
import { call } from './fixture.test-helper.ts';

const open = (http: HttpCapability | undefined): Promise<Session> =>
  connect({}, { ...(http === undefined ? {} : { http }), log: () => undefined }, call);

/** A server whose key may ask some of the questions. */
function serving(
  allowed: Partial<Record<'collections' | 'search' | 'documents' | 'export' | 'keys' | 'metrics' | 'debug', Answer>>,
): ReturnType<typeof answering> {
  return answering(({ path }) => {
    if (path.startsWith('/collections?')) return allowed.collections ?? FORBIDDEN;
    if (path === '/multi_search') return allowed.search ?? FORBIDDEN;
    if (path === '/collections/_/documents/_?collection=') return allowed.documents ?? FORBIDDEN;
    if (path === '/collections/_/documents/export?collection=') return allowed.export ?? FORBIDDEN;
    if (path === '/keys') return allowed.keys ?? FORBIDDEN;
    if (path === '/metrics.json') return allowed.metrics ?? FORBIDDEN;
    if (path === '/debug') return allowed.debug ?? FORBIDDEN;
    return FORBIDDEN;
  });
}

const debug29 = json({ state: 1, version: '29.0' });
const noCollection: Answer = { status: 404, body: '{"message": "Collection not found"}' };
const nothingFound = json({ results: [{ code: 404, error: 'Not found.' }] });

describe('connecting', () => {
  it('with a key that may list: two ok lines, and the version', async () => {
    const session = await open(serving({ collections: json([]), debug: debug29 }));
    expect(session.server).toEqual({ product: 'Typesense', version: '29.0' });
    expect(session.findings.map(({ label, outcome }) => [label, outcome])).toEqual([
      ['Version', 'ok'],
      ['API key', 'ok'],
    ]);
    await session.ping(call);
  });

  it.each([
    ['search', nothingFound, 'It may search documents. Open a collection by name.'],
    ['documents', noCollection, "It may read documents by their ids; it can't search, so no collection can be opened."],
    ['export', noCollection, "It may export documents; it can't search, so no collection can be opened."],
    ['keys', json({ keys: [] }), "It may list API keys; it can't search, so no collection can be opened."],
    ['metrics', json({}), "It may read metrics; it can't search, so no collection can be opened."],
    ['debug', debug29, "It may read the version; it can't search, so no collection can be opened."],
  ] as const)('with a key that may only do %s: open, empty, and it says what the key may do', async (what, answer, says) => {
    const http = serving({ [what]: answer });
    const session = await open(http);
    expect(session.findings.at(-1)).toMatchObject({
      outcome: 'warning',
      message: `This key can't list collections: it lacks the action collections:list. ${says}`,
    });
    expect(session.findings.map(({ outcome }) => outcome)).not.toContain('failed');
    expect(session.namedTables === undefined).toBe(what !== 'search');
    expect(await session.listTables(call)).toEqual([]);
    http.requests.length = 0;
    await session.ping(call);
    expect(http.requests.map(({ path }) => path)).toEqual([
      {
        search: '/multi_search',
        documents: '/collections/_/documents/_?collection=',
        export: '/collections/_/documents/export?collection=',
        keys: '/keys',
        metrics: '/metrics.json',
        debug: '/debug',
      }[what],
    ]);
  });

  it('with a key that is refused for everything: open, empty, and it says that it is wrong or too narrow', async () => {
    const session = await open(serving({}));
    expect(session.server.version).toBeUndefined();
    expect(session.findings).toContainEqual(
      expect.objectContaining({
        label: 'API key',
        outcome: 'failed',
        message:
          'The server rejected this key for every request that tests a key: it is wrong, it has expired, or it may only write or read something else.',
      }),
    );
    expect(await session.listTables(call)).toEqual([]);
    await expect(session.ping(call)).rejects.toMatchObject({ code: 'ACCESS_REFUSED' });
  });

  it('never asks /health, which needs no key', async () => {
    const http = serving({});
    const session = await open(http);
    await session.ping(call).catch(() => undefined);
    expect(http.requests.map(({ path }) => path)).not.toContain('/health');
  });

  it.each([
    ['25.1', 'warning'],
    ['0.25.2', 'warning'],
    ['26.0', 'ok'],
    ['30.0.rc1', 'ok'],
    ['nightly', 'ok'],
  ])('to version %s: %s', async (version, outcome) => {
    const session = await open(serving({ collections: json([]), debug: json({ state: 1, version }) }));
    expect(session.findings[0]).toMatchObject({ label: 'Version', outcome, message: expect.stringContaining(version) as string });
  });

  it('while the server is starting', async () => {
    const http = serving({ collections: { status: 503, body: '{"message": "Not Ready or Lagging"}' }, debug: debug29 });
    await expect(open(http)).rejects.toMatchObject({ code: 'SERVER_NOT_READY', retryable: true });
  });

  it.each<[string, Answer]>([
    ['a page', { type: 'text/html', body: '<html>It works</html>' }],
    ['another JSON', json({ couchdb: 'Welcome' })],
    ['a list of something else', json([{ id: 1 }])],
    ['nothing', {}],
    ['a redirect', { status: 301 }],
    ['a page of its own for what it does not know', { status: 404, type: 'text/html', body: '<html>404</html>' }],
  ])('to another kind of server, which answers with %s', async (_name, answer) => {
    await expect(open(serving({ collections: answer }))).rejects.toMatchObject({ code: 'BAD_ANSWER' });
  });

  it('without the http capability', async () => {
    await expect(open(undefined)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  });

  it('waits as long for each request as the form says', async () => {
    const http = serving({ collections: json([]) });
    await connect({ timeoutSeconds: 7 }, { http, log: () => undefined }, call);
    expect(http.requests.every(({ timeoutMilliseconds }) => timeoutMilliseconds === 7_000)).toBe(true);
  });
});
