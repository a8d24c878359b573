import type { HttpCapability, HttpRequest } from '@tabularium/sdk';
import { describe, expect, it } from 'vitest';
import { guardedHttp } from './guardedHttp.ts';

const PREFIX = 'tabularium-check-0123456789abcdef-';

/** Answers as a server would whose key 1 is of this run, whose key 2 is somebody's, and which has no other. */
function recorded(): HttpCapability & { readonly sent: HttpRequest[] } {
  const sent: HttpRequest[] = [];
  const descriptions: Record<string, string> = { '/keys/1': `${PREFIX}key`, '/keys/2': 'of somebody' };
  return {
    sent,
    async request(request) {
      sent.push(request);
      const description = descriptions[request.path];
      const missing = request.path.startsWith('/keys/') && description === undefined;
      return {
        status: missing ? 404 : 200,
        headers: {},
        body: (async function* () {})(),
        text: () => Promise.resolve(JSON.stringify({ description })),
        discard: () => Promise.resolve(),
      };
    },
  };
}

describe('the guard of a check against somebody’s server', () => {
  it.each<[HttpRequest['method'], string, string?]>([
    ['DELETE', '/collections/theirs'],
    ['DELETE', `/collections/theirs?x=${PREFIX}`],
    ['DELETE', `/collections/${PREFIX}a?collection=theirs`],
    ['DELETE', `/collections/${PREFIX}a?collection=${PREFIX}b&collection=theirs`],
    ['DELETE', `/collections/theirs/documents/${PREFIX}`],
    ['DELETE', `//collections//theirs/documents?filter_by=id:${PREFIX}`],
    ['POST', '/collections', '{"name":"theirs"}'],
    ['POST', '/collections', 'no JSON'],
    ['PATCH', '/%63ollections/theirs', `{"name":"${PREFIX}"}`],
    ['PUT', '/aliases/theirs', `{"collection_name":"${PREFIX}a"}`],
    ['PUT', `/aliases/%25${PREFIX.charCodeAt(0).toString(16)}${PREFIX.slice(1)}`, '{"collection_name":"x"}'],
    ['PUT', '/curation_sets/theirs', '{"items":[]}'],
    ['POST', '/keys', '{"description":"x"}'],
    ['DELETE', '/keys/2'],
    ['DELETE', '/keys/1/../2'],
    ['DELETE', '/keys/1/%2E%2E/2'],
    ['DELETE', `/collections/${PREFIX}a/../theirs`],
    ['POST', '/operations/snapshot', PREFIX],
    ['POST', '/operations/db/compact'],
    ['POST', '/config', '{}'],
    ['POST', '/analytics/rules', `{"name":"${PREFIX}"}`],
    ['POST', '/multi_search/x'],
  ])('stops %s %s', async (method, path, body) => {
    const http = recorded();
    const { ask } = guardedHttp(http, PREFIX);
    await expect(ask(method, path, body)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    expect(http.sent.filter((request) => request.method !== 'GET')).toEqual([]);
  });

  it.each<[HttpRequest['method'], string, string?]>([
    ['GET', '/collections/theirs/documents/export'],
    ['POST', '/multi_search', '{"searches":[]}'],
    ['POST', '/collections', `{"name":"${PREFIX}a"}`],
    ['DELETE', `/collections/${PREFIX}a%2Fb%20%C3%B6`],
    ['DELETE', `//%63ollections/${PREFIX}a/documents/1`],
    ['DELETE', `/collections/${PREFIX}a?collection=${PREFIX}b`],
    ['PUT', `/aliases/${PREFIX}alias`, '{"collection_name":"theirs"}'],
    ['POST', '/keys', `{"description":"${PREFIX}key"}`],
    ['DELETE', '/keys/1'],
    ['DELETE', '/keys/3'],
    ['DELETE', `/collections/${PREFIX}a/documents/%2E%2E`],
  ])('lets %s %s pass', async (method, path, body) => {
    const http = recorded();
    await guardedHttp(http, PREFIX).ask(method, path, body);
    expect(http.sent.at(-1)).toMatchObject({ method, path });
  });
});
