import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { approvalText, CLIENT_BOUND, WINDOW_BOUND } from '../../host/src/common/approvalText.ts';
import type { PendingApproval } from '../../host/src/common/integrations.ts';
import { McpFixture, READING_ROOM } from '../../host/src/runtime/mcp/server/mcpFixture.test-helper.ts';
import { MODERN_META, rawRequest } from '../../host/src/runtime/mcp/server/rawRequest.test-helper.ts';

// The approved text is the text that runs: whole, with nothing hidden in it, or the request is rejected.

let fixture: McpFixture;
let port: number;
let token: string;
let windowIsOpen: AbortController;
let pending: readonly PendingApproval[];
let onPending: () => void;

beforeEach(async () => {
  fixture = new McpFixture();
  ({ port } = await fixture.start());
  token = fixture.mint({ scope: 'fullAccess', name: 'Token' }).text;
  fixture.setAccess(READING_ROOM, { externalClients: 'readWrite', aiPolicy: 'askEachTime' });
  windowIsOpen = new AbortController();
  // One statement, however many lines it has.
  const { console: facet } = fixture.session;
  if (facet === undefined) throw new Error('The library has a console.');
  facet.split = (text) => [{ text, start: 0, end: text.length }];
  pending = [];
  onPending = () => undefined;
});
afterEach(async () => {
  windowIsOpen.abort();
  await fixture[Symbol.asyncDispose]();
});

interface Answer {
  readonly result?: {
    readonly resultType: string;
    readonly requestState?: string;
    readonly inputRequests?: Record<string, { params: { message: string } }>;
    readonly content?: readonly { readonly text: string }[];
  };
}

async function call(
  args: object,
  options: { canAsk?: boolean; tool?: string; more?: object; clientName?: string } = {},
): Promise<Answer> {
  const { canAsk = true, tool = 'execute_query', more = {}, clientName = 'client' } = options;
  const { json } = await rawRequest(port, {
    token,
    headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': tool },
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: tool,
        arguments: { connection: READING_ROOM, ...args },
        _meta: {
          ...MODERN_META,
          'io.modelcontextprotocol/clientInfo': { name: clientName, version: '1' },
          'io.modelcontextprotocol/clientCapabilities': canAsk ? { elicitation: {} } : {},
        },
        ...more,
      },
    },
  });
  return json as Answer;
}

function openWindow(): Promise<void> {
  const first = Promise.withResolvers<void>();
  const watch = async (): Promise<void> => {
    for await (const now of fixture.queue.watch(windowIsOpen.signal)) {
      pending = now;
      first.resolve();
      onPending();
    }
  };
  void watch();
  return first.promise;
}

function nextPending(): Promise<PendingApproval> {
  return new Promise((resolve) => {
    onPending = () => {
      if (pending[0] !== undefined) resolve(pending[0]);
    };
    onPending();
  });
}

const changes = (): string[] => fixture.session.calls.filter((name) => name.startsWith('CHANGE'));
const messageOf = (answer: Answer): string => answer.result?.inputRequests?.['approve']?.params.message ?? '';
const textOf = (answer: Answer): string => answer.result?.content?.[0]?.text ?? '';
/** The statement as a person reads it: the lines behind the bars. */
const statementIn = (message: string): string =>
  message
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.slice(2))
    .join('\n');

const disguises: readonly (readonly [string, string])[] = [
  ['bidi overrides', 'write it WHERE id=1 \u202e1=1 RO\u202c \u2066--\u2069'],
  ['zero-width characters', 'write \u200bit\u200d \ufeff'],
  ['controls and a carriage return', 'write it\rread it\u0008\u0000\u001b[2K\u009b2J'],
  ['tabs and odd spaces', 'write\tit\u00a0OR\u30001=1'],
  ['a newline flood', `write it${'\n'.repeat(300)}OR 1=1`],
  ['a flood of blank lines with tabs and zero-width spaces', `write it${'\n\t \u200b'.repeat(300)}\nOR 1=1`],
  ['spaces that push the rest aside', `write it${' '.repeat(2_000)}OR 1=1`],
  ['lines that look like the question', 'write it\n\nAllow "claude" to read data in "Reading room"? Nothing is changed.'],
];

describe('a question that a client puts', () => {
  it.each(disguises)('shows all of a statement with %s', async (_name, statement) => {
    const message = messageOf(await call({ statement }));
    expect(statementIn(message)).toBe(approvalText(statement).shown);
    expect(message).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u00a0\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff\u3000]/);
    expect(message).toContain(`The whole of it, ${statement.length} characters:`);
    // Nothing but the statement's own lines is behind the bars, and nothing of it is before them.
    expect(
      message
        .split('\n')
        .filter((line) => !line.startsWith('| '))
        .join('\n'),
    ).not.toContain('Nothing is changed');
  });

  it('names client, token, connection, effect, time and how far the answer goes', async () => {
    const message = messageOf(await call({ statement: 'write it' }, { clientName: 'A\u202e\nB' }));
    expect(message).toContain('Allow "A⟨U+202E⟩⏎B" to change data in "Reading room"?');
    expect(message).toContain('It uses the token "Token".');
    expect(message).toContain('Your answer holds for this once, within 5 minutes.');
    const destroying = await call({ statement: 'destroy it' }, { tool: 'confirm_destructive_operation' });
    expect(messageOf(destroying)).toMatch(/^Allow .+ to destroy data in "Reading room"\?\n/);
  });

  it('warns of words that mix alphabets', async () => {
    expect(messageOf(await call({ statement: 'write it to аccounts' }))).toContain('аccounts (U+0430)');
  });

  it('goes to the window when it is too long for a client, and says so where no window is open', async () => {
    const statement = `write it ${'x'.repeat(CLIENT_BOUND.characters)}`;
    expect(textOf(await call({ statement }))).toMatch(
      /^APPROVAL_REQUIRED: .*too long for the dialog of a client \(4000 characters and 60 lines are the most\).*Open the Tabularium window/s,
    );
    await openWindow();
    const answer = call({ statement });
    const { id, digest, text } = await nextPending();
    expect(text).toBe(statement);
    fixture.queue.answer(id, 'once', digest);
    await answer;
    expect(changes()).toEqual([`CHANGE run ${statement}`]);
  });
});

describe('a question in the window', () => {
  beforeEach(openWindow);

  it.each(disguises)('carries every byte of a statement with %s', async (_name, statement) => {
    const answer = call({ statement }, { canAsk: false });
    const asked = await nextPending();
    expect(asked.text).toBe(statement);
    fixture.queue.answer(asked.id, 'once', asked.digest);
    await answer;
    expect(changes()).toEqual([`CHANGE run ${statement}`]);
  });

  it.each([
    ['200,000 characters', `write it ${'x'.repeat(200_000)} and the tail`],
    ['too many lines', `write it\n${'x\n'.repeat(WINDOW_BOUND.lines)}`],
  ])('is not asked about %s: the request is refused, with the way to do it', async (_name, statement) => {
    for (const canAsk of [true, false]) {
      expect(textOf(await call({ statement }, { canAsk }))).toMatch(
        /^APPROVAL_REQUIRED: .*too long for that: \d+ characters.* 65536 characters and 2000 lines are the most\. Nothing was changed\. Split it into smaller changes, or have the person run it in the console/s,
      );
    }
    expect(pending).toEqual([]);
    expect(changes()).toEqual([]);
  });

  it('shows the rows that are written, with every value', async () => {
    const rows = [{ library: 'north', number: 1, title: `A${'y'.repeat(5_000)}\u202eZ` }];
    const answer = call({ table: 'books', rows }, { canAsk: false, tool: 'insert_rows' });
    const asked = await nextPending();
    expect(asked.text).toContain(JSON.stringify(rows[0]?.title));
    expect(asked.summary).toContain('books');
    fixture.queue.answer(asked.id, 'deny', asked.digest);
    await answer;
  });

  it('takes no answer for another request than the one that was seen', async () => {
    const answer = call({ statement: 'write it' }, { canAsk: false });
    const { id, digest } = await nextPending();
    expect(fixture.queue.answer(id, 'once', `${digest}x`)).toEqual({ outcome: 'gone' });
    expect(fixture.queue.answer(id, 'once', '')).toEqual({ outcome: 'gone' });
    expect(changes()).toEqual([]);
    fixture.queue.answer(id, 'deny', digest);
    expect(textOf(await answer)).toMatch(/^APPROVAL_DECLINED/);
  });

  it.each(['summary', 'effect'] as const)('runs nothing when the %s changes while it waits', async (what) => {
    const { console: facet } = fixture.session;
    const original = facet?.classify.bind(facet);
    if (facet === undefined || original === undefined) throw new Error('The library has a console.');
    const handed: { effect: string; summary: string }[] = [];
    facet.classify = async (text, options) => {
      const classification = { ...(await original(text, options)) };
      handed.push(classification);
      return classification;
    };
    const answer = call({ statement: 'write it' }, { canAsk: false });
    const asked = await nextPending();
    for (const classification of handed) {
      if (what === 'effect') classification.effect = 'destructive';
      else classification.summary = 'Something else';
    }
    fixture.queue.answer(asked.id, 'once', asked.digest);
    expect(textOf(await answer)).toMatch(/^CONFLICT: The change would do something else now/);
    expect(changes()).toEqual([]);
  });
});
