import { createHmac } from 'node:crypto';
import { sandboxVersions } from '@tabularium/sandbox';
import type { Sandbox } from '@tabularium/sandbox';
import { NO_FILTER, decodeBatch } from '@tabularium/sdk';
import type { PageRequest, Session } from '@tabularium/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { admin, call, collect, manyRows, open, startFixture } from './fixture.test-helper.ts';

let sandbox: Sandbox;
let parent: string;
const table = { namespace: [], name: 'many' };
const page = (offset: number, limit: number): PageRequest => ({
  table,
  filter: NO_FILTER,
  sorts: [],
  position: { from: 'offset', offset },
  limit,
});

/** A session of a scoped key with these parameters. */
async function using(parameters: object, use: (session: Awaited<ReturnType<typeof open>>) => Promise<void>): Promise<void> {
  const text = JSON.stringify(parameters);
  const digest = createHmac('sha256', parent).update(text).digest('base64');
  const session = await open(sandbox, Buffer.from(`${digest}${parent.slice(0, 4)}${text}`).toString('base64'));
  try {
    await use(session);
  } finally {
    await session.close();
  }
}

async function idsOf(session: Session, offset: number, limit: number): Promise<readonly unknown[]> {
  const { batch } = await session.readPage(page(offset, limit), call);
  const { columns, rows } = decodeBatch(batch);
  const id = columns.findIndex(({ name }) => name === 'id');
  return rows.map((row) => row[id]);
}

/** The server gives documents without a sort in the reverse order of their arrival. */
const ids = manyRows.map(({ id }) => id).toReversed();

for (const version of sandboxVersions) {
  describe(`scoped keys that embed limits, on version ${version}`, () => {
    beforeAll(async () => {
      sandbox = await startFixture(version);
      const key = JSON.stringify({ description: 'parent', actions: ['documents:search'], collections: ['many'] });
      parent = (JSON.parse(await admin(sandbox, 'POST', '/keys', key)) as { value: string }).value;
    });
    afterAll(() => sandbox.close());

    it.each([
      { per_page: 10 },
      { per_page: 7 },
      { per_page: 249, limit: 3 },
      { limit_multi_searches: 1 },
      { limit_multi_searches: 2 },
      { per_page: 10, limit_multi_searches: 3 },
    ])('%j: pages and exports have every document, in the same order', async (parameters) => {
      await using(parameters, async (session) => {
        expect(await idsOf(session, 0, 1_000)).toEqual(ids);
        expect(await idsOf(session, 5, 3)).toEqual(ids.slice(5, 8));
        expect((await session.readPage(page(5, 3), call)).atEnd).toBe(false);
        expect(await idsOf(session, 600, 100)).toEqual(ids.slice(600));
        expect((await session.readPage(page(600, 100), call)).atEnd).toBe(true);
        expect(await session.countRows({ table, filter: NO_FILTER }, call)).toEqual({ rows: ids.length, exact: true });
        if (session.export === undefined) throw new Error('The driver has no export.');
        const events = await collect(session.export.rows({ table, filter: NO_FILTER }, call));
        expect(events.reduce((sum, event) => sum + (event.type === 'rows' ? event.rows.length : 0), 0)).toBe(ids.length);
      });
    });

    it('pages that are read at the same time learn the limits together', async () => {
      await using({ per_page: 40, limit_multi_searches: 2 }, async (session) => {
        const pages = await Promise.all([0, 200, 400].map((offset) => idsOf(session, offset, 200)));
        expect(pages.flat()).toEqual(ids.slice(0, 600));
      });
    });

    it('documents that the key holds back are said to be missing', async () => {
      await using({ limit_hits: 100 }, async (session) => {
        expect(await idsOf(session, 0, 1_000)).toEqual(ids.slice(0, 100));
        await expect(session.readPage(page(100, 50), call)).rejects.toMatchObject({
          code: 'UNSUPPORTED',
          message: 'The search found 640 documents, and the server gives none after the first 100.',
          details: { advice: expect.stringContaining('limit_hits') as string },
        });
        expect((await session.describeTable(table, call)).notes?.join(' ')).toContain('gives only 100 of the 640 documents');
      });
    });

    it.each([
      [{ page: 2 }, '“page”'],
      [{ page: 1 }, '“page” or “offset”'],
      [{ offset: 5 }, '“offset”'],
      [{ offset: 0 }, '“page” or “offset”'],
      [{ per_page: 0 }, '“per_page” or “limit”'],
      [{ per_page: 300 }, 'above 250'],
    ])('%j: the key is what the message names', async (parameters, named) => {
      await using(parameters, async (session) => {
        await expect(session.readPage(page(250, 250), call)).rejects.toMatchObject({
          code: 'UNSUPPORTED',
          message: expect.stringMatching(`^The scoped key embeds .*${named}`) as string,
          details: { advice: expect.stringContaining('without this parameter') as string },
        });
      });
    });

    it('a key without any search in a request is named when the connection opens', async () => {
      await expect(using({ limit_multi_searches: 0 }, () => Promise.resolve())).rejects.toMatchObject({
        code: 'UNSUPPORTED',
        message: expect.stringContaining('limit_multi_searches') as string,
      });
    });
  });
}
