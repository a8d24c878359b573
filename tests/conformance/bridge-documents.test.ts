import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { POLL_MILLISECONDS, START_MILLISECONDS } from '../../host/src/bridge/application.ts';
import { DRAIN_MILLISECONDS, LARGEST_MESSAGE_BYTES, SILENCE_MILLISECONDS } from '../../host/src/bridge/bridge.ts';
import * as failures from '../../host/src/bridge/failure.ts';
import type { BridgeFailure } from '../../host/src/bridge/failure.ts';
import { START_URL } from '../../host/src/bridge/opener.ts';
import { CONNECT_MILLISECONDS, PROOF_MILLISECONDS } from '../../host/src/bridge/proof.ts';
import { handshakeSchema } from '../../host/src/runtime/integrations/handshake/handshakeFile.ts';
import { MCP_CLIENTS } from '../../host/src/runtime/integrations/clientSnippets/clients.ts';
import { PROOF_PATH } from '../../host/src/runtime/integrations/handshake/proof.ts';
import { isStartUrl } from '../../host/src/runtime/integrations/urlScheme/startUrl.ts';
import { root } from '../../scripts/paths.ts';

const reference = readFileSync(join(root, 'docs/reference/bridge.md'), 'utf8');
const guide = readFileSync(join(root, 'docs/guide/connect-an-ai-client.md'), 'utf8');

const all: BridgeFailure[] = [
  failures.notRunning('launch', 'x'),
  failures.notProven('x', 'x'),
  failures.applicationTooOld(),
  failures.bridgeTooOld(2),
  failures.disabled(),
  failures.connectionLost(true),
  failures.connectionLost(false),
  failures.noAnswer(SILENCE_MILLISECONDS),
];

describe('the reference of the bridge', () => {
  it.each(all.map((failure) => [failure.message, failure] as const))('has the error "%s"', (message, { layer, code }) => {
    const rows = reference.split('\n').filter((line) => line.startsWith(`| \`${layer}\``) && line.includes(String(code)));
    const begins = rows.map((row) => row.split('|')[3]?.trim() ?? '');
    expect(begins.some((text) => text !== '' && message.startsWith(text))).toBe(true);
    // The guide says what to do about it, under the words that people see.
    const headings = [...guide.matchAll(/^\*\*(.+?)\*\*/gm)].map(([, heading = '']) => heading.replace(/\.$/, ''));
    expect(headings.some((heading) => message.startsWith(heading))).toBe(true);
  });

  it('has every limit', () => {
    const limits = [
      START_MILLISECONDS,
      POLL_MILLISECONDS,
      CONNECT_MILLISECONDS,
      PROOF_MILLISECONDS,
      LARGEST_MESSAGE_BYTES,
      SILENCE_MILLISECONDS,
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
