import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Completion, Session } from '@tabularium/sdk';
import { describeWithServer } from '../server.test-helper.ts';
import { administer, open, signal } from '../session.test-helper.ts';

const TABLES = `
CREATE TABLE apples (weight int, "Sort" text, "order" int);
CREATE VIEW apple_view AS SELECT 1 AS seeds;
CREATE SCHEMA yard;
CREATE TABLE yard.apple_tree (height int, planted date);
CREATE TABLE yard.apples (only_in_yard int);
CREATE TABLE yard."Odd ""name" (a int);
CREATE MATERIALIZED VIEW yard.harvest AS SELECT 1 AS year;
CREATE TABLE yard.old_cellar (shelf int);
CREATE FUNCTION yard.pick_one(int) RETURNS int LANGUAGE sql AS 'SELECT $1'`;

describeWithServer('completions', (server) => {
  let session: Session;

  beforeAll(async () => {
    await administer(server(), TABLES);
    session = await open(server());
  });
  afterAll(() => session?.close());

  /** At the | of a text. */
  async function offered(text: string): Promise<readonly Completion[]> {
    const answer = await session.console?.complete?.(text.replace('|', ''), text.indexOf('|'), { signal });
    return answer?.items ?? [];
  }
  const inserts = async (text: string): Promise<string[]> => (await offered(text)).map(({ insert }) => insert);

  /** The text after the first choice. */
  async function chosen(text: string): Promise<string> {
    const at = text.indexOf('|');
    const plain = text.replace('|', '');
    const answer = await session.console?.complete?.(plain, at, { signal });
    return plain.slice(0, answer?.from) + (answer?.items[0]?.insert ?? '-') + plain.slice(at);
  }

  it('are the tables, those of the search path first and others with their schema', async () => {
    const items = await offered('SELECT * FROM appl|');
    expect(items.map(({ insert, detail }) => [insert, detail])).toEqual([
      ['apple_view', 'view in public'],
      ['apples', 'table in public'],
      ['yard.apple_tree', 'table in yard'],
      ['yard.apples', 'table in yard'],
    ]);
    expect(await inserts('select * from cellar|')).toEqual(['yard.old_cellar']);
  });

  it.each([
    ...['select * from |', 'select * from apples join |', 'select * from apples a, |', 'update |', 'insert into |', 'truncate |'],
    ...[
      'select (select 1 from |',
      'delete from |',
      'alter table |',
      'drop table if exists |',
      'select 1; select * from | ; select 2',
    ],
    ...[
      'merge into apples using |',
      'with x as (select 1) select * from |',
      'refresh materialized view |',
      'create table t (a int references |',
    ],
  ])('are tables before anything else: %s', async (text) => {
    const items = await offered(text);
    const tables = items.filter(({ kind }) => kind === 'table').map(({ insert }) => insert);
    expect(tables).toEqual(
      expect.arrayContaining(['apple_view', 'apples', 'yard.apple_tree', 'yard.harvest', 'yard."Odd ""name"']),
    );
    expect(items.findLastIndex(({ kind }) => kind === 'table')).toBe(tables.length - 1);
    expect(items.filter(({ kind }) => kind === 'keyword' || kind === 'column')).toEqual([]);
  });

  it.each([
    ['select a.| from apples a', ['weight', '"Sort"', '"order"']],
    ['select apples.| from apples', ['weight', '"Sort"', '"order"']],
    ['select t.| from yard.apple_tree as t where 1 = 1', ['height', 'planted']],
    ['select * from apple_tree t where t.|', ['height', 'planted']],
    ['select * from yard.apples where yard.apples.|', ['only_in_yard']],
    ['select he| from yard.apple_tree', ['height']],
    ['update yard.apple_tree set p|', ['planted']],
    ['update apples set w| where weight = 1', ['weight']],
    ['insert into yard.apple_tree (hei|', ['height']],
    ['select * from apples where weight = 1 order by wei|', ['weight']],
    ['select * from apples x join yard.apple_tree y on x.weight = y.hei|', ['height']],
    ['select weight from apples where "So|', ['"Sort"']],
    ['select "Sor|" from apples', ['"Sort']],
  ])('are the columns of the tables of the statement: %s', async (text, expected) => {
    expect((await inserts(text)).slice(0, expected.length)).toEqual(expected);
  });

  it('are columns where nothing is typed yet', async () => {
    expect((await inserts('update apples set |')).slice(0, 3)).toEqual(['weight', '"Sort"', '"order"']);
    expect((await inserts('select | from apples')).slice(0, 3)).toEqual(['weight', '"Sort"', '"order"']);
  });

  it('are columns with the name of their table where two have them', async () => {
    expect(await inserts('select wei| from apples a join apples b on true')).toEqual(['a.weight', 'b.weight']);
  });

  it('are the tables of a schema, and the names of WITH queries', async () => {
    expect(await inserts('select * from yard.|')).toEqual(
      expect.arrayContaining(['apple_tree', 'apples', 'harvest', 'old_cellar', '"Odd ""name"']),
    );
    expect((await inserts('with recent as (select 1) select * from rec|'))[0]).toBe('recent');
  });

  it.each([
    ['sel|', 'select'],
    ['SEL|', 'SELECT'],
    ['select * fr|', 'select * from'],
    ['select weight fr|', 'select weight from'],
    ['select * from apples wh|', 'select * from apples where'],
    ['select * from apples where weight > 1 an|', 'select * from apples where weight > 1 and'],
    ['SELECT * FROM apples ORD|', 'SELECT * FROM apples ORDER BY'],
    ['select coun| from apples', 'select count(*) from apples'],
    ['select pick|', 'select yard.pick_one('],
    ['select 1; upd|', 'select 1; update'],
    ['select * from appl|es', 'select * from apple_viewes'],
    ['select * from "Odd|"', 'select * from yard."Odd ""name"'],
  ])('begin with the likely word, in the typed case: %s', async (text, expected) => {
    expect(await chosen(text)).toBe(expected);
  });

  it('are none in strings, comments and numbers, and where the name is complete', async () => {
    for (const text of ["select 'app|'", 'select 1 -- appl|\n', 'select 12|', 'select * from apple_view|'])
      expect(await inserts(text)).toEqual([]);
  });
});
