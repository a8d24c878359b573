import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ApprovalAnswer, PendingApproval } from '../../host/src/common/integrations.ts';
import type { SavedConnection } from '../../host/src/common/connection.ts';
import { approvalText } from '../../host/src/common/approvalText.ts';
import type { ApprovalQuestion } from '../../host/src/runtime/mcp/approvals/approvalQuestion.ts';
import { connectionTarget } from '../../host/src/runtime/connections/connectionTarget.ts';
import { ARCHIVE, McpFixture, READING_ROOM } from '../../host/src/runtime/mcp/server/mcpFixture.test-helper.ts';
import { TICKET_MILLISECONDS } from '../../host/src/runtime/mcp/approvals/approvalTickets.ts';
import { LATE_ANSWER_MILLISECONDS, MOST_PENDING_OF_ONE } from '../../host/src/runtime/mcp/approvals/approvalQueue.ts';
import { MODERN_META, initializeBody, rawRequest } from '../../host/src/runtime/mcp/server/rawRequest.test-helper.ts';

let fixture: McpFixture;
let port: number;
let token: string;

beforeEach(async () => {
  fixture = new McpFixture();
  ({ port } = await fixture.start());
  token = fixture.mint({ scope: 'fullAccess', name: 'Writer' }).text;
  fixture.setAccess(READING_ROOM, { externalClients: 'readWrite', aiPolicy: 'askEachTime' });
});
afterEach(() => fixture[Symbol.asyncDispose]());

interface Answer {
  readonly result?: {
    readonly resultType: string;
    readonly isError?: boolean;
    readonly requestState?: string;
    readonly inputRequests?: Record<string, { method: string; params: { message: string } }>;
    readonly content?: readonly { readonly text: string }[];
  };
  readonly error?: { readonly code: number; readonly data?: unknown };
}

interface CallOptions {
  readonly token?: string;
  readonly tool?: string;
  readonly elicitation?: object | null;
  readonly signal?: AbortSignal;
  readonly more?: object;
}

const WRITE = { connection: READING_ROOM, statement: 'write it' };

function body(args: object, { tool = 'execute_query', elicitation = {}, more = {} }: CallOptions): object {
  const capabilities = elicitation === null ? {} : { elicitation };
  return {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {
      name: tool,
      arguments: args,
      _meta: { ...MODERN_META, 'io.modelcontextprotocol/clientCapabilities': capabilities },
      ...more,
    },
  };
}

async function call(args: object, options: CallOptions = {}): Promise<Answer> {
  const { json } = await rawRequest(port, {
    token: options.token ?? token,
    headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': options.tool ?? 'execute_query' },
    body: body(args, options),
  });
  return json as Answer;
}

const accepted = (requestState: string | undefined, content: object = { approved: true }): CallOptions => ({
  more: { requestState, inputResponses: { approve: { action: 'accept', content } } },
});
const changes = (): string[] => fixture.session.calls.filter((name) => name.startsWith('CHANGE'));
const textOf = (answer: Answer): string => answer.result?.content?.[0]?.text ?? JSON.stringify(answer.error);
const badTicket = { error: { code: -32_602, data: { reason: 'invalid_request_state' } } };

describe('approval by the client', () => {
  it('hands out a question that says what would be done, and does it once when it is accepted', async () => {
    const asked = await call(WRITE);
    expect(asked.result).toMatchObject({ resultType: 'input_required' });
    expect(asked.result?.inputRequests?.['approve']?.params.message).toContain('"Reading room"');
    expect(asked.result?.inputRequests?.['approve']?.params.message).toContain('write it');
    expect(changes()).toEqual([]);
    const done = await call(WRITE, accepted(asked.result?.requestState));
    expect(done.result?.isError).toBeUndefined();
    expect(changes()).toEqual(['CHANGE run write it']);
    expect(fixture.reports.at(-1)).toMatchObject({ outcome: 'done', approvedBy: 'client', statement: 'write it' });
    // The same proof a second time isn't a second approval.
    expect(await call(WRITE, accepted(asked.result?.requestState))).toMatchObject(badTicket);
    expect(changes()).toHaveLength(1);
  });

  it('does not let an approval be used for anything else', async () => {
    const other = fixture.mint({ scope: 'fullAccess', name: 'Other' }).text;
    fixture.setAccess(ARCHIVE, { externalClients: 'readWrite', aiPolicy: 'askEachTime' });
    const attempts: readonly (readonly [object, CallOptions])[] = [
      [{ ...WRITE, statement: 'write something else' }, {}],
      [{ ...WRITE, maxRows: 7 }, {}],
      [{ ...WRITE, connection: ARCHIVE }, {}],
      [WRITE, { token: other }],
      [{ connection: READING_ROOM, statement: 'destroy it' }, { tool: 'confirm_destructive_operation' }],
    ];
    for (const [args, options] of attempts) {
      const asked = await call(WRITE);
      const ticket = accepted(asked.result?.requestState);
      expect(await call(args, { ...options, ...ticket })).toMatchObject(badTicket);
      // The attempt has used it up.
      expect(await call(WRITE, ticket)).toMatchObject(badTicket);
    }
    expect(changes()).toEqual([]);
  });

  it('counts for no other thing that the same call does now, and the tool says so', async () => {
    const asked = await call(WRITE);
    const changed = { effect: 'write', tables: [], summary: 'Statement: write (audit.orders)' } as const;
    if (fixture.session.console !== undefined) vi.spyOn(fixture.session.console, 'classify').mockResolvedValue(changed);
    const answer = await call(WRITE, accepted(asked.result?.requestState));
    expect(answer.result?.isError).toBe(true);
    expect(textOf(answer)).toMatch(/^CONFLICT: .*has changed since the person was asked.*Nothing was changed\./);
    expect(await call(WRITE, accepted(asked.result?.requestState))).toMatchObject(badTicket);
    expect(changes()).toEqual([]);
  });

  it('does not take a proof that it did not hand out', async () => {
    const asked = await call(WRITE);
    const ticket = asked.result?.requestState ?? '';
    for (const forged of ['', 'x', `${ticket}x`, ticket.slice(1), ticket.toUpperCase(), 'A'.repeat(43)]) {
      expect(await call(WRITE, accepted(forged)), forged).toMatchObject(badTicket);
    }
    expect(changes()).toEqual([]);
  });

  it('expires', async () => {
    const asked = await call(WRITE);
    fixture.now += TICKET_MILLISECONDS;
    expect(await call(WRITE, accepted(asked.result?.requestState))).toMatchObject(badTicket);
  });

  it.each<readonly [string, object]>([
    ['a decline', { inputResponses: { approve: { action: 'decline' } } }],
    ['a cancel', { inputResponses: { approve: { action: 'cancel' } } }],
    ['an unticked box', { inputResponses: { approve: { action: 'accept', content: { approved: false } } } }],
    ['a truthy text', { inputResponses: { approve: { action: 'accept', content: { approved: 'true' } } } }],
    ['no content', { inputResponses: { approve: { action: 'accept' } } }],
    ['an answer to another question', { inputResponses: { other: { action: 'accept', content: { approved: true } } } }],
    ['no answer', {}],
  ])('takes %s as no', async (_, more) => {
    const { result } = await call(WRITE);
    const answer = await call(WRITE, { more: { requestState: result?.requestState, ...more } });
    expect(textOf(answer)).toMatch(/^APPROVAL_DECLINED: .*Nothing was changed\./);
    expect(changes()).toEqual([]);
  });

  it('takes an answer without a question for nothing', async () => {
    const answer = await call(WRITE, {
      more: { inputResponses: { approve: { action: 'accept', content: { approved: true } } } },
    });
    expect(answer.result?.resultType).toBe('input_required');
    expect(changes()).toEqual([]);
  });

  it('counts only while the access lasts', async () => {
    const asked = await call(WRITE);
    fixture.setAccess(READING_ROOM, { externalClients: 'readOnly' });
    expect(textOf(await call(WRITE, accepted(asked.result?.requestState)))).toMatch(
      /^READ_ONLY: External clients can only read this connection/,
    );
    fixture.setAccess(READING_ROOM, { externalClients: 'blocked' });
    expect(await call(WRITE, accepted(asked.result?.requestState))).toMatchObject({ error: { code: -33_007 } });
    expect(changes()).toEqual([]);
  });

  it('goes to the window if the client lacks forms or the owner requires it', async () => {
    for (const elicitation of [null, { url: {} }]) {
      expect(textOf(await call(WRITE, { elicitation }))).toMatch(/^APPROVAL_REQUIRED: .*A person must approve this change/s);
    }
    const asked = await call(WRITE);
    fixture.clientsMayAsk = false;
    expect(textOf(await call(WRITE))).toMatch(
      /^APPROVAL_REQUIRED: .*Open the Tabularium window.* Always allow in its Advanced pane\.$/s,
    );
    expect(await call(WRITE, accepted(asked.result?.requestState))).toMatchObject(badTicket);
    expect(changes()).toEqual([]);
  });
});

describe.each(['2025-11-25', '2025-06-18'])('approval by a client of %s', (version) => {
  it.each([
    ['accept', true],
    ['decline', false],
  ] as const)('travels on the stream of its request: %s', async (action, isDone) => {
    const client = new FirstClient({ name: 'old', version: '1' }, { capabilities: { elicitation: {} } });
    const asked: string[] = [];
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
      asked.push(params.message);
      return action === 'accept' ? { action, content: { approved: true } } : { action };
    });
    const transport = new FirstTransport(new URL(fixture.address.url), {
      requestInit: { headers: { authorization: `Bearer ${token}`, 'mcp-protocol-version': version } },
    });
    await client.connect(transport);
    const answer = await client.callTool({ name: 'execute_query', arguments: WRITE });
    await client.close();
    expect(asked).toHaveLength(1);
    expect(answer.isError === true).toBe(!isDone);
    expect(changes()).toHaveLength(isDone ? 1 : 0);
  });
});

it('an official client of 2026-07-28 answers it automatically', async () => {
  const client = new ModernClient(
    { name: 'new', version: '1' },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  client.setRequestHandler('elicitation/create', async () => ({ action: 'accept', content: { approved: true } }));
  await client.connect(
    new ModernTransport(new URL(fixture.address.url), { requestInit: { headers: { authorization: `Bearer ${token}` } } }),
  );
  const answer = await client.callTool({ name: 'execute_query', arguments: WRITE });
  await client.close();
  expect(answer.isError).toBeUndefined();
  expect(changes()).toHaveLength(1);
});

describe('an approval of a connection that is changed meanwhile', () => {
  it('by the client is none for another server', async () => {
    const asked = await call(WRITE);
    fixture.setSettings(READING_ROOM, { host: 'production' });
    expect(await call(WRITE, accepted(asked.result?.requestState))).toMatchObject(badTicket);
    expect(changes()).toEqual([]);
  });
});

/** A question of a client, as a call makes it. */
function question(client: string, count: number): ApprovalQuestion {
  const connection = fixture.connections.find(({ id }) => id === READING_ROOM) as SavedConnection;
  const text = `write ${client} ${count}`;
  return {
    principal: { id: client, tokenId: client, kind: 'user', name: client },
    connection: { id: READING_ROOM, name: connection.name, target: connectionTarget(connection) },
    tool: 'execute_query',
    effect: 'write',
    summary: 'Write',
    text,
    shown: approvalText(text),
    digest: text,
    callDigest: text,
  };
}

describe('approval in the window', () => {
  let window: AbortController;
  let shown: readonly PendingApproval[];
  let onChange: () => void;

  /** Watches as the window does. */
  beforeEach(async () => {
    window = new AbortController();
    onChange = () => undefined;
    const first = Promise.withResolvers<void>();
    const watch = async (): Promise<void> => {
      for await (const pending of fixture.queue.watch(window.signal)) {
        shown = pending;
        first.resolve();
        onChange();
      }
    };
    void watch();
    await first.promise;
  });
  afterEach(() => window.abort());

  const until = (holds: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      onChange = () => (holds() ? resolve() : undefined);
      onChange();
    });
  const asked = async (): Promise<PendingApproval> => {
    await until(() => shown.length > 0);
    return shown[0] as PendingApproval;
  };
  const answerNext = async (answer: ApprovalAnswer): Promise<void> => {
    const { id, digest } = await asked();
    fixture.queue.answer(id, answer, digest);
  };
  const gone = (): Promise<void> => until(() => shown.length === 0);
  const callByWindow = (args: object = WRITE, tool = 'execute_query'): Promise<Answer> => call(args, { elicitation: null, tool });

  it.each<ApprovalAnswer>(['once', 'connection'])(
    'is none for the server that the connection leads to by the time of the answer: %s',
    async (given) => {
      const answer = callByWindow();
      const { id, digest } = await asked();
      fixture.setSettings(READING_ROOM, { host: 'production' });
      expect(fixture.queue.answer(id, given, digest)).toEqual({ outcome: 'gone' });
      expect(textOf(await answer)).toContain('The settings of "Reading room" were changed while a person was asked');
      await gone();
      expect(fixture.grants.list()).toEqual([]);
      const again = callByWindow();
      await answerNext('deny');
      expect(textOf(await again)).toMatch(/^APPROVAL_DECLINED/);
      expect(changes()).toEqual([]);
    },
  );

  it('given for a request that has ended is none for the server that the connection leads to by then', async () => {
    const leaving = fixture.mint({ scope: 'readWrite', name: 'Leaving' });
    const waiting = call(WRITE, { elicitation: null, token: leaving.text }).catch(() => undefined);
    const { id, digest } = await asked();
    fixture.tokens.revoke(leaving.info.id);
    await waiting;
    await gone();
    fixture.setSettings(READING_ROOM, { host: 'production' });
    expect(fixture.queue.answer(id, 'connection', digest)).toEqual({ outcome: 'gone' });
    expect(fixture.grants.list()).toEqual([]);
  });

  it('for the connection holds for the server that it led to, and no other', async () => {
    const first = callByWindow();
    await answerNext('connection');
    expect((await first).result?.isError).toBeUndefined();
    // As it is in the moment before the standing approvals of a changed connection are removed.
    fixture.setSettings(READING_ROOM, { host: 'production' });
    const second = callByWindow();
    await answerNext('connection');
    expect((await second).result?.isError).toBeUndefined();
    expect(fixture.reports.at(-1)).toMatchObject({ approvedBy: 'window' });
    expect((await callByWindow()).result?.isError).toBeUndefined();
    expect(fixture.reports.at(-1)).toMatchObject({ approvedBy: 'grant' });
  });

  it('leaves room for the questions of other clients', async () => {
    const ended = new AbortController();
    const many = Array.from({ length: 60 }, (_, count) => fixture.queue.ask(question('Greedy', count), ended.signal));
    const byOther = fixture.queue.ask(question('Other', 0), ended.signal);
    expect(fixture.queue.pending().filter(({ principalName }) => principalName === 'Other')).toHaveLength(1);
    expect(fixture.queue.pending()).toHaveLength(MOST_PENDING_OF_ONE + 1);
    expect(await many.at(-1)).toBe('tooMany');
    ended.abort();
    await Promise.allSettled([...many, byOther]);
  });

  it('is taken for a few requests that have ended, and those of one client do not push out those of others', async () => {
    const leave = async (name: string, count: number): Promise<PendingApproval> => {
      const leaving = new AbortController();
      const asking = fixture.queue.ask(question(name, count), leaving.signal);
      const pending = fixture.queue.pending()[0] as PendingApproval;
      leaving.abort();
      await asking.catch(() => undefined);
      return pending;
    };
    const byOther = await leave('Other', 0);
    const many: PendingApproval[] = [];
    for (let count = 0; count < 200; count += 1) many.push(await leave('Greedy', count));
    const answered = (pending: PendingApproval): string => fixture.queue.answer(pending.id, 'once', pending.digest).outcome;
    expect(answered(byOther)).toBe('late');
    expect(many.filter((pending) => answered(pending) === 'late')).toEqual(many.slice(-MOST_PENDING_OF_ONE));
    const ofAll: PendingApproval[] = [];
    for (let count = 0; count < 200; count += 1) ofAll.push(await leave(`Client ${count}`, count));
    expect(ofAll.filter((pending) => answered(pending) === 'late')).toEqual(ofAll.slice(-100));
  });

  it('shows what would be done and by whom, and does it when it is allowed', async () => {
    const answer = callByWindow();
    const pending = await asked();
    expect(pending).toMatchObject({
      principalName: 'Writer',
      connectionName: 'Reading room',
      tool: 'execute_query',
      effect: 'write',
      text: 'write it',
    });
    expect(changes()).toEqual([]);
    expect(fixture.queue.answer(pending.id, 'once', pending.digest)).toEqual({ outcome: 'taken' });
    expect((await answer).result?.isError).toBeUndefined();
    await gone();
    expect(fixture.reports.at(-1)).toMatchObject({ approvedBy: 'window' });
    expect(fixture.grants.list()).toEqual([]);
  });

  it.each(['in a session', 'without one'])(
    'ends with a client %s that has gone, and an answer to it writes nothing',
    async (how) => {
      const leaving = new AbortController();
      const post = (headers: Record<string, string>, sent: object): Promise<Response> =>
        fetch(fixture.address.url, {
          method: 'POST',
          signal: leaving.signal,
          headers: {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            authorization: `Bearer ${token}`,
            ...headers,
          },
          body: JSON.stringify(sent),
        });
      let answer: Promise<unknown>;
      if (how === 'in a session') {
        const begun = await rawRequest(port, { token, body: initializeBody('2025-11-25') });
        const headers = { 'mcp-session-id': String(begun.headers['mcp-session-id']), 'mcp-protocol-version': '2025-11-25' };
        await rawRequest(port, { token, headers, body: { jsonrpc: '2.0', method: 'notifications/initialized' } });
        const params = { name: 'execute_query', arguments: WRITE };
        answer = post(headers, { jsonrpc: '2.0', id: 1, method: 'tools/call', params }).then((response) => response.text());
      } else {
        const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'execute_query' };
        answer = post(headers, body(WRITE, { elicitation: null })).then((response) => response.text());
      }
      const ended = answer.catch(() => undefined);
      const { id, digest } = await asked();
      leaving.abort();
      await ended;
      await gone();
      fixture.queue.answer(id, 'once', digest);
      // Its answer would be there by now.
      await rawRequest(port, { token, headers: { 'mcp-protocol-version': '2026-07-28' }, body: {} });
      expect(changes()).toEqual([]);
    },
  );

  it('does nothing when it is denied', async () => {
    const answer = callByWindow();
    await answerNext('deny');
    expect(textOf(await answer)).toMatch(/^APPROVAL_DECLINED/);
    expect(changes()).toEqual([]);
  });

  it('keeps an approval for the connection: for this client, for this connection, never for what destroys, until it is revoked', async () => {
    const answer = callByWindow();
    await answerNext('connection');
    await answer;
    expect((await callByWindow({ ...WRITE, statement: 'write more' })).result?.isError).toBeUndefined();
    expect(fixture.reports.at(-1)).toMatchObject({ approvedBy: 'grant' });
    const [grant] = fixture.grants.list();
    expect(grant).toMatchObject({ principalName: 'Writer', connectionId: READING_ROOM });

    const destroying = callByWindow({ connection: READING_ROOM, statement: 'destroy it' }, 'confirm_destructive_operation');
    await answerNext('deny');
    expect(textOf(await destroying)).toMatch(/^APPROVAL_DECLINED/);

    const other = fixture.mint({ scope: 'readWrite', name: 'Other' }).text;
    const byOther = call(WRITE, { elicitation: null, token: other });
    const otherAsked = await asked();
    expect(otherAsked.principalName).toBe('Other');
    fixture.queue.answer(otherAsked.id, 'deny', otherAsked.digest);
    await byOther;

    fixture.grants.revoke(grant?.id ?? '');
    const again = callByWindow();
    await answerNext('deny');
    expect(textOf(await again)).toMatch(/^APPROVAL_DECLINED/);
    expect(changes()).toHaveLength(2);
  });

  it('never keeps an approval of what destroys', async () => {
    const answer = callByWindow({ connection: READING_ROOM, statement: 'destroy it' }, 'confirm_destructive_operation');
    await answerNext('connection');
    expect((await answer).result?.isError).toBeUndefined();
    expect(fixture.grants.list()).toEqual([]);
  });

  it('disappears with its request, and an answer that crosses holds for the same request once', async () => {
    const leaving = new AbortController();
    const request = fetch(fixture.address.url, {
      method: 'POST',
      signal: leaving.signal,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'execute_query',
      },
      body: JSON.stringify(body(WRITE, { elicitation: null })),
    });
    const { id, digest } = await asked();
    leaving.abort();
    await expect(request).rejects.toThrow();
    await gone();
    expect(changes()).toEqual([]);
    expect(fixture.queue.answer(id, 'once', digest)).toEqual({ outcome: 'late' });
    // The answer itself does nothing: no request waits for it.
    expect(changes()).toEqual([]);
    const different = callByWindow({ ...WRITE, statement: 'write something else' });
    await answerNext('deny');
    expect(textOf(await different)).toMatch(/^APPROVAL_DECLINED/);
    await gone();
    expect((await callByWindow()).result?.isError).toBeUndefined();
    expect(changes()).toEqual(['CHANGE run write it']);
    const twice = callByWindow();
    await answerNext('deny');
    await twice;
    expect(changes()).toHaveLength(1);
    expect(fixture.queue.answer(id, 'once', digest)).toEqual({ outcome: 'gone' });
  });

  it('drops an approval that was never collected', async () => {
    const late = fixture.mint({ scope: 'readWrite', name: 'Late' });
    const waiting = call(WRITE, { elicitation: null, token: late.text }).catch(() => undefined);
    const { id, digest } = await asked();
    fixture.tokens.revoke(late.info.id);
    await waiting;
    await gone();
    expect(fixture.queue.answer(id, 'once', digest)).toEqual({ outcome: 'late' });
    fixture.now += LATE_ANSWER_MILLISECONDS;
    const again = callByWindow();
    await answerNext('deny');
    await again;
    expect(changes()).toEqual([]);
  });

  it('ends when the access is taken away while it waits', async () => {
    const answer = callByWindow();
    await asked();
    fixture.setAccess(READING_ROOM, { externalClients: 'readOnly' });
    expect(await answer).toMatchObject({ error: { code: -33_007 } });
    await gone();
    expect(changes()).toEqual([]);
  });
});

describe('access that is lowered', () => {
  it.each(['blocked', 'never', 'removed'] as const)('cuts a call in flight: %s', async (how) => {
    const begun = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    fixture.session.gate = gate.promise;
    fixture.session.onBegin = begun.resolve;
    const answer = call({ connection: READING_ROOM }, { tool: 'list_tables' });
    await begun.promise;
    if (how === 'removed') fixture.remove(READING_ROOM);
    else fixture.setAccess(READING_ROOM, how === 'blocked' ? { externalClients: 'blocked' } : { aiPolicy: 'never' });
    expect(await answer).toMatchObject({ error: { code: -33_007 } });
    expect(fixture.session.signals[0]?.aborted).toBe(true);
    expect(fixture.reports.at(-1)).toMatchObject({ outcome: 'refused', code: 'ACCESS_FORBIDDEN' });
    gate.resolve();
  });

  it('leaves alone what it does not concern', async () => {
    const begun = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    fixture.session.gate = gate.promise;
    fixture.session.onBegin = begun.resolve;
    const answer = call({ connection: READING_ROOM }, { tool: 'list_tables' });
    await begun.promise;
    fixture.setAccess(ARCHIVE, { externalClients: 'blocked' });
    fixture.setAccess(READING_ROOM, { externalClients: 'readOnly' });
    gate.resolve();
    expect((await answer).result?.isError).toBeUndefined();
  });
});
