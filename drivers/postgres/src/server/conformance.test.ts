import { beforeAll, expect, it } from 'vitest';
import { runConformance } from '@tabularium/sdk/testing';
import { allDatabasesPlan, writeFixture } from '../fixture.test-helper.ts';
import { describeWithServer } from '../server.test-helper.ts';

// On a server of its own: the kit looks at all tables of a connection, and another run of it changes those of its database.
describeWithServer('the PostgreSQL driver of all databases', (server) => {
  beforeAll(() => writeFixture(server(), 'fixture of all'));

  it('keeps the whole contract', async () => {
    const { report } = await runConformance(allDatabasesPlan(server(), 'fixture of all'));
    expect(report.checks.filter(({ outcome }) => outcome === 'broken' || outcome === 'untried')).toEqual([]);
    expect(report.score).toBe(100);
  }, 1_800_000);
});
