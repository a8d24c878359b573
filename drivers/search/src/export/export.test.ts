import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sandboxVersions } from '@tabularium/sandbox';
import type { Fault, Sandbox } from '@tabularium/sandbox';
import { NO_FILTER } from '@tabularium/sdk';
import type {
  Cell,
  ExportEvent,
  ExportFacet,
  ExportRequest,
  ExportSplice,
  Filter,
  Session,
  SpliceSummary,
} from '@tabularium/sdk';
import { answering, json } from '../answers.test-helper.ts';
import type { Answer } from '../answers.test-helper.ts';
import { connect } from '../connect.ts';
import { joinedCollections } from './request.ts';
import { admin, call, collect, knownTables, open, startFixture } from '../fixture.test-helper.ts';

const table = (name: string): { namespace: []; name: string } => ({ namespace: [], name });
const pagesAbove: Filter = { match: 'all', conditions: [{ column: 'pages', operator: 'greaterThan', values: ['5'] }] };
const fixtureRows = knownTables[0]?.rows ?? [];

function exportOf(session: Session): ExportFacet {
  if (session.export === undefined) throw new Error('The session has no export.');
  return session.export;
}

/** The splice as a host makes it. */
async function splice(
  session: Awaited<ReturnType<typeof open>>,
  request: ExportRequest,
): Promise<{ lines: string[]; found: ExportSplice } | undefined> {
  const found = await exportOf(session).splice(request, call);
  if (found === undefined) return undefined;
  const response = await session.http.request(found.request);
  const lines = (await response.text()).split('\n').filter((line) => line !== '');
  await exportOf(session).judge(found, { status: response.status, lines: lines.length, lastLine: lines.at(-1) ?? '' });
  return { lines, found };
}

async function rowsOf(
  session: Session,
  request: ExportRequest,
): Promise<{ columns: string[]; rows: Record<string, Cell>[]; events: ExportEvent[] }> {
  const events = await collect(exportOf(session).rows(request, call));
  const [begin] = events;
  const columns = begin?.type === 'begin' ? begin.columns.map(({ name }) => name) : [];
  const rows = events.flatMap((event) => (event.type === 'rows' ? event.rows : []));
  return {
    columns,
    events,
    rows: rows.map((row) =>
      Object.fromEntries(
        columns.flatMap((name, index) => (JSON.stringify(row[index]) === '["absent"]' ? [] : [[name, row[index] ?? null]])),
      ),
    ),
  };
}

let sandbox: Sandbox;
async function using(use: (session: Awaited<ReturnType<typeof open>>) => Promise<void>, key?: string): Promise<void> {
  const session = await open(sandbox, key);
  try {
    await use(session);
  } finally {
    await session.close();
  }
}

/** In one order, with long integers as their digits, however a cell may hold them. */
const byId = (rows: readonly Record<string, Cell>[]): Record<string, Cell>[] =>
  rows
    .map((row) => ('big' in row ? { ...row, big: String(row['big']) } : row))
    .sort((a, b) => (String(a['id']) < String(b['id']) ? -1 : 1));

for (const version of sandboxVersions) {
  describe(`an export of version ${version}`, () => {
    beforeAll(async () => {
      sandbox = await startFixture(version);
    });
    afterAll(() => sandbox.close());

    it('of a whole collection is spliced, every document as the server keeps it', () =>
      using(async (session) => {
        const whole = await splice(session, { table: table('shelf'), filter: NO_FILTER });
        expect(whole?.found).toEqual({
          request: { method: 'GET', path: '/collections/shelf/documents/export?batch_size=250' },
          expected: { rows: 24, exact: true },
        });
        expect(whole?.lines).toHaveLength(24);
        expect(whole?.lines.filter((line) => /"serial": ?9007199254740993/.test(line))).toHaveLength(8);
        expect(whole?.lines.join('')).not.toContain('.flat');
      }));

    it('by rows has the cells of a page, and what the schema does not name', () =>
      using(async (session) => {
        const { columns, rows, events } = await rowsOf(session, { table: table('shelf'), filter: NO_FILTER });
        expect(events[0]).toMatchObject({ type: 'begin', expected: { rows: 24, exact: true } });
        expect(columns[0]).toBe('id');
        expect(byId(rows)).toEqual(byId(fixtureRows));
        const many = await rowsOf(session, { table: table('a/b ö'), filter: NO_FILTER });
        expect(many.rows).toHaveLength(16);
        expect(byId(many.rows)).toEqual(byId(knownTables[2]?.rows ?? []));
      }));

    it('with a filter has what passes, and nothing that the server adds', () =>
      using(async (session) => {
        const expected = fixtureRows.filter((row) => Number(row['pages']) > 5);
        const spliced = await splice(session, { table: table('shelf'), filter: pagesAbove });
        // 26.0 would add its flattened copy of every field.
        if (version === '26.0') expect(spliced).toBeUndefined();
        else expect(spliced?.lines).toHaveLength(expected.length);
        const { rows, columns } = await rowsOf(session, { table: table('shelf'), filter: pagesAbove });
        expect(columns.join()).not.toContain('flat');
        expect(byId(rows)).toEqual(byId(expected));
      }));

    it('of chosen columns is spliced where the server can choose them, and has these alone', () =>
      using(async (session) => {
        const request = { table: table('shelf'), filter: pagesAbove, columns: ['sku', 'id', 'big'] };
        const spliced = await splice(session, request);
        expect(spliced?.found.request.path).toContain('include_fields=sku%2Cid%2Cbig');
        const members = new Set(spliced?.lines.flatMap((line) => Object.keys(JSON.parse(line) as object)));
        expect([...members].sort()).toEqual(['big', 'id', 'sku']);
        expect(await splice(session, { ...request, columns: ['id', 'maker.name'] })).toBeUndefined();
        const { rows, columns } = await rowsOf(session, { ...request, columns: ['maker.name', 'id'] });
        expect(columns).toEqual(['maker.name', 'id']);
        expect(rows).toHaveLength(spliced?.lines.length ?? 0);
        expect(await splice(session, { ...request, columns: ['price'] })).toBeDefined();
      }));

    it('through an alias, of a collection with a slash, of nothing at all', () =>
      using(async (session) => {
        expect((await splice(session, { table: table('bookcase'), filter: NO_FILTER }))?.lines).toHaveLength(24);
        expect((await splice(session, { table: table('a/b ö'), filter: NO_FILTER }))?.lines).toHaveLength(16);
        const nothing: Filter = { match: 'all', conditions: [{ column: 'pages', operator: 'equals', values: ['-1'] }] };
        const { rows } = await rowsOf(session, { table: table('shelf'), filter: nothing });
        expect(rows).toEqual([]);
        if (version !== '26.0') expect((await splice(session, { table: table('shelf'), filter: nothing }))?.lines).toEqual([]);
      }));
  });
}

describe('an export', () => {
  beforeAll(async () => {
    sandbox = await startFixture();
    await admin(sandbox, 'POST', '/collections', '{"name":"large","fields":[{"name":"n","type":"int32"}]}');
    const lines = Array.from(
      { length: 6_000 },
      (_, index) => `{"id":"d${index}","n":${index}${index === 5_999 ? ',"late":{"x":9007199254740993}' : ''}}`,
    );
    await admin(sandbox, 'POST', '/collections/large/documents/import', lines.join('\n'));
  });
  afterAll(() => sandbox.close());

  const whole: ExportRequest = { table: table('large'), filter: NO_FILTER };

  it('of many documents asks for large batches, passes on small ones, and keeps what comes late in a column of its own', () =>
    using(async (session) => {
      expect((await exportOf(session).splice(whole, call))?.request.path).toContain('batch_size=2000');
      const { rows, columns, events } = await rowsOf(session, whole);
      expect(columns).toEqual(['id', 'n', '(other fields)']);
      expect(rows).toHaveLength(6_000);
      expect(rows.filter((row) => row['(other fields)'] !== undefined)).toEqual([
        { id: 'd5999', n: 5_999, '(other fields)': '{"late.x":9007199254740993}' },
      ]);
      expect(Math.max(...events.map((event) => (event.type === 'rows' ? event.rows.length : 0)))).toBe(250);
    }));

  it('left early, or cancelled, ends the request', () =>
    using(async (session) => {
      for await (const event of exportOf(session).rows(whole, call)) {
        expect(event.type).toBe('begin');
        break;
      }
      const controller = new AbortController();
      const running = async (): Promise<void> => {
        for await (const event of exportOf(session).rows(whole, { signal: controller.signal })) {
          if (event.type === 'rows') controller.abort();
        }
      };
      await expect(running()).rejects.toMatchObject({ code: 'CANCELLED' });
      await session.ping(call);
    }));

  it.each<[string, Fault, string]>([
    ['cut inside a document', { kind: 'cut', afterBytes: 5_000 }, 'CONNECTION_LOST'],
    ['without an answer', { kind: 'reset' }, 'CONNECTION_LOST'],
    ['poisoned by a sentence', { kind: 'answer', status: 200, body: '{"id":"d0","n":0}\nError: out of memory' }, 'SERVER_ERROR'],
    [
      'poisoned by an error object',
      { kind: 'answer', status: 200, body: '{"id":"d0","n":0}\n{"message":"Broken."}' },
      'SERVER_ERROR',
    ],
    ['cut between documents', { kind: 'answer', status: 200, body: '{"id":"d0","n":0}\n{"id":"d1","n":1}\n' }, 'ROWS_DIFFER'],
    [
      'cut inside, and ended as if it were whole',
      { kind: 'answer', status: 200, body: '{"id":"d0","n":0}\n{"id":"d1"' },
      'CONNECTION_LOST',
    ],
    ['empty', { kind: 'answer', status: 200, body: '' }, 'CONNECTION_LOST'],
    ['refused', { kind: 'answer', status: 401, body: '{"message":"Forbidden"}' }, 'ACCESS_REFUSED'],
  ])('rejects %s as an export', async (_name, fault, code) => {
    await using(async (session) => {
      sandbox.fault(({ path }) => (path.endsWith('/export') ? fault : undefined));
      await expect(rowsOf(session, whole)).rejects.toMatchObject({ code });
      if (fault.kind === 'answer') {
        await expect(splice(session, whole)).rejects.toMatchObject({ code });
      }
      sandbox.fault(undefined);
    });
  });

  it('by rows says both numbers after the last row, also of a filter and chosen columns', () =>
    using(async (session) => {
      const few = { kind: 'answer', status: 200, body: '{"id":"d0","n":0}\n{"id":"d1","n":1}\n' } as const;
      sandbox.fault(({ path }) => (path.endsWith('/export') ? few : undefined));
      const below: Filter = { match: 'all', conditions: [{ column: 'n', operator: 'lessThan', values: ['5'] }] };
      for (const [request, counted] of [
        [whole, 6_000],
        [{ ...whole, filter: below }, 5],
        [{ ...whole, filter: below, columns: ['id'] }, 5],
      ] as const) {
        const rows: unknown[] = [];
        const reading = (async () => {
          for await (const event of exportOf(session).rows(request, call)) if (event.type === 'rows') rows.push(...event.rows);
        })();
        await expect(reading).rejects.toMatchObject({ code: 'ROWS_DIFFER', details: { rows: { got: 2, counted } } });
        expect(rows).toHaveLength(2);
      }
      sandbox.fault(undefined);
    }));

  it('with a filter that cannot be sent is refused, and nothing is asked for', () =>
    using(async (session) => {
      const backtick: Filter = { match: 'all', conditions: [{ column: 'title', operator: 'equals', values: ['a`b'] }] };
      const request = { table: table('shelf'), filter: backtick };
      await expect(exportOf(session).splice(request, call)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
      await expect(rowsOf(session, request)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
      expect(session.http.requests.some(({ path }) => path.includes('export'))).toBe(false);
      await expect(rowsOf(session, { table: table('nope'), filter: NO_FILTER })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }));

  it('with a filter that is too long for an address is read in pages', () =>
    using(async (session) => {
      const values = Array.from({ length: 900 }, (_, index) => `s-${String(index).padStart(4, '0')}`).concat('s-03', 's-07');
      const filter: Filter = { match: 'all', conditions: [{ column: 'sku', operator: 'in', values }] };
      expect(await exportOf(session).splice({ table: table('shelf'), filter }, call)).toBeUndefined();
      const { rows } = await rowsOf(session, { table: table('shelf'), filter });
      expect(rows.map((row) => row['sku']).sort()).toEqual(['s-03', 's-07']);
    }));

  it('with a key that may export and nothing else', async () => {
    const body = '{"description":"e","actions":["documents:export"],"collections":["*"]}';
    const { value } = JSON.parse(await admin(sandbox, 'POST', '/keys', body)) as { value: string };
    await using(async (session) => {
      const spliced = await splice(session, { table: table('shelf'), filter: NO_FILTER });
      expect(spliced?.found.expected).toBeUndefined();
      expect(spliced?.lines).toHaveLength(24);
      expect((await rowsOf(session, { table: table('shelf'), filter: NO_FILTER })).rows).toHaveLength(24);
    }, value);
  });
});

describe('the judge of a spliced export', () => {
  const request = { method: 'GET', path: '/collections/x/documents/export?batch_size=250' } as const;
  const judge = async (documents: number, found: Partial<ExportSplice>, summary: Partial<SpliceSummary>): Promise<void> => {
    const http = answering(({ path }): Answer =>
      path === '/collections/x' ? json({ name: 'x', fields: [], num_documents: documents }) : json([]),
    );
    const session = await connect({}, { http, log: () => undefined }, call);
    await exportOf(session).judge(
      { request, expected: { rows: 10, exact: true }, ...found },
      { status: 200, lines: 10, lastLine: '{"id":"1"}', ...summary },
    );
  };

  it.each<[string, number, Partial<ExportSplice>, Partial<SpliceSummary>]>([
    ['as many lines as expected', 99, {}, {}],
    ['documents that were added meanwhile', 12, {}, { lines: 11 }],
    ['documents that were deleted meanwhile', 8, {}, { lines: 9 }],
    ['a last line that was too long to be kept', 10, {}, { lastLine: `{"id":"${'x'.repeat(65_529)}` }],
    [
      'a line without id where none was asked for',
      10,
      { request: { ...request, path: `${request.path}&include_fields=n` } },
      { lastLine: '{}' },
    ],
    ['nothing at all', 0, { expected: { rows: 0, exact: true } }, { lines: 0, lastLine: '' }],
  ])('lets %s pass', async (_name, documents, found, summary) => {
    await judge(documents, found, summary);
  });

  it.each<[string, number, Partial<ExportSplice>, Partial<SpliceSummary>, string]>([
    ['a line too few', 10, {}, { lines: 9 }, 'ROWS_DIFFER'],
    ['no line at all', 10, {}, { lines: 0, lastLine: '' }, 'CONNECTION_LOST'],
    ['half a document, and too few', 10, {}, { lines: 9, lastLine: '{"id":"1","n' }, 'CONNECTION_LOST'],
    ['half a document', 10, {}, { lastLine: '{"id":"1","n' }, 'CONNECTION_LOST'],
    ['a sentence', 10, {}, { lastLine: 'Internal error' }, 'SERVER_ERROR'],
    ['a document without id', 10, {}, { lastLine: '{"message":"x"}' }, 'SERVER_ERROR'],
    ['a refusal', 10, {}, { status: 404, lines: 1, lastLine: '{"message":"Collection not found"}' }, 'NOT_FOUND'],
  ])('does not let %s pass', async (_name, documents, found, summary, code) => {
    await expect(judge(documents, found, summary)).rejects.toMatchObject({ code });
  });
});

describe('the collections that a filter joins', () => {
  it.each([
    ['$authors(name:=Ann)', ['authors']],
    ['n:>1 && ($a-b(x:1) || $a-b(y:2)) && !$c_d(z:`$no(t)`)', ['a-b', 'c_d']],
    ['price:=`$5 (five)` && t:$x', []],
    ['', []],
  ])('of %s are %j', (filter, names) => {
    expect(joinedCollections(filter)).toEqual(names);
  });
});
