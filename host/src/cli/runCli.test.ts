import { DriverError } from '@tabularium/sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeMachine, fakeConsole } from './cli.test-helper.ts';

let machine: FakeMachine;
beforeEach(async () => {
  machine = await FakeMachine.create();
});
afterEach(() => machine[Symbol.asyncDispose]());

const add = ['connections', 'add', '--driver', 'fixture', '--access-key-env', 'KEY', '--name'];
const env = { KEY: 'hunter2' };

describe('connections', () => {
  it('add saves what the form of the type takes, and a reference to the environment', async () => {
    const words = [
      ...add,
      'Attic',
      '--port',
      '7',
      '--ssl-mode',
      'verify-ca',
      '--external-clients',
      'read-write',
      '--ai-policy',
      'NEVER',
    ];
    expect(await machine.json(words, { env })).toMatchObject({
      name: 'Attic',
      driver: 'fixture',
      settings: { host: 'localhost', port: 7, sslMode: 'verifyCa' },
      access: { externalClients: 'readWrite', aiPolicy: 'never' },
      warnings: [],
    });
    expect(machine.secrets).toEqual([{ accessKey: { kind: 'environment', variable: 'KEY' } }]);
  });

  it('add has the defaults of a new connection', async () => {
    expect(await machine.json([...add, 'Attic'], { env })).toMatchObject({
      access: { externalClients: 'readOnly', aiPolicy: 'askEachTime' },
    });
  });

  it('add warns of a variable that the host does not have', async () => {
    const { code, err } = await machine.run([...add, 'Attic']);
    expect(code).toBe(0);
    expect(err).toContain('Warning: The environment variable KEY is not set.');
  });

  it('add reads secrets from standard input, a line for each', async () => {
    const words = ['connections', 'add', '--driver', 'fixture', '--name', 'Attic', '--access-key-stdin', '--pin-code-stdin'];
    expect((await machine.run(words, { input: 'hunter2\r\n1234\n' })).code).toBe(0);
    expect(machine.secrets).toEqual([
      { accessKey: { kind: 'store', value: 'hunter2' }, pin_code: { kind: 'store', value: '1234' } },
    ]);
    expect((await machine.run(words, { input: 'hunter2\n' })).code).toBe(2);
  });

  it('add keeps no secret where there is no store, and says what to do', async () => {
    machine.store = { available: false, name: 'the store', reason: 'There is no store.' };
    const words = ['connections', 'add', '--driver', 'fixture', '--name', 'Attic', '--access-key-stdin'];
    const { code, out, err } = await machine.run(words, { input: 'hunter2\n' });
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^There is no store\.\nName an environment variable/);
    expect(machine.connections).toEqual([]);
    expect(await machine.json(words, { input: 'hunter2\n' })).toMatchObject({ error: { code: 'SECURE_STORE_UNAVAILABLE' } });
  });

  it('add refuses a secret for the session when the session would end with the command', async () => {
    const words = ['connections', 'add', '--driver', 'fixture', '--name', 'Attic', '--access-key-session'];
    const { code, err } = await machine.run(words, { input: 'hunter2\n' });
    expect(code).toBe(1);
    expect(err).toContain('No host is running');
  });

  it('add names the types that there are', async () => {
    const { code, err } = await machine.run(['connections', 'add', '--driver', 'cupboard', '--name', 'Attic']);
    expect(code).toBe(1);
    expect(err).toContain('Use one of: fixture.');
  });

  it('are listed with the level that holds, because read-only mode and the AI policy leave less than is stored', async () => {
    const open = ['--external-clients', 'readWrite'];
    await machine.run([...add, 'Open', ...open], { env });
    await machine.run([...add, 'Frozen', ...open, '--read-only'], { env });
    await machine.run([...add, 'Unseen', ...open, '--ai-policy', 'never'], { env });
    expect(await machine.json(['connections', 'list'])).toMatchObject({
      connections: [
        { name: 'Open', effectiveExternalClients: 'readWrite' },
        { name: 'Frozen', effectiveExternalClients: 'readOnly', access: { externalClients: 'readWrite', readOnly: true } },
        { name: 'Unseen', effectiveExternalClients: 'blocked' },
      ],
    });
    const { out } = await machine.run(['connections', 'list']);
    expect(out).toMatch(/^Open .* readWrite +askEachTime +off /m);
    expect(out).toMatch(/^Frozen .* readOnly \(stored: readWrite\) +askEachTime +on /m);
    expect(out).toMatch(/^Unseen .* blocked \(stored: readWrite\) +never +off /m);
  });

  it('are listed, tested and removed by name or id', async () => {
    await machine.run([...add, 'Attic'], { env });
    expect(await machine.json(['connections', 'list'])).toMatchObject({ connections: [{ name: 'Attic' }] });
    const tested = await machine.run(['connections', 'test', 'ATTIC']);
    expect(tested).toEqual({ code: 1, out: '✗ TCP: refused (2 ms)\n', err: '' });
    expect(await machine.json(['connections', 'test', 'Attic'])).toEqual({
      ok: false,
      steps: [{ id: 'tcp', label: 'TCP', outcome: 'failed', message: 'refused', milliseconds: 2 }],
    });
    // One that ends before the server responds has no failed step and isn't a success either.
    machine.testSteps = [{ id: 'tcp', label: 'TCP', outcome: 'ok', message: 'reached' }];
    expect(await machine.run(['connections', 'test', 'Attic'])).toEqual({
      code: 1,
      out: '✓ TCP: reached\n',
      err: 'Failed: The test ended before the server responded. Run it again.\n',
    });
    expect(await machine.json(['connections', 'test', 'Attic'])).toMatchObject({ ok: false });
    machine.testSteps = [...machine.testSteps, { id: 'server', label: 'Server', outcome: 'ok', message: 'Fixture 1.0' }];
    expect(await machine.json(['connections', 'test', 'Attic'])).toMatchObject({ ok: true });
    const id = machine.connections[0]?.id ?? '';
    expect(await machine.json(['connections', 'rename', 'attic', 'Loft'])).toEqual({ id, name: 'Loft' });
    expect((await machine.run(['connections', 'rename', 'loft', 'Attic'])).out).toBe('Renamed to "Attic".\n');
    expect(await machine.json(['connections', 'remove', id])).toEqual({ id, name: 'Attic' });
    expect(machine.connections).toEqual([]);
    expect((await machine.run(['connections', 'remove', 'Attic'])).code).toBe(1);
  });
});

describe('drivers', () => {
  it('install prints progress to stderr and the result to stdout', async () => {
    expect(await machine.run(['drivers', 'install', 'fixture', '--version', '2.0.0'])).toEqual({
      code: 0,
      out: 'fixture 2.0.0\n',
      err: 'Looking for the driver…\nInstalled version 2.0.0, signed by Publisher.\n',
    });
    expect(await machine.json(['drivers', 'install', 'fixture'])).toMatchObject({
      id: 'fixture',
      version: '1.0.0',
      milliseconds: 3,
    });
    expect(await machine.json(['drivers', 'install', 'cupboard'])).toMatchObject({ error: { code: 'DRIVER_UNKNOWN' } });
  });

  it('search asks the registry that is named, and looks for every word', async () => {
    expect(await machine.json(['drivers', 'search', 'ORDER', 'fixture'])).toMatchObject({ drivers: [{ id: 'fixture' }] });
    expect(await machine.json(['drivers', 'search', 'order', 'nothing'])).toMatchObject({ drivers: [] });
    expect(await machine.json(['drivers', 'search', '--registry', 'https://r.example/'])).toEqual({
      drivers: [],
      problem: 'https://r.example/',
      catalogues: [],
    });
  });

  it('options shows what a type takes', async () => {
    expect((await machine.run(['drivers', 'options', 'fixture'])).out).toContain('--access-key-env <variable>');
  });
});

describe('tokens', () => {
  it('create answers once with the text, and exactly in the shape that is documented', async () => {
    await machine.run([...add, 'Attic'], { env });
    const token = await machine.json([
      'tokens',
      'create',
      '--name',
      'editor',
      '--scope',
      'read-write',
      '--connections',
      'attic',
      '--expires',
      '30d',
    ]);
    expect(Object.keys(token as object)).toEqual(['id', 'name', 'scope', 'token', 'expiresAt']);
    expect(token).toMatchObject({ name: 'editor', scope: 'readWrite', token: expect.stringMatching(/^tbm_/) as string });
    expect(await machine.json(['tokens', 'list'])).toMatchObject({
      tokens: [{ name: 'editor', connections: ['Attic'], revokedAt: null }],
    });
    expect(JSON.stringify(await machine.json(['tokens', 'list']))).not.toContain((token as { token: string }).token);
  });

  it('create is for every connection and for ever, unless it is said otherwise', async () => {
    expect(await machine.json(['tokens', 'create', '--name', 'a'])).toMatchObject({ scope: 'readOnly', expiresAt: null });
    expect((await machine.run(['tokens', 'create', '--name', 'a', '--connections', ' , '])).code).toBe(2);
    expect(await machine.json(['tokens', 'create', '--name', 'a', '--connections', 'Nowhere'])).toMatchObject({
      error: { code: 'CONNECTION_UNKNOWN' },
    });
    expect(await machine.json(['tokens', 'list'])).toMatchObject({ tokens: [{ connections: 'all' }] });
  });

  it('revoke ends the one that is meant', async () => {
    await machine.run(['tokens', 'create', '--name', 'a']);
    await machine.run(['tokens', 'create', '--name', 'a']);
    expect((await machine.run(['tokens', 'revoke', 'a'])).err).toContain('2 tokens are named "a"');
    const { tokens } = (await machine.json(['tokens', 'list'])) as { tokens: { id: string }[] };
    expect(await machine.json(['tokens', 'revoke', tokens[1]?.id ?? ''])).toMatchObject({ name: 'a' });
    expect((await machine.run(['tokens', 'revoke', 'a'])).code).toBe(0);
    expect((await machine.run(['tokens', 'revoke', 'a'])).code).toBe(1);
  });
});

describe('reading', () => {
  beforeEach(async () => {
    await machine.run([...add, 'Attic'], { env });
  });

  it('tables gives names and numbers of rows', async () => {
    machine.database.tables = [
      { ref: { namespace: [], name: 'boxes' }, kind: 'table', count: { rows: 3, exact: true } },
      { ref: { namespace: ['main', 'x'], name: 'v' }, kind: 'view' },
      { ref: { namespace: [], name: 'big' }, kind: 'table', count: { rows: 10, exact: false } },
    ];
    expect(await machine.json(['tables', 'Attic'])).toEqual({
      tables: [
        { name: 'boxes', rows: 3 },
        { name: 'main.x.v', rows: null },
        { name: 'big', rows: 10, estimated: true },
      ],
    });
    expect((await machine.run(['tables', 'Attic'])).out).toBe('NAME      ROWS\nboxes        3\nmain.x.v     ?\nbig        ~10\n');
  });

  it('tables prints the tables of the session, and fails if none could be listed', async () => {
    const ok = { label: 'Version', outcome: 'ok' as const, message: 'It answers.' };
    const refused = { label: 'API key', outcome: 'failed' as const, message: 'The server refuses the key.' };
    const old = { label: 'Version', outcome: 'warning' as const, message: 'It is old.' };
    machine.database.findings = [ok, refused];
    expect(await machine.run(['tables', 'Attic'])).toEqual({
      code: 1,
      out: 'NAME  ROWS\n',
      err: 'Failed: API key: The server refuses the key.\n',
    });
    const { code, out, err } = await machine.run(['tables', 'Attic', '--json']);
    expect([code, JSON.parse(out), err]).toEqual([1, { tables: [], findings: [refused] }, '']);
    machine.database.findings = [ok, old];
    expect(await machine.run(['tables', 'Attic'])).toMatchObject({ code: 0, err: 'Warning: Version: It is old.\n' });
    machine.database.findings = [ok];
    expect(await machine.json(['tables', 'Attic'])).toEqual({ tables: [] });
    machine.database.findings = [refused];
    machine.database.tables = [{ ref: { namespace: [], name: 'boxes' }, kind: 'table' }];
    expect((await machine.run(['tables', 'Attic'])).code).toBe(0);
  });

  it('tables puts what was opened by name under a heading of its own, and leaves the list of the database as it is', async () => {
    machine.database.named = [
      { namespace: [], name: 'attic' },
      { namespace: ['main'], name: 'cellar' },
    ];
    expect(await machine.json(['tables', 'Attic'])).toEqual({
      tables: [],
      namedTables: [
        { name: 'attic', openedByName: true },
        { name: 'main.cellar', openedByName: true },
      ],
    });
    expect((await machine.run(['tables', 'Attic'])).out).toBe('NAME  ROWS\n\nOPENED BY NAME\nattic\nmain.cellar\n');
  });

  it('query says that a text holds no statement, without opening anything', async () => {
    for (const text of ['', ' \n'])
      expect(await machine.json(['query', 'Attic', text])).toMatchObject({
        error: { code: 'INVALID_REQUEST', message: 'There is no statement in this text.' },
      });
  });

  it('query rejects an invalid statement before it asks for confirmation', async () => {
    const console = fakeConsole([]);
    console.classify = () => Promise.reject(new DriverError('INVALID_INPUT', '“x” was not sent: it is no request.'));
    machine.database.console = console;
    expect(await machine.json(['query', 'Attic', 'x'])).toMatchObject({
      error: { code: 'INVALID_INPUT', message: '“x” was not sent: it is no request.' },
    });
    expect(console.ran).toEqual([]);
  });

  it('query says at which line and column of the text a statement fails', async () => {
    const console = fakeConsole([]);
    console.split = (text) => [{ text: text.slice(6), start: 6, end: text.length }];
    console.classify = (statement) =>
      Promise.reject(new DriverError('INVALID_INPUT', 'It is wrong.', { details: { offset: statement.indexOf('naem') } }));
    machine.database.console = console;
    const { code, err } = await machine.run(['query', 'Attic', 'read;\n\n  naem']);
    expect([code, err]).toEqual([1, expect.stringMatching(/^It is wrong\.\nAt line 3, column 3\.\n./)]);
    expect(await machine.json(['query', 'Attic', 'read;\n\n  naem'])).toMatchObject({
      error: { details: { offset: 9 }, place: { line: 3, column: 3 } },
    });
  });

  it('query runs what only reads, exactly', async () => {
    machine.database.console = fakeConsole([
      { type: 'rowsBegin', columns: [{ name: 'n', kind: 'integer' }] },
      { type: 'rows', rows: [['9007199254740993']] },
      { type: 'done', truncated: false, milliseconds: 1 },
    ]);
    const { code, out } = await machine.run(['query', 'Attic', 'read', '--json']);
    expect(code).toBe(0);
    expect(out).toContain('{"n":9007199254740993}');
    expect((await machine.run(['query', 'Attic', '-', '--max-rows', '5'], { input: 'read' })).out).toContain('9007199254740993');
  });

  it('query runs no change before confirmation, nor the statements before it', async () => {
    const console = fakeConsole([{ type: 'done', truncated: false, milliseconds: 1 }]);
    machine.database.console = console;
    const { code, err } = await machine.run(['query', 'Attic', 'read; alter; destroy']);
    expect(code).toBe(1);
    expect(err).toContain(
      'This destroys data that cannot be brought back: alter everything; destroy everything. Nothing was run.',
    );
    expect(await machine.json(['query', 'Attic', 'alter'])).toMatchObject({ error: { code: 'APPROVAL_REQUIRED' } });
    expect(console.ran).toEqual([]);
    expect((await machine.run(['query', 'Attic', 'read; alter; destroy', '--yes'])).code).toBe(0);
    expect(console.ran).toEqual(['read', 'alter', 'destroy']);
  });

  it('query says that a type without a console has none', async () => {
    expect(await machine.json(['query', 'Attic', 'read'])).toMatchObject({
      error: { code: 'UNSUPPORTED', message: 'Fixture takes no statements.' },
    });
  });

  it('lets no words of a server or a package steer the terminal', async () => {
    const console = fakeConsole([]);
    console.run = async function* () {
      await Promise.resolve();
      yield* [];
      throw new DriverError('SERVER_ERROR', 'It says: \u001b[2J\u001b]0;x\u0007\u202egone');
    };
    machine.database.console = console;
    const { err } = await machine.run(['query', 'Attic', 'read']);
    expect(err).toContain('It says: ');
    expect(err).not.toMatch(/[\u001b\u0007\u202e]/);
  });

  it('an error in the middle of a result is printed to stderr, and the result stays incomplete', async () => {
    const console = fakeConsole([]);
    console.run = async function* () {
      yield { type: 'rowsBegin', columns: [{ name: 'n', kind: 'integer' }] };
      await Promise.resolve();
      throw new Error('gone');
    };
    machine.database.console = console;
    const { code, out, err } = await machine.run(['query', 'Attic', 'read', '--json']);
    expect(code).toBe(1);
    expect(err).toContain('Tabularium had an internal error');
    expect(() => JSON.parse(out) as unknown).toThrow();
    expect(out).not.toContain('error');
  });
});

describe('the command line', () => {
  it('says in a sentence which value cannot be used', async () => {
    const message = async (words: string[]): Promise<unknown> =>
      ((await machine.json(words)) as { error: { code: string; message: string } }).error;
    expect(await message(['drivers', 'trust', 'ab'])).toMatchObject({
      code: 'INVALID_REQUEST',
      message: 'The value of "fingerprint" cannot be used: a fingerprint has 64 hexadecimal digits.',
    });
    expect(await message(['drivers', 'rollback', ''])).toMatchObject({
      code: 'INVALID_REQUEST',
      message: 'The value of "driver" must not be empty.',
    });
  });

  it('gives an advice once', async () => {
    const { error } = (await machine.json(['tables', 'Nowhere'])) as { error: Record<string, unknown> };
    expect(error['advice']).toBe('Run "tabularium connections list" to see which there are.');
    expect(error['details']).toEqual({});
  });

  it.each([
    [['--version'], 0],
    [['--help'], 0],
    [['connections', '--help'], 0],
    [['nothing'], 2],
    [['query'], 2],
    [['query', 'a', 'b', '--max-rows', '0'], 2],
    [['serve', '--port', '70000'], 2],
    [['tokens', 'create', '--name', 'a', '--scope', 'everything'], 2],
    [['connections', 'add', '--driver', 'fixture', '--name', 'Attic', '--colour', 'red'], 2],
    [['url'], 1],
  ])('%j ends with %i', async (words, code) => {
    expect((await machine.run(words)).code).toBe(code);
  });

  it('says where it is used wrongly on stderr, and nothing on stdout', async () => {
    expect(await machine.run(['nothing'])).toEqual({ code: 2, out: '', err: "error: unknown command 'nothing'\n" });
  });

  it('ends with 130 when it is interrupted', async () => {
    const interrupted = AbortSignal.abort(new DOMException('Interrupted.', 'AbortError'));
    expect((await machine.run(['connections', 'list'], { signal: interrupted })).code).toBe(130);
  });
});
