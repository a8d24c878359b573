import { randomUUID } from 'node:crypto';
import type { ConsoleFacet, ResultEvent } from '@tabularium/sdk';
import { DriverError } from '@tabularium/sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fillVariables, runStatementSchema, searchHistorySchema, variablesOf } from '../../common/console.ts';
import type { RunLine } from '../../common/console.ts';
import { runAnswer } from '../api/runAnswer.ts';
import { silentLogger } from '../storage/logger.ts';
import type { Sessions } from '../data/sessions.ts';
import { FakeWork, collect, never } from '../work.test-helper.ts';
import { ConsoleSessions } from './consoleSessions.ts';
import { MOST_ENTRIES, QueryHistory } from './queryHistory.ts';
import type { HistoryQuery } from './queryHistory.ts';
import { SavedRequests } from './savedRequests.ts';
import { Statements } from './statements.ts';

let work: FakeWork;
let statements: Statements;
let stopped: number;
let storeAnswers: boolean;

const done: ResultEvent = { type: 'done', truncated: false, status: '200 OK', milliseconds: 3 };
const events: readonly ResultEvent[] = [
  { type: 'rowsBegin', columns: [{ name: 'id', kind: 'integer' }] },
  { type: 'rows', rows: [['9007199254740993'], [2]] },
  done,
];

function consoleFacet(run: (statement: string, signal: AbortSignal) => AsyncIterable<ResultEvent>): ConsoleFacet {
  return {
    split: (text) => [{ text, start: 0, end: text.length }],
    classify: async (statement) => ({
      effect: statement.startsWith('drop') ? 'destructive' : statement.startsWith('put') ? 'write' : 'read',
      tables: [],
      summary: `Would ${statement.split(' ')[0]}`,
      ...(statement.includes('own key') ? { holdsSecret: true } : {}),
    }),
    run: (statement, { signal }) => run(statement, signal),
  };
}

/** The connections that were reported as changed. */
const written: string[] = [];

beforeEach(() => {
  stopped = 0;
  written.length = 0;
  storeAnswers = true;
  work = new FakeWork();
  work.session.console = consoleFacet(async function* (statement, signal) {
    if (statement === 'get nothing') throw new DriverError('NOT_FOUND', 'No such thing: hunter2hunter2.');
    try {
      for (const event of events) {
        signal.throwIfAborted();
        yield event;
        if (statement === 'get half') throw new DriverError('CONNECTION_LOST');
      }
    } finally {
      stopped += 1;
    }
  });
  statements = makeStatements(new ConsoleSessions({ sessions: work.sessions, logger: silentLogger }));
});
afterEach(() => work[Symbol.asyncDispose]());

const makeStatements = (
  consoleSessions: Pick<ConsoleSessions, 'of' | 'namespaceOf'>,
  sessions: Pick<Sessions, 'use'> = work.sessions,
): Statements =>
  new Statements({
    sessions,
    consoleSessions,
    secretsOf: async () => (storeAnswers ? ['hunter2hunter2'] : Promise.reject(new Error('locked'))),
    history: new QueryHistory(work.database),
    saved: new SavedRequests(work.database),
    logger: silentLogger,
    onWritten: (connectionId) => written.push(connectionId),
  });

const input = (statement: string, more: object = {}) => ({ connectionId: work.connectionId, statement, ...more });
const history = (more: object = {}) => statements.history.search(historyQuery(more));
/** As the router asks. */
function historyQuery(more: object): HistoryQuery {
  const { connectionId, ...query } = searchHistorySchema.parse(more);
  return { ...query, ...(connectionId === undefined ? {} : { connectionIds: [connectionId] }) };
}
const answerOf = (statement: string, more: object = {}, signal = never): Promise<Response> =>
  runAnswer({ statements }, input(statement, more), signal, () => undefined);

async function linesOf(answer: Response): Promise<RunLine[]> {
  const text = await answer.text();
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as RunLine);
}

describe('the place of a console', () => {
  const text = { text: 'SELECT ', position: 7 };

  it('is what completions are for, where the text has a session', async () => {
    const asked: unknown[] = [];
    work.session.console = {
      ...consoleFacet(async function* () {}),
      complete: async (_text, offset, { namespace }) => {
        asked.push(namespace);
        return { from: offset, items: [] };
      },
      openSession: async () => ({
        context: { namespace: ['sales', 'public'], transaction: 'none' },
        classify: async () => ({ effect: 'read', tables: [], summary: 'Reads' }),
        run: async function* () {},
        endTransaction: async () => ({ transaction: 'none' }),
        close: async () => undefined,
      }),
    };
    const consoleSessions = new ConsoleSessions({ sessions: work.sessions, logger: silentLogger });
    statements = makeStatements(consoleSessions);
    const { connectionId } = work;
    const { sessionId } = await consoleSessions.open(connectionId, never);
    await statements.complete({ connectionId, ...text }, never);
    await statements.complete({ connectionId, ...text, sessionId }, never);
    await statements.complete({ connectionId, ...text, sessionId: randomUUID() }, never);
    expect(asked).toEqual([undefined, ['sales', 'public'], undefined]);
    expect(consoleSessions.namespaceOf(sessionId, randomUUID())).toBeUndefined();
    await consoleSessions[Symbol.asyncDispose]();
  });

  it('can be chosen where the driver has several', async () => {
    const places = [{ namespace: ['sales'], statement: 'move sales' }];
    work.session.console = { ...consoleFacet(async function* () {}), places: async () => places };
    expect(await statements.places(work.connectionId, never)).toEqual(places);
  });

  it('is the only one where the driver names none', async () => {
    expect(await statements.places(work.connectionId, never)).toEqual([]);
  });
});

describe('running a statement', () => {
  it('answers with its events as lines, and remembers it', async () => {
    expect(await linesOf(await answerOf('get all'))).toEqual(events);
    expect(await history()).toMatchObject([{ text: 'get all', changed: false, outcome: 'ok', status: '200 OK', rows: 2 }]);
  });

  it('notifies followers of possible changes, and not of reads', async () => {
    await linesOf(await answerOf('get all'));
    await expect(answerOf('put x')).rejects.toMatchObject({ code: 'APPROVAL_REQUIRED' });
    expect(written).toEqual([]);
    await linesOf(await answerOf('put x', { agreedTo: 'write' }));
    await linesOf(await answerOf('drop x', { agreedTo: 'destructive' }));
    expect(written).toEqual([work.connectionId, work.connectionId]);
  });

  it('runs no more than was agreed to', async () => {
    await expect(answerOf('put x')).rejects.toMatchObject({
      code: 'APPROVAL_REQUIRED',
      message: 'Would put. Nothing was run.',
    });
    await expect(answerOf('drop x', { agreedTo: 'write' })).rejects.toMatchObject({ code: 'APPROVAL_REQUIRED' });
    expect(await history()).toEqual([]);
    expect(await linesOf(await answerOf('drop x', { agreedTo: 'destructive' }))).toHaveLength(3);
  });

  it('gives the driver the most that was agreed to, because a name may stand for something else a moment later', async () => {
    const given: unknown[] = [];
    work.session.console = {
      ...consoleFacet(async function* () {}),
      async *run(_statement, { permitted }) {
        given.push(permitted);
        yield done;
      },
    };
    await linesOf(await answerOf('get all'));
    await linesOf(await answerOf('get all', { agreedTo: 'destructive' }));
    await linesOf(await answerOf('put x', { agreedTo: 'write' }));
    expect(given).toEqual([
      { effect: 'read', unknown: true, tables: [] },
      { effect: 'destructive', unknown: true, tables: [] },
      { effect: 'write', unknown: true, tables: [] },
    ]);
  });

  it('fails with a status of its own before the first line, and with a last line after it', async () => {
    await expect(answerOf('get nothing')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await linesOf(await answerOf('get half'))).at(-1)).toMatchObject({
      type: 'failed',
      report: { code: 'CONNECTION_LOST' },
    });
    expect((await history()).map(({ outcome }) => outcome)).toEqual(['failed', 'failed']);
    expect((await history())[1]?.status).toBe('No such thing: •••.');
  });

  it('stops when the reader stops', async () => {
    const answer = await answerOf('get all');
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    await reader.cancel();
    expect(stopped).toBe(1);
    expect(await history()).toMatchObject([{ outcome: 'cancelled' }]);
  });

  it.each([
    ['in an open transaction', 'open', 'put x', 'Stopped in an open transaction; nothing of it was saved then.'],
    ['without one', 'none', 'put x', 'Stopped before its answer came; its changes may have been made.'],
    ['a commit', 'open', 'COMMIT', 'Stopped before its answer came; its changes may have been made.'],
    ['a read', 'none', 'get x', undefined],
  ] as const)('remembers what is certain of one that was stopped: %s', async (_where, transaction, statement, status) => {
    const { console } = work.session;
    if (console === undefined) throw new Error('The driver has no console.');
    const effect = statement.startsWith('get') ? 'read' : 'write';
    const runner = {
      classify: async () => ({ effect, tables: [], summary: 'It' }) as const,
      run: console.run,
      transaction: () => transaction,
    };
    const { sessions } = work;
    const ofSql: Pick<Sessions, 'use'> = {
      use: (id, action, options) =>
        sessions.use(
          id,
          (open) => action({ ...open, manifest: { ...open.manifest, console: { title: 'SQL', language: 'SQL' } } }),
          options,
        ),
    };
    statements = makeStatements({ of: () => runner, namespaceOf: () => undefined }, ofSql);
    const answer = await answerOf(statement, { agreedTo: 'write', sessionId: randomUUID() });
    await answer.body?.cancel();
    expect(await history()).toMatchObject([{ outcome: 'cancelled' }]);
    expect((await history())[0]?.status).toBe(status);
  });

  it('says so where the driver takes no statements', async () => {
    work.session.console = undefined;
    await expect(answerOf('get all')).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  });

  it('takes nothing but a whole request', () => {
    expect(runStatementSchema.safeParse({ connectionId: 'x', statement: '' }).success).toBe(false);
  });
});

describe('the history', () => {
  it('holds no secret', async () => {
    const secrets = [
      'put {"apiKey": "abc\\"def", "description": "kept"}',
      'get /x?x-some-api-key=abcdef&page=2',
      "put CREATE USER a PASSWORD 'it''s abcdef'",
      'get /\nAuthorization: Bearer abcdef\nAccept: kept',
      'put hunter2hunter2 kept',
    ];
    for (const statement of secrets)
      await collect(await statements.run(runStatementSchema.parse(input(statement, { agreedTo: 'write' })), never));
    const entries = await history();
    expect(entries.every(({ changed, text }) => changed && text.includes('•••'))).toBe(true);
    expect(JSON.stringify(entries)).not.toMatch(/abc|def|hunter2/);
    expect(entries.filter(({ text }) => /kept|page=2/.test(text))).toHaveLength(4);
    expect(JSON.stringify(work.database.connection.prepare('SELECT * FROM console_history').all())).not.toMatch(/abc|hunter2/);
  });

  it("stores only the summary of a statement that may have a secret or isn't classified", async () => {
    await collect(await statements.run(runStatementSchema.parse(input('put my own key', { agreedTo: 'write' })), never));
    storeAnswers = false;
    await collect(await statements.run(runStatementSchema.parse(input('get hunter2hunter2')), never));
    expect((await history()).map(({ text, changed }) => [text, changed])).toEqual([
      ['Would get', true],
      ['Would put', true],
    ]);
  });

  it('is searched by words, letter case aside, and read page by page', async () => {
    for (const text of ['get books', 'get Books 100%', 'put hats']) statements.history.begin(work.connectionId, text, false);
    const other = work.newConnection('Other');
    statements.history.begin(other, 'get books', false);
    const texts = async (more: object): Promise<string[]> => (await history(more)).map(({ text }) => text);
    expect(await texts({ search: 'BOOKS get', connectionId: work.connectionId })).toEqual(['get Books 100%', 'get books']);
    expect(await texts({ search: '0%' })).toEqual(['get Books 100%']);
    expect(await texts({ search: 'b_oks' })).toEqual([]);
    const page = await history({ limit: 2 });
    expect(await texts({ limit: 2, before: page.at(-1)?.id })).toEqual(['get Books 100%', 'get books']);
    statements.history.end(page[0]?.id ?? 0, { outcome: 'ok', milliseconds: 1 });
    statements.history.clear(other);
    expect(await texts({ connectionId: other })).toEqual([]);
    work.connections.remove(work.connectionId);
    expect(await texts({})).toEqual([]);
  });

  it('is bounded, and so is each text in it', async () => {
    const insert = work.database.connection.prepare(
      "INSERT INTO console_history (connection_id, text, changed, started_at, outcome) VALUES (?, 'x', 0, '', 'ok')",
    );
    work.database.transaction(() => {
      for (let index = 0; index < MOST_ENTRIES; index += 1) insert.run(work.connectionId);
    });
    statements.history.begin(work.connectionId, 'y'.repeat(20_000), false);
    expect(work.database.connection.prepare('SELECT count(*) AS n FROM console_history').get()).toEqual({ n: MOST_ENTRIES });
    expect(await history({ limit: 1 })).toMatchObject([{ changed: true, text: 'y'.repeat(10_000), outcome: 'running' }]);
    // In a host that starts, no statement runs.
    expect((await new QueryHistory(work.database).search(historyQuery({ limit: 1 })))[0]?.outcome).toBe('interrupted');
  });
});

describe('saved requests', () => {
  it('belong to a connection or to all of them', () => {
    const other = work.newConnection('Other');
    const mine = statements.saved.save({ connectionId: work.connectionId, name: 'b', text: 'get {{x}}' });
    statements.saved.save({ connectionId: null, name: 'A', text: 'get' });
    statements.saved.save({ connectionId: other, name: 'c', text: 'get' });
    expect(statements.saved.list(work.connectionId).map(({ name }) => name)).toEqual(['A', 'b']);
    expect(statements.saved.save({ id: mine.id, connectionId: null, name: 'z', text: 't' })).toMatchObject({
      id: mine.id,
      name: 'z',
    });
    statements.saved.remove(mine.id);
    expect(() => statements.saved.save({ id: mine.id, connectionId: null, name: 'z', text: 't' })).toThrow('no longer exists');
    expect(() => statements.saved.save({ connectionId: crypto.randomUUID(), name: 'z', text: 't' })).toThrow();
    work.connections.remove(other);
    expect(statements.saved.list(work.connectionId).map(({ name }) => name)).toEqual(['A', 'c']);
  });

  it('have variables that are filled to the letter', () => {
    const text = 'get /{{ name }}/{{name}}?q={{q}}&x={{}}';
    expect(variablesOf(text)).toEqual(['name', 'q']);
    expect(fillVariables(text, { name: '$& {{q}}' })).toBe('get /$& {{q}}/$& {{q}}?q={{q}}&x={{}}');
    expect(fillVariables('{{toString}}', {})).toBe('{{toString}}');
    // A tool's input drops a member of this name, so a request with it could never be run.
    expect(variablesOf('{{__proto__}}{{ __proto__ }}{{__proto__2}}{{constructor}}')).toEqual(['__proto__2', 'constructor']);
    expect(fillVariables('{{__proto__}}', Object.fromEntries([['__proto__', 'x']]))).toBe('{{__proto__}}');
  });
});

describe('a statement as a command of curl', () => {
  it("doesn't exist if statements aren't HTTP requests", async () => {
    await expect(statements.curl({ connectionId: work.connectionId, statement: 'get all' }, never)).rejects.toMatchObject({
      code: 'UNSUPPORTED',
    });
  });
});
