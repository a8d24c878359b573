import { setTimeout as delay } from 'node:timers/promises';
import { DriverError } from '@tabularium/sdk';
import { describe, expect, it } from 'vitest';
import type { FindRowsEvent, TableOutcome } from '../../common/findingRows.ts';
import { findRowsSchema } from '../../common/findingRows.ts';
import { collect } from '../work.test-helper.ts';
import { CONNECTION, FAKE_MANIFEST, FakeTables, column, named, table } from './fakeTables.test-helper.ts';

const people = table(
  'people',
  [column('id', 'integer'), column('mail')],
  [
    [1, 'ann@example.org'],
    [2, 'bob@example.org'],
  ],
);
const orders = table(
  'orders',
  [column('no', 'integer'), column('note')],
  [
    [4711, 'for ann@example.org'],
    [4712, 'late'],
  ],
);
const pictures = table('pictures', [column('id', 'integer'), column('bytes', 'bytes')], [[4711, 'AAAA']]);

const placeOf = (event: FindRowsEvent): number => (event.type === 'table' ? event.place : -1);
const outcomes = (events: readonly FindRowsEvent[]): readonly TableOutcome[] =>
  events
    .flatMap((event) => (event.type === 'table' ? [event] : []))
    .toSorted((a, b) => a.place - b.place)
    .map(({ outcome }) => outcome);
const shown = (outcome: TableOutcome | undefined): readonly string[] =>
  outcome?.outcome === 'found'
    ? outcome.rows.map(({ key, cells }) =>
        [...key, ...cells]
          .map(({ parts }) => parts.map(({ text, isMatch }) => (isMatch ? `[${text}]` : text)).join(''))
          .join(' | '),
      )
    : [];

/** Reads until the error, and returns both. */
async function until(
  events: AsyncIterable<FindRowsEvent>,
): Promise<{ readonly events: FindRowsEvent[]; readonly error: unknown }> {
  const all: FindRowsEvent[] = [];
  try {
    for await (const event of events) all.push(event);
  } catch (error) {
    return { events: all, error };
  }
  return { events: all, error: undefined };
}

describe('finding rows in all tables', () => {
  it('finds a text in every table, with the key and the place of each match', async () => {
    const events = await collect(new FakeTables(people, orders, pictures).find({ text: 'ANN@' }));
    expect(events[0]).toEqual({ type: 'tables', tables: [named('people'), named('orders'), named('pictures')] });
    const [first, second, third] = outcomes(events);
    expect(shown(first)).toEqual(['1 | [ann@]example.org']);
    expect(shown(second)).toEqual(['4711 | for [ann@]example.org']);
    expect(third).toEqual({ outcome: 'nothing' });
  });

  it('finds an order number in columns of integers, and hands over the filter that finds it', async () => {
    const [, found, other] = outcomes(await collect(new FakeTables(people, orders, pictures).find({ text: ' 4711 ' })));
    expect(shown(found)).toEqual(['4711 | [4711]']);
    expect(found).toMatchObject({
      filter: { match: 'any', matchCase: false, conditions: [{ column: 'no', operator: 'equals', values: ['4711'] }] },
    });
    expect(shown(other)).toEqual(['4711 | [4711]']);
  });

  it('shows as many rows as were asked for, and says that there are more', async () => {
    const many = table(
      'many',
      [column('id', 'integer'), column('mail')],
      Array.from({ length: 30 }, (_, id) => [id, 'same']),
    );
    const [found] = outcomes(await collect(new FakeTables(many).find({ text: 'same', rowsPerTable: 3 })));
    expect(found).toMatchObject({ outcome: 'found', hasMore: true });
    expect(shown(found)).toHaveLength(3);
  });

  it('asks for the key and the compared columns only', async () => {
    const tables = new FakeTables(table('wide', [column('id', 'integer'), column('text'), column('picture', 'bytes')], []));
    await collect(tables.find({ text: 'a' }));
    expect(tables.asked).toMatchObject([{ columns: ['id', 'text'], limit: 11, sorts: [], position: { from: 'start' } }]);
  });

  it('names a row of a table without a key by its first columns', async () => {
    const view = {
      ...table('view', [column('name'), column('doc', 'json'), column('n', 'integer'), column('c'), column('d')], []),
      ...{ rows: [['Ann', '{}', 7, 'c', 'needle']], key: [] },
    };
    expect(shown(outcomes(await collect(new FakeTables(view).find({ text: 'needle' })))[0])).toEqual(['Ann | 7 | c | [needle]']);
  });

  it('looks in the tables of a namespace, or in chosen ones', async () => {
    const inShop = { ...people, ref: named('people', 'main', 'shop') };
    const inLogs = { ...orders, ref: named('orders', 'main', 'logs') };
    const tables = new FakeTables(inShop, inLogs);
    const scoped = async (scope: object) => (await collect(tables.find({ text: 'ann', scope: scope as { in: 'all' } })))[0];
    expect(await scoped({ in: 'namespace', namespace: ['main', 'shop'] })).toEqual({ type: 'tables', tables: [inShop.ref] });
    expect(await scoped({ in: 'namespace', namespace: ['main'] })).toMatchObject({ tables: [inShop.ref, inLogs.ref] });
    expect(await scoped({ in: 'tables', tables: [inLogs.ref, inLogs.ref] })).toMatchObject({ tables: [inLogs.ref] });
  });

  it('looks in a table as a whole, and not in its parts', async () => {
    const part = { ...people, ref: named('people_1'), partOf: named('people') };
    const tables = new FakeTables(part, people);
    expect(outcomes(await collect(tables.find({ text: 'ann' })))).toMatchObject([
      { outcome: 'part', of: named('people') },
      { outcome: 'found' },
    ]);
    // The whole may be one that isn't listed, and a part may have been chosen.
    expect(outcomes(await collect(new FakeTables(part).find({ text: 'ann' })))).toMatchObject([{ outcome: 'found' }]);
    const chosen = await collect(tables.find({ text: 'ann', scope: { in: 'tables', tables: [part.ref] } }));
    expect(outcomes(chosen)).toMatchObject([{ outcome: 'found' }]);
  });

  it('hands over fewer conditions only where they find the same rows', async () => {
    const both = table('both', [column('id', 'integer'), column('a'), column('b')], [[1, 'ann', 'x']]);
    const tables = new FakeTables(both);
    const conditions = async (text: string) => {
      const [found] = outcomes(await collect(tables.find({ text })));
      return found?.outcome === 'found' ? found.filter.conditions.map((condition) => condition.column) : [];
    };
    expect(await conditions('ann')).toEqual(['a']);
    // The database finds the row by `b`, in a way of its own, and the host sees a match in `a` alone.
    tables.passes = (row, { column: name }) => name === 'b' && row[0] === 1;
    expect(await conditions('ann')).toEqual(['a', 'b']);
  });

  it('looks behind an alias once', async () => {
    const alias = { ...people, ref: named('everybody'), aliasOf: named('people') };
    const tables = new FakeTables(alias, people);
    expect(outcomes(await collect(tables.find({ text: 'ann' })))).toMatchObject([{ outcome: 'alias', of: named('people') }, {}]);
    expect(outcomes(await collect(new FakeTables(alias).find({ text: 'ann' })))).toMatchObject([{ outcome: 'found' }]);
  });

  it('looks in the tables that were opened by name where the credentials may not list', async () => {
    const tables = new FakeTables(people);
    tables.members = { listTables: () => Promise.reject(new DriverError('ACCESS_REFUSED')) };
    const input = findRowsSchema.parse({ connectionId: CONNECTION, text: 'ann', scope: { in: 'all' } });
    const signal = new AbortController().signal;
    expect(outcomes(await collect(tables.finder([named('people')]).find(input, signal)))).toMatchObject([{ outcome: 'found' }]);
    await expect(collect(tables.finder().find(input, signal))).rejects.toMatchObject({ code: 'ACCESS_REFUSED' });
  });

  it('asks two tables at a time', async () => {
    let running = 0;
    let most = 0;
    const tables = new FakeTables(...Array.from({ length: 9 }, (_, index) => ({ ...people, ref: named(`t${index}`) })));
    tables.before = async () => {
      running += 1;
      most = Math.max(most, running);
      await delay(2);
      running -= 1;
    };
    expect(await collect(tables.find({ text: 'ann' }))).toHaveLength(10);
    expect(most).toBe(2);
  });

  it('goes through a thousand tables', async () => {
    const tables = new FakeTables(
      ...Array.from({ length: 1_000 }, (_, index) => ({
        ...people,
        ref: named(`t${index}`),
        rows: index === 700 ? people.rows : [],
      })),
    );
    const all = outcomes(await collect(tables.find({ text: 'ann' })));
    expect(all.filter(({ outcome }) => outcome === 'nothing')).toHaveLength(999);
    expect(shown(all[700])).toEqual(['1 | [ann]@example.org']);
  });
});

describe('tables that are left out', () => {
  it('says which columns were not compared, and looks in the others', async () => {
    const half = table('half', [column('id', 'integer'), column('hidden', 'text', ''), column('mail')], [[1, 'x', 'ann']]);
    const none = table('none', [column('hidden', 'text', ''), column('scan', 'text', 'unusable')], [['ann', 'ann']]);
    const events = await collect(new FakeTables(half, none).find({ text: 'ann' }));
    const [, ...answers] = events.toSorted((a, b) => placeOf(a) - placeOf(b));
    expect(answers).toMatchObject([
      { outcome: { outcome: 'found' }, uncompared: { names: ['hidden'], count: 1 } },
      { outcome: { outcome: 'noColumns' }, uncompared: { names: ['hidden', 'scan'], count: 2 } },
    ]);
  });

  it('leaves out a table that takes too long, also where its driver does not react', async () => {
    const tables = new FakeTables(people, orders);
    tables.before = ({ table: { name } }) => (name === 'people' ? new Promise(() => undefined) : undefined);
    expect(outcomes(await collect(tables.find({ text: 'ann', secondsPerTable: 1 })))).toMatchObject([
      { outcome: 'tooSlow', seconds: 1 },
      { outcome: 'found' },
    ]);
  });

  it('reads no table whose reading may do more than read, and says so', async () => {
    const tables = new FakeTables({ ...people, uncertainRead: 'the view people, which calls purge' }, orders);
    expect(outcomes(await collect(tables.find({ text: 'ann' })))).toMatchObject([
      {
        outcome: 'failed',
        error: { code: 'UNSUPPORTED', message: 'Reading this table may do more than read: the view people, which calls purge.' },
      },
      { outcome: 'found' },
    ]);
    expect(tables.asked.map(({ table: { name } }) => name)).toEqual(['orders']);
  });

  it('continues behind a table that fails', async () => {
    const tables = new FakeTables(people, orders);
    tables.before = ({ table: { name } }) => {
      if (name === 'people') throw new DriverError('ACCESS_REFUSED', 'permission denied for table people');
    };
    expect(outcomes(await collect(tables.find({ text: 'ann' })))).toMatchObject([
      { outcome: 'failed', error: { code: 'ACCESS_REFUSED', message: 'permission denied for table people' } },
      { outcome: 'found' },
    ]);
  });

  it('asks again without a column that the driver refuses, and says so of text alone', async () => {
    const tables = new FakeTables(table('t', [column('no', 'integer'), column('odd'), column('mail')], [[1, '1', '1']]));
    tables.before = ({ filter }) => {
      const refused = filter.conditions.find((condition) => condition.column !== 'mail');
      if (refused !== undefined) throw new DriverError('INVALID_INPUT', 'Not this.', { details: { field: refused.column } });
    };
    const events = await collect(tables.find({ text: '1' }));
    expect(events[1]).toMatchObject({
      outcome: { outcome: 'found', filter: { conditions: [{ column: 'mail' }] } },
      uncompared: { names: ['odd'], count: 1, error: { message: 'Not this.' } },
    });
  });

  it('asks again with text alone where the database refuses a value without naming its column', async () => {
    const tables = new FakeTables(table('t', [column('no', 'integer'), column('mail')], [[1, '1']]));
    tables.before = ({ filter }) => {
      if (filter.conditions.some(({ operator }) => operator === 'equals')) throw new DriverError('INVALID_INPUT', 'Bad value.');
    };
    expect(shown(outcomes(await collect(tables.find({ text: '1' })))[0])).toEqual(['1 | [1]']);
    tables.before = () => {
      throw new DriverError('INVALID_INPUT', 'Bad value.');
    };
    expect(outcomes(await collect(tables.find({ text: '1' })))).toMatchObject([{ outcome: 'failed' }]);
  });

  it('reads fewer rows where one answer cannot hold them', async () => {
    const tables = new FakeTables(people);
    tables.before = ({ limit }) => {
      if (limit > 1) throw new DriverError('TOO_LARGE');
    };
    expect(shown(outcomes(await collect(tables.find({ text: 'example' })))[0])).toHaveLength(1);
    expect(tables.asked.map(({ limit }) => limit)).toEqual([11, 5, 2, 1]);
  });

  it('reads the structure again where it changed, once', async () => {
    const tables = new FakeTables(people);
    tables.before = () => {
      if (tables.reloads === 0) throw new DriverError('STRUCTURE_CHANGED');
    };
    expect(outcomes(await collect(tables.find({ text: 'ann' })))).toMatchObject([{ outcome: 'found' }]);
    tables.before = () => {
      throw new DriverError('STRUCTURE_CHANGED');
    };
    expect(outcomes(await collect(tables.find({ text: 'ann' })))).toMatchObject([{ outcome: 'failed' }]);
  });
});

describe('a search that ends early', () => {
  const ten = Array.from({ length: 10 }, (_, index) => ({ ...people, ref: named(`t${index}`) }));

  it('keeps what was found before the connection was lost, and asks no further table', async () => {
    const tables = new FakeTables(...ten);
    tables.before = ({ table: { name } }) => {
      if (name === 't4') throw new DriverError('CONNECTION_LOST', 'The server closed the connection.');
    };
    const { events, error } = await until(tables.find({ text: 'ann' }));
    expect(error).toMatchObject({ code: 'CONNECTION_LOST' });
    expect(outcomes(events).length).toBeGreaterThanOrEqual(4);
    expect(tables.asked.length).toBeLessThanOrEqual(6);
    // The rest is asked for by name.
    const answered = new Set(events.flatMap((event) => (event.type === 'table' ? [event.place] : [])));
    const rest = ten.filter((_, place) => !answered.has(place)).map(({ ref }) => ref);
    tables.before = () => undefined;
    const later = await collect(tables.find({ text: 'ann', scope: { in: 'tables', tables: rest } }));
    expect(outcomes(later)).toHaveLength(rest.length);
  });

  it('names the table whose driver crashed, so that it is not asked again', async () => {
    const tables = new FakeTables(...ten);
    tables.before = ({ table: { name } }) => {
      if (name === 't1') throw new DriverError('DRIVER_CRASHED');
    };
    const { events, error } = await until(tables.find({ text: 'ann' }));
    expect(error).toMatchObject({ code: 'DRIVER_CRASHED' });
    expect(events).toContainEqual(
      expect.objectContaining({ place: 1, outcome: expect.objectContaining({ outcome: 'failed' }) as unknown }),
    );
  });

  it('stops where it is stopped', async () => {
    const stop = new AbortController();
    const tables = new FakeTables(...ten);
    tables.before = ({ table: { name } }, signal) =>
      name === 't3'
        ? new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))))
        : undefined;
    const events: FindRowsEvent[] = [];
    const reading = (async () => {
      for await (const event of tables.find({ text: 'ann' }, stop.signal)) {
        events.push(event);
        if (event.type === 'table' && event.place === 9) stop.abort();
      }
    })();
    await expect(reading).rejects.toThrow();
    expect(outcomes(events)).toHaveLength(9);
  });
});

describe('texts that cannot be looked for', () => {
  const parse = (text: string) => findRowsSchema.safeParse({ connectionId: CONNECTION, scope: { in: 'all' }, text }).success;

  it('takes any text but a blank one, one with a zero character and a very long one', () => {
    expect(['', '  \t', 'a\0b', 'x'.repeat(1_001)].map(parse)).toEqual([false, false, false, false]);
    expect(['%', '_', '\\', "'", '`', '"; DROP TABLE x', '\u202e', ' a '].map(parse)).not.toContain(false);
  });

  it('is refused where conditions cannot be joined with “any”, or letter case cannot be matched', async () => {
    const tables = new FakeTables(people);
    const filtering = FAKE_MANIFEST.filtering;
    if (filtering === undefined) throw new Error('The fixture has filters.');
    tables.manifest = { ...FAKE_MANIFEST, filtering: { ...filtering, match: ['all'] } };
    await expect(collect(tables.find({ text: 'ann' }))).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    tables.manifest = {
      ...FAKE_MANIFEST,
      filtering: { ...filtering, caseControl: { available: false, reason: 'Case never counts.' } },
    };
    await expect(collect(tables.find({ text: 'ann', matchCase: true }))).rejects.toMatchObject({
      details: { field: 'matchCase' },
    });
    expect(outcomes(await collect(tables.find({ text: 'ann' })))).toMatchObject([{ outcome: 'found' }]);
    expect(tables.asked[0]?.filter).not.toHaveProperty('matchCase');
  });
});

describe('a hostile driver', () => {
  it('may send endless cells, cells of any shape and names of any characters', async () => {
    const name = 'evil\u0000\u001b[31m\u202e';
    const rows = [
      [{ toString: 'x' }, 'y'.repeat(5_000_000) + 'ann'],
      [['text'], ['json', '{"a":"ann"}']],
      [
        ['unread', null],
        ['unread', { start: 'ann' }],
      ],
      [[[[]]], 12],
    ];
    const tables = new FakeTables({ ref: named(name), columns: [column('id'), column('text')], rows: [] });
    const batch = new TextEncoder().encode(
      JSON.stringify({
        columns: [
          { name: 'id', kind: 'text' },
          { name: 'text', kind: 'text' },
        ],
        rows,
      }),
    );
    tables.members = { readPage: async () => ({ batch, rowCount: 4, atEnd: true, droppedSorts: [] }) };
    const [found] = outcomes(await collect(tables.find({ text: 'ann' })));
    expect(found?.outcome).toBe('found');
    expect(JSON.stringify(found).length).toBeLessThan(3_000);
    expect(shown(found)).toHaveLength(4);
  });

  it('sends more rows than were asked for, or none of the shape of rows', async () => {
    const batch = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
    const tables = new FakeTables(people);
    const page = { rowCount: 1, atEnd: true, droppedSorts: [] };
    const rows = Array.from({ length: 5_000 }, () => ['ann']);
    tables.members = { readPage: async () => ({ ...page, batch: batch({ columns: [{ name: 'mail', kind: 'text' }], rows }) }) };
    expect(shown(outcomes(await collect(tables.find({ text: 'ann' })))[0])).toHaveLength(10);
    tables.members = { readPage: async () => ({ ...page, batch: batch({ rows: 1 }) }) };
    expect(outcomes(await collect(tables.find({ text: 'ann' })))).toMatchObject([
      { outcome: 'failed', error: { code: 'DRIVER_FAULT' } },
    ]);
  });
});
