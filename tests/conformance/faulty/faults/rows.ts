import { decodeBatch, decodePage, encodeBatch } from '@tabularium/sdk';
import type { Cell, PageCell, PageRequest, RowsFacet } from '@tabularium/sdk';
import { acts } from '../seeded.ts';
import type { Seeded } from '../seeded.ts';

const BY_KEY = ['rows', 'a row that is read by its key has the values of its page'] as const;
const SHORT = ['rows', 'a page has placeholders only where they are allowed, for long values, and never in its key'] as const;

/** The keys of the tables. */
const KEYS: ReadonlySet<string> = new Set(['id', 'number']);

const reading = (name: string, says: RegExp, change: (rows: RowsFacet) => RowsFacet['read']): Seeded =>
  acts(name, BY_KEY, says, (session) => ({ rows: { read: change(session.rows) } }));

/** Pages whose cells are others. */
const paging = (name: string, says: RegExp, change: (cell: PageCell, column: string, request: PageRequest) => PageCell): Seeded =>
  acts(name, SHORT, says, (session) => ({
    readPage: async (request, options) => {
      const page = await session.readPage(request, options);
      const { columns, rows } = decodePage(page.batch);
      const changed = rows.map((row) => row.map((cell, place) => change(cell, columns[place]?.name ?? '', request)));
      return { ...page, batch: encodeBatch({ columns, rows: changed }) };
    },
  }));

export const rowFaults: readonly Seeded[] = [
  reading(
    'a key that is passed over',
    /is missing/,
    ({ read }) =>
      async ({ keys, ...asked }, options) =>
        read({ ...asked, keys: keys.slice(0, 1) }, options),
  ),
  reading('a row by its key whose long values are cut', /should be/, ({ read }) => async (...asked) => {
    const answer = await read(...asked);
    const { columns, rows } = decodeBatch(answer.batch);
    const isCut = (cell: Cell, place: number): cell is string =>
      typeof cell === 'string' && !KEYS.has(columns[place]?.name ?? '');
    const cut = rows.map((row) => row.map((cell, place) => (isCut(cell, place) ? cell.slice(0, 3) : cell)));
    return { ...answer, batch: encodeBatch({ columns, rows: cut }) };
  }),
  paging('a placeholder without a request for it', /should be whole|allows none/, (cell, column) =>
    column === 'name' ? ['unread', {}] : cell,
  ),
  paging('a placeholder in the key', /which is of its key/, (cell, column, { placeholders }) =>
    placeholders !== undefined && KEYS.has(column) ? ['unread', {}] : cell,
  ),
  paging('a placeholder that lies about its size', /is said to have 3 bytes/, (cell, column, { placeholders }) =>
    placeholders !== undefined && !KEYS.has(column) && typeof cell === 'string' && cell.length > placeholders.over
      ? ['unread', { bytes: 3 }]
      : cell,
  ),
];
