import { afterAll, describe, expect, it } from 'vitest';
import { ledgerBook, ledgerEdits, ledgerTables } from '../../../tests/fixtures/ledger-driver/book.test-helper.ts';
import { guidePlan } from '../../../tests/fixtures/guide-driver/guideDriver.test-helper.ts';
import ledgerPackage from '../../../tests/fixtures/ledger-driver/package.json' with { type: 'json' };
import { driver as ledger } from '../../../tests/fixtures/ledger-driver/src/index.ts';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineDriver } from '../driver.ts';
import type { Session } from '../driver.ts';
import { DriverError } from '../errors.ts';
import { decodeBatch, encodeBatch } from '../model/batch.ts';
import type { Cell } from '../model/cell.ts';
import { NO_FILTER } from '../model/filter.ts';
import type { Page, PageRequest } from '../model/page.ts';
import type { ResultEvent } from '../model/statement.ts';
import { conformanceChecks } from './conformance.ts';
import type { ConformancePlan } from './plan.ts';

const folder = mkdtempSync(join(tmpdir(), 'faulty-'));
const book = join(folder, 'book.json');
writeFileSync(book, JSON.stringify(ledgerBook));
const guide = guidePlan();
afterAll(() => {
  guide.remove();
  rmSync(folder, { recursive: true });
});

const plan: ConformancePlan = {
  driver: ledger,
  manifest: ledgerPackage.tabularium,
  tables: ledgerTables.slice(0, 2),
  edits: ledgerEdits,
  open: () => ({ settings: {}, context: { file: { paths: { book } } } }),
  secrets: ['hunter2'],
  console: {
    script: { text: "SELECT * FROM main.account; SELECT line FROM main.entry WHERE account = ';'", statements: 2 },
    classified: [
      { statement: 'SELECT * FROM main.account', effect: 'read' },
      { statement: "DELETE FROM main.account WHERE code = 'SELECT'", effect: 'destructive' },
    ],
    reads: [{ statement: 'SELECT * FROM main.account', rows: [5] }],
    refused: ['nonsense'],
  },
};

/** A driver with one fault: what a session would do, and what it does instead. */
function faulty(base: ConformancePlan, change: (session: Session) => Partial<Session>): ConformancePlan {
  const { id, connect } = base.driver.definition;
  const driver = defineDriver({
    id,
    async connect(...parameters) {
      const session = await connect(...parameters);
      return { ...session, ...change(session) };
    },
  });
  return { ...base, driver };
}

/** A fault in how pages are read: the request, the page, or both are tampered with. */
function misreading(
  base: ConformancePlan,
  {
    request = (asked) => asked,
    page = (read) => read,
  }: { request?: (asked: PageRequest) => PageRequest; page?: (read: Page) => Page },
): ConformancePlan {
  return faulty(base, (session) => ({
    readPage: async (asked, options) => page(await session.readPage(request(asked), options)),
  }));
}

function withCells(page: Page, change: (cell: Cell) => Cell): Page {
  const { columns, rows } = decodeBatch(page.batch);
  return { ...page, batch: encodeBatch({ columns, rows: rows.map((row) => row.map(change)) }) };
}

function withConsole(
  change: (console: NonNullable<Session['console']>) => Partial<NonNullable<Session['console']>>,
): ConformancePlan {
  return faulty(plan, ({ console }) => (console === undefined ? {} : { console: { ...console, ...change(console) } }));
}

/** @param only - the name of one check; all of them unless it is given */
async function failures(of: ConformancePlan, only?: string): Promise<string[]> {
  const failed: string[] = [];
  for (const check of conformanceChecks(of)) {
    if (only !== undefined && check.name !== only) continue;
    try {
      await check.run();
    } catch {
      failed.push(check.name);
    }
  }
  return failed;
}

const shiftOffset =
  (by: number) =>
  (asked: PageRequest): PageRequest => ({
    ...asked,
    position:
      asked.position.from === 'offset' ? { from: 'offset', offset: Math.max(0, asked.position.offset + by) } : asked.position,
  });

describe('the conformance kit', () => {
  it('finds nothing wrong with drivers that keep the contract', async () => {
    expect(await failures(plan)).toEqual([]);
    expect(await failures(guide)).toEqual([]);
  });

  it('lets the tables of others be called as they like', async () => {
    const only = 'a table that does not exist is NOT_FOUND, whatever its name';
    const others = faulty(plan, (session) => ({
      listTables: async (options) => {
        const tables = await session.listTables(options);
        return [...tables, ...tables.slice(0, 1).map((table) => ({ ...table, ref: { namespace: [], name: '..' } }))];
      },
      describeTable: (table, options) =>
        session.describeTable(table.name === '..' ? { namespace: ['main'], name: 'account' } : table, options),
    }));
    expect(await failures(others, only)).toEqual([]);
  });

  it.each<[string, ConformancePlan, string]>([
    [
      'a page gap',
      misreading(plan, { request: shiftOffset(1) }),
      'main.account: pages of every size join without gaps and doubles',
    ],
    [
      'a page overlap',
      misreading(plan, { request: shiftOffset(-1) }),
      'main.account: pages of every size join without gaps and doubles',
    ],
    [
      'a cursor page that lacks its last row',
      misreading(plan, {
        page: (read) => {
          const { columns, rows } = decodeBatch(read.batch);
          if (read.nextCursor === undefined) return read;
          return { ...read, rowCount: read.rowCount - 1, batch: encodeBatch({ columns, rows: rows.slice(0, -1) }) };
        },
      }),
      'main.entry: pages of every size join without gaps and doubles',
    ],
    [
      'an end that is not reported',
      misreading(plan, { page: (read) => ({ ...read, atEnd: false }) }),
      'main.account: counts, totals and the end agree',
    ],
    [
      'a wrong total',
      misreading(plan, { page: (read) => ({ ...read, total: { rows: 7, exact: true } }) }),
      'main.account: counts, totals and the end agree',
    ],
    [
      'a row count that lies',
      misreading(plan, { page: (read) => ({ ...read, rowCount: read.rowCount + 1 }) }),
      'main.account: pages of every size join without gaps and doubles',
    ],
    [
      'a last page that is the first',
      misreading(plan, {
        request: (asked) => (asked.position.from === 'end' ? { ...asked, position: { from: 'start' } } : asked),
      }),
      'main.entry: the last page, and positions that the table does not have',
    ],
    [
      'a silently dropped sort',
      misreading(plan, { request: (asked) => ({ ...asked, sorts: [] }) }),
      'main.account: a sort by a sortable column orders the rows',
    ],
    [
      'a dropped sort that is not reported',
      misreading(guide, { page: (read) => ({ ...read, droppedSorts: [] }) }),
      'shopping: a sort that cannot be done is reported, and the read does not fail',
    ],
    [
      'a second sort that is ignored',
      misreading(plan, { request: (asked) => ({ ...asked, sorts: asked.sorts.slice(0, 1) }) }),
      'main.entry: the second sort orders what the first leaves equal',
    ],
    [
      'a sort in the wrong direction',
      misreading(plan, {
        request: (asked) => ({ ...asked, sorts: asked.sorts.map(({ column }) => ({ column, direction: 'ascending' })) }),
      }),
      'main.account: a sort by a sortable column orders the rows',
    ],
    [
      'a filter ignored',
      misreading(plan, { request: (asked) => ({ ...asked, filter: NO_FILTER }) }),
      'main.account: equality finds what is equal and nothing else',
    ],
    [
      'a filter half ignored',
      misreading(guide, {
        request: (asked) => ({ ...asked, filter: { ...asked.filter, conditions: asked.filter.conditions.slice(0, 1) } }),
      }),
      'shopping: two conditions at once',
    ],
    [
      'a comparison that is off by the equal ones',
      misreading(plan, {
        request: (asked) => ({
          ...asked,
          filter: {
            ...asked.filter,
            conditions: asked.filter.conditions.map((one) =>
              one.operator === 'greaterThan' ? { ...one, operator: 'greaterOrEqual' } : one,
            ),
          },
        }),
      }),
      'main.entry: comparisons of numbers are exact',
    ],
    [
      'an operator that is refused in the manifest and lets everything pass',
      faulty(plan, (session) => ({
        readPage: (asked, options) =>
          session.readPage(
            {
              ...asked,
              filter: asked.filter.conditions.some(({ operator }) => operator === 'matchesRegex') ? NO_FILTER : asked.filter,
            },
            options,
          ),
      })),
      'main.account: an operator that the manifest refuses is refused',
    ],
    [
      'a value that is taken for a pattern',
      misreading(plan, {
        request: (asked) => ({
          ...asked,
          filter: { ...asked.filter, conditions: asked.filter.conditions.filter(({ values }) => values[0] !== '%') },
        }),
      }),
      'main.account: no value changes what a filter means',
    ],
    [
      'a count that ignores the filter',
      faulty(plan, (session) => ({
        countRows: ({ table }, options) => session.countRows({ table, filter: NO_FILTER }, options),
      })),
      'main.account: equality finds what is equal and nothing else',
    ],
    [
      'a lost digit',
      misreading(plan, {
        page: (read) => withCells(read, (cell) => (typeof cell === 'string' && /^\d{16,}$/.test(cell) ? Number(cell) : cell)),
      }),
      'main.entry: pages of every size join without gaps and doubles',
    ],
    [
      'a decimal that loses its zeros',
      misreading(plan, {
        page: (read) =>
          withCells(read, (cell) => (typeof cell === 'string' && /^-?\d+\.\d+$/.test(cell) ? String(Number(cell)) : cell)),
      }),
      'main.entry: every value is exact, null and absent are distinguished',
    ],
    [
      'null for what is absent',
      misreading(guide, { page: (read) => withCells(read, (cell) => (Array.isArray(cell) ? null : cell)) }),
      'shopping: every value is exact, null and absent are distinguished',
    ],
    [
      'a table that does not exist and is empty',
      faulty(plan, (session) => ({
        countRows: (asked, options) => session.countRows(asked, options).catch(() => ({ rows: 0, exact: true })),
      })),
      'a table that does not exist is NOT_FOUND, whatever its name',
    ],
    [
      'an error that is no DriverError',
      faulty(plan, (session) => ({
        describeTable: (table, options) =>
          session.describeTable(table, options).catch(() => Promise.reject(new TypeError('oops'))),
      })),
      'a table that does not exist is NOT_FOUND, whatever its name',
    ],
    [
      'cancelling that is ignored',
      faulty(plan, (session) => ({ listTables: () => session.listTables({ signal: new AbortController().signal }) })),
      'a call that was cancelled before it began is given up',
    ],
    [
      'a credential in a finding',
      faulty(plan, () => ({ findings: [{ label: 'Key', outcome: 'ok', message: 'The key is hunter2.' }] })),
      "console: text that isn't a statement is refused",
    ],
    [
      'a credential in an error',
      faulty(plan, () => ({ ping: () => Promise.reject(new DriverError('ACCESS_REFUSED', 'hunter2 was refused.')) })),
      'a session names its product, gives its findings in sentences and answers a ping',
    ],
    [
      'a list with a table twice',
      faulty(plan, (session) => ({
        listTables: async (options) => {
          const tables = await session.listTables(options);
          return [...tables, ...tables.slice(0, 1)];
        },
      })),
      'every known table is listed, once, with a right count',
    ],
    [
      'a filter class that the manifest does not have',
      faulty(plan, (session) => ({
        describeTable: async (ref, options) => {
          const table = await session.describeTable(ref, options);
          return { ...table, columns: table.columns.map((column) => ({ ...column, filterClass: 'constructor' })) };
        },
      })),
      'every listed table can be described, and its description keeps to the manifest',
    ],
    [
      'statements split inside strings',
      withConsole(() => ({
        split: (text) => {
          let at = 0;
          return text.split(';').map((part) => {
            const start = at;
            at += part.length + 1;
            return { text: part, start, end: start + part.length };
          });
        },
      })),
      'console: a text is split into its statements, each at its place',
    ],
    [
      'classification by looking for a word',
      withConsole(() => ({
        classify: async (statement) => ({ effect: statement.includes('SELECT') ? 'read' : 'write', tables: [], summary: 'x' }),
      })),
      'console: statements are classified, and what is not understood is never a read',
    ],
    [
      'what is not understood, classified as a read',
      withConsole((console) => ({
        classify: async (statement, options) => ({
          ...(await console.classify(statement, options)),
          ...(statement === 'nonsense' ? { effect: 'read' as const } : {}),
        }),
      })),
      'console: statements are classified, and what is not understood is never a read',
    ],
    [
      'what is not understood, refused as if the server had not answered',
      withConsole((console) => ({
        classify: async (statement, options) => {
          if (statement === 'nonsense') throw new DriverError('CONNECTION_LOST', 'No.');
          return console.classify(statement, options);
        },
      })),
      'console: statements are classified, and what is not understood is never a read',
    ],
    [
      'rows beyond maxRows',
      withConsole((console) => ({ run: (statement, options) => console.run(statement, { ...options, maxRows: 100 }) })),
      'console: results come in order, and maxRows is respected and reported',
    ],
    [
      'a result without an end',
      withConsole((console) => ({
        async *run(statement, options): AsyncGenerator<ResultEvent> {
          for await (const event of console.run(statement, options)) if (event.type !== 'done') yield event;
        },
      })),
      'console: results come in order, and maxRows is respected and reported',
    ],
    [
      'nonsense that runs',
      withConsole(() => ({
        async *run(): AsyncGenerator<ResultEvent> {
          yield { type: 'done', truncated: false, milliseconds: 0 };
        },
      })),
      "console: text that isn't a statement is refused",
    ],
    [
      'another id than the manifest’s',
      { ...plan, manifest: { ...ledgerPackage.tabularium, id: 'other' } },
      'the manifest is valid and has the driver’s id',
    ],
    [
      'a manifest that is not valid',
      { ...plan, manifest: { ...ledgerPackage.tabularium, icon: '<svg/>' } },
      'the manifest is valid and has the driver’s id',
    ],
  ])('finds %s', async (_fault, driver, check) => {
    expect(await failures(driver, check)).toEqual([check]);
  });
});
