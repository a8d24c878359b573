import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Session } from '@tabularium/sdk';
import { HOSTILE_OBJECTS } from '../hostileStatements.test-helper.ts';
import { describeWithServer } from '../server.test-helper.ts';
import { administer, open, ref, signal } from '../session.test-helper.ts';

/** Tables and views by which a read does more than read. */
const UNCERTAIN = [
  ...['sly_view', 'view_of_view', 'guarded', 'asks', 'makes_holder', 'over_index', 'ordered_view', 'distinct_view', 'span_view'],
  ...['const_index', 'sql_index', 'more_index', 'const_pred', 'or_pred', 'const_stats', 'parent', 'const_check', 'const_parts'],
  ...[
    'stored_index',
    'classed_rows',
    'spans',
    'by_class',
    'odd_rows',
    'implied_rows',
    'over_implied',
    'classed_keys',
    'by_index',
  ],
  ...['casts_to_text', 'holders', 'lists_checked', 'runs_program', 'over_program', 'over_over_program'],
];
const CERTAIN = [
  ...['victim', 'honest_view', 'stored', 'plainly', 'numbered', 'watched', 'ruled', 'users', 'posts', 'by_default', 'people'],
  ...['honest_index', 'prices', 'with_checked', 'sly_stored', 'twins', 'reads_file', 'stored_column'],
];

const MORE_OBJECTS = `
CREATE TABLE hostile.stored_column (a int, b int GENERATED ALWAYS AS (hostile.lies(a)) STORED);
CREATE TABLE hostile.holders (held hostile.over_holder); CREATE TABLE hostile.lists_checked (held hostile.checked[]);
CREATE TYPE hostile.shown AS (a int); CREATE TABLE hostile.casts_to_text (x hostile.shown);
CREATE FUNCTION hostile.shown_text(hostile.shown) RETURNS text LANGUAGE plpgsql AS $$ BEGIN DELETE FROM hostile.victim; RETURN 'x'; END $$;
CREATE CAST (hostile.shown AS text) WITH FUNCTION hostile.shown_text(hostile.shown);
CREATE TABLE hostile.twins (a int); CREATE SCHEMA other; CREATE VIEW other.twins AS SELECT pg_terminate_backend(0);
CREATE FUNCTION hostile.twins(text) RETURNS int LANGUAGE plpgsql AS $$ BEGIN DELETE FROM hostile.victim; RETURN 1; END $$;
CREATE EXTENSION file_fdw; CREATE SERVER files FOREIGN DATA WRAPPER file_fdw;
CREATE FOREIGN TABLE hostile.runs_program (a text) SERVER files OPTIONS (program 'echo x');
CREATE FOREIGN TABLE hostile.reads_file (a text) SERVER files OPTIONS (filename '/dev/null');
CREATE VIEW hostile.over_program AS SELECT * FROM hostile.runs_program; CREATE VIEW hostile.over_over_program AS SELECT 1 FROM hostile.over_program;`;

describeWithServer('reading a table', (server) => {
  let session: Session;
  beforeAll(async () => {
    await administer(server(), HOSTILE_OBJECTS + MORE_OBJECTS);
    // A filter looks for its operators there.
    await administer(server(), 'ALTER ROLE tester SET search_path = public, hostile');
    session = await open(server());
  });
  afterAll(() => session.close());

  it.each(UNCERTAIN)('is said to do more than read, for hostile.%s', async (name) => {
    const { uncertainRead, notes } = await session.describeTable(ref(name, 'hostile'), { signal });
    expect(uncertainRead).toBeDefined();
    expect(notes).toContain(`Reading it may do more than read: ${uncertainRead}.`);
  });

  it.each(CERTAIN)('is not, for hostile.%s', async (name) => {
    expect(await session.describeTable(ref(name, 'hostile'), { signal })).not.toHaveProperty('uncertainRead');
  });

  it('stays out of the plan to drop it, where it would run a program', async () => {
    const plan = await session.tableOperations?.plan(ref('runs_program', 'hostile'), 'drop', { signal });
    expect(plan?.consequence).toBe(
      'The foreign table “hostile.runs_program” is dropped. Its rows are stored elsewhere, and stay.',
    );
    expect(plan).not.toHaveProperty('count');
  });

  it('is judged as the statement that reads it', async () => {
    const differing: string[] = [];
    for (const name of [...UNCERTAIN, ...CERTAIN]) {
      const { uncertainRead } = await session.describeTable(ref(name, 'hostile'), { signal });
      const { effect } = (await session.console?.classify(`TABLE hostile.${name}`, { signal })) ?? {};
      if (effect !== 'read' && uncertainRead === undefined) differing.push(name);
    }
    // Of the statement it can't be seen which of several things it names.
    expect(differing).toEqual(['with_checked', 'twins']);
  });
});
