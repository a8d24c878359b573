import type { Driver, HttpCapability } from '@tabularium/sdk';
import type { ManifestInput } from '@tabularium/sdk/manifest';
import type { ConformancePlan, KnownRow } from '@tabularium/sdk/testing';
import { knownRecordedQueries } from './recordings.ts';
import { SECRET, knownBulk, knownTables } from './world.ts';

const TEXT = [
  'equals',
  'notEquals',
  'in',
  'notIn',
  'contains',
  'notContains',
  'startsWith',
  'endsWith',
  'isNull',
  'isNotNull',
  'isEmpty',
  'isNotEmpty',
] as const;
const NUMBER = [
  'equals',
  'notEquals',
  'greaterThan',
  'greaterOrEqual',
  'lessThan',
  'lessOrEqual',
  'between',
  'in',
  'notIn',
  'isNull',
  'isNotNull',
] as const;

export const orchardManifest: ManifestInput = {
  manifestVersion: 1,
  id: 'orchard',
  sdk: '^1.0',
  title: 'Orchard',
  tagline: 'A database of trees.',
  category: 'other',
  icon: 'M12 2a6 6 0 0 1 2 11v9h-4v-9a6 6 0 0 1 2-11z',
  terms: {
    table: { one: 'Plot', other: 'Plots' },
    row: { one: 'Tree', other: 'Trees' },
    column: { one: 'Column', other: 'Columns' },
    container: { one: 'Orchard', other: 'Orchards' },
  },
  connection: {
    fields: [
      { id: 'host', label: 'Host', type: 'text' },
      { id: 'port', label: 'Port', type: 'number' },
      { id: 'tls', label: 'SSL', type: 'toggle' },
    ],
  },
  permissions: {
    http: {
      origin: {
        host: { field: 'host', whenEmpty: '127.0.0.1' },
        port: { field: 'port', whenEmpty: 80 },
        scheme: { field: 'tls', plainValues: ['false'] },
      },
    },
  },
  reading: { maxSorts: 2 },
  filtering: {
    classes: {
      text: { operators: [...TEXT, { operator: 'matchesRegex', refused: 'An orchard has no patterns.' }] },
      number: { value: 'number', operators: [...NUMBER] },
      truth: { value: 'boolean', operators: ['equals', 'notEquals', 'in', 'notIn', 'isNull', 'isNotNull'] },
      time: { operators: [...NUMBER] },
      label: { operators: ['equals', 'notEquals', 'in', 'notIn', 'isNull', 'isNotNull'] },
    },
    caseControl: { available: false, reason: 'Letter case always counts.' },
  },
  console: { title: 'Commands', language: 'sql' },
};

/** A server without a socket: it answers everything, and gives a table line by line. */
const http: HttpCapability = {
  async request({ path, signal }) {
    await new Promise((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
    const [, encoded] = /^\/export\/([^?]*)/.exec(path) ?? [];
    const table = knownTables.find(({ ref }) => ref.name === decodeURIComponent(encoded ?? ''));
    const lines = (table?.rows ?? []).slice(0, path.endsWith('?short') ? -1 : undefined).map((row) => `${JSON.stringify(row)}\n`);
    const encoder = new TextEncoder();
    return {
      status: 200,
      headers: { 'x-orchard': '1' },
      body: (async function* () {
        for (const line of lines) yield encoder.encode(line);
      })(),
      text: async () => lines.join(''),
      discard: async () => undefined,
    };
  },
};

/** The same server, for somebody with another password. */
const locked: HttpCapability = {
  request: async (request) => ({ ...(await http.request(request)), status: 401 }),
};

const rowsOf = ({ columns, rows }: (typeof knownTables)[number]): KnownRow[] =>
  rows.map((row) => Object.fromEntries(columns.map(({ name }, index) => [name, row[index] ?? null])));

function tableCalled(name: string): (typeof knownTables)[number] {
  const found = knownTables.find(({ ref }) => ref.name === name);
  if (found === undefined) throw new Error(`An orchard has no table ${name}.`);
  return found;
}

const trees = tableCalled('trees');
const picks = tableCalled('picks');
const leaves = tableCalled('fallen "leaves"; --');

/** The conformance plan of an orchard. Every session has a fresh one. */
export function orchardPlan(driver: Driver): ConformancePlan {
  return {
    driver,
    manifest: orchardManifest,
    textComparison: 'exact',
    secrets: [SECRET],
    open: () => ({ settings: { host: '127.0.0.1' }, context: { http } }),
    wrongCredentials: () => ({ settings: { host: '127.0.0.1' }, context: { http: locked } }),
    tables: [
      {
        ref: trees.ref,
        rows: rowsOf(trees),
        filters: [
          {
            name: 'a range, and a truth value',
            filter: {
              match: 'all',
              conditions: [
                { column: 'plot', operator: 'between', values: ['1', '2'] },
                { column: 'alive', operator: 'equals', values: ['true'] },
              ],
            },
            passes: ({ plot, alive }) => (plot === 1 || plot === 2) && alive === true,
          },
          {
            name: 'an end of a name',
            filter: { match: 'all', conditions: [{ column: 'name', operator: 'endsWith', values: ['e'] }] },
            passes: ({ name }) => String(name ?? '').endsWith('e'),
          },
        ],
      },
      { ref: picks.ref, rows: rowsOf(picks) },
      { ref: leaves.ref, rows: rowsOf(leaves) },
    ],
    console: {
      script: { text: 'list "trees"; list "fallen ""leaves""; --" ; count "picks"', statements: 3 },
      classified: [
        { statement: 'remove "trees" 1', effect: 'destructive' },
        { statement: 'empty "list"', effect: 'destructive' },
        { statement: 'count "picks"', effect: 'read' },
      ],
      reads: [
        { statement: 'list "trees"', rows: [23] },
        { statement: 'list "fallen ""leaves""; --"', rows: [4] },
      ],
      refused: ['nonsense', 'list "open'],
      secrets: [{ statement: 'lock "rose-0418"', secret: 'rose-0418' }],
    },
    large: { table: knownBulk.ref, rows: knownBulk.rows, statement: 'list "bulk"' },
    edits: [
      {
        table: trees.ref,
        row: {
          id: '18446744073709551617',
          name: "O'Hara's",
          height: '12.50',
          plot: 7,
          alive: false,
          planted: '2026-01-31',
          rings: '{"rings":1}',
          state: 'grown',
          harvests: '{1,2}',
        },
        changed: { name: 'new', height: null, alive: true },
        refused: [
          { column: 'height', value: 'tall' },
          { column: 'planted', value: 'yesterday' },
          { column: 'id', value: '1' },
        ],
      },
      {
        table: picks.ref,
        row: { row: 'row 9', number: '9223372036854775807', baskets: 1 },
        changed: { baskets: 2 },
        refused: [{ column: 'baskets', value: 'many' }],
      },
    ],
    imports: [
      {
        table: picks.ref,
        row: '{"row":"row 8","number":"9223372036854775806","baskets":1}',
        changed: '{"row":"row 8","number":"9223372036854775806","baskets":2}',
        rejected: ['[]', '{"row":"row 8"}', '{"row":"row 8","number":"many"}'],
        key: ['row 8', '9223372036854775806'],
      },
    ],
    newTable: {
      table: { namespace: ['orchard'], name: 'kit "new"' },
      rows: ['{"id":"1","name":"a"}', '{"id":"2"}', '{"id":"3","colour":"red"}'],
    },
    operations: [
      { table: leaves.ref, operation: 'empty', after: 0 },
      { table: leaves.ref, operation: 'drop', after: 'gone' },
    ],
    operationRuns: [
      {
        call: { place: { on: 'server' }, operation: 'plant', input: '{"name":"north"}' },
        refused: ['{}'],
        after: [{ table: { namespace: ['orchard'], name: 'north' }, rows: 0 }],
      },
      {
        call: { place: { on: 'table', table: leaves.ref }, operation: 'clear', input: '{}' },
        after: [{ table: leaves.ref, rows: 0 }],
      },
      {
        call: { place: { on: 'table', table: trees.ref }, operation: 'graft', input: '{"name":"west"}' },
        after: [{ table: { namespace: ['orchard'], name: 'west' }, rows: 23 }],
      },
    ],
    principals: { input: { name: ['kit'] } },
    recordedQueries: knownRecordedQueries,
    activity: {
      begin: async ({ console: statements }) => {
        const text = 'list "bulk"';
        const rows = statements?.run(text, { maxRows: knownBulk.rows, signal: AbortSignal.timeout(60_000) });
        const events = rows?.[Symbol.asyncIterator]();
        await events?.next();
        return {
          text,
          close: async () => {
            await events?.return?.();
          },
        };
      },
    },
    placedHits: { table: { namespace: ['orchard'], name: 'trees' }, text: 'apple' },
    objects: [{ object: { kind: 'note', name: 'kit' }, document: '{"text":"a"}', changed: '{"text":"b"}', refused: ['{}'] }],
  };
}
