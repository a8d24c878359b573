import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NO_FILTER, decodeBatch, isDriverError } from '@tabularium/sdk';
import type { Cell, Filter, FilterOperator, Session, Settings, TableRef } from '@tabularium/sdk';
import { parseManifest } from '@tabularium/sdk/manifest';
import { createTestHttp, runConformance } from '@tabularium/sdk/testing';
import influxPackage from '../../docs/examples/influxdb-driver/package.json' with { type: 'json' };
import { driver } from '../../docs/examples/influxdb-driver/src/index.ts';
import { ADMINISTRATOR, authorization, startInfluxd } from '../../docs/examples/influxdb-driver/test/influxd.ts';
import type { Influxd } from '../../docs/examples/influxdb-driver/test/influxd.ts';
import { HOSTILE_DATABASE, HOSTILE_MEASUREMENT, fill, planFor } from '../../docs/examples/influxdb-driver/test/plan.ts';
import { approvedGrant } from '../../host/src/runtime/drivers/broker/sealed.test-helper.ts';
import type { InstalledDriver } from '../../host/src/runtime/drivers/packages/installedDriver.ts';
import type { DriverProcesses } from '../../host/src/runtime/drivers/processes/driverProcesses.ts';
import { ProcessBench } from '../../host/src/runtime/drivers/processes/processes.test-helper.ts';
import { bundleAlone } from '../../scripts/build/bundles.ts';
import { root } from '../../scripts/paths.ts';
import { findInfluxd } from '../../scripts/testing/influxd.ts';

// The example of docs/examples/influxdb-driver as an author would build it, against a real server with authentication on.

const signal = new AbortController().signal;
const call = { signal };
const READINGS: TableRef = { namespace: ['weather'], name: 'readings' };
const LIMITED = { user: 'limited', password: 'päss wörd:1' } as const;
const WRITER = { user: 'writer', password: 'w' } as const;

let influxd: Influxd;
let bench: ProcessBench;
let processes: DriverProcesses;
let installed: InstalledDriver;

beforeAll(async () => {
  const program = findInfluxd();
  if (program === undefined) throw new Error('There is no influxd on this machine. "npm test" downloads it where there is apt.');
  bench = await ProcessBench.open();
  processes = await bench.processes();
  influxd = await startInfluxd(program);
  await fill(influxd);
  await influxd.query(`CREATE USER "${LIMITED.user}" WITH PASSWORD '${LIMITED.password}'`);
  await influxd.query(`CREATE USER "${WRITER.user}" WITH PASSWORD '${WRITER.password}'`);
  await influxd.query('GRANT READ ON weather TO "limited"');
  await influxd.query(`GRANT WRITE ON weather TO "${WRITER.user}"`);
  const bundle = join(bench.folder, 'bundle');
  await bundleAlone(root, { index: 'docs/examples/influxdb-driver/src/index.ts' }, bundle);
  const manifest = parseManifest(influxPackage.tabularium);
  if (!manifest.ok) throw new Error(manifest.problems.join());
  installed = await bench.driver(await readFile(join(bundle, 'index.js'), 'utf8'), manifest.manifest);
});
afterAll(async () => {
  await bench.close();
  await influxd?.stop();
});

/** Connects as a person would: the host signs in with what the form says. */
async function connect(
  who: { readonly user: string; readonly password: string } | undefined,
  more: Settings = {},
): Promise<Session> {
  const signIn: Settings = who === undefined ? { signIn: 'none' } : { signIn: 'password', user: who.user };
  const settings = { host: '127.0.0.1', port: influxd.port, sslMode: 'off', ...signIn, ...more };
  const secrets: Record<string, string> = who === undefined ? {} : { password: who.password };
  const http = await approvedGrant(installed.manifest, settings, secrets, (path) => readFile(path, 'utf8'));
  return processes.connect({ driver: installed, settings, files: {}, http, signal });
}

/** A session without a process, at any server. */
async function connectTo(origin: string): Promise<{ readonly session: Session; close(): Promise<void> }> {
  const http = createTestHttp(origin, { credentials: { Authorization: authorization(ADMINISTRATOR) } });
  try {
    const session = await driver.definition.connect({ signIn: 'password' }, { http, log: () => undefined }, call);
    return {
      session,
      close: async () => {
        await session.close();
        http.close();
      },
    };
  } catch (error) {
    http.close();
    throw error;
  }
}

async function rowsOf(session: Session, table: TableRef, filter: Filter = NO_FILTER): Promise<Map<string, Cell>[]> {
  const page = await session.readPage({ table, filter, sorts: [], position: { from: 'start' }, limit: 100 }, call);
  const { columns, rows } = decodeBatch(page.batch);
  return rows.map((row) => new Map(columns.map(({ name }, index) => [name, row[index] ?? null])));
}

async function runStatement(session: Session, statement: string): Promise<Cell[][]> {
  const rows: Cell[][] = [];
  for await (const event of session.console?.run(statement, { maxRows: 1_000, signal }) ?? []) {
    if (event.type === 'rows') rows.push(...event.rows.map((row) => [...row]));
  }
  return rows;
}

const where = (column: string, operator: FilterOperator, ...values: string[]): Filter => ({
  match: 'all',
  conditions: [{ column, operator, values }],
});

describe('the InfluxDB example', () => {
  it('keeps the contract of drivers', async () => {
    const { report } = await runConformance(planFor(influxd));
    expect(report.checks.filter(({ outcome }) => outcome === 'broken' || outcome === 'untried')).toEqual([]);
    expect(report.score).toBe(100);
  });

  it('signs in with user name and password, which the host adds', async () => {
    const session = await connect(ADMINISTRATOR);
    expect(session.server).toMatchObject({ product: 'InfluxDB', version: expect.stringMatching(/^1\./) as string });
    expect(await session.listTables(call)).toContainEqual({ ref: READINGS, kind: 'table' });
    expect(await rowsOf(session, READINGS)).toHaveLength(7);
    await session.close();
  });

  it('signs in with a password that has umlauts and colons, and lists what the user may read', async () => {
    const session = await connect(LIMITED);
    expect(await session.listTables(call)).toEqual([{ ref: READINGS, kind: 'table' }]);
    expect(await session.countRows({ table: READINGS, filter: NO_FILTER }, call)).toEqual({ rows: 7, exact: true });
    await expect(session.describeTable({ namespace: ['large'], name: 'log' }, call)).rejects.toMatchObject({
      code: 'ACCESS_REFUSED',
    });
    await expect(runStatement(session, 'DROP DATABASE weather')).rejects.toMatchObject({
      code: 'ACCESS_REFUSED',
      details: { status: '403', serverMessage: expect.stringContaining('not authorized') as string },
    });
    await session.close();
  });

  it('connects a user who may read nothing, and names the databases', async () => {
    const session = await connect(WRITER);
    expect(await session.listTables(call)).toEqual([]);
    expect(session.findings).toContainEqual(
      expect.objectContaining({ outcome: 'warning', message: expect.stringContaining('weather') as string }),
    );
    await session.close();
  });

  it.each([
    ['a wrong password', { user: ADMINISTRATOR.user, password: 'wrong' }, 'ACCESS_REFUSED', 'password'],
    ['an unknown user', { user: 'nobody', password: 'wrong' }, 'ACCESS_REFUSED', 'password'],
    ['no sign-in', undefined, 'CREDENTIALS_MISSING', 'signIn'],
  ])('rejects %s, and names the field', async (_name, who, code, field) => {
    const error: unknown = await connect(who).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code, details: { field, status: '401' } });
    expect(JSON.stringify(error)).not.toContain('wrong');
  });

  it('reads and finds every integer and every time to the last digit', async () => {
    const session = await connect(ADMINISTRATOR);
    const integers = (await rowsOf(session, READINGS)).map((row) => row.get('count')).filter((cell) => cell !== null);
    const expected = ['-9223372036854775808', '9223372036854775807', '9007199254740993', '9007199254740992'];
    expect(integers.map(String).sort()).toEqual(expected.toSorted());
    for (const value of expected) {
      const found = await rowsOf(session, READINGS, where('count', 'equals', value));
      expect(
        found.map((row) => String(row.get('count'))),
        value,
      ).toEqual([value]);
    }
    const times = await rowsOf(session, READINGS, where('time', 'equals', '1500000000000000001'));
    expect(times.map((row) => row.get('time'))).toEqual(Array(2).fill('2017-07-14T02:40:00.000000001Z'));
    const byConsole = await runStatement(session, 'SELECT count FROM weather..readings WHERE time = 1500000000000000001');
    expect(byConsole).toEqual([['2017-07-14T02:40:00.000000001Z', '9007199254740993']]);
    for (const value of ['9223372036854775808', '1.5', '1e3', '0x10', '', '1 OR 1 = 1']) {
      await expect(rowsOf(session, READINGS, where('count', 'equals', value)), value).rejects.toMatchObject({
        code: 'INVALID_INPUT',
      });
    }
    await session.close();
  });

  it('reads names that hold quotes, comments and statements, and answers NOT_FOUND for those that are not there', async () => {
    const { session, close } = await connectTo(influxd.origin);
    const table = { namespace: [HOSTILE_DATABASE], name: HOSTILE_MEASUREMENT };
    expect((await rowsOf(session, table, where('x::tag', 'equals', 't2'))).map((row) => row.get('x::tag'))).toEqual(['t2']);
    const hostile = [
      '"',
      '\\',
      '\\"',
      '"; DROP DATABASE weather; --',
      '/.*/',
      '.*',
      '\n',
      '\r',
      '\0',
      '\ud800',
      '雪',
      '$a',
      "'",
      '"."',
      '*',
    ];
    for (const name of hostile) {
      await expect(rowsOf(session, { namespace: ['weather'], name }), name).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(rowsOf(session, { namespace: [name], name: 'readings' }), name).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    await close();
  });

  it('no value of a filter becomes a part of the statement', async () => {
    const { session, close } = await connectTo(influxd.origin);
    const injections = [
      "' OR '' = '",
      "\\' OR 1 = 1 --",
      "x'; DROP DATABASE weather; --",
      '/ OR 1 = 1 OR note =~ /',
      '\\/ OR 1 = 1 OR note =~ /',
      '\\\\/ OR 1 = 1 OR note =~ /',
      String.raw`\/) OR temp > -100 --`,
      String.raw`\\/) OR temp > -100 --`,
      '.*',
      '*/; DROP DATABASE weather',
      "\n' OR 1=1",
      "\r' OR 1=1",
      "\0' OR 1=1",
      'a\\',
    ];
    const operators: FilterOperator[] = ['equals', 'in', 'contains', 'startsWith', 'endsWith', 'matchesRegex'];
    for (const column of ['note', 'station']) {
      for (const operator of operators) {
        for (const value of injections) {
          if (operator === 'matchesRegex' && value === '.*') continue;
          const found = await rowsOf(session, READINGS, where(column, operator, value)).catch((error: unknown) => error);
          const label = `${column} ${operator} ${JSON.stringify(value)}`;
          if (isDriverError(found)) expect(found.code, label).toBe('INVALID_INPUT');
          else expect(found, label).toEqual([]);
        }
      }
    }
    // To the server, the second of two backslashes escapes a slash after it: the pattern would end in the next one.
    const pair: Filter = {
      match: 'all',
      conditions: [String.raw`\Q\\`, ') OR temp > -100 --'].map((value) => ({
        column: 'note',
        operator: 'matchesRegex',
        values: [value],
      })),
    };
    await expect(rowsOf(session, READINGS, pair)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect(await rowsOf(session, READINGS, where('note', 'matchesRegex', String.raw`x" \\ y|[\\/]b`))).toHaveLength(2);
    expect(await session.countRows({ table: READINGS, filter: NO_FILTER }, call)).toEqual({ rows: 7, exact: true });
    await close();
  });

  it('refuses a time that is joined with OR, which the server would read as another filter', async () => {
    const { session, close } = await connectTo(influxd.origin);
    const filter: Filter = {
      match: 'any',
      conditions: [
        { column: 'time', operator: 'equals', values: ['2'] },
        { column: 'station', operator: 'equals', values: ['b'] },
      ],
    };
    await expect(rowsOf(session, READINGS, filter)).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    expect(await rowsOf(session, READINGS, { ...filter, conditions: filter.conditions.slice(0, 1) })).toHaveLength(1);
    await close();
  });

  it('ends a statement on the server when the console is left early', async () => {
    const { session, close } = await connectTo(influxd.origin);
    const slow = `SELECT * FROM ${Array(200).fill('large..log').join(', ')}`;
    for await (const event of session.console?.run(slow, { maxRows: 500_000, signal }) ?? []) {
      if (event.type === 'rows') break;
    }
    await expect.poll(() => influxd.query('SHOW QUERIES')).not.toContain('large..log');
    await close();
  });

  it('says which statement holds a password, and keeps it out of its errors', async () => {
    const { session, close } = await connectTo(influxd.origin);
    const statement = `CREATE USER limited WITH PASSWORD 'hush'`;
    expect(await session.console?.classify(statement, call)).toMatchObject({ holdsSecret: true, newSecret: 'inStatement' });
    const error: unknown = await runStatement(session, `${statement} 'hush'`).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'INVALID_INPUT' });
    expect(`${String(error)}${JSON.stringify(error)}`).not.toContain('hush');
    await close();
  });
});

describe('the InfluxDB example at servers that misbehave', () => {
  const WHOLE = '{"results":[{"statement_id":0,"series":[{"name":"databases","columns":["name"],"values":[["a"]]}]}]}\n';
  const part = WHOLE.replace('}]}]}', '}],"partial":true}]}');

  /** A server that is InfluxDB by its ping, and answers every statement in one way. */
  async function outcome(respond: (response: ServerResponse) => void, isInflux = true): Promise<string> {
    const server = createServer((request, response) => {
      if (isInflux && request.url === '/ping') response.writeHead(204, { 'X-Influxdb-Version': '1.6.7' }).end();
      else request.resume().on('end', () => respond(response));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const { close } = await connectTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
      await close();
      return 'ok';
    } catch (error) {
      return isDriverError(error) ? error.code : String(error);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }

  it.each<[string, string, (response: ServerResponse) => void]>([
    ['whole after a part', 'ok', (response) => response.end(part + WHOLE)],
    ['without a last line feed', 'ok', (response) => response.end(part + WHOLE.trimEnd())],
    ['cut after a part', 'CONNECTION_LOST', (response) => response.end(part)],
    ['empty', 'CONNECTION_LOST', (response) => response.end()],
    ['cut inside a part', 'BAD_ANSWER', (response) => response.end(part + WHOLE.slice(0, 40))],
    [
      'cut by the connection',
      'CONNECTION_LOST',
      (response) => {
        response.write(part);
        setTimeout(() => response.destroy(), 50);
      },
    ],
    ['an error after a part', 'SERVER_ERROR', (response) => response.end(`${part}{"error":"engine: shard is closed"}\n`)],
    [
      'an error in its results',
      'SERVER_ERROR',
      (response) => response.end('{"results":[{"statement_id":0,"error":"timeout"}]}\n'),
    ],
    ['a row that is too short', 'BAD_ANSWER', (response) => response.end(WHOLE.replace('["a"]', '[]'))],
    ['a page', 'BAD_ANSWER', (response) => response.end('<html></html>')],
    ['JSON of another kind', 'BAD_ANSWER', (response) => response.end('[1]')],
    ['a redirect', 'BAD_ANSWER', (response) => response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end()],
    ['no such path', 'BAD_ANSWER', (response) => response.writeHead(404).end('404 page not found')],
    ['a failure', 'SERVER_ERROR', (response) => response.writeHead(500).end('{"error":"failed"}')],
    ['not ready', 'SERVER_NOT_READY', (response) => response.writeHead(503).end()],
  ])('an answer that is %s: %s', async (_name, expected, respond) => {
    expect(await outcome(respond)).toBe(expected);
  });

  it('another kind of server is named as such', async () => {
    expect(await outcome((response) => response.end('ok'), false)).toBe('BAD_ANSWER');
  });
});
