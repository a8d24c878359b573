import { beforeAll, expect, it } from 'vitest';
import { describeWithServer } from '../server.test-helper.ts';
import { administer, open, signal } from '../session.test-helper.ts';

describeWithServer('completions', (server) => {
  beforeAll(() =>
    administer(
      server(),
      'CREATE TABLE apples (weight int); CREATE VIEW apple_view AS SELECT 1 AS seeds; CREATE SCHEMA yard; CREATE TABLE yard.apple_tree ()',
    ),
  );

  it('are the tables, and the columns of those that the text names', async () => {
    const session = await open(server());
    try {
      const completed = async (text: string): Promise<unknown> =>
        (await session.console?.complete?.(text, text.length, { signal }))?.items.map(({ insert, detail }) => [insert, detail]);
      expect(await completed('SELECT * FROM appl')).toEqual([
        ['apples', 'table in public'],
        ['apple_view', 'view in public'],
        ['yard.apple_tree', 'table in yard'],
      ]);
      expect(await completed('SELECT seeds FROM apple_view, apples WHERE weig')).toEqual([['weight', 'integer, apples']]);
    } finally {
      await session.close();
    }
  });
});
