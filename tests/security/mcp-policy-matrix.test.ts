import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  expectedLetter,
  TABLE_AI,
  TABLE_EXTERNAL,
  TABLE_TOKENS,
} from '../../host/src/runtime/mcp/access/policyTable.test-helper.ts';
import type { TableToken } from '../../host/src/runtime/mcp/access/policyTable.test-helper.ts';
import { STATEMENTS, TOOL_CASES, TOOL_NAMES } from '../../host/src/runtime/mcp/access/toolActions.test-helper.ts';
import type { ToolCase } from '../../host/src/runtime/mcp/access/toolActions.test-helper.ts';
import { McpFixture, READING_ROOM } from '../../host/src/runtime/mcp/server/mcpFixture.test-helper.ts';
import { MODERN_META, rawRequest } from '../../host/src/runtime/mcp/server/rawRequest.test-helper.ts';
import { TOOLS } from '../../host/src/runtime/mcp/tools/registry.ts';

// Every tool, over the wire, against every level, policy, allowlist, token and kind of statement. What is to be expected is read from the
// table that was written by hand.

/** How a person is reached: not at all, or by the client, who accepts or declines. */
const APPROVALS = ['nobody', 'accepts', 'declines'] as const;
type Approval = (typeof APPROVALS)[number];

interface Answer {
  readonly result?: {
    readonly resultType?: string;
    readonly isError?: boolean;
    readonly requestState?: string;
    readonly inputRequests?: unknown;
    readonly content?: readonly { readonly text: string }[];
  };
  readonly error?: { readonly code: number; readonly message: string };
}

const DENIED: Readonly<Record<string, RegExp>> = {
  R: /^READ_ONLY: External clients can only read this connection\./,
  r: /^READ_ONLY: This token is read-only\./,
  D: /^ACCESS_FORBIDDEN: .* Call confirm_destructive_operation/,
  B: /^ACCESS_FORBIDDEN: Clients of the stdio bridge can't confirm/,
  X: /^ACCESS_FORBIDDEN: Only a token with full access/,
};

let fixture: McpFixture;
let port: number;
let folder: string;
const tokens = new Map<string, string>();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tabularium-matrix-'));
  fixture = new McpFixture({ limits: { requestsPerMinute: 1_000_000 } });
  fixture.exportFolders = [folder];
  fixture.savedRequests = STATEMENTS.map(([text]) => ({ name: text, text }));
  ({ port } = await fixture.start());
  for (const token of TABLE_TOKENS) {
    for (const inList of ['yes', 'no'] as const) {
      const scope = token.split('-')[1] as 'readOnly' | 'readWrite' | 'fullAccess';
      const list = inList === 'yes' ? [READING_ROOM] : ['00000000-0000-4000-8000-000000000002'];
      const bridge = token.startsWith('bridge');
      if (bridge && inList === 'no') continue;
      const { text } = bridge ? fixture.tokens.mintBridge(3_600_000) : fixture.mint({ name: token, scope, connections: list });
      tokens.set(`${token} ${inList}`, text);
    }
  }
});
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});
afterEach(() => fixture.session.calls.splice(0));

let serial = 0;

async function send(token: string, toolCase: ToolCase, args: unknown, approval: Approval, more: object = {}): Promise<Answer> {
  const capabilities = approval === 'nobody' ? {} : { elicitation: {} };
  const { json } = await rawRequest(port, {
    token,
    headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': toolCase.tool },
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: toolCase.tool,
        arguments: args,
        _meta: { ...MODERN_META, 'io.modelcontextprotocol/clientCapabilities': capabilities },
        ...more,
      },
    },
  });
  return json as Answer;
}

/** The result of a call, in the letters of the table. */
async function outcomeOf(token: string, toolCase: ToolCase, approval: Approval): Promise<string> {
  serial += 1;
  const args = toolCase.args(READING_ROOM, serial);
  const first = await send(token, toolCase, args, approval);
  if (first.result?.resultType !== 'input_required') return letterOf(first);
  const again = await send(token, toolCase, args, approval, {
    requestState: first.result.requestState,
    inputResponses: {
      approve: approval === 'accepts' ? { action: 'accept', content: { approved: true } } : { action: 'decline' },
    },
  });
  return `?${letterOf(again)}`;
}

function letterOf({ result, error }: Answer): string {
  if (error !== undefined) return error.code === -33_007 ? 'F' : `error ${error.code} ${error.message}`;
  const text = result?.content?.[0]?.text ?? '';
  if (result?.isError !== true) return '+';
  const letter = Object.entries(DENIED).find(([, pattern]) => pattern.test(text))?.[0];
  if (letter !== undefined) return letter;
  if (text.startsWith('APPROVAL_REQUIRED: A person must approve this change, but ')) return '?';
  if (text.startsWith('APPROVAL_DECLINED: ')) return 'n';
  // The library has no definitions; that it says so is an answer.
  if (text.startsWith('UNSUPPORTED: This database has no definition')) return '+';
  return `text ${text}`;
}

/** The meaning of a letter of the table for one way of approval. */
function expectedOutcome(before: string, after: string, approval: Approval): string {
  if (before !== '?') return before;
  return { nobody: '?', accepts: `?${after}`, declines: '?n' }[approval];
}

/** That an import replaces rows is known from its mode, which the driver names. A caller that may not write at all is rejected before. */
const isByMode = ({ label }: ToolCase, expected: string): boolean => label === 'import_rows replace' && 'BX'.includes(expected);

const CASES = TABLE_EXTERNAL.flatMap((external) => TABLE_AI.map((ai) => ({ external, ai })));

describe('every tool, against every setting', () => {
  it('is in the table', () => {
    expect(TOOL_NAMES, 'give each tool a row of TOOL_ACTIONS in toolActions.test-helper.ts, in the order of TOOLS').toEqual(
      TOOLS.map(({ listed }) => listed.name),
    );
  });

  it.each(CASES)('External Clients $external, AI policy $ai', async ({ external, ai }) => {
    fixture.setAccess(READING_ROOM, { externalClients: external, aiPolicy: ai });
    const wrong: string[] = [];
    let cases = 0;
    for (const [name, text] of tokens) {
      const [token, inList] = name.split(' ') as [TableToken, 'yes' | 'no'];
      for (const toolCase of TOOL_CASES) {
        const [before, after] = [false, true].map((approved) =>
          expectedLetter(external, ai, inList, token, toolCase.column, approved),
        ) as [string, string];
        for (const approval of before === '?' ? APPROVALS : (['nobody', 'accepts'] as const)) {
          cases += 1;
          fixture.session.calls.splice(0);
          const outcome = await outcomeOf(text, toolCase, approval);
          const expected = expectedOutcome(before, after, approval);
          const label = `${name}, ${toolCase.label}, ${approval}`;
          if (outcome !== expected) wrong.push(`${label}: ${outcome} instead of ${expected}`);
          const changes = fixture.session.calls.filter((call) => call.startsWith('CHANGE'));
          const mayChange = toolCase.column >= 4 && expected.endsWith('+');
          if (changes.length !== (mayChange ? 1 : 0)) wrong.push(`${label}: changed ${changes.length} times`);
          // A target that is out of reach, or rejected beforehand, causes no call to a driver.
          const knownAtOnce =
            expected === 'F' ||
            ('RrBX'.includes(expected) &&
              !['execute_query', 'run_saved_request'].includes(toolCase.tool) &&
              !isByMode(toolCase, expected));
          if (knownAtOnce && fixture.session.calls.length > 0)
            wrong.push(`${label}: asked the driver ${fixture.session.calls[0]}`);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(cases).toBeGreaterThan(250);
  });

  it('leaves no half of a file behind', () => {
    expect(readdirSync(folder).filter((name) => !name.endsWith('.jsonl'))).toEqual([]);
  });
});
