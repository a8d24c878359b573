import { encodeBatch } from '@tabularium/sdk';
import type { PageHead, PageRequest } from '@tabularium/sdk';
import { afterEach, expect, it, vi } from 'vitest';
import { readFullPage } from './readTablePage.ts';

const never = new AbortController().signal;
const table = { namespace: [], name: 'wide' };
const request: PageRequest = {
  table,
  filter: { match: 'all', conditions: [] },
  sorts: [],
  position: { from: 'start' },
  limit: 10,
};

afterEach(() => vi.unstubAllGlobals());

/** A host whose answers hold at most so many of 14 rows. */
function hostOf(most: number, more: (asked: PageRequest) => Partial<PageHead> = () => ({})): PageRequest[] {
  const asked: PageRequest[] = [];
  vi.stubGlobal('document', { baseURI: 'http://host/' });
  vi.stubGlobal('fetch', async (_url: string, { body }: { body: string }) => {
    const { request: one } = JSON.parse(body) as { request: PageRequest };
    asked.push(one);
    const { position } = one;
    const offset = position.from === 'offset' ? position.offset : position.from === 'cursor' ? Number(position.cursor) : 0;
    const rows = Array.from({ length: 14 }, (_unused, index) => [index]).slice(offset, offset + Math.min(most, one.limit));
    const end = offset + rows.length;
    const head = {
      rowCount: rows.length,
      atEnd: end === 14,
      droppedSorts: [],
      milliseconds: 1,
      total: { rows: 14, exact: true },
      ...more(one),
    };
    const batch = encodeBatch({ columns: [{ name: 'id', kind: 'integer' }], rows });
    return new Response(new Blob([`${JSON.stringify(head)}\n`, new Uint8Array(batch)]));
  });
  return asked;
}

const connectionId = 'c1';

it('a page that comes in several answers is whole, and one at the end is as long as there are rows', async () => {
  const asked = hostOf(4);
  const page = await readFullPage({ connectionId, request }, never);
  expect(page.batch.rows.map(([id]) => id)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(page.head).toMatchObject({ rowCount: 10, atEnd: false, milliseconds: 3, total: { rows: 14 } });
  expect(asked.map(({ position, limit }) => [position, limit])).toEqual([
    [{ from: 'start' }, 10],
    [{ from: 'offset', offset: 4 }, 6],
    [{ from: 'offset', offset: 8 }, 2],
  ]);
  const last = await readFullPage({ connectionId, request: { ...request, position: { from: 'offset', offset: 10 } } }, never);
  expect(last.batch.rows.map(([id]) => id)).toEqual([10, 11, 12, 13]);
  expect(last.head.atEnd).toBe(true);
});

it('a page by cursor continues where each answer ended, and keeps the last cursor', async () => {
  let end = 0;
  const asked = hostOf(4, ({ position, limit }) => {
    end = (position.from === 'cursor' ? Number(position.cursor) : 0) + Math.min(4, limit);
    return { nextCursor: String(end) };
  });
  const page = await readFullPage({ connectionId, request }, never);
  expect(page.batch.rows).toHaveLength(10);
  expect(page.head.nextCursor).toBe('10');
  expect(asked.map(({ position }) => position)).toEqual([
    { from: 'start' },
    { from: 'cursor', cursor: '4' },
    { from: 'cursor', cursor: '8' },
  ]);
});

it('an answer without rows ends the page, whatever it says', async () => {
  const asked = hostOf(0, () => ({ atEnd: false }));
  const page = await readFullPage({ connectionId, request }, never);
  expect(page.batch.rows).toEqual([]);
  expect(asked).toHaveLength(2);
});
