import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { POLL_MILLISECONDS, START_MILLISECONDS } from '../../host/src/bridge/application.ts';
import {
  DRAIN_MILLISECONDS,
  LARGEST_MESSAGE_BYTES,
  MOST_NOTIFICATIONS,
  MOST_REQUESTS,
  RATE_WAIT_MILLISECONDS,
  SILENCE_MILLISECONDS,
} from '../../host/src/bridge/bridge.ts';
import * as failures from '../../host/src/bridge/failure.ts';
import type { BridgeFailure } from '../../host/src/bridge/failure.ts';
import { START_URL } from '../../host/src/bridge/opener.ts';
import { CONNECT_MILLISECONDS, PROOF_MILLISECONDS } from '../../host/src/bridge/proof.ts';
import { handshakeSchema } from '../../host/src/runtime/mcp/clients/handshakeFile.ts';
import { MCP_CLIENTS } from '../../host/src/runtime/mcp/clients/clients.ts';
import { PROOF_PATH } from '../../host/src/runtime/mcp/clients/proof.ts';
import { isStartUrl } from '../../host/src/runtime/urlScheme/startUrl.ts';
import { root } from '../../scripts/paths.ts';

const reference = readFileSync(join(root, 'docs/reference/bridge.md'), 'utf8');
const guide = readFileSync(join(root, 'docs/guide/connect-an-ai-client.md'), 'utf8');

interface Said {
  readonly layer: string;
  readonly code: number;
  /** As the client reads it. */
  readonly message: string;
  /** The test that brings it about through the bridge: its file under tests/, its name, and the words of the sentence that it looks for. */
  readonly test: readonly [file: string, name: string, words: string];
}

const of = ({ layer, code, message }: BridgeFailure, test: Said['test']): Said => ({ layer, code, message, test });
const server = (layer: string, code: number, message: string, test: Said['test']): Said => ({ layer, code, message, test });

/** Every sentence that the bridge can send to a client, and those of the server that the specification names. */
const all: Said[] = [
  of(failures.notRunning('launch', 'x'), ['security/bridge-start', 'says what hindered the opener', "Tabularium isn't running"]),
  of(failures.notRunning('handshake', 'x'), [
    'security/bridge-proof',
    'a handshake that is not to be trusted',
    "Tabularium isn't running",
  ]),
  of(failures.notTrusted('x', 'x'), [
    'security/bridge-proof',
    'a handshake that is not to be trusted',
    "The handshake of Tabularium can't be trusted",
  ]),
  of(failures.noServer(1, 'x'), [
    'security/bridge-proof',
    'whose host runs without an MCP server that can be found is not said to have none',
    "but its MCP server can't be found",
  ]),
  of(failures.notProven('x', 'x'), [
    'security/bridge-proof',
    'an endpoint that is not the application gets no token',
    'prove that it belongs',
  ]),
  of(failures.applicationTooOld(), [
    'security/bridge-proof',
    'of an application that is too old for 2026-07-28',
    'This build does not speak protocol',
  ]),
  of(failures.bridgeTooOld(2), ['security/bridge-proof', 'of a newer form is not guessed at', 'newer than this bridge']),
  of(failures.disabled(), [
    'security/bridge-start',
    'answers at once that the server is turned off',
    'The MCP server is disabled.',
  ]),
  of(failures.connectionLost(true), [
    'security/bridge-failures',
    'is lost after the request was sent',
    'after the request had been sent',
  ]),
  of(failures.connectionLost(false), [
    'security/bridge-failures',
    'is lost before the request is sent',
    'before the request was sent',
  ]),
  of(failures.noAnswer(SILENCE_MILLISECONDS), [
    'security/bridge-failures',
    'stays silent for too long',
    'Tabularium sent nothing for',
  ]),
  of(failures.tooLarge(LARGEST_MESSAGE_BYTES), [
    'security/bridge-failures',
    'sends an invalid message, and one that is too large',
    'The message is larger than',
  ]),
  of(failures.parseError(), [
    'security/bridge-failures',
    'sends an invalid message, and one that is too large',
    'Parse error: the line',
  ]),
  of(failures.invalidRequest(), [
    'security/bridge-failures',
    'sends an invalid message, and one that is too large',
    'Invalid request: each line',
  ]),
  of(failures.unknownAnswer(500), [
    'security/bridge-failures',
    'answers with a status that says nothing',
    'The MCP server answered with HTTP 500',
  ]),
  of(failures.sessionGone(), ['security/bridge-failures', 'does not open a session again', 'does not open the session again']),
  of(failures.bridgeFault('x'), ['security/bridge-failures', 'the bridge has a fault of its own', 'The bridge failed:']),
  server('policy', -33_007, 'Forbidden:', ['security/bridge-failures', 'forbids a connection that is not open', 'Forbidden:']),
];
/** The server sends these, and the bridge passes them on unchanged. */
const ofServer: readonly Said['test'][] = [
  ['security/bridge-failures', 'has had too many requests', 'Rate limited'],
  ['security/bridge-stdio', 'is exchanged for the one in the file, once', 'Unauthenticated'],
  ['security/bridge-failures', 'lets clients read alone', 'External clients can only read this connection'],
  ['conformance/bridge-launch', 'keeps a bridge on a Node that is too old from starting', 'The bridge needs Node 20 or newer'],
];

/** The guide's entries: the words in bold, and what to do. */
const remedies = guide
  .slice(guide.indexOf('## Troubleshooting'))
  .split(/\n\n/)
  .filter((part) => part.startsWith('**'))
  .map((part) => {
    const headings = [...part.matchAll(/\*\*(.+?)\*\*/g)].map(([, heading = '']) => heading.replace(/[.…: ]+$/, ''));
    return { headings, text: part.replaceAll(/\*\*.+?\*\*/g, '').replaceAll(/[\s,]+/g, ' ') };
  });

function expectRemedy(message: string): void {
  const entry = remedies.find(({ headings }) => headings.some((heading) => message.startsWith(heading)));
  expect(entry, message).toBeDefined();
  // Each sentence says what to do, or at least what has not happened.
  expect(entry?.text).toMatch(/\b(Open|Quit|Update|Turn|Change|Start|Wait|Look|Send|Ask|Relaunch|Install|Give|give)\b/);
}

function expectTest([file, name, words]: Said['test']): void {
  const source = readFileSync(join(root, 'tests', `${file}.test.ts`), 'utf8');
  expect(source, `${file}: ${name}`).toContain(`('${name}`);
  expect(source, `${file}: ${words}`).toContain(words);
}

describe('the reference of the bridge', () => {
  it.each(all.map((said) => [said.message, said] as const))(
    'has the error "%s", its remedy, and a test that brings it about',
    (message, said) => {
      const { layer, code, test } = said;
      const rows = reference.split('\n').filter((line) => line.startsWith(`| \`${layer}\``) && line.includes(String(code)));
      const begins = rows.map((row) => row.split('|')[3]?.trim() ?? '');
      expect(begins.some((text) => text !== '' && message.startsWith(text))).toBe(true);
      expectRemedy(message);
      expectTest(test);
    },
  );

  it.each(ofServer)("has advice for the server's message (%s: %s)", (file, name, words) => {
    expectRemedy(words);
    expectTest([file, name, words]);
  });

  it('lists every failure of the bridge', () => {
    const folder = join(root, 'host/src/bridge');
    const sources = readdirSync(folder).filter((file) => file.endsWith('.ts') && !file.includes('.test'));
    const elsewhere = sources.filter(
      (file) => file !== 'failure.ts' && readFileSync(join(folder, file), 'utf8').includes('new BridgeFailure('),
    );
    // One file has them all, and what it exports is what is listed here.
    expect(elsewhere).toEqual([]);
    const makers = Object.entries(failures).filter(([name, value]) => typeof value === 'function' && name !== 'BridgeFailure');
    const source = readFileSync(join(root, 'tests/conformance/bridge-documents.test.ts'), 'utf8');
    for (const [name] of makers) expect(source, name).toContain(`of(failures.${name}(`);
    expect(makers.length).toBeGreaterThan(10);
  });

  it('has every limit', () => {
    const limits = [
      START_MILLISECONDS,
      POLL_MILLISECONDS,
      CONNECT_MILLISECONDS,
      PROOF_MILLISECONDS,
      LARGEST_MESSAGE_BYTES,
      SILENCE_MILLISECONDS,
      RATE_WAIT_MILLISECONDS,
      MOST_REQUESTS,
      MOST_NOTIFICATIONS,
      DRAIN_MILLISECONDS,
    ];
    for (const limit of limits) expect(reference).toContain(`| ${limit.toLocaleString('en-US')} `);
  });

  it('has every field of the handshake', () => {
    for (const field of Object.keys(handshakeSchema.shape)) expect(reference).toContain(`| \`${field}\``);
    expect(reference).toContain(`POST ${PROOF_PATH} `);
    expect(reference).toContain(START_URL);
    expect(isStartUrl(START_URL)).toBe(true);
  });
});

describe('the guide', () => {
  it('has every client, under its key', () => {
    for (const { id, key } of MCP_CLIENTS) {
      const row = guide.split('\n').find((line) => line.startsWith('|') && line.includes(`\`${id}\``));
      expect(row, id).toBeDefined();
      if (key !== undefined) expect(row).toContain(`\`${key}\``);
    }
  });
});
