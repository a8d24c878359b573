import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NO_FILTER } from '@tabularium/sdk';
import type { PageRequest, ResultEvent } from '@tabularium/sdk';
import { approvedGrant } from '../broker/sealed.test-helper.ts';
import type { RemoteSession } from './driverProcesses.ts';
import { driverSource, ProcessBench, testManifest } from './processes.test-helper.ts';

const signal = new AbortController().signal;
const page: PageRequest = {
  table: { namespace: [], name: 't' },
  filter: NO_FILTER,
  sorts: [],
  position: { from: 'start' },
  limit: 10,
};

let bench: ProcessBench;
beforeAll(async () => {
  bench = await ProcessBench.open();
});
afterAll(() => bench.close());

describe('a session in a driver process', () => {
  it('carries every call of the core, and the console where the driver has one', async () => {
    const source = driverSource(`
      async listTables() { return [{ ref: { namespace: [], name: 'a' }, kind: 'table', count: { rows: 3, exact: true } }]; },
      async countRows() { return { rows: 7, exact: false }; },
      async readPage(request) {
        return { rowCount: 1, atEnd: true, droppedSorts: [], batch: batch([{ name: 'limit', kind: 'integer' }], [[request.limit]]) };
      },
      console: {
        split(text) { return text.split(';').map((part, index) => ({ text: part, start: index, end: index + part.length })); },
        async classify(statement) { return { effect: 'read', tables: [], summary: statement }; },
        async *run(statement, { maxRows }) {
          yield { type: 'rowsBegin', columns: [{ name: 'a', kind: 'text' }] };
          for (let index = 0; index < maxRows; index += 1) yield { type: 'rows', rows: [[statement]] };
          yield { type: 'done', truncated: true, milliseconds: 1 };
        },
      },`);
    const processes = await bench.processes();
    const session = await processes.connect({ driver: await bench.driver(source), settings: { host: 'h' }, files: {}, signal });
    expect(session.server).toEqual({ product: 'Fixture', version: '1' });
    expect(session.findings).toEqual([{ label: 'Settings', outcome: 'ok', message: '{"host":"h"}' }]);
    expect(session.driverVersion).toBe('1.0.0');
    await session.ping({ signal });
    expect(await session.listTables({ signal })).toEqual([
      { ref: { namespace: [], name: 'a' }, kind: 'table', count: { rows: 3, exact: true } },
    ]);
    expect((await session.describeTable(page.table, { signal })).paging).toBe('offset');
    expect(await session.countRows(page, { signal })).toEqual({ rows: 7, exact: false });
    const { batch, ...head } = await session.readPage(page, { signal });
    expect(head).toEqual({ rowCount: 1, atEnd: true, droppedSorts: [] });
    expect(JSON.parse(Buffer.from(batch).toString())).toEqual({ columns: [{ name: 'limit', kind: 'integer' }], rows: [[10]] });
    const console = session.console;
    if (console === undefined) throw new Error('no console');
    expect(await console.split('a;b')).toHaveLength(2);
    expect((await console.classify('x', { signal })).summary).toBe('x');
    const events: ResultEvent[] = [];
    for await (const event of console.run('x', { maxRows: 3, signal })) events.push(event);
    expect(events.map(({ type }) => type)).toEqual(['rowsBegin', 'rows', 'rows', 'rows', 'done']);
    await session.close();
  });

  it('has no console when the driver has none, and does not hand secrets or files to the driver', async () => {
    const processes = await bench.processes();
    const session = await processes.connect({
      driver: await bench.driver(driverSource()),
      settings: { host: 'h', key: 'must-stay', other: 'unknown' },
      files: {},
      signal,
    });
    expect(session.console).toBeUndefined();
    expect(session.findings[0]?.message).toBe('{"host":"h"}');
    await session.close();
  });

  it('carries large pages and long answers in pieces', async () => {
    const source = driverSource(`
      async readPage() { return { rowCount: 1, atEnd: true, droppedSorts: [], batch: batch([], [['x'.repeat(5_000_000)]]) }; },
      async listTables() {
        return Array.from({ length: 50_000 }, (_, index) => ({ ref: { namespace: [], name: 'table ' + index }, kind: 'table' }));
      },`);
    const processes = await bench.processes();
    const session = await processes.connect({ driver: await bench.driver(source), settings: {}, files: {}, signal });
    const [tables, first] = await Promise.all([session.listTables({ signal }), session.readPage(page, { signal })]);
    expect(tables).toHaveLength(50_000);
    expect(first.batch.length).toBeGreaterThan(5_000_000);
    await session.close();
  });

  it('names the driver and keeps codes and details of its errors, and shows no stack', async () => {
    const source = driverSource(
      `async ping() { throw new DriverError(); },
       async listTables() { throw new TypeError('boom'); },
       async countRows() { return { rows: -1, exact: true }; },`,
      `class DriverError extends Error {
         name = 'DriverError'; code = 'ACCESS_REFUSED'; details = { status: '401', request: 'GET /x' };
         constructor() { super('No.'); }
       }`,
    );
    const processes = await bench.processes();
    const session = await processes.connect({ driver: await bench.driver(source), settings: {}, files: {}, signal });
    await expect(session.ping({ signal })).rejects.toMatchObject({
      code: 'ACCESS_REFUSED',
      message: 'No.',
      details: { status: '401', request: 'GET /x' },
    });
    await expect(session.listTables({ signal })).rejects.toMatchObject({
      code: 'DRIVER_FAULT',
      message: 'The driver "fixture" failed. TypeError: boom',
    });
    await expect(session.countRows(page, { signal })).rejects.toMatchObject({
      code: 'DRIVER_FAULT',
      message: expect.stringMatching(
        /broke its contract\. countRows answered with a value that is not valid at "rows"/,
      ) as string,
    });
    // None of this ended the process.
    expect((await session.describeTable(page.table, { signal })).ref.name).toBe('t');
    await session.close();
  });

  it('cancels a call, and the driver hears of it', async () => {
    const source = driverSource(`
      async readPage(request, { signal }) {
        await new Promise((resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));
      },`);
    const processes = await bench.processes();
    const session = await processes.connect({ driver: await bench.driver(source), settings: {}, files: {}, signal });
    const controller = new AbortController();
    const reading = session.readPage(page, { signal: controller.signal });
    controller.abort();
    await expect(reading).rejects.toMatchObject({ code: 'CANCELLED' });
    await session.ping({ signal });
    await session.close();
  });

  it('stops a running statement when the reader stops', async () => {
    const source = driverSource(
      `
      async countRows() { return { rows: ended, exact: true }; },
      console: {
        split: () => [], classify: async () => ({ effect: 'read', tables: [], summary: '' }),
        async *run() {
          yield { type: 'rowsBegin', columns: [{ name: 'a', kind: 'text' }] };
          try { for (;;) yield { type: 'rows', rows: [['x'.repeat(10000)]] }; } finally { ended += 1; }
        },
      },`,
      'let ended = 0;',
    );
    const processes = await bench.processes();
    const session = await processes.connect({ driver: await bench.driver(source), settings: {}, files: {}, signal });
    let seen = 0;
    for await (const event of session.console?.run('x', { maxRows: 500_000, signal }) ?? []) {
      if (event.type === 'rows' && ++seen === 500) break;
    }
    await expect.poll(() => session.countRows(page, { signal })).toEqual({ rows: 1, exact: true });
    await session.close();
  });

  it('leaves no session open whose opening was given up, at whatever moment', async () => {
    const source = driverSource(
      `
      async countRows() { return { rows: open, exact: true }; },
      async close() { open -= 1; },`,
      'let open = 0;',
    ).replace('const session = {', 'open += 1;\nconst session = {');
    const processes = await bench.processes();
    const driver = await bench.driver(source);
    const watching = await processes.connect({ driver, settings: {}, files: {}, signal });
    for (let turn = 0; turn < 60; turn += 1) {
      const controller = new AbortController();
      const opening = processes.connect({ driver, settings: {}, files: {}, signal: controller.signal }).then(
        (session) => session.close(),
        () => undefined,
      );
      setTimeout(() => {
        // The answer arrives while the host does something else.
        const until = performance.now() + 4;
        while (performance.now() < until);
        controller.abort();
      }, turn / 20);
      await opening;
    }
    await expect.poll(async () => (await watching.countRows(page, { signal })).rows).toBe(1);
    await watching.close();
  });

  it('notifies its listeners when the process is lost, with the reason', async () => {
    const source = driverSource(`async ping() { process.exit(3); },`);
    const processes = await bench.processes();
    const session = await processes.connect({ driver: await bench.driver(source), settings: {}, files: {}, signal });
    const lost = new Promise<string>((resolve) => session.onClosed((error) => resolve(error.message)));
    await expect(session.ping({ signal })).rejects.toMatchObject({ code: 'DRIVER_CRASHED' });
    expect(await lost).toBe('The driver "fixture" 1.0.0 ended unexpectedly (exit code 3) (last call: ping).');
    await session.close();
  });
});

describe('the processes', () => {
  it('are shared by the sessions of a driver version, and ended when idle', async () => {
    const source = driverSource(`async countRows() { return { rows: process.pid, exact: true }; },`);
    const processes = await bench.processes({ limits: { idle: 20 } });
    const driver = await bench.driver(source);
    const open = (): Promise<RemoteSession> => processes.connect({ driver, settings: {}, files: {}, signal });
    const pids = async (sessions: RemoteSession[]): Promise<number[]> =>
      Promise.all(sessions.map(async (session) => (await session.countRows(page, { signal })).rows));
    const sessions = await Promise.all([open(), open(), open()]);
    const [first, ...rest] = await pids(sessions);
    expect(new Set([first, ...rest]).size).toBe(1);
    await Promise.all(sessions.map((session) => session.close()));
    await expect.poll(() => isAlive(first ?? 0)).toBe(false);
    const again = await open();
    expect(await pids([again])).not.toEqual([first]);
    await again.close();
  });

  it("aren't shared with an earlier installation of the same version, perhaps by another publisher", async () => {
    const processes = await bench.processes();
    const named = (name: string): string =>
      driverSource(`async listTables() { return [{ ref: { namespace: [], name: '${name}' }, kind: 'table' }]; },`);
    const tablesOf = async (driver: Awaited<ReturnType<typeof bench.driver>>): Promise<readonly string[]> => {
      const session = await processes.connect({ driver, settings: {}, files: {}, signal });
      return (await session.listTables({ signal })).map(({ ref }) => ref.name);
    };
    expect(await tablesOf(await bench.driver(named('before')))).toEqual(['before']);
    const anew = await bench.driver(named('after'));
    expect(await tablesOf({ ...anew, installedAt: new Date(1).toISOString() })).toEqual(['after']);
    const other = await bench.driver(named('other'));
    expect(await tablesOf({ ...other, publisher: { ...other.publisher, fingerprint: '1111' } })).toEqual(['other']);
  });

  it('are one for each set of granted files', async () => {
    const manifest = testManifest({
      connection: { fields: [{ id: 'file', label: 'File', type: 'file', readBy: 'driver' }] },
      permissions: { files: [{ field: 'file', access: 'read', reason: 'It is the database.' }] },
    });
    const source = driverSource(
      `async countRows() { return { rows: Number(fs.readFileSync(context.file.paths.file, 'utf8')), exact: true }; },`,
      `import fs from 'node:fs';`,
    );
    const processes = await bench.processes();
    const driver = await bench.driver(source, manifest);
    const counts = await Promise.all(
      [1, 2].map(async (number) => {
        const path = join(bench.folder, `file-${number}`);
        await writeFile(path, String(number));
        const session = await processes.connect({ driver, settings: {}, files: { file: path }, signal });
        return (await session.countRows(page, { signal })).rows;
      }),
    );
    expect(counts).toEqual([1, 2]);
    await processes.close();
  });

  it('read and write exactly the files that were chosen, by their real paths', async () => {
    const manifest = testManifest({
      connection: {
        fields: ['base', 'notes', 'other'].map((id) => ({ id, label: id, type: 'file' as const, readBy: 'driver' as const })),
      },
      permissions: {
        files: [
          { field: 'base', access: 'readWrite', reason: 'It is the database.' },
          { field: 'notes', access: 'read', reason: 'It is read.' },
        ],
      },
    });
    const source = driverSource(
      `async listTables() {
         const tries = {
           paths: () => JSON.stringify(context.file.paths),
           'read base': () => fs.readFileSync(context.file.paths.base, 'utf8'),
           'write base': () => fs.writeFileSync(context.file.paths.base, 'new'),
           'read notes': () => fs.readFileSync(context.file.paths.notes, 'utf8'),
           'write notes': () => fs.writeFileSync(context.file.paths.notes, 'new'),
           'read beside': () => fs.readFileSync(context.file.paths.base + '.beside', 'utf8'),
           'write beside': () => fs.writeFileSync(context.file.paths.base + '-journal', 'x'),
           'read other': () => fs.readFileSync(settings.other ?? '/nothing', 'utf8'),
         };
         return Object.entries(tries).map(([name, attempt]) => {
           let outcome;
           try { outcome = String(attempt()); } catch (error) { outcome = error.code; }
           return { ref: { namespace: [name], name: outcome }, kind: 'table' };
         });
       },`,
      `import fs from 'node:fs';`,
    );
    const folder = join(bench.folder, 'files');
    await mkdir(folder);
    const [base, notes, beside, linked] = ['base', 'notes', 'base.beside', 'linked'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
      string,
    ];
    await Promise.all([base, notes, beside].map((path) => writeFile(path, 'old')));
    await symlink(base, linked);
    const processes = await bench.processes();
    const driver = await bench.driver(source, manifest);
    const session = await processes.connect({ driver, settings: {}, files: { base: linked, notes, other: beside }, signal });
    const outcomes = (await session.listTables({ signal })).map(({ ref }) => [ref.namespace[0], ref.name]);
    expect(outcomes).toEqual([
      ['paths', JSON.stringify({ base, notes })],
      ['read base', 'old'],
      ['write base', 'undefined'],
      ['read notes', 'old'],
      ['write notes', 'ERR_ACCESS_DENIED'],
      ['read beside', 'ERR_ACCESS_DENIED'],
      ['write beside', 'ERR_ACCESS_DENIED'],
      ['read other', 'ERR_ACCESS_DENIED'],
    ]);
    await session.close();
    await expect(
      processes.connect({ driver, settings: {}, files: { base: join(folder, 'gone') }, signal }),
    ).rejects.toMatchObject({
      code: 'NOT_FOUND',
      details: { field: 'base' },
    });
    await expect(processes.connect({ driver, settings: {}, files: { base: folder }, signal })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'base' },
    });
  });

  it('start under a home that is a symbolic link', async () => {
    const driver = await bench.driver(driverSource());
    const linked = join(bench.folder, 'linked-home');
    await symlink(bench.folder, linked);
    const processes = await bench.processes();
    const session = await processes.connect({
      driver: { ...driver, folder: driver.folder.replace(bench.folder, linked) },
      settings: {},
      files: {},
      signal,
    });
    await session.ping({ signal });
    await session.close();
  });

  it('do not start for a driver that asks for more than the sandbox gives', async () => {
    const manifest = testManifest({ permissions: { unconfined: { reason: 'It needs a library.' } } });
    const processes = await bench.processes();
    await expect(
      processes.connect({ driver: await bench.driver(driverSource(), manifest), settings: {}, files: {}, signal }),
    ).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  });

  it('of one version end together; those of another continue', async () => {
    const source = driverSource();
    const processes = await bench.processes();
    const [one, two] = await Promise.all(
      ['1.0.0', '2.0.0'].map(async (version) =>
        processes.connect({ driver: await bench.driver(source, testManifest(), version), settings: {}, files: {}, signal }),
      ),
    );
    await processes.stopDriver('fixture', '1.0.0');
    await expect(one?.ping({ signal })).rejects.toMatchObject({ code: 'CANCELLED' });
    await two?.ping({ signal });
    await processes.close();
  });

  it('exit cleanly and silently when the host closes their connection', async () => {
    const processes = await bench.processes();
    const version = '7.0.0';
    const driver = await bench.driver(driverSource(), testManifest(), version);
    await (await processes.connect({ driver, settings: {}, files: {}, signal })).ping({ signal });
    await processes.stopDriver(driver.id, version);
    // The last output of a process may arrive after it is gone.
    await delay(200);
    expect(bench.lines.filter((line) => line.version === version)).toEqual([]);
  });

  it('are not started again and again when the driver crashes each time', async () => {
    const processes = await bench.processes({ limits: { crashes: { count: 2, within: 60_000 } } });
    const driver = await bench.driver('process.exit(1);');
    const connect = (): Promise<unknown> => processes.connect({ driver, settings: {}, files: {}, signal });
    await expect(connect()).rejects.toThrow(/exit code 1/);
    await expect(connect()).rejects.toThrow(/exit code 1/);
    await expect(connect()).rejects.toThrow(/ended unexpectedly 2 times in 1 minutes; it is started again in \d+ s/);
  });

  it('are refused to a driver whose code is another than its manifest says', async () => {
    const processes = await bench.processes();
    const connect = async (source: string): Promise<unknown> =>
      processes.connect({ driver: await bench.driver(source), settings: {}, files: {}, signal });
    await expect(connect(driverSource('', '', 'other'))).rejects.toThrow(
      /says that its driver is "fixture", but its code says "other"/,
    );
    await expect(connect('export const nothing = 1;')).rejects.toThrow(/does not export a driver/);
    await expect(connect('export const driver = {')).rejects.toThrow(/could not be loaded\. SyntaxError/);
    await expect(connect(driverSource().replace("'1.0.0'", "'2.0.0'"))).rejects.toThrow(/Update Tabularium\./);
    await expect(connect(driverSource().replace("'1.0.0'", "'0.9.0'"))).rejects.toThrow(/Update the driver\./);
  });

  it('try out a driver before it is installed', async () => {
    const processes = await bench.processes();
    await processes.tryOut(await bench.driver(driverSource()), signal);
    await expect(processes.tryOut(await bench.driver('throw new Error("no");'), signal)).rejects.toThrow(/Error: no/);
    await expect(processes.tryOut(await bench.driver(driverSource()), AbortSignal.abort())).rejects.toMatchObject({
      code: 'CANCELLED',
    });
    const impatient = await bench.processes({ limits: { ready: 300 } });
    await expect(
      impatient.tryOut(await bench.driver('await new Promise(() => setInterval(() => {}, 1000));'), signal),
    ).rejects.toThrow(/was not ready within 0\.3 s/);
  });
});

describe('context.http', () => {
  it('streams both ways through the host, which adds the credential', async () => {
    const server = createServer((request, response) => {
      response.setHeader('x-key', request.headers['x-test-key'] ?? 'none');
      response.setHeader('x-length', request.headers['content-length'] ?? 'chunked');
      request.pipe(response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const manifest = testManifest();
    const source = driverSource(`
      async listTables() {
        const answers = [];
        async function* chunks() { for (let index = 0; index < 40; index += 1) yield new Uint8Array(100_000).fill(65); }
        for (const body of ['short', 'x'.repeat(3_000_000), chunks()]) {
          const answer = await context.http.request({ method: 'POST', path: '/echo', body });
          const text = await answer.text();
          answers.push([answer.status, answer.headers['x-key'] ?? 'dropped', answer.headers['x-length'], text.length].join(' '));
        }
        return answers.map((name) => ({ ref: { namespace: [], name }, kind: 'table' }));
      },`);
    const processes = await bench.processes();
    const settings = { host: '127.0.0.1', port };
    const http = await approvedGrant(manifest, settings, { key: 'secret-value' }, () => Promise.reject(new Error('no files')));
    const session = await processes.connect({ driver: await bench.driver(source, manifest), settings, files: {}, http, signal });
    const names = (await session.listTables({ signal })).map(({ ref }) => ref.name);
    expect(names).toEqual(['200 dropped 5 5', '200 dropped 3000000 3000000', '200 dropped chunked 4000000']);
    await session.close();
    await new Promise((resolve) => server.close(resolve));
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
