import { afterAll, beforeAll, describe, it } from 'vitest';
import { sandboxVersions } from '@tabularium/sandbox';
import type { Sandbox } from '@tabularium/sandbox';
import { describeDriverConformance } from '@tabularium/sdk/testing';
import type { TestHttp } from '@tabularium/sdk/testing';
import { shareOf } from '../../../scripts/testing/shareOf.ts';
import { searchPlan } from './plan.test-helper.ts';
import { admin, httpOf, recordingRule, startFixture } from './fixture.test-helper.ts';

const knownRecordedQueries = {
  table: { namespace: [], name: 'shelf' },
  kind: 'popular',
  queries: [
    { text: 'fig', count: 30 },
    { text: 'a ripe date', count: 4 },
    { text: 'nuts', count: 1 },
  ],
} as const;

async function recordQueries(sandbox: Sandbox, version: string): Promise<void> {
  const fields = [
    { name: 'q', type: 'string' },
    { name: 'count', type: 'int32' },
  ];
  await admin(sandbox, 'POST', '/collections', JSON.stringify({ name: 'searches', fields }));
  const lines = knownRecordedQueries.queries.map(({ text, count }) => JSON.stringify({ q: text, count }));
  await admin(sandbox, 'POST', '/collections/searches/documents/import', lines.join('\n'));
  await admin(sandbox, 'POST', '/analytics/rules', recordingRule(version, 'searches', 'popular_queries', 'shelf', 'searches'));
}

for (const version of shareOf(sandboxVersions, { of: 2, at: 0 })) {
  describe(`on version ${version}`, () => {
    let sandbox: Sandbox;
    let http: TestHttp;
    beforeAll(async () => {
      sandbox = await startFixture(version);
      http = httpOf(sandbox);
      await recordQueries(sandbox, version);
      if (Number(version.split('.')[0]) < 30) return;
      // From this version on a rule needs a set that the collection uses.
      await admin(sandbox, 'PUT', '/curation_sets/rules', '{"items":[]}');
      await admin(sandbox, 'PATCH', '/collections/shelf', '{"curation_sets":["rules"]}');
    });
    const filled = searchPlan(() => ({ sandbox, http }));
    // The collection that the server writes queries to is one more.
    const reads = filled.console?.reads.map((read) => (read.statement === 'GET /collections' ? { ...read, rows: [4] } : read));
    const plan = {
      ...filled,
      ...(filled.console === undefined || reads === undefined ? {} : { console: { ...filled.console, reads } }),
      recordedQueries: knownRecordedQueries,
    };
    afterAll(async () => {
      http.close();
      await filled.end();
      await sandbox.close();
    });
    describeDriverConformance('the search driver keeps the contract', plan, { describe, it });
  });
}
