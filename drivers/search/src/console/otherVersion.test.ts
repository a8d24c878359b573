import { describe, expect, it } from 'vitest';
import { answering } from '../answers.test-helper.ts';
import { SearchClient } from '../client.ts';
import { collect } from '../fixture.test-helper.ts';
import { createConsole } from './console.ts';

const nothing = answering(() => ({ status: 404, body: '{ "message": "Not Found"}' }));

async function errorOf(statement: string, version: string | undefined): Promise<unknown> {
  const requests = createConsole(new SearchClient(nothing, 1_000), undefined, version);
  const { signal } = new AbortController();
  return collect(requests.run(statement, { maxRows: 1, signal })).catch((error: unknown) => error);
}

describe('a request that the server does not have', () => {
  it.each([
    ['GET /collections/a/synonyms', '30.0-dev', 'UNSUPPORTED', 'only versions before 30.0 have', '/synonym_sets'],
    ['PUT /collections/a/overrides/x\n{}', '31.2', 'UNSUPPORTED', 'The server has version 31.2', '/curation_sets'],
    ['GET /synonym_sets', '29.0', 'UNSUPPORTED', 'only versions from 30.0 on have', '/collections/:collection/synonyms'],
    ['GET /nl_search_models', '28.0', 'UNSUPPORTED', 'only versions from 29.0 on have', 'completions'],
    ['GET /synonym_sets/x', '30.0', 'NOT_FOUND', 'found nothing at GET /synonym_sets/x', 'Refresh'],
    ['GET /synonym_sets', undefined, 'NOT_FOUND', 'Only versions from 30.0 on have this request', 'Use '],
    ['GET /synonym_sets', 'nightly', 'NOT_FOUND', 'Only versions from 30.0 on have this request', 'Use '],
    ['GET /nope', '29.0', 'NOT_FOUND', 'found nothing at GET /nope', 'completions'],
  ])('%j on %s is %s', async (statement, version, code, says, advises) => {
    const error = await errorOf(statement, version);
    expect(error).toMatchObject({ code, advice: expect.stringContaining(advises) as unknown });
    expect(String(error)).toContain(says);
  });
});
