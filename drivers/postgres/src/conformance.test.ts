import { beforeAll, it } from 'vitest';
import { runConformance } from '@tabularium/sdk/testing';
import { allDatabasesPlan, postgresPlan, writeFixture } from './fixture.test-helper.ts';
import { describeWithServer } from './server.test-helper.ts';

describeWithServer('the PostgreSQL driver', (server) => {
  beforeAll(async () => {
    await writeFixture(server(), 'fixture');
    await writeFixture(server(), 'fixture of all');
  });

  // The kit waits more than it works.
  it.concurrent(
    'keeps the whole contract',
    async ({ expect }) => {
      const { report } = await runConformance(postgresPlan(server(), 'fixture'));
      expect(report.checks.filter(({ outcome }) => outcome === 'broken' || outcome === 'untried')).toEqual([]);
      expect(report.score).toBe(100);
    },
    1_800_000,
  );

  it.concurrent(
    'keeps it with all databases of the server too',
    async ({ expect }) => {
      const { report } = await runConformance(allDatabasesPlan(server(), 'fixture of all'));
      expect(report.checks.filter(({ outcome }) => outcome === 'broken' || outcome === 'untried')).toEqual([]);
      expect(report.score).toBe(100);
    },
    1_800_000,
  );
});
