import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ledgerBook, ledgerEdits, ledgerTables } from '../../../tests/fixtures/ledger-driver/book.test-helper.ts';
import ledgerPackage from '../../../tests/fixtures/ledger-driver/package.json' with { type: 'json' };
import { driver as ledger } from '../../../tests/fixtures/ledger-driver/src/index.ts';
import { defineDriver } from '../driver.ts';
import type { Session } from '../driver.ts';
import { DriverError } from '../errors.ts';
import type { ChangeOutcome, EditsFacet } from '../facets/edits.ts';
import type { ExportEvent, ExportFacet } from '../facets/export.ts';
import type { MetricsFacet } from '../facets/metrics.ts';
import type { Principal, PrincipalChanges, PrincipalRequest, PrincipalsFacet } from '../facets/principals.ts';
import type { TableOperationsFacet } from '../facets/tableOperations.ts';
import { NO_FILTER } from '../model/filter.ts';
import { conformanceChecks } from './conformance.ts';
import type { ConformancePlan } from './plan.ts';

const folder = mkdtempSync(join(tmpdir(), 'faulty-facets-'));
const book = join(folder, 'book.json');
writeFileSync(book, JSON.stringify(ledgerBook));
afterAll(() => rmSync(folder, { recursive: true }));

const SECRET = 'hunter2';

/** Operations, principals and metrics that keep the contract, over a session that has none. */
function facetsFor(session: Session): {
  tableOperations: TableOperationsFacet;
  principals: PrincipalsFacet;
  metrics: MetricsFacet;
} {
  const principals: Principal[] = [];
  const notCancelled = ({ signal }: { signal: AbortSignal }): void => {
    if (signal.aborted) throw new DriverError('CANCELLED');
  };
  return {
    tableOperations: {
      list: async () => [{ id: 'empty', label: 'Empty', effect: 'destructive', ability: { allowed: true } }],
      async plan(table, operation, options) {
        if (operation !== 'empty') throw new DriverError('UNSUPPORTED');
        const count = await session.countRows({ table, filter: NO_FILTER }, options);
        return { consequence: 'All rows are lost.', target: table, count, text: 'DELETE' };
      },
      async run(table, _operation, confirmed) {
        if (confirmed.name !== table.name) throw new DriverError('CONFLICT');
        return { message: 'Emptied.' };
      },
    },
    principals: {
      term: { one: 'User', other: 'Users' },
      editable: { allowed: false, reason: 'Users are made anew.' },
      list: async () => [...principals],
      form: async () => [{ id: 'name', label: 'Name', required: true, type: 'text' }],
      async create({ name }) {
        const label = name?.[0];
        if (label === undefined) throw new DriverError('INVALID_INPUT', 'Enter a name.', { details: { field: 'name' } });
        const principal: Principal = {
          id: label,
          label,
          reach: 'Everything',
          serverWide: true,
          actions: [],
          attributes: [],
          removable: { allowed: true },
        };
        principals.push(principal);
        return { principal, secret: { label: 'Password', value: 'correct horse' } };
      },
      async remove(id) {
        const at = principals.findIndex((one) => one.id === id);
        if (at === -1) throw new DriverError('NOT_FOUND');
        principals.splice(at, 1);
      },
    },
    metrics: {
      missingPanels: [{ id: 'sessions', label: 'Sessions', reason: 'A file has none.' }],
      async read(options) {
        notCancelled(options);
        return { metrics: [{ id: 'size', label: 'Size', unit: 'bytes', value: 3, total: 5 }], problems: [] };
      },
    },
  };
}

type Facets = ReturnType<typeof facetsFor> & { edits: EditsFacet; export: ExportFacet; console: NonNullable<Session['console']> };

/** Planned changes that keep the contract, over principals without them. */
function changesOf(principals: PrincipalsFacet): PrincipalChanges {
  const known = async (id: string): Promise<void> => {
    if (!(await principals.list({ signal: new AbortController().signal })).some((one) => one.id === id))
      throw new DriverError('NOT_FOUND');
  };
  const statements = ({ input }: PrincipalRequest): readonly string[] => [`ADD ${input['name']?.[0] ?? ''}`];
  return {
    addable: { allowed: true },
    async details(id) {
      await known(id);
      return [];
    },
    form: (_action, options) => principals.form(options),
    async plan(request) {
      if (request.is !== 'add') await known(request.id);
      return { statements: statements(request), notes: [] };
    },
    async run(request, confirmed, options) {
      if (statements(request).join() !== confirmed.join()) throw new DriverError('CONFLICT');
      return [(await principals.create(request.input, options)).principal];
    },
  };
}

const changeFaults: readonly [string, (principals: PrincipalsFacet) => Partial<PrincipalChanges>, RegExp][] = [
  [
    'a plan with a secret',
    () => ({ plan: async () => ({ statements: [`ADD kit PASSWORD ${SECRET}`], notes: [] }) }),
    /^principals: a change is planned/,
  ],
  [
    'a change that was not confirmed',
    (principals) => ({ run: async ({ input }, _confirmed, options) => [(await principals.create(input, options)).principal] }),
    /^principals: a change is planned/,
  ],
  ['details of nothing', () => ({ details: async () => [] }), /^principals: a change is planned/],
];

/** The ledger with all facets, and with a fault in them. */
function planWith(change: (facets: Facets, session: Session) => Partial<Session>): ConformancePlan {
  return {
    driver: defineDriver({
      id: 'ledger',
      async connect(...parameters) {
        const session = await ledger.definition.connect(...parameters);
        const { edits, export: exporting, console } = session;
        if (edits === undefined || exporting === undefined || console === undefined) throw new Error('The ledger lacks a facet.');
        const facets = { ...facetsFor(session), edits, export: exporting, console };
        return { ...session, ...facets, ...change(facets, session) };
      },
    }),
    manifest: ledgerPackage.tabularium,
    tables: ledgerTables.slice(0, 2),
    edits: ledgerEdits.slice(0, 1),
    principals: { input: { name: ['kit'] } },
    secrets: [SECRET],
    open: () => ({ settings: {}, context: { file: { paths: { book } } } }),
    console: {
      script: { text: 'SELECT * FROM main.account; SELECT line FROM main.entry', statements: 2 },
      classified: [],
      reads: [{ statement: 'SELECT * FROM main.account', rows: [5] }],
      refused: [],
    },
  };
}

const FACET_CHECK = /^(?:edits|export|tableOperations|principals|metrics|console: completions)/;

async function failures(plan: ConformancePlan): Promise<string[]> {
  const failed: string[] = [];
  for (const check of conformanceChecks(plan).filter(({ name }) => FACET_CHECK.test(name))) {
    await check.run().catch((error: unknown) => failed.push(`${check.name} | ${String(error)}`));
  }
  return failed;
}

async function* mapped<T>(events: AsyncIterable<T>, change: (event: T) => readonly T[]): AsyncGenerator<T> {
  for await (const event of events) yield* change(event);
}

const withEdits = (change: (edits: EditsFacet, session: Session) => Partial<EditsFacet>): ConformancePlan =>
  planWith(({ edits }, session) => ({ edits: { ...edits, ...change(edits, session) } }));
const withExport = (change: (event: ExportEvent) => readonly ExportEvent[]): ConformancePlan =>
  planWith(({ export: facet }) => ({
    export: { ...facet, rows: (request, options) => mapped(facet.rows(request, options), change) },
  }));
const outcomes = (change: (outcome: ChangeOutcome) => readonly ChangeOutcome[]): ConformancePlan =>
  withEdits((edits) => ({ apply: (table, changes, options) => mapped(edits.apply(table, changes, options), change) }));

describe('the conformance kit, of facets', () => {
  it('finds nothing wrong with a driver that keeps the contract', async () => {
    expect(await failures(planWith(() => ({})))).toEqual([]);
  });

  it.each<[string, ConformancePlan, RegExp]>([
    ['edits that nobody can try', { ...planWith(() => ({})), edits: [] }, /^edits: a session that can edit/],
    [
      'preparing that already sends',
      withEdits((edits) => ({
        async prepare(table, changes, options) {
          const prepared = await edits.prepare(table, changes, options);
          for await (const { outcome } of edits.apply(table, changes, options)) if (outcome === 'failed') break;
          return prepared;
        },
      })),
      /^edits: main\.entry: the preview shows changes before/,
    ],
    [
      'a change that is reported as saved and is not',
      withEdits(() => ({
        async *apply(_table, changes, { signal }): AsyncGenerator<ChangeOutcome> {
          if (signal.aborted) throw new DriverError('CANCELLED');
          yield* changes.map((change, index): ChangeOutcome => ({
            index,
            outcome: 'saved',
            ...(change.kind === 'insert' ? { key: ['A-1', '18446744073709551617'] } : {}),
          }));
        },
      })),
      /^edits: main\.entry: a row is inserted/,
    ],
    [
      'an inserted row without its key',
      outcomes((outcome) => (outcome.outcome === 'saved' ? [{ index: outcome.index, outcome: 'saved' }] : [outcome])),
      /^edits: main\.entry: a row is inserted/,
    ],
    ['an outcome reported twice', outcomes((outcome) => [outcome, outcome]), /^edits: main\.entry: a row is inserted/],
    [
      'a lost digit',
      withEdits((edits) => ({
        apply: (table, changes, options) =>
          edits.apply(
            table,
            changes.map((change) =>
              change.kind === 'insert'
                ? {
                    ...change,
                    values: change.values.map(({ column, value }) => ({ column, value: column === 'amount' ? '12.5' : value })),
                  }
                : change,
            ),
            options,
          ),
      })),
      /^edits: main\.entry: a row is inserted.*amount/,
    ],
    [
      'an update that empties other columns',
      withEdits((edits) => ({
        apply: (table, changes, options) =>
          edits.apply(
            table,
            changes.map((change) =>
              change.kind === 'update'
                ? { ...change, assignments: [{ column: 'booked', value: null }, ...change.assignments] }
                : change,
            ),
            options,
          ),
      })),
      /^edits: main\.entry: a row is inserted.*booked/,
    ],
    [
      'a refused value without its column',
      withEdits((edits) => ({
        prepare: async (table, changes, options) =>
          (await edits.prepare(table, changes, options)).map((one) => (one.ready ? one : { ready: false, message: one.message })),
      })),
      /^edits: main\.entry: a value that does not fit/,
    ],
    [
      'half of what is made all together',
      withEdits((edits) => ({
        async *apply(table, changes, options): AsyncGenerator<ChangeOutcome> {
          for (const [index, change] of changes.entries()) {
            for await (const outcome of edits.apply(table, [change], options)) yield { ...outcome, index };
          }
        },
      })),
      /^edits: main\.entry: a change that fails leaves/,
    ],
    [
      'an atomicity that is not kept',
      withEdits(() => ({ atomicity: 'each' })),
      /^edits: main\.entry: a change that fails leaves/,
    ],
    [
      'a cancel that is ignored',
      withEdits((edits) => ({
        apply: (table, changes) => edits.apply(table, changes, { signal: new AbortController().signal }),
      })),
      /^edits: main\.entry: cancelled/,
    ],
    [
      'a key that is called read-only and written',
      withEdits((edits) => ({
        prepare: async (table, changes, options) =>
          (await edits.prepare(table, changes, options)).map(() => ({ ready: true, text: 'UPDATE', language: 'sql' })),
      })),
      /^edits: main\.account: what cannot be edited/,
    ],
    [
      'an export that lacks a row',
      withExport((event) => (event.type === 'rows' ? [{ ...event, rows: event.rows.slice(1) }] : [event])),
      /^export: main\.account: every row/,
    ],
    [
      'an export that gives rows twice',
      withExport((event) => (event.type === 'rows' ? [event, event] : [event])),
      /^export: main\.account: every row/,
    ],
    [
      'an export that begins twice',
      withExport((event) => (event.type === 'begin' ? [event, event] : [event])),
      /^export: main\.account: every row/,
    ],
    [
      'an export that never begins',
      withExport((event) => (event.type === 'begin' ? [] : [event])),
      /^export: main\.account: every row/,
    ],
    [
      'an export that expects too much',
      withExport((event) => (event.type === 'begin' ? [{ ...event, expected: { rows: 7, exact: true } }] : [event])),
      /^export: main\.account: every row/,
    ],
    [
      'an export that ignores the filter',
      planWith(({ export: facet }) => ({
        export: { ...facet, rows: (request, options) => facet.rows({ ...request, filter: NO_FILTER }, options) },
      })),
      /^export: main\.entry: every row/,
    ],
    [
      'an export that ignores the choice of columns',
      planWith(({ export: facet }) => ({
        export: { ...facet, rows: ({ table, filter }, options) => facet.rows({ table, filter }, options) },
      })),
      /^export: main\.entry: chosen columns/,
    ],
    [
      'a judge that lets everything pass',
      planWith(({ export: facet }) => ({
        export: { ...facet, splice: async () => ({ request: { method: 'GET', path: '/x' } }), judge: () => undefined },
      })),
      /^export: main\.account: the fast way/,
    ],
    [
      'an operation that does what was not confirmed',
      planWith(({ tableOperations }) => ({ tableOperations: { ...tableOperations, run: async () => ({ message: 'Done.' }) } })),
      /^tableOperations: main\.account.*not confirmed/,
    ],
    [
      'a plan for another table than there is',
      planWith(({ tableOperations }) => ({
        tableOperations: {
          ...tableOperations,
          plan: async (table, id, options) => ({
            ...(await tableOperations.plan(table, id, options)),
            target: { namespace: [], name: 'x' },
          }),
        },
      })),
      /^tableOperations: main\.account/,
    ],
    [
      'a plan that counts wrongly',
      planWith(({ tableOperations }) => ({
        tableOperations: {
          ...tableOperations,
          plan: async (table, id, options) => ({
            ...(await tableOperations.plan(table, id, options)),
            count: { rows: 1, exact: true },
          }),
        },
      })),
      /^tableOperations: main\.account.*counts 1 rows/,
    ],
    [
      'a secret in the list',
      planWith(({ principals }) => ({
        principals: {
          ...principals,
          list: async (options) =>
            (await principals.list(options)).map((one) => ({
              ...one,
              attributes: [{ label: 'Password', value: 'correct horse' }],
            })),
        },
      })),
      /^principals: one is added.*second time/,
    ],
    ...changeFaults.map(([name, change, says]): [string, ConformancePlan, RegExp] => [
      name,
      planWith(({ principals }) => ({
        principals: { ...principals, changes: { ...changesOf(principals), ...change(principals) } },
      })),
      says,
    ]),
    [
      'a principal that stays',
      planWith(({ principals }) => ({ principals: { ...principals, remove: async () => undefined } })),
      /^principals: (?:one is added|what is required)/,
    ],
    [
      'a form that is not asked for',
      planWith(({ principals }) => ({
        principals: { ...principals, create: (input, options) => principals.create({ name: ['x'], ...input }, options) },
      })),
      /^principals: what is required/,
    ],
    [
      'a figure that is no number',
      planWith(({ metrics }) => ({
        metrics: {
          ...metrics,
          read: async () => ({ metrics: [{ id: 'a', label: 'A', unit: 'count', value: NaN }], problems: [] }),
        },
      })),
      /^metrics: every figure.*NaN/,
    ],
    [
      'a percentage called a ratio',
      planWith(({ metrics }) => ({
        metrics: {
          ...metrics,
          read: async () => ({ metrics: [{ id: 'a', label: 'A', unit: 'ratio', value: 27 }], problems: [] }),
        },
      })),
      /^metrics: every figure.*ratio of 27/,
    ],
    [
      'an unreachable node without a reason',
      planWith(({ metrics }) => ({
        metrics: {
          ...metrics,
          read: async (options) => ({
            ...(await metrics.read(options)),
            nodes: [{ name: 'a:1', state: 'unreachable', facts: [], metrics: [] }],
          }),
        },
      })),
      /^metrics: every figure.*"a:1" is unreachable/,
    ],
    [
      'metrics of a node that is not among the nodes',
      planWith(({ metrics }) => ({
        metrics: {
          ...metrics,
          read: async (options) => ({
            ...(await metrics.read(options)),
            nodes: [{ name: 'a:1', state: 'ready', facts: [], metrics: [] }],
            node: 'b:1',
          }),
        },
      })),
      /^metrics: every figure.*No node is called "b:1"/,
    ],
    [
      'a completion that replaces what is not typed yet',
      planWith(({ console }) => ({
        console: { ...console, complete: async (_text, offset) => ({ from: offset + 1, items: [] }) },
      })),
      /^console: completions/,
    ],
  ])('finds %s', async (_fault, plan, check) => {
    const failed = await failures(plan);
    expect(failed.filter((failure) => check.test(failure.replaceAll('\n', ' '))).length, failed.join('\n')).toBeGreaterThan(0);
  });
});
