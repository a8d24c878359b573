import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { manifestSchema } from '@tabularium/sdk/manifest';
import postgresPackage from '../../drivers/postgres/package.json' with { type: 'json' };
import { describeWithServer } from '../../drivers/postgres/src/server.test-helper.ts';
import { administer } from '../../drivers/postgres/src/session.test-helper.ts';
import { socketGrantFor } from '../../host/src/runtime/drivers/broker/socketGrant.ts';
import type { InstalledDriver } from '../../host/src/runtime/drivers/packages/installedDriver.ts';
import type { DriverProcesses, RemoteSession } from '../../host/src/runtime/drivers/processes/driverProcesses.ts';
import { ProcessBench } from '../../host/src/runtime/drivers/processes/processes.test-helper.ts';
import { McpFixture, READING_ROOM } from '../../host/src/runtime/mcp/server/mcpFixture.test-helper.ts';
import { modernRequest, rawRequest } from '../../host/src/runtime/mcp/server/rawRequest.test-helper.ts';
import { bundleAlone } from '../../scripts/build/bundles.ts';
import { root } from '../../scripts/paths.ts';
import { shareOf } from '../../scripts/testing/shareOf.ts';

// A client has a server say its guess of a password: as it is, or computed there. Answers to right and wrong guesses differ in the guess alone,
// whichever connection of the driver's process has the password.

/** The passwords, by connection. All of them sign in through one process of the driver. */
const PASSWORDS = { own: 'S3cretBossPw', other: 'Tr0ubadorKey', closed: 'F0rmerlyHere' } as const;
const WRONG = 'Wr0ngGuess4u';

const reversed = (text: string): string => Array.from(text).toReversed().join('');
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const hex = (text: string): string => Buffer.from(text).toString('hex');

/** SQL for a text, as a client may write it. */
const SPELLINGS: Readonly<Record<string, (guess: string) => string>> = {
  plain: (guess) => `'${guess}'`,
  inParts: (guess) => `('${guess.slice(0, 5)}' || '${guess.slice(5)}')`,
  reversed: (guess) => `reverse('${reversed(guess)}')`,
  replaced: (guess) => `replace('${Array.from(guess).join('_x_')}', '_x_', '')`,
  byCodes: (guess) =>
    `(${Array.from(guess)
      .map((character) => `chr(${character.charCodeAt(0)})`)
      .join(' || ')})`,
  hex: (guess) => `'x${hex(guess)}'`,
  base64: (guess) => `'x${base64(guess)}'`,
};

interface Call {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Ways to have a server say a text that SQL spells. */
const BY_STATEMENT: Readonly<Record<string, (expression: string) => Call>> = {
  execute_query: (expression) => ({ tool: 'execute_query', args: { statement: `SELECT (${expression})::int` } }),
  explain_query: (expression) => ({ tool: 'explain_query', args: { statement: `SELECT (${expression})::int` } }),
  ...Object.fromEntries(
    ['28P01', '28000', '08006', '42501', '57P03', '3D000'].map((state) => [
      `execute_query, an error of the class ${state}`,
      (expression: string) => ({
        tool: 'execute_query',
        args: { statement: `SELECT says('${state}', ${expression})` },
      }),
    ]),
  ),
};

/** Ways to have a server say a text that is an argument, or what a view or trigger makes of it. */
const BY_ARGUMENT: Readonly<Record<string, (guess: string) => Call>> = {
  'execute_query, an identifier': (guess) => ({ tool: 'execute_query', args: { statement: `SELECT "${guess}" FROM numbers` } }),
  'execute_query, of a length that is cut': (guess) => ({
    tool: 'execute_query',
    args: { statement: `SELECT reverse('${reversed(`${guess} ${'p'.repeat(600)} ${guess}`)}')::int` },
  }),
  'browse_table, a filter': (guess) => ({
    tool: 'browse_table',
    args: { table: 'numbers', filters: [{ column: 'a', operator: 'equals', values: [guess] }] },
  }),
  'count_rows, a filter': (guess) => ({
    tool: 'count_rows',
    args: { table: 'numbers', filters: [{ column: 'a', operator: 'equals', values: [guess] }] },
  }),
  'export_table, a filter': (guess) => ({
    tool: 'export_table',
    args: { table: 'numbers', file: 'numbers.jsonl', filters: [{ column: 'a', operator: 'equals', values: [guess] }] },
  }),
  'browse_table, a view': (guess) => ({ tool: 'browse_table', args: { table: `of_${hex(guess)}` } }),
  'count_rows, a view': (guess) => ({ tool: 'count_rows', args: { table: `of_${hex(guess)}` } }),
  'export_table, a view': (guess) => ({ tool: 'export_table', args: { table: `of_${hex(guess)}`, file: 'view.jsonl' } }),
  'describe_table, a name': (guess) => ({ tool: 'describe_table', args: { table: guess } }),
  'insert_rows, a value': (guess) => ({ tool: 'insert_rows', args: { table: 'numbers', rows: [{ id: 1, a: guess }] } }),
  'insert_rows, a trigger': (guess) => ({
    tool: 'insert_rows',
    args: { table: 'turned', rows: [{ id: 1, a: reversed(guess) }] },
  }),
  'import_rows, a value': (guess) => ({
    tool: 'import_rows',
    args: { table: 'numbers', rows: JSON.stringify({ id: 1, a: guess }), format: 'jsonl' },
  }),
  'import_rows, a trigger': (guess) => ({
    tool: 'import_rows',
    args: { table: 'turned', rows: JSON.stringify({ id: 1, a: reversed(guess) }), format: 'jsonl' },
  }),
};

describeWithServer('a client that has PostgreSQL say its guess of a password', (server) => {
  const folder = mkdtempSync(join(tmpdir(), 'guesses-'));
  const fixture = new McpFixture({ requestsPerMinute: () => 1_000_000 });
  const sessions: RemoteSession[] = [];
  let bench: ProcessBench;
  let processes: DriverProcesses;
  let driver: InstalledDriver;
  let port: number;
  let token: string;

  const connect = async (user: string, password: string): Promise<RemoteSession> => {
    const settings = { host: '127.0.0.1', port: server().port, user, database: 'postgres', sslMode: 'disabled' };
    const socket = await socketGrantFor({ ...driver }, settings, (path) => readFile(path, 'utf8'));
    const { signal } = new AbortController();
    return processes.connect({ driver, settings, files: {}, socket, secrets: new Map([['password', password]]), signal });
  };

  beforeAll(async () => {
    const roles = Object.entries(PASSWORDS).map(([name, password]) => `CREATE ROLE ${name}_role LOGIN PASSWORD '${password}';`);
    const views = [...Object.values(PASSWORDS), WRONG].map(
      (guess) =>
        `CREATE VIEW of_${hex(guess)} AS SELECT a FROM (VALUES ('${reversed(guess)}')) AS v (a) WHERE reverse(a)::int > 0;`,
    );
    await administer(
      server(),
      `${roles.join('\n')} ${views.join('\n')} CREATE TABLE numbers (id int PRIMARY KEY, a int); CREATE TABLE turned (id int PRIMARY KEY, a text);
       CREATE FUNCTION says(state text, words text) RETURNS int LANGUAGE plpgsql STABLE AS $$ BEGIN RAISE EXCEPTION '%', words USING ERRCODE = state; END $$;
       CREATE FUNCTION turns() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION '%', reverse(NEW.a); END $$;
       CREATE TRIGGER turns BEFORE INSERT ON turned FOR EACH ROW EXECUTE FUNCTION turns();
       GRANT ALL ON ALL TABLES IN SCHEMA public TO own_role;`,
    );
    bench = await ProcessBench.open();
    processes = await bench.processes();
    const bundles = join(bench.folder, 'bundles');
    await bundleAlone(root, { index: 'drivers/postgres/src/index.ts' }, bundles);
    const manifest = manifestSchema.parse(postgresPackage.tabularium);
    driver = { ...(await bench.driver(await readFile(join(bundles, 'index.js'), 'utf8'), manifest)), allowedGrants: ['secrets'] };
    const own = await connect('own_role', PASSWORDS.own);
    sessions.push(own, await connect('other_role', PASSWORDS.other));
    await (await connect('closed_role', PASSWORDS.closed)).close();
    fixture.manifest = manifest;
    fixture.otherSession = own;
    fixture.secrets = [PASSWORDS.own];
    fixture.exportFolders = [folder];
    fixture.setAccess(READING_ROOM, { externalClients: 'readWrite', aiPolicy: 'alwaysAllow' });
    ({ port } = await fixture.start());
    token = fixture.mint({ scope: 'fullAccess' }).text;
  });
  afterAll(async () => {
    await fixture[Symbol.asyncDispose]();
    for (const session of sessions) await session.close();
    await bench?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The answer, with one word in the place of the guess in all of its spellings. */
  const answerTo = async (make: (guess: string) => Call, guess: string): Promise<string> => {
    const { tool, args } = make(guess);
    const params = { name: tool, arguments: { connection: READING_ROOM, ...args } };
    const { status, text } = await rawRequest(port, { token, ...modernRequest('tools/call', params) });
    return [guess, reversed(guess), hex(guess), base64(guess)]
      .reduce((all, spelling) => all.replaceAll(spelling, 'GUESS'), `${status} ${text.replaceAll(/of_[0-9a-f]+/g, 'of_GUESS')}`)
      .replaceAll(/milliseconds\\?":[\d.]+/gi, 'milliseconds":0');
  };
  const compare = async (make: (guess: string) => Call, right: string): Promise<void> => {
    const answer = await answerTo(make, right);
    // The server says it: otherwise nothing is tried here.
    expect(answer).toContain('GUESS');
    expect(answer).toBe(await answerTo(make, WRONG));
  };

  describe.each(Object.entries(PASSWORDS))('the password of the connection “%s”', (whose, right) => {
    it.each(
      Object.entries(BY_STATEMENT).flatMap(([door, make], at) =>
        shareOf(Object.entries(SPELLINGS), { of: 2, at: at + Object.keys(PASSWORDS).indexOf(whose) }).map(
          ([spelling, spell]) => ({ door, spelling, make: (guess: string) => make(spell(guess)) }),
        ),
      ),
    )('isn’t confirmed by $door, $spelling', ({ make }) => compare(make, right));

    it.each(Object.entries(BY_ARGUMENT))('isn’t confirmed by %s', (__, make) => compare(make, right));
  });

  it('isn’t confirmed by a sign-in that the role made fail with the guess', async () => {
    const answers: string[] = [];
    for (const guess of [PASSWORDS.own, WRONG]) {
      // A role may set this for itself.
      await administer(server(), `ALTER ROLE own_role SET local_preload_libraries = '${guess}'`);
      const fault: unknown = await connect('own_role', PASSWORDS.own).catch((error: unknown) => error);
      await administer(server(), 'ALTER ROLE own_role RESET local_preload_libraries');
      if (!(fault instanceof Error)) throw new Error('The sign-in did not fail.');
      fixture.openingFault = fault;
      answers.push(await answerTo(() => ({ tool: 'list_tables', args: {} }), guess));
      fixture.openingFault = undefined;
    }
    expect(answers[0]).toContain("couldn't be opened");
    expect(answers[0]).toBe(answers[1]);
  });
});
