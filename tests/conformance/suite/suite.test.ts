import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { McpFixture } from '../../../host/src/runtime/mcp/server/mcpFixture.test-helper.ts';
import { createFixtureServer } from './fixtures.ts';
import { runSuite } from './runSuite.ts';
import { startTokenProxy } from './tokenProxy.ts';
import type { TokenProxy } from './tokenProxy.ts';

// The public conformance package against the application's own request guard: once with the application's tools, for every scenario that needs no
// others, and once with the tools that the package requires, for all that is scored.

/** Needs nothing of the server but the protocol. */
const WITHOUT_FIXTURES: Readonly<Record<string, readonly string[]>> = {
  '2025-06-18': [
    'server-initialize',
    'server-session-lifecycle',
    'ping',
    'logging-set-level',
    'tools-list',
    'resources-list',
    'prompts-list',
  ],
  '2025-11-25': [
    'server-initialize',
    'server-session-lifecycle',
    'ping',
    'logging-set-level',
    'tools-list',
    'resources-list',
    'prompts-list',
    'server-sse-multiple-streams',
    'dns-rebinding-protection',
  ],
  '2026-07-28': [
    'tools-list',
    'resources-list',
    'prompts-list',
    'sep-2164-resource-not-found',
    'dns-rebinding-protection',
    'caching',
    'http-header-validation',
    'server-sse-multiple-streams',
    'input-required-result-unsupported-methods',
  ],
};

let product: McpFixture;
let withFixtures: McpFixture;
let productProxy: TokenProxy;
let fixtureProxy: TokenProxy;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tabularium-suite-'));
  // One client does in a minute what a person's do in an hour.
  const limits = { requestsPerMinute: 100_000 };
  product = new McpFixture({ limits });
  withFixtures = new McpFixture({
    limits,
    createServer: (era) => createFixtureServer(era, (event) => withFixtures.server.changes.publish(event)),
  });
  const [one, other] = await Promise.all([product.start(), withFixtures.start()]);
  productProxy = await startTokenProxy(one.port, product.mint({ scope: 'fullAccess' }).text);
  fixtureProxy = await startTokenProxy(other.port, withFixtures.mint({ scope: 'fullAccess' }).text);
});
afterAll(async () => {
  await productProxy?.[Symbol.asyncDispose]();
  await fixtureProxy?.[Symbol.asyncDispose]();
  await product?.[Symbol.asyncDispose]();
  await withFixtures?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

describe('with the tools of the application', () => {
  const cases = Object.entries(WITHOUT_FIXTURES).flatMap(([version, scenarios]) =>
    scenarios.map((scenario) => ({ version, scenario })),
  );
  it.each(cases)('$version $scenario', { timeout: 60_000 }, async ({ version, scenario }) => {
    const { code, output } = await runSuite(['--url', productProxy.url, '--scenario', scenario, '--spec-version', version]);
    expect({ code, output }).toEqual({ code: 0, output: expect.not.stringContaining('FAILURE') as string });
  });
});

describe('with the tools that the package requires', () => {
  it.each([
    ['2025-06-18', ['--suite', 'all', '--spec-version', '2025-06-18']],
    ['2025-11-25', ['--requirements', '2025-11-25']],
    ['2026-07-28', ['--requirements', '2026-07-28']],
  ] as const)('every scored scenario of %s', { timeout: 300_000 }, async (version, args) => {
    const { code, output } = await runSuite(['--url', fixtureProxy.url, ...args, '-o', join(folder, version)]);
    expect({ code, output: code === 0 ? '' : output.slice(-6_000) }).toEqual({ code: 0, output: '' });
  });
});
