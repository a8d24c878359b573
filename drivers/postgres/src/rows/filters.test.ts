import { afterAll, beforeAll, expect, it } from 'vitest';
import { decodeBatch } from '@tabularium/sdk';
import type { FilterOperator, Session } from '@tabularium/sdk';
import { describeWithServer } from '../server.test-helper.ts';
import { administer, open, ref, signal } from '../session.test-helper.ts';

describeWithServer('filters of PostgreSQL', (server) => {
  let session: Session;

  beforeAll(async () => {
    await administer(
      server(),
      `CREATE TYPE mood AS ENUM ('sad', 'glad');
      CREATE TABLE kinds (id int PRIMARY KEY, f real, price numeric(8, 2), mood mood, at timestamp, net inet, c char(5), paid money, took interval, clock time);
      INSERT INTO kinds VALUES (1, 16777216, 12.5, 'sad', '2026-02-28 10:30', '10.0.0.1', 'Ab', '4711', '1 mon 09:00:00', '09:30'), (2, 0.1, 'NaN', 'glad', 'infinity', '10.0.0.0/8', NULL, NULL, '01:30:00', '24:00');
      CREATE ROLE reader LOGIN PASSWORD 'reader';
      CREATE TABLE sales (id int, region text) PARTITION BY LIST (region);
      CREATE TABLE sales_north PARTITION OF sales FOR VALUES IN ('north') PARTITION BY RANGE (id);
      CREATE TABLE sales_1 PARTITION OF sales_north FOR VALUES FROM (0) TO (9);
      GRANT SELECT ON sales_1 TO reader;`,
    );
    session = await open(server());
  });
  afterAll(() => session.close());

  const passing = async (column: string, operator: FilterOperator, values: readonly string[], matchCase?: boolean) => {
    const { batch } = await session.readPage(
      {
        table: ref('kinds'),
        filter: {
          match: 'all',
          conditions: [{ column, operator, values }],
          ...(matchCase === undefined ? {} : { matchCase }),
        },
        sorts: [],
        position: { from: 'start' },
        limit: 10,
      },
      { signal },
    );
    return decodeBatch(batch).rows.map(([id]) => id);
  };

  it('compare a number with what the column stores, and not with what it would be rounded to', async () => {
    expect(await passing('f', 'equals', ['16777216.0'])).toEqual([1]);
    expect(await passing('f', 'equals', ['16777217'])).toEqual([]);
    expect(await passing('f', 'notEquals', ['16777217'])).toEqual([1, 2]);
    expect(await passing('f', 'in', ['16777217', '.1'])).toEqual([2]);
    expect(await passing('f', 'notIn', ['16777217'])).toEqual([1, 2]);
    expect(await passing('f', 'greaterOrEqual', ['16777217'])).toEqual([]);
    expect(await passing('f', 'equals', ['1e300'])).toEqual([]);
    expect(await passing('price', 'equals', ['12.505'])).toEqual([]);
    expect(await passing('price', 'equals', ['nan'])).toEqual([2]);
    await expect(passing('f', 'equals', ['ten'])).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field: 'f' } });
  });

  it('find an amount of money by its number and by its text', async () => {
    for (const operator of ['equals', 'contains', 'in'] as const) {
      for (const value of ['4711', '4711.00', '$4,711.00'])
        expect([operator, value, await passing('paid', operator, [value])]).toEqual([operator, value, [1]]);
      expect(await passing('paid', operator, ['4712'])).toEqual([]);
    }
    expect(await passing('paid', 'equals', ['4711.0'], false)).toEqual([1]);
    expect(await passing('paid', 'equals', ['471'])).toEqual([]);
    expect(await passing('paid', 'contains', ['471'])).toEqual([1]);
    expect(await passing('paid', 'notEquals', ['4711'])).toEqual([2]);
    expect(await passing('paid', 'notContains', ['4711'])).toEqual([2]);
    expect(await passing('paid', 'startsWith', ['$4'])).toEqual([1]);
  });

  it('compare a text that an enum lacks as text', async () => {
    expect(await passing('mood', 'equals', ['sad'])).toEqual([1]);
    expect(await passing('mood', 'equals', ['SAD'], false)).toEqual([1]);
    expect(await passing('mood', 'equals', ['sa'])).toEqual([]);
    expect(await passing('mood', 'contains', ['AD'], false)).toEqual([1, 2]);
    expect(await passing('mood', 'notContains', ['gl'])).toEqual([1]);
    expect(await passing('mood', 'greaterThan', ['sad'])).toEqual([2]);
    await expect(passing('mood', 'greaterThan', ['sa'])).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('compare intervals by their length, however they are written', async () => {
    expect(await passing('took', 'greaterThan', ['90 minutes'])).toEqual([1]);
    expect(await passing('took', 'greaterOrEqual', ['PT1H30M'])).toEqual([1, 2]);
    expect(await passing('took', 'lessThan', ['30 days'])).toEqual([2]);
    expect(await passing('took', 'between', ['1:00', '2 hours'])).toEqual([2]);
    expect([await passing('took', 'equals', ['01:30:00']), await passing('took', 'in', ['1 mon 09:00:00'])]).toEqual([[2], [1]]);
    expect(await passing('took', 'equals', ['30 days 09:00:00'])).toEqual([]);
    expect([await passing('took', 'contains', ['mon']), await passing('took', 'isNull', [])]).toEqual([[1], []]);
    for (const wrong of ['', 'long', '1 fortnight', "1'; DROP TABLE kinds"])
      await expect(passing('took', 'greaterThan', [wrong])).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        details: { field: 'took' },
      });
    await expect(passing('took', 'isEmpty', [])).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  });

  it('take a time of day where the column has no date, and say its form', async () => {
    expect([await passing('clock', 'lessThan', ['10:00']), await passing('clock', 'equals', ['24:00:00'])]).toEqual([[1], [2]]);
    for (const wrong of ['9', '2026-01-31', '2026-01-31 10:00', ''])
      await expect(passing('clock', 'equals', [wrong])).rejects.toMatchObject({
        message: expect.stringContaining('12:30') as string,
        details: { field: 'clock' },
      });
  });

  it('refuse a moment whose zone the column stores none of, and compare texts as they are shown', async () => {
    expect(await passing('at', 'equals', ['2026-02-28 10:30:00'])).toEqual([1]);
    await expect(passing('at', 'equals', ['2026-02-28 10:30:00+02'])).rejects.toMatchObject({ details: { field: 'at' } });
    expect([await passing('net', 'equals', ['10.0.0.1']), await passing('net', 'equals', ['10.0.0.0/8'])]).toEqual([[1], [2]]);
    expect(await passing('net', 'notEquals', ['10.0.0.1'])).toEqual([2]);
    expect([await passing('c', 'equals', ['ab   '], false), await passing('c', 'equals', ['ab'], false)]).toEqual([[1], [1]]);
  });

  it('need not look in a partition where the whole can be read', async () => {
    const partsOf = async (user?: string) => {
      const one = user === undefined ? session : await open(server(), { user, password: user });
      const tables = await one.listTables({ signal });
      if (one !== session) await one.close();
      return tables.filter(({ ref: { name } }) => name.startsWith('sales')).map((table) => [table.ref.name, table.partOf?.name]);
    };
    expect(await partsOf()).toEqual([
      ['sales', undefined],
      ['sales_1', 'sales'],
      ['sales_north', 'sales'],
    ]);
    expect(await partsOf('reader')).toEqual([['sales_1', undefined]]);
  });
});
