import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Session } from '@tabularium/sdk';
import { CALLS_OF_CHANGES, ORDINARY_CALLS, ORDINARY_CHANGES, ORDINARY_FUNCTIONS } from '../ordinaryFunctions.test-helper.ts';
import { ORDINARY_OBJECTS, ORDINARY_READS } from '../ordinaryStatements.test-helper.ts';
import { describeWithServer } from '../server.test-helper.ts';
import { administer, open, run, signal } from '../session.test-helper.ts';

const SAMPLE = readFileSync(new URL('../../../../scripts/start/sampleBookshop.sql', import.meta.url), 'utf8');

describeWithServer(
  'a statement that only reads',
  (server) => {
    let session: Session;
    beforeAll(async () => {
      await administer(server(), ORDINARY_OBJECTS);
      await administer(server(), SAMPLE);
      await administer(server(), ORDINARY_FUNCTIONS);
      session = await open(server());
    });
    afterAll(() => session.close());

    it('counts as reading in a database with the extensions, domains, policies and indexes of an application', async () => {
      const found: unknown[] = [];
      for (const statement of [...ORDINARY_READS, ...ORDINARY_CALLS]) {
        const { effect, summary } = (await session.console?.classify(statement, { signal })) ?? {};
        if (effect !== 'read') found.push([statement.slice(0, 60), summary?.replace(/^.*? \(/, '(')]);
      }
      expect(found).toEqual([]);
    });

    it('runs', async () => {
      for (const statement of [...ORDINARY_READS, ...ORDINARY_CALLS])
        expect((await run(session, statement)).at(-1), statement).toMatchObject({ type: 'done' });
    });

    it('is what a change may call as well, which may take numbers of a sequence besides', async () => {
      const found: unknown[] = [];
      for (const statement of ORDINARY_CHANGES) {
        const { effect, unknown, summary } = (await session.console?.classify(statement, { signal })) ?? {};
        if (effect !== 'write' || unknown === true) found.push([statement, effect, summary]);
      }
      expect(found).toEqual([]);
      for (const statement of CALLS_OF_CHANGES)
        expect(await session.console?.classify(statement, { signal }), statement).toMatchObject({
          effect: 'write',
          unknown: true,
        });
    });

    it('is the reading of each of its tables', async () => {
      const found: unknown[] = [];
      for (const { ref } of await session.listTables({ signal })) {
        const { uncertainRead } = await session.describeTable(ref, { signal });
        if (uncertainRead !== undefined) found.push([ref.name, uncertainRead]);
      }
      expect(found).toEqual([]);
    });
  },
  { settings: ["shared_preload_libraries = 'pg_stat_statements'"] },
);
