import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { NO_FILTER, decodeBatch, decodePage } from '@tabularium/sdk';
import type { PageBatch, PageRequest, Session } from '@tabularium/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from './fixture.test-helper.ts';
import { open, ref, run, signal } from './session.test-helper.ts';

const LARGE = 15 * 1024 * 1024;
const OVER = 2_048;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let session: Session;

beforeAll(async () => {
  folder = await temporaryFolder();
  const path = join(folder.path, 'large.db');
  using database = new DatabaseSync(path);
  const columns = Array.from({ length: 12 }, (_, index) => `c${index}`);
  database.exec(`CREATE TABLE tall (id INTEGER PRIMARY KEY, a TEXT, n INTEGER, b BLOB, loose);
    WITH RECURSIVE i(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM i WHERE id < 12)
    INSERT INTO tall SELECT id, printf('start %d ', id) || hex(zeroblob(${LARGE / 2})), id, x'01', NULL FROM i;
    UPDATE tall SET n = a, b = zeroblob(${LARGE}), loose = a WHERE id = 12;
    CREATE TABLE broad (id INTEGER PRIMARY KEY, ${columns.join(', ')});
    INSERT INTO broad VALUES (1, ${columns.map(() => `zeroblob(${LARGE})`).join(', ')}), (2, ${columns.map(() => `hex(zeroblob(${LARGE / 2}))`).join(', ')});
    CREATE VIEW seen AS SELECT a, b FROM tall;
    CREATE TABLE many (id INTEGER PRIMARY KEY, a TEXT);
    WITH RECURSIVE i(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM i WHERE id < 400)
    INSERT INTO many SELECT id, hex(zeroblob(30000)) FROM i;`);
  session = await open(path);
});
afterAll(async () => {
  await session.close();
  await folder.close();
});

async function page(table: string, more: Partial<PageRequest> = {}): Promise<PageBatch & { readonly atEnd: boolean }> {
  const request = { table: ref(table), filter: NO_FILTER, sorts: [], position: { from: 'start' as const }, limit: 500, ...more };
  const { batch, atEnd } = await session.readPage(request, { signal });
  expect(batch.byteLength).toBeLessThan(20 * 1024 * 1024);
  return { ...decodePage(batch), atEnd };
}

/** Reads an export to its end, or to its error. */
async function exported(table: string): Promise<number> {
  let rows = 0;
  for await (const event of session.export?.rows({ table: ref(table), filter: NO_FILTER }, { signal }) ?? [])
    if (event.type === 'rows') rows += event.rows.length;
  return rows;
}

describe('a page of long values', () => {
  it('has placeholders with their beginning and size, whatever was declared', async () => {
    const { rows, atEnd } = await page('tall', { placeholders: { over: OVER } });
    expect([rows.length, atEnd]).toEqual([12, true]);
    expect(rows[0]).toEqual([
      1,
      ['unread', { bytes: LARGE + 8, start: expect.stringMatching(/^start 1 0+$/) as string }],
      1,
      'AQ==',
      null,
    ]);
    const long = ['unread', { bytes: LARGE + 9, start: expect.stringMatching(/^start 12 0+$/) as string }];
    expect(rows[11]).toEqual([12, long, long, ['unread', { bytes: (LARGE / 3) * 4 }], long]);
  });

  it('has the wanted columns only', async () => {
    const { columns } = await page('tall', { columns: ['id', 'n'], placeholders: { over: OVER } });
    expect(columns.map(({ name }) => name)).toEqual(['id', 'n']);
  });

  it('ends earlier where more rows would be too large together', async () => {
    const first = await page('many', { placeholders: { over: 65_536 } });
    expect(first.atEnd).toBe(false);
    expect(first.rows.length).toBeGreaterThan(200);
    const rest = await page('many', {
      placeholders: { over: 65_536 },
      position: { from: 'offset', offset: first.rows.length },
    });
    expect([rest.rows[0]?.[0], first.rows.length + rest.rows.length]).toEqual([first.rows.length + 1, 400]);
    const last = await page('many', { placeholders: { over: 65_536 }, position: { from: 'end' } });
    expect([last.atEnd, last.rows.at(-1)?.[0]]).toEqual([true, 400]);
  });

  it('is refused before anything is read where values have to be whole', async () => {
    for (const table of ['tall', 'broad', 'many'])
      await expect(page(table)).rejects.toMatchObject({ code: 'TOO_LARGE', details: { advice: expect.any(String) as string } });
    expect((await page('many', { limit: 100 })).rows).toHaveLength(100);
    expect((await page('tall', { limit: 1 })).rows[0]?.[1]).toHaveLength(LARGE + 8);
  });

  it('names them where rows have no key', async () => {
    const { rows } = await page('seen', { position: { from: 'offset', offset: 11 } });
    expect(rows).toEqual([
      [
        ['text', 'Text of 15,728,649 bytes, too large for a page; export the table to have it'],
        ['text', 'BLOB of 15,728,640 bytes, too large for a page; export the table to have it'],
      ],
    ]);
  });
});

describe('long values elsewhere', () => {
  it('are read whole by the key of their row, as many as one answer holds', async () => {
    const whole = async (table: string, key: number, columns?: readonly string[]) =>
      decodeBatch(
        (
          await session.rows!.read(
            { table: ref(table), keys: [[key]], ...(columns === undefined ? {} : { columns }) },
            { signal },
          )
        ).batch,
      ).rows[0];
    expect((await whole('tall', 3))?.[1]).toHaveLength(LARGE + 8);
    expect((await whole('broad', 2, ['c4']))?.[1]).toEqual(expect.any(String));
    await expect(whole('broad', 1)).rejects.toMatchObject({ code: 'TOO_LARGE' });
    expect(await whole('tall', 99)).toBeUndefined();
  });

  it('end an export with a sentence, before a row is in memory', async () => {
    const error = { code: 'TOO_LARGE', message: expect.stringMatching(/^A row has (?:15|180) MB/) as string };
    await expect(exported('tall')).rejects.toMatchObject(error);
    await expect(exported('broad')).rejects.toMatchObject(error);
    expect(await exported('many')).toBe(400);
  });

  it('end a statement of the console with a sentence', async () => {
    await expect(run(session, 'SELECT * FROM broad')).rejects.toMatchObject({ code: 'TOO_LARGE' });
    await expect(run(session, 'SELECT * FROM tall')).rejects.toMatchObject({ code: 'TOO_LARGE' });
  });
});
