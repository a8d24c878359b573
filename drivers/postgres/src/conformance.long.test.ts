import { beforeAll, expect, it } from 'vitest';
import { runConformance } from '@tabularium/sdk/testing';
import { postgresPlan, writeFixture } from './fixture.test-helper.ts';
import { describeWithServer } from './server.test-helper.ts';

// `npm test` holds the same driver to the same contract in a process of its own, over TLS: tests/conformance/postgres.test.ts.

describeWithServer('the PostgreSQL driver', (server) => {
  beforeAll(() => writeFixture(server(), 'fixture'));

  it('keeps the whole contract', async () => {
    const { report } = await runConformance(postgresPlan(server(), 'fixture'));
    expect(report.checks.filter(({ outcome }) => outcome === 'broken' || outcome === 'untried')).toEqual([]);
    expect(report.score).toBe(100);
  }, 1_800_000);
});
