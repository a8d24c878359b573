import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Session } from '@tabularium/sdk';
import { describeWithServer } from '../server.test-helper.ts';
import { administer, consoleOf, open, ref, signal } from '../session.test-helper.ts';
import { TOO_MUCH_TEXT } from './definitionBounds.ts';

/** A constant is four times as long in a stored tree. */
const view = (name: string, characters: number): string =>
  `DO $$ BEGIN EXECUTE format('CREATE VIEW bounds.${name} AS SELECT 1 AS id, %L AS text', repeat('x', ${characters})); END $$;`;
const body = `BEGIN ${'PERFORM 1; '.repeat(8_000)} RETURN %s; END`;

const OBJECTS = `
CREATE SCHEMA bounds; CREATE TABLE bounds.plain (id int); CREATE TABLE bounds.ruled (id int);
${view('small', 10_000)} ${view('large', 5_000_000)}
CREATE VIEW bounds.over AS SELECT id FROM bounds.large;
${Array.from({ length: 10 }, (_, index) => view(`part${index}`, 500_000)).join('\n')}
CREATE VIEW bounds.parts AS ${Array.from({ length: 10 }, (_, index) => `SELECT id FROM bounds.part${index}`).join(' UNION ALL ')};
CREATE RULE inserts AS ON INSERT TO bounds.ruled DO ALSO SELECT id FROM bounds.large;
DO $$ BEGIN FOR n IN 1..60 LOOP EXECUTE format('CREATE FUNCTION bounds.long(%s) RETURNS int LANGUAGE plpgsql AS %L', rtrim(repeat('int, ', n), ', '), format('${body}', n)); END LOOP; END $$;
CREATE FUNCTION bounds.short(int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN 1; END $$;`;

describeWithServer('definitions that are longer than one judgement reads', (server) => {
  let session: Session;
  beforeAll(async () => {
    await administer(server(), OBJECTS);
    session = await open(server());
  });
  afterAll(() => session.close());

  it.each([
    'SELECT id FROM bounds.large',
    'SELECT id FROM bounds.over',
    'SELECT id FROM bounds.parts',
    'EXPLAIN SELECT id FROM bounds.over',
    'SELECT bounds.long(1)',
    'INSERT INTO bounds.ruled VALUES (1)',
  ])('make it uncertain what a statement does, which says so: %s', async (statement) => {
    const found = await consoleOf(session).classify(statement, { signal });
    expect(found).toMatchObject({ unknown: true, summary: expect.stringContaining(TOO_MUCH_TEXT) as string });
  });

  it('make it uncertain what a read of a table does', async () => {
    const { uncertainRead } = await session.describeTable(ref('over', 'bounds'), { signal });
    expect(uncertainRead).toContain(TOO_MUCH_TEXT);
  });

  it.each(['SELECT id FROM bounds.small', 'SELECT id FROM bounds.part1', 'SELECT bounds.short(1)', 'SELECT * FROM bounds.plain'])(
    'are not those of %s',
    async (statement) => {
      const found = await consoleOf(session).classify(statement, { signal });
      expect(found).toMatchObject({ effect: 'read' });
      expect(found).not.toHaveProperty('unknown');
    },
  );
});
