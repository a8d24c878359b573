import type { Metric, MetricsFacet, PrincipalChanges, PrincipalsFacet, TableOperationsFacet } from '@tabularium/sdk';
import type { World } from '../orchard/world.ts';
import { acts } from '../seeded.ts';
import type { Seeded } from '../seeded.ts';

const PLANNED = ['tableOperations', 'each says what it would do, and does nothing unless that was confirmed'] as const;
const DONE = 'one is carried out, and does what it said and nothing else';
const PEOPLE = ['principals', 'they are listed, each once, and their form can be drawn'] as const;
const ASKED = ['principals', 'what is required is asked for, with its field, and what is not there cannot be removed'] as const;
const ADDED = ['principals', 'one is added, its secret shown once and listed nowhere, and removed'] as const;
const METRICS = ['metrics', 'every figure can be shown, and is the same one in the next reading'] as const;
const VALUES = ['suggestions', 'values are those of rows, hold what was typed, and keep the limit'] as const;
const NAMED = ['namedTables', 'a table is found by its name, and a name that is not there is refused with it'] as const;
const COMPUTED = ['principals', 'credentials are computed only of a whole form, and its refusal names a field'] as const;
const CHANGED = ['principals', 'a change is planned without secrets, and done only as it was confirmed'] as const;
const SHOWN = [
  'expressions',
  'a filter is shown where a read sends it, refused where a read refuses it, and sorts are dropped alike',
] as const;

const operating = (
  name: string,
  breaks: Seeded['breaks'],
  says: RegExp,
  change: (facet: TableOperationsFacet, world: World) => Partial<TableOperationsFacet>,
): Seeded =>
  acts(name, breaks, says, (session, world) => ({
    tableOperations: { ...session.tableOperations, ...change(session.tableOperations, world) },
  }));
const managing = (
  name: string,
  breaks: Seeded['breaks'],
  says: RegExp,
  change: (facet: PrincipalsFacet, world: World) => Partial<PrincipalsFacet>,
): Seeded =>
  acts(name, breaks, says, (session, world) => ({ principals: { ...session.principals, ...change(session.principals, world) } }));
const changing = (
  name: string,
  says: RegExp,
  change: (changes: PrincipalChanges, world: World) => Partial<PrincipalChanges>,
): Seeded =>
  managing(name, CHANGED, says, ({ changes }, world) =>
    changes === undefined ? {} : { changes: { ...changes, ...change(changes, world) } },
  );
const measuring = (name: string, says: RegExp, change: (metric: Metric) => Partial<Metric>): Seeded =>
  acts(name, METRICS, says, ({ metrics }) => ({
    metrics: {
      ...metrics,
      read: async (...asked: Parameters<MetricsFacet['read']>) => {
        const reading = await metrics.read(...asked);
        return { ...reading, metrics: reading.metrics.map((metric) => ({ ...metric, ...change(metric) })) };
      },
    },
  }));

export const facetFaults: readonly Seeded[] = [
  operating('an operation that is done without being confirmed', PLANNED, /not confirmed.*succeeded/, () => ({
    run: async () => ({ message: 'Done.' }),
  })),
  operating('a plan that counts wrongly', PLANNED, /counts 1 rows/, (facet) => ({
    plan: async (...asked) => ({ ...(await facet.plan(...asked)), count: { rows: 1, exact: true } }),
  })),
  operating('a plan that already does it', PLANNED, /had \d+ rows before|counts|there are/, (facet, world) => ({
    plan: async (ref, ...asked) => {
      const plan = await facet.plan(ref, ...asked);
      const table = world.table(ref);
      table.rows = table.rows.slice(1);
      return plan;
    },
  })),
  operating('a plan that does not say what it would send', PLANNED, /does not show/, (facet) => ({
    plan: async (...asked) => ({ ...(await facet.plan(...asked)), text: '' }),
  })),
  operating('an emptied table that is not empty', ['tableOperations', `${DONE} (empty)`], /it should have 0/, () => ({
    run: async () => ({ message: 'Emptied.', affectedRows: 4 }),
  })),
  operating(
    'a deletion that takes the neighbour along',
    ['tableOperations', `${DONE} (drop)`],
    /changed other tables/,
    (facet, world) => ({
      run: async (...asked) => {
        const result = await facet.run(...asked);
        const [neighbour] = world.tables.keys();
        world.tables.delete(neighbour ?? '');
        return result;
      },
    }),
  ),
  managing('two with one id', PEOPLE, /Two of them have one id/, (facet) => ({
    list: async (options) => {
      const all = await facet.list(options);
      return [...all, ...all];
    },
  })),
  managing('a form with a field that has no name', PEOPLE, /has no label/, (facet) => ({
    form: async (options) => (await facet.form(options)).map((field) => ({ ...field, label: '' })),
  })),
  managing("an expiry that isn't a time", PEOPLE, /expires at/, (facet) => ({
    list: async (options) => (await facet.list(options)).map((one) => ({ ...one, expiresAt: 'tomorrow' })),
  })),
  managing('a form that is not asked for', ASKED, /succeeded/, (facet) => ({
    create: (input, options) => facet.create({ name: ['x'], ...input }, options),
  })),
  managing('an id that is taken for a pattern', ASKED, /Removing "\*".*succeeded/, (facet, { principals }) => ({
    remove: async (id, options) => {
      if (id === '*') principals.clear();
      else await facet.remove(id, options);
    },
  })),
  managing('a removal of nobody that is reported as done', ASKED, /Removing "no such principal".*succeeded/, (facet) => ({
    remove: (id, options) => facet.remove(id, options).catch(() => undefined),
  })),
  changing('one that is added while it is planned', /Planning changed/, (changes, world) => ({
    plan: async (request, options) => {
      const plan = await changes.plan(request, options);
      world.principals.set('early', 'Everything');
      return plan;
    },
  })),
  changing('principals that change without being confirmed', /Running other statements.*succeeded/, (changes) => ({
    run: async (request, _confirmed, options) => changes.run(request, (await changes.plan(request, options)).statements, options),
  })),
  changing('a plan of nothing', /no statements/, (changes) => ({
    plan: async (...asked) => ({ ...(await changes.plan(...asked)), statements: [] }),
  })),
  changing('details of somebody who is not there', /Details of "\*".*succeeded/, () => ({ details: async () => [] })),
  changing('details that are no table', /another width/, () => ({
    details: async () => [{ title: 'Trees', columns: [{ label: 'Tree' }], rows: [['Apple', 'red']] }],
  })),
  managing('a list with the whole secret', ADDED, /shown a second time/, (facet) => ({
    list: async (options) =>
      (await facet.list(options)).map((one) => ({ ...one, attributes: [{ label: 'Key', value: `key-${one.id}-9f31` }] })),
  })),
  managing('one that stays after it was removed', ADDED, /still listed/, () => ({ remove: async () => undefined })),
  managing('a credential of an empty form', COMPUTED, /succeeded/, ({ generator }) => ({
    ...(generator === undefined
      ? {}
      : { generator: { ...generator, generate: async () => ({ secret: { label: 'Guest', value: 'guest' }, notes: [] }) } }),
  })),
  acts('a table of another name', NAMED, /was found/, ({ namedTables }) => ({
    namedTables: {
      ...namedTables,
      find: async (...asked) => {
        const { ref, ...found } = await namedTables.find(...asked);
        return { ...found, ref: { ...ref, name: `${ref.name} next to it` } };
      },
    },
  })),
  measuring("a metric that isn't a number", /is NaN/, () => ({ value: NaN })),
  measuring('a figure of less than nothing', /less than nothing/, () => ({ value: -1 })),
  measuring('a percentage that is called a ratio', /a ratio of 25/, ({ unit }) => (unit === 'ratio' ? { value: 25 } : {})),
  measuring('a part of nothing', /a part of 0/, () => ({ total: 0 })),
  measuring('two metrics of one name', /one id/, () => ({ id: 'rows' })),
  acts('a value that no row has', VALUES, /no row has "nowhere"/, () => ({
    suggestions: {
      values: async (_request, { signal }) => (signal.throwIfAborted(), { values: [{ value: 'nowhere' }], from: 'some' }),
    },
  })),
  acts('more values than were asked for', VALUES, /were asked for|more than one came/, (session) => ({
    suggestions: { values: (request, options) => session.suggestions.values({ ...request, limit: 100 }, options) },
  })),
  acts('a filter that is read by and not shown', SHOWN, /nothing is shown of it/, (session) => ({
    expressions: {
      ofRead: async (...asked) => {
        const { parts, droppedSorts } = await session.expressions.ofRead(...asked);
        return { parts: parts.filter(({ label }) => label !== 'where'), droppedSorts };
      },
    },
  })),
];
