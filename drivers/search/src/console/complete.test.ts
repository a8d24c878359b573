import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '@tabularium/sandbox';
import type { CompletionList, Session } from '@tabularium/sdk';
import { FORBIDDEN, answering, json } from '../answers.test-helper.ts';
import { connect } from '../connect.ts';
import { call, open, startFixture } from '../fixture.test-helper.ts';

let sandbox: Sandbox;
let session: Awaited<ReturnType<typeof open>>;
beforeAll(async () => {
  sandbox = await startFixture();
  session = await open(sandbox);
});
afterAll(async () => {
  await session.close();
  await sandbox.close();
});

/** @param text - with `|` where the cursor is */
async function complete(text: string, of: Session = session): Promise<CompletionList> {
  const offset = text.indexOf('|');
  if (of.console?.complete === undefined) throw new Error('The console does not complete.');
  return of.console.complete(text.replace('|', ''), offset, call);
}

/** The text with the first choice of that label in its place. */
async function chosen(text: string, label: string): Promise<string> {
  const offset = text.indexOf('|');
  const { from, items } = await complete(text);
  const item = items.find((one) => one.label === label);
  return item === undefined ? 'not offered' : `${text.slice(0, from)}${item.insert}${text.slice(offset + 1)}`;
}

const labels = async (text: string): Promise<string[]> => (await complete(text)).items.map(({ label }) => label);

describe('completions', () => {
  it.each([
    ['|', 'GET /collections', 'GET /collections'],
    ['ge|', 'GET /collections/:collection', 'GET /collections/'],
    ['mul|', 'POST /multi_search', 'POST /multi_search'],
    ['DELETE /collections/shelf\n\npo|', 'POST', 'DELETE /collections/shelf\n\nPOST '],
    ['POST /x\n{"a":[1]}\n|', 'GET /keys', 'POST /x\n{"a":[1]}\nGET /keys'],
    ['GET |', 'aliases', 'GET /aliases'],
    ['GET /col|', 'collections', 'GET /collections'],
    ['GET /collections/sh|', 'shelf', 'GET /collections/shelf'],
    ['GET /collections/|', 'a/b ö', 'GET /collections/a%2Fb%20ö'],
    ['GET /collections/shelf/doc|', 'documents/search', 'GET /collections/shelf/documents/search'],
    ['PUT /aliases/b|', 'bookcase', 'PUT /aliases/bookcase'],
    ['GET /collections/shelf/documents/search?q=*&filt|', 'filter_by', 'GET /collections/shelf/documents/search?q=*&filter_by='],
    [
      'GET /collections/shelf/documents/search?query_by=title,s|',
      'sku',
      'GET /collections/shelf/documents/search?query_by=title,sku',
    ],
    [
      'GET /collections/shelf/documents/search?filter_by=pages:>5 && pri|',
      'price',
      'GET /collections/shelf/documents/search?filter_by=pages:>5 && price',
    ],
    [
      'GET /collections/shelf/documents/search?sort_by=sku:d|',
      'desc',
      'GET /collections/shelf/documents/search?sort_by=sku:desc',
    ],
    ['POST /collections/shelf/documents/import?action=up|', 'upsert', 'POST /collections/shelf/documents/import?action=upsert'],
    ['POST /multi_search\n{"searches":[{"coll|', 'collection', 'POST /multi_search\n{"searches":[{"collection'],
    [
      'POST /multi_search\n{"searches":[{"collection":"sh|"}]}',
      'shelf',
      'POST /multi_search\n{"searches":[{"collection":"shelf"}]}',
    ],
    [
      'POST /multi_search\n{"searches":[{"collection":"shelf","query_by":"ti|',
      'title',
      'POST /multi_search\n{"searches":[{"collection":"shelf","query_by":"title',
    ],
    ['POST /collections/shelf/documents\n{"ti|', 'title', 'POST /collections/shelf/documents\n{"title'],
    [
      'POST /collections\n{"name":"x","fields":[{"name":"a","type":"int|',
      'int64[]',
      'POST /collections\n{"name":"x","fields":[{"name":"a","type":"int64[]',
    ],
    [
      'POST /keys\n{"actions":["documents:*","coll|',
      'collections:list',
      'POST /keys\n{"actions":["documents:*","collections:list',
    ],
  ])('%j offers %j', async (text, label, result) => {
    expect(await chosen(text, label)).toBe(result);
  });

  it('are not offered where nothing fits', async () => {
    expect(await labels('POST /multi_search\n{"a": |')).toEqual([]);
    expect(await labels('GET /nothing/like/this/|')).toEqual([]);
    expect(await labels('select |')).toEqual([]);
    expect(await labels('GET /collections/nope/documents/search?query_by=|')).toEqual([]);
  });

  it('put what begins with the typed text first', async () => {
    expect((await labels('GET /collections/shelf/documents/search?query_by=pa|')).slice(0, 3)).toEqual([
      'pages',
      'parts',
      'parts.serial',
    ]);
  });

  it('ask the server once for many letters', async () => {
    const fresh = await open(sandbox);
    const before = fresh.http.requests.length;
    for (const text of ['GET /collections/|', 'GET /collections/s|', 'GET /collections/sh|']) await complete(text, fresh);
    expect(fresh.http.requests.length - before).toBe(2);
    await fresh.close();
  });

  it.each([
    ['26.0', ['overrides', 'synonyms'], ['synonym_sets', 'nl_search_models', 'stemming/dictionaries']],
    ['28.0', ['overrides', 'stemming/dictionaries'], ['curation_sets', 'nl_search_models']],
    ['29.0', ['overrides', 'synonyms', 'nl_search_models'], ['synonym_sets', 'curation_sets', 'analytics/status']],
    ['30.0-dev', ['synonym_sets', 'curation_sets', 'analytics/status', 'nl_search_models'], ['overrides', 'synonyms']],
    ['nightly', ['overrides', 'synonym_sets'], []],
  ] as const)('list the routes of version %s and no other', async (version, there, gone) => {
    const of = await connect(
      {},
      { http: answering(({ path }) => (path === '/debug' ? json({ state: 1, version }) : FORBIDDEN)), log: () => undefined },
      call,
    );
    const offered = async (text: string): Promise<string[]> => (await complete(text, of)).items.map(({ label }) => label);
    const all = (await offered('|')).join('\n');
    for (const word of there) expect(all).toContain(`/${word}`);
    for (const word of gone) expect(all).not.toContain(`/${word}`);
  });

  it.each([
    ['29.0', ['synonyms:*', 'overrides:*'], ['synonym_sets:*', 'curation_sets/items:*']],
    ['30.0', ['synonym_sets:*', 'curation_sets/items:*'], ['synonyms:*', 'overrides:*']],
  ] as const)('list the actions of keys of version %s', async (version, there, gone) => {
    const http = answering(({ path }) => (path === '/debug' ? json({ state: 1, version }) : FORBIDDEN));
    const of = await connect({}, { http, log: () => undefined }, call);
    const offered = (await complete('POST /keys\n{"actions":["|', of)).items.map(({ label }) => label);
    const form = await of.principals?.form?.(call);
    const choices = form?.find(({ id }) => id === 'actions')?.options?.map(({ value }) => value);
    for (const list of [offered, choices]) {
      expect(list).toEqual(expect.arrayContaining([...there]));
      for (const action of gone) expect(list).not.toContain(action);
    }
  });

  it('list the parameters of the version', async () => {
    const parameters = async (version: string): Promise<string[]> => {
      const http = answering(({ path }) => (path === '/debug' ? json({ state: 1, version }) : FORBIDDEN));
      const of = await connect({}, { http, log: () => undefined }, call);
      return (await complete('GET /collections/x/documents/search?enable_|', of)).items.map(({ label }) => label);
    };
    expect(await parameters('26.0')).not.toContain('enable_analytics');
    expect(await parameters('29.0')).toEqual(expect.arrayContaining(['enable_overrides', 'enable_analytics']));
    expect(await parameters('30.2')).toContain('enable_curations');
    expect(await parameters('30.2')).not.toContain('enable_overrides');
  });

  it('are fewer where the key may not look, and no error', async () => {
    const narrow = await connect({}, { http: answering(() => FORBIDDEN), log: () => undefined }, call);
    expect((await complete('GET /collections/|', narrow)).items).toEqual([]);
    expect((await complete('GET /collections/x/documents/search?query_by=|', narrow)).items.map(({ label }) => label)).toEqual([
      'id',
    ]);
    expect((await complete('GET /a|', narrow)).items.map(({ label }) => label)).toContain('aliases');
  });
});
