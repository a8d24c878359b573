import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Session } from '@tabularium/sdk';
import { CHANGE_OBJECTS, PLAIN_CHANGES, SLY_CHANGES } from '../hostileChanges.test-helper.ts';
import { describeWithServer } from '../server.test-helper.ts';
import { administer, clientOptions, open, signal } from '../session.test-helper.ts';
import { PgClient } from '../wire/pgClient.ts';

describeWithServer('changes that call more than they say', (server) => {
  let session: Session;
  beforeAll(async () => {
    await administer(server(), CHANGE_OBJECTS);
    for (const { makes } of [...SLY_CHANGES, ...PLAIN_CHANGES]) await administer(server(), makes);
    session = await open(server());
  });
  afterAll(() => session.close());

  it('are unknown, every one of them', async () => {
    const certain: unknown[] = [];
    for (const { way, changes } of SLY_CHANGES) {
      const { effect, unknown } = (await session.console?.classify(changes, { signal })) ?? {};
      if (unknown !== true) certain.push([way, effect]);
    }
    expect(certain).toEqual([]);
  });

  it('leave those alone that are what they say', async () => {
    for (const { way, changes } of PLAIN_CHANGES) {
      const judged = await session.console?.classify(changes, { signal });
      expect(judged, way).toMatchObject({ effect: 'write' });
      expect(judged, way).not.toHaveProperty('unknown');
    }
  });

  it('have the effect, and those have none that are what they say', async () => {
    const found: [way: string, called: unknown][] = [];
    for (const { way, changes } of [...SLY_CHANGES, ...PLAIN_CHANGES]) {
      // A session keeps the plans that it has made.
      const fresh = new PgClient({ ...clientOptions(server()), database: 'postgres' });
      await fresh.connect();
      await fresh.query('BEGIN');
      await fresh.query(changes);
      found.push([way, (await fresh.query("SELECT coalesce(current_setting('sly.called', true), '') AS called")).rows[0]]);
      await fresh.end();
    }
    expect(found).toEqual([
      ...SLY_CHANGES.map(({ way }) => [way, { called: 'yes' }]),
      ...PLAIN_CHANGES.map(({ way }) => [way, { called: '' }]),
    ]);
  });
});
