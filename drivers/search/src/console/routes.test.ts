import { describe, expect, it } from 'vitest';
import { has, versionNumber } from '../versions.ts';
import { routes } from './routes.ts';

// Every method was sent to every path in the server's program: these are the ones that 29.0 and 30.0-dev did not answer with
// 404 "Not Found".
const BOTH = `
  /aliases GET
  /aliases/:alias DELETE GET PUT
  /analytics/aggregate_events POST
  /analytics/events GET POST
  /analytics/rules GET POST
  /analytics/rules/:name DELETE GET PUT
  /collections GET POST
  /collections/:collection DELETE GET PATCH
  /collections/:collection/documents DELETE PATCH POST
  /collections/:collection/documents/:id DELETE GET PATCH
  /collections/:collection/documents/export GET
  /collections/:collection/documents/import POST
  /collections/:collection/documents/search GET
  /config POST
  /conversations/models GET POST
  /conversations/models/:id DELETE GET PUT
  /debug GET
  /health GET
  /health_with_rusage GET
  /keys GET POST
  /keys/:id DELETE GET
  /limits GET POST
  /limits/:id DELETE GET PUT
  /limits/active GET
  /limits/active/:id DELETE
  /limits/exceeds GET
  /limits/exceeds/:id DELETE
  /metrics.json GET
  /multi_search POST
  /nl_search_models GET POST
  /nl_search_models/:id DELETE GET PUT
  /operations/cache/clear POST
  /operations/db/compact POST
  /operations/reset_peers POST
  /operations/schema_changes GET
  /operations/snapshot POST
  /operations/vote POST
  /personalization/models GET POST
  /personalization/models/:id DELETE GET PUT
  /presets GET
  /presets/:name DELETE GET PUT
  /proxy POST
  /proxy_sse POST
  /stats.json GET
  /status GET
  /stemming/dictionaries GET
  /stemming/dictionaries/:id DELETE GET
  /stemming/dictionaries/import POST
  /stopwords GET
  /stopwords/:name DELETE GET PUT
`;
const ONLY_29 = `
  /collections/:collection/overrides GET
  /collections/:collection/overrides/:id DELETE GET PUT
  /collections/:collection/synonyms GET
  /collections/:collection/synonyms/:id DELETE GET PUT
`;
const ONLY_30 = `
  /analytics/flush POST
  /analytics/status GET
  /curation_sets GET
  /curation_sets/:name DELETE GET PUT
  /curation_sets/:name/items GET
  /curation_sets/:name/items/:id DELETE GET PUT
  /synonym_sets GET
  /synonym_sets/:name DELETE GET PUT
  /synonym_sets/:name/items GET
  /synonym_sets/:name/items/:id DELETE GET PUT
`;

function linesOf(...texts: readonly string[]): string[] {
  return texts
    .flatMap((text) => text.trim().split('\n'))
    .flatMap((line) => {
      const [path = '', ...methods] = line.trim().split(' ');
      return methods.map((method) => `${method} ${path}`);
    })
    .sort();
}

function offered(version: string): string[] {
  const number = versionNumber(version);
  const lines = routes()
    .filter((route) => has(number, route))
    .map(({ method, segments }) => `${method} /${segments.join('/')}`);
  return [...new Set(lines)].sort();
}

describe('the routes of a version', () => {
  it('are those that 29.0 and 30.0-dev have, and no other', () => {
    expect(offered('29.0')).toEqual(linesOf(BOTH, ONLY_29));
    expect(offered('30.0-dev')).toEqual(linesOf(BOTH, ONLY_30));
  });

  it('are listed once for each version', () => {
    for (const version of ['26.0', '27.1', '28.0', '29.0', '30.2']) {
      const number = versionNumber(version);
      const lines = routes()
        .filter((route) => has(number, route))
        .map(({ method, segments }) => `${method} ${segments.join('/')}`);
      expect(lines).toHaveLength(new Set(lines).size);
    }
  });
});

describe('a version as a number', () => {
  it.each([
    ['26.0', 26],
    ['27.1', 27.01],
    ['30.0-dev', 30],
    ['30.0.rc38', 30],
    ['30.12', 30.12],
  ])('%s', (version, number) => {
    expect(versionNumber(version)).toBe(number);
  });

  it.each(['nightly', '', 'v29', '29', '99999.0', undefined])('is unknown for %s', (version) => {
    expect(versionNumber(version)).toBeUndefined();
  });
});
