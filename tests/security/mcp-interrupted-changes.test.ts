import { DriverError } from '@tabularium/sdk';
import type { ChangeOutcome, EditsFacet, ResultEvent } from '@tabularium/sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { McpFixture, READING_ROOM } from '../../host/src/runtime/mcp/server/mcpFixture.test-helper.ts';
import { MODERN_META, rawRequest } from '../../host/src/runtime/mcp/server/rawRequest.test-helper.ts';

// A change that was sent is never reported as one that wasn't: a model that sends it again would make it twice.

let fixture: McpFixture;
let port: number;
let token: string;

beforeEach(async () => {
  fixture = new McpFixture();
  ({ port } = await fixture.start());
  token = fixture.mint({ scope: 'fullAccess', name: 'Token' }).text;
  fixture.setAccess(READING_ROOM, { externalClients: 'readWrite', aiPolicy: 'alwaysAllow' });
});
afterEach(() => fixture[Symbol.asyncDispose]());

interface Answer {
  readonly result?: { readonly isError?: boolean; readonly content?: readonly { readonly text: string }[] };
  readonly error?: { readonly code: number; readonly message: string };
}

/** @param args - an object, or the JSON of one with numbers that no object holds */
async function call(tool: string, args: object | string): Promise<string> {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: tool, arguments: { connection: READING_ROOM }, _meta: MODERN_META },
  });
  const more = typeof args === 'string' ? args : JSON.stringify(args);
  const { json } = await rawRequest(port, {
    token,
    headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': tool },
    body: body.replace(
      `"connection":"${READING_ROOM}"`,
      `"connection":"${READING_ROOM}"${more === '{}' ? '' : `,${more.slice(1, -1)}`}`,
    ),
  });
  const { result, error } = json as Answer;
  return error?.message ?? result?.content?.[0]?.text ?? '';
}

function edits(): EditsFacet {
  const { edits: facet } = fixture.session;
  if (facet === undefined) throw new Error('The library has edits.');
  return facet;
}

const changes = (): readonly string[] => fixture.session.calls.filter((made) => made.startsWith('CHANGE'));
const rows = (count: number): object => ({
  table: 'books',
  rows: Array.from({ length: count }, (_, number) => ({ number, title: `Book ${number}` })),
});
const MAY_HAVE = /It may have been carried out: look at what is there before you send it again\./;

describe('a change whose end is not known', () => {
  it.each([
    ['write it', MAY_HAVE],
    ['read 3', /Ask for less at once\./],
  ])('is said to be possible where the time of “%s” was over only if it changes something', async (statement, advice) => {
    const { console: facet } = fixture.session;
    if (facet === undefined) throw new Error('The library has a console.');
    const original = facet.run.bind(facet);
    facet.run = (text, options) => {
      fixture.session.gate = new Promise(() => undefined);
      return original(text, options);
    };
    const answer = await call('execute_query', { statement, timeoutSeconds: 1 });
    expect(answer).toMatch(/^TIMEOUT: /);
    expect(answer).toMatch(advice);
  });

  it('is known where the driver says what held the statement up, before the time is over that it is given', async () => {
    const { console: facet } = fixture.session;
    if (facet === undefined) throw new Error('The library has a console.');
    const limits: (number | undefined)[] = [];
    facet.run = async function* (_statement, { timeLimit }) {
      limits.push(timeLimit);
      yield* [] as ResultEvent[];
      throw new DriverError('CONFLICT', 'It waited for process 7. Nothing was changed.');
    };
    expect(await call('execute_query', { statement: 'read 3', timeoutSeconds: 5 })).toMatch(
      /^CONFLICT: It waited for process 7\./,
    );
    expect(limits).toEqual([expect.any(Number)]);
    expect(limits[0]).toBeGreaterThan(3_000);
    expect(limits[0]).toBeLessThanOrEqual(5_000);
  });

  it.each([
    ['CONNECTION_LOST', MAY_HAVE],
    ['DRIVER_CRASHED', MAY_HAVE],
    ['INVALID_INPUT', /^(?!.*may have been)/],
  ] as const)('is said to be possible after %s where the driver does not rule it out', async (code, words) => {
    edits().apply = async function* () {
      yield* [] as ChangeOutcome[];
      throw new DriverError(code);
    };
    expect(await call('insert_rows', rows(2))).toMatch(words);
  });

  it.each([
    ['CONNECTION_LOST', 'unknown'],
    ['ACCESS_REFUSED', 'notTried'],
  ] as const)('leaves what was done before %s in the answer', async (code, outcome) => {
    edits().apply = async function* () {
      yield { index: 0, outcome: 'saved', key: ['north', '1'] };
      yield { index: 2, outcome: 'saved', key: ['north', '3'] };
      throw new DriverError(code);
    };
    const answer = JSON.parse(await call('insert_rows', rows(4))) as {
      changed: number;
      failed: { row: number; outcome: string }[];
      keys: unknown[];
      notes: string[];
    };
    expect(answer).toMatchObject({
      changed: 2,
      failed: [
        { row: 1, outcome },
        { row: 3, outcome },
      ],
    });
    expect(answer.keys).toHaveLength(2);
    expect(answer.notes[0]).toContain(code);
    expect(fixture.reports.at(-1)).toMatchObject({ outcome: 'failed', code });
  });

  it('leaves the written rows of an import in the answer', async () => {
    const { import: facet } = fixture.session;
    if (facet === undefined) throw new Error('The library has imports.');
    facet.write = async function* () {
      yield { outcome: 'written' };
      throw new DriverError('CONNECTION_LOST');
    };
    const answer = await call('import_rows', { table: 'books', rows: '{"number":1}\n{"number":2}\n{"number":3}\n' });
    expect(JSON.parse(answer)).toMatchObject({
      read: 3,
      written: 1,
      rejected: 0,
      notes: [expect.stringMatching(/other 2 rows may have been written/)],
    });
  });
});

describe('an approved change', () => {
  it('is not made where it would do something else by the time of the answer', async () => {
    fixture.setAccess(READING_ROOM, { externalClients: 'readWrite', aiPolicy: 'askEachTime' });
    const windowIsOpen = new AbortController();
    const asked = Promise.withResolvers<{ readonly id: string; readonly digest: string }>();
    const watching = (async () => {
      for await (const [pending] of fixture.queue.watch(windowIsOpen.signal)) if (pending !== undefined) asked.resolve(pending);
    })();
    const answer = call('update_rows', {
      table: 'books',
      rows: [{ key: { library: 'north', number: 1 }, values: { title: 'A' } }],
    });
    const { id, digest } = await asked.promise;
    const original = edits().prepare.bind(edits());
    // A migration adds a trigger while the person reads.
    edits().prepare = async (...args) =>
      (await original(...args)).map((change) => (change.ready ? { ...change, effect: 'destructive' as const } : change));
    fixture.queue.answer(id, 'once', digest);
    expect(await answer).toMatch(/^CONFLICT: The change would do something else now/);
    expect(changes()).toEqual([]);
    windowIsOpen.abort();
    await watching;
  });

  it('is prepared once where no person was asked about it, but about all of a connection', async () => {
    fixture.setAccess(READING_ROOM, { externalClients: 'readWrite', aiPolicy: 'askEachTime' });
    const windowIsOpen = new AbortController();
    const asked = Promise.withResolvers<{ readonly id: string; readonly digest: string }>();
    const watching = (async () => {
      for await (const [pending] of fixture.queue.watch(windowIsOpen.signal)) if (pending !== undefined) asked.resolve(pending);
    })();
    const first = call('insert_rows', rows(1));
    const { id, digest } = await asked.promise;
    fixture.queue.answer(id, 'connection', digest);
    expect(JSON.parse(await first)).toMatchObject({ changed: 1 });
    fixture.session.calls.length = 0;
    expect(JSON.parse(await call('insert_rows', rows(1)))).toMatchObject({ changed: 1 });
    expect(fixture.session.calls.filter((made) => made.startsWith('prepare'))).toHaveLength(1);
    windowIsOpen.abort();
    await watching;
  });

  it('is classified again just before it runs where it could not be judged', async () => {
    const { console: facet } = fixture.session;
    if (facet === undefined) throw new Error('The library has a console.');
    const original = facet.classify.bind(facet);
    let times = 0;
    facet.classify = async (...args) => ({
      ...(await original(...args)),
      effect: 'read',
      unknown: true,
      summary: `Look ${(times += 1)}`,
    });
    expect(await call('confirm_destructive_operation', { statement: 'murky' })).toMatch(/^CONFLICT/);
    expect(times).toBe(2);
    expect(changes()).toEqual([]);
  });
});

describe('a number that a double does not hold', () => {
  it.each([
    ['count_rows', '{"table":"books","filters":[{"column":"number","operator":"equals","values":[9007199254740993]}]}'],
    ['insert_rows', '{"table":"books","rows":[{"title":{"ref":[1,9007199254740993]}}]}'],
    ['insert_rows', '{"table":"books","rows":[{"number":1234567.12345678901234}]}'],
    ['delete_rows', '{"table":"books","keys":[{"library":"north","number":9007199254740993}]}'],
  ])('is refused by %s before anything reaches the driver', async (tool, args) => {
    expect(await call(tool, args)).toMatch(
      /^The number (9007199254740993|1234567\.12345678901234) has more digits .* Nothing was done\./,
    );
    expect(fixture.session.calls).toEqual([]);
  });

  it('is taken as the string of its digits', async () => {
    const answer = await call('insert_rows', '{"table":"books","rows":[{"number":"9007199254740993"}]}');
    expect(JSON.parse(answer)).toMatchObject({ changed: 1 });
    expect(changes()[0]).toContain('"9007199254740993"');
  });
});

describe('an answer that could have thousands of entries', () => {
  it('holds as much of the history as a model reads, and says which statements are not whole', async () => {
    fixture.history = Array.from({ length: 50 }, (_, index) => ({
      connectionId: READING_ROOM,
      statement: index === 0 ? 'DELETE FROM books' : 'x'.repeat(10_000),
      isWhole: index !== 0,
      time: '2026-11-20T08:00:00.000Z',
      outcome: 'ok',
    }));
    const answer = await call('search_query_history', {});
    expect(answer.length).toBeLessThan(60_000);
    const { entries, notes } = JSON.parse(answer) as { entries: { statement: string }[]; notes: string[] };
    expect(entries[0]?.statement).toBe('DELETE FROM books… (not the whole statement that was run)');
    expect(entries[1]?.statement).toMatch(/^x{4000}… \(cut: not the whole statement\)$/);
    expect(notes).toEqual([`${50 - entries.length} more are left out: search for a text, or ask for fewer.`]);
  });

  it('holds as many principals as a model reads', async () => {
    const { principals } = fixture.session;
    if (principals === undefined) throw new Error('The library has principals.');
    const [one] = await principals.list({ signal: new AbortController().signal });
    if (one === undefined) throw new Error('The library has a reader.');
    principals.list = async () => Array.from({ length: 3_000 }, (_, index) => ({ ...one, id: String(index) }));
    const answer = await call('list_principals', {});
    expect(answer.length).toBeLessThan(60_000);
    expect(JSON.parse(answer)).toMatchObject({ notes: [expect.stringMatching(/^\d+ more are left out\.$/)] });
  });
});
