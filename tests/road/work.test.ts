import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { NO_FILTER, decodeBatch } from '@tabularium/sdk';
import { startSandbox } from '@tabularium/sandbox';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PAGE_PATH } from '../../host/src/common/api.ts';
import { RUN_PATH } from '../../host/src/common/console.ts';
import type { RunLine } from '../../host/src/common/console.ts';
import type { SaveEvent } from '../../host/src/common/editing.ts';
import type { Runtime } from '../../host/src/runtime/runtime.ts';
import { KEY, connectTo, driverProcessesOf, startHost, startMachine, windowOf } from './machine.ts';
import type { RoadMachine } from './machine.ts';

// Everything that the window can do with a database, through the router, with the real driver in its process and a real server's answers.

const table = { namespace: [], name: 'products' };
let machine: RoadMachine;
let sandbox: Awaited<ReturnType<typeof startSandbox>>;
let runtime: Runtime;
let window: ReturnType<typeof windowOf>;
let connectionId: string;
let number = 0;

beforeAll(async () => {
  machine = await startMachine();
});
afterAll(() => machine[Symbol.asyncDispose]());

beforeEach(async () => {
  sandbox = await startSandbox({ apiKey: KEY, sampleData: { products: 3_000 } });
  machine = { ...machine, home: join(machine.folder, `home-${(number += 1)}`) };
  runtime = await startHost(machine);
  window = windowOf(runtime.handler);
  connectionId = await connectTo(runtime, sandbox.url);
});
afterEach(async () => {
  await runtime[Symbol.asyncDispose]();
  await sandbox.close();
});

async function rows(ids: readonly string[], columns: readonly string[]): Promise<Map<unknown, unknown[]>> {
  const request = {
    table,
    filter: { ...NO_FILTER, conditions: [{ column: 'id', operator: 'in', values: ids }] },
    sorts: [],
    position: { from: 'start' },
    limit: 100,
  };
  const answer = await runtime.handler(
    new Request(`http://host${PAGE_PATH}`, { method: 'POST', body: JSON.stringify({ connectionId, request }) }),
  );
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const batch = decodeBatch(bytes.subarray(bytes.indexOf(10) + 1));
  const at = (name: string): number => batch.columns.findIndex((column) => column.name === name);
  return new Map(batch.rows.map((row) => [row[at('id')], columns.map((name) => row[at(name)])]));
}

async function firstIds(count: number): Promise<string[]> {
  const answer = await runtime.handler(
    new Request(`http://host${PAGE_PATH}`, {
      method: 'POST',
      body: JSON.stringify({
        connectionId,
        request: { table, filter: NO_FILTER, sorts: [], position: { from: 'start' }, limit: count },
      }),
    }),
  );
  const bytes = new Uint8Array(await answer.arrayBuffer());
  return decodeBatch(bytes.subarray(bytes.indexOf(10) + 1)).rows.map((row) => String(row[0]));
}

/** Edits that rename rows, as a person makes them who sees the names that there are. */
async function renames(ids: readonly string[]) {
  const names = await rows(ids, ['name']);
  return ids.map((id) => ({
    kind: 'update' as const,
    row: { key: [id] },
    cells: [{ column: 'name', value: `renamed ${id}`, original: String(names.get(id)?.[0]) }],
  }));
}

async function save(): Promise<SaveEvent[]> {
  const events: SaveEvent[] = [];
  for await (const event of await window.editing.save.mutate({ connectionId, table })) events.push(event);
  return events;
}

describe('editing', () => {
  it('stages, reviews and saves exactly what was changed', async () => {
    const [first = '', second = '', third = ''] = await firstIds(3);
    const [barcode = '', name = '', seller] = (await rows([first], ['barcode', 'seller.name', 'seller.city'])).get(first) ?? [];
    const [stock] = (await rows([third], ['stock'])).get(third) ?? [];
    expect(await window.editing.ability.query({ connectionId, table })).toEqual({
      allowed: true,
      key: ['id'],
      atomicity: 'each',
    });
    await window.editing.stage.mutate({
      connectionId,
      table,
      edits: [
        {
          kind: 'update',
          row: { key: [first] },
          cells: [
            { column: 'barcode', value: '9223372036854775807', original: String(barcode) },
            { column: 'seller.name', value: 'Somebody else', original: String(name) },
          ],
        },
        { kind: 'delete', row: { key: [second] } },
        { kind: 'update', row: { key: [third] }, cells: [{ column: 'stock', value: 'many', original: Number(stock) }] },
      ],
    });
    const review = await window.editing.review.mutate({ connectionId, table });
    expect(review.map(({ prepared }) => prepared.ready)).toEqual([true, true, false]);
    expect(JSON.stringify(review[0]?.prepared)).toContain('9223372036854775807');

    expect((await save()).at(-1)).toMatchObject({ saved: 2, failed: 1, notTried: 0 });
    const left = await window.editing.staged.query({ connectionId, table });
    expect(left.rows).toMatchObject([{ key: [third], problem: { outcome: 'failed', column: 'stock' } }]);
    const after = await rows([first, second], ['barcode', 'seller.name', 'seller.city']);
    expect([...after]).toEqual([[first, ['9223372036854775807', 'Somebody else', seller]]]);
  });

  it('survives the death of the driver in the middle of a save', async () => {
    const ids = await firstIds(30);
    await window.editing.stage.mutate({ connectionId, table, edits: await renames(ids) });
    const reached = Promise.withResolvers<void>();
    let writes = 0;
    sandbox.fault(({ method }) => {
      if (method !== 'PATCH' || (writes += 1) < 4) return undefined;
      reached.resolve();
      return { kind: 'silence' };
    });
    const saving = save();
    await reached.promise;
    for (const pid of await driverProcessesOf(machine.home)) process.kill(pid, 'SIGKILL');
    const end = (await saving).at(-1);
    expect(end).toMatchObject({ type: 'end', saved: 3, unknown: 17, notTried: 10, error: { code: 'DRIVER_CRASHED' } });

    sandbox.fault();
    const staged = await window.editing.staged.query({ connectionId, table });
    expect(staged.state).toMatchObject({ updates: 27, unknown: 17, saving: false });
    // The session opens again automatically; an insert that may have happened is sent again once the person names it.
    expect((await save()).at(-1)).toMatchObject({ saved: 10 });
    const rowIds = staged.rows.filter(({ problem }) => problem !== undefined).map(({ id }) => id);
    for await (const event of await window.editing.save.mutate({ connectionId, table, rowIds })) {
      if (event.type === 'end') expect(event).toMatchObject({ saved: 17, failed: 0 });
    }
    expect([...(await rows(ids, ['name'])).values()].flat().toSorted()).toEqual(ids.map((id) => `renamed ${id}`).toSorted());
  });

  it('survives the death of the host in the middle of a save', async () => {
    const ids = await firstIds(30);
    await window.editing.stage.mutate({ connectionId, table, edits: await renames(ids) });
    await runtime[Symbol.asyncDispose]();
    let writes = 0;
    sandbox.fault(({ method }) => (method !== 'PATCH' || (writes += 1) < 4 ? undefined : { kind: 'silence' }));
    const child = spawn(
      process.execPath,
      [
        '--conditions=tabularium:source',
        fileURLToPath(new URL('./saveChild.ts', import.meta.url)),
        machine.home,
        connectionId,
        table.name,
      ],
      { env: { ...process.env, ...machine.env }, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const exited = once(child, 'exit');
    let reported = 0;
    for await (const line of createInterface({ input: child.stdout })) {
      if ((JSON.parse(line) as SaveEvent).type === 'outcome') reported += 1;
      if (reported === 3) child.kill('SIGKILL');
    }
    await exited;

    sandbox.fault();
    runtime = await startHost(machine);
    window = windowOf(runtime.handler);
    const staged = await window.editing.staged.query({ connectionId, table });
    expect(staged.state).toMatchObject({ updates: 27, unknown: 17, saving: false, canUndo: true });
    expect(staged.rows[0]).toMatchObject({
      key: [ids[3]],
      cells: [{ column: 'name', value: `renamed ${ids[3]}`, original: expect.any(String) as string }],
      problem: { outcome: 'unknown' },
    });
    expect((await save()).at(-1)).toMatchObject({ saved: 10, failed: 0 });
  });
});

describe('exports', () => {
  it.each(['jsonl', 'json', 'csv'] as const)(
    'to %s have every document, every digit, and leave no unfinished file',
    async (format) => {
      const file = join(machine.folder, `all.${format}`);
      const { id } = await window.exports.start.mutate({ connectionId, table, format, file });
      const info = await runtime.exports.outcome(id);
      expect(info).toMatchObject({ state: 'done', rows: 3_000, expected: { rows: 3_000, exact: true } });
      const text = await readFile(file, 'utf8');
      expect(text).toContain('9007199254740993');
      const count = { jsonl: text.trimEnd().split('\n').length, json: 0, csv: 0 };
      if (format === 'jsonl') expect(count.jsonl).toBe(3_000);
      if (format === 'json') expect(JSON.parse(text)).toHaveLength(3_000);
      if (format === 'csv') expect(text.startsWith('id,')).toBe(true);
      expect((await readdir(machine.folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
    },
  );

  it('that are cut leave nothing behind', async () => {
    await window.tables.list.query({ connectionId });
    sandbox.fault(({ path }) => (path.endsWith('/export') ? { kind: 'cut', afterBytes: 100_000 } : undefined));
    const file = join(machine.folder, 'cut.jsonl');
    const { id } = await window.exports.start.mutate({ connectionId, table, format: 'jsonl', file });
    await expect(runtime.exports.outcome(id)).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
    expect((await window.exports.list.query())[0]).toMatchObject({ state: 'failed' });
    expect((await readdir(machine.folder)).filter((name) => name.startsWith('cut'))).toEqual([]);
  });
});

describe('the console', () => {
  async function run(statement: string, agreedTo?: string): Promise<{ status: number; lines: RunLine[] }> {
    const answer = await runtime.handler(
      new Request(`http://host${RUN_PATH}`, { method: 'POST', body: JSON.stringify({ connectionId, statement, agreedTo }) }),
    );
    const text = await answer.text();
    return {
      status: answer.status,
      lines: text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as RunLine),
    };
  }

  it('runs a request, asks before one that destroys, and remembers both without their secrets', async () => {
    const { lines } = await run('GET /collections');
    expect(lines.map(({ type }) => type)).toEqual(expect.arrayContaining(['rowsBegin', 'rows', 'done']));
    expect(await run('DELETE /collections/articles')).toMatchObject({ status: 409, lines: [{ code: 'APPROVAL_REQUIRED' }] });
    expect((await run('DELETE /collections/articles', 'destructive')).lines.at(-1)).toMatchObject({
      type: 'done',
      status: '200 OK',
    });
    await run('POST /keys\n{"description":"x","actions":["*"],"collections":["*"],"value":"chosen-by-me"}', 'destructive');
    await run(`GET /collections?x=${KEY}`);
    const history = await window.console.history.search.query({ connectionId });
    expect(history.map(({ outcome }) => outcome)).toEqual(['ok', 'ok', 'ok', 'ok']);
    expect(JSON.stringify(history)).not.toMatch(new RegExp(`chosen-by-me|${KEY}`));
    const completed = await window.console.complete.mutate({ connectionId, text: 'GET /coll', position: 9 });
    expect(completed?.items.length).toBeGreaterThan(0);
  });
});

describe('keys, metrics and operations', () => {
  it('are all within reach, and a secret is shown once', async () => {
    const { server, facets } = await (async () => {
      for await (const step of await window.connections.open.mutate({ connectionId }))
        if (step.step === 'open') return step.connection;
      throw new Error('not opened');
    })();
    expect(server.version).toBe('29.0');
    expect([...facets].toSorted()).toEqual([
      ...['console', 'edits', 'export', 'expressions', 'import'],
      ...['metrics', 'objects', 'operations', 'principals', 'rows', 'search', 'suggestions', 'tableOperations'],
    ]);

    const created = await window.principals.create.mutate({
      connectionId,
      input: { description: ['road'], actions: ['documents:search'], collections: ['products'] },
    });
    const secret = String(created.secret?.value);
    expect(secret.length).toBeGreaterThan(10);
    const listed = await window.principals.list.query({ connectionId });
    expect(JSON.stringify(listed)).not.toContain(secret);
    await window.principals.remove.mutate({ connectionId, id: created.principal.id });
    expect((await window.principals.list.query({ connectionId })).map(({ id }) => id)).not.toContain(created.principal.id);

    const reading = await window.metrics.read.query({ connectionId });
    expect(reading.metrics.length).toBeGreaterThan(3);
    expect(await window.metrics.history.query({ connectionId })).toEqual([reading]);
    expect((await window.metrics.info.query({ connectionId })).missingPanels.length).toBeGreaterThan(0);

    const operations = await window.tableOperations.list.query({ connectionId, table });
    const empty = operations.find(({ label, effect }) => effect === 'destructive' && /empty/i.test(label));
    const operation = String(empty?.id);
    const plan = await window.tableOperations.plan.mutate({ connectionId, table, operation });
    expect(plan).toMatchObject({ target: table, count: { rows: 3_000 } });
    const run = (typedName: string) =>
      window.tableOperations.run.mutate({ connectionId, table, operation, confirmed: plan.target, typedName });
    await expect(run('product')).rejects.toThrow('nothing was changed');
    expect(await window.tables.count.query({ connectionId, table, filter: NO_FILTER })).toMatchObject({ rows: 3_000 });
    await run('products');
    expect(await window.tables.count.query({ connectionId, table, filter: NO_FILTER })).toMatchObject({ rows: 0 });
  });
});
