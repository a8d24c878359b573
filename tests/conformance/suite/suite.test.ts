import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { McpFixture } from '../../../host/src/runtime/mcp/server/mcpFixture.test-helper.ts';
import { createFixtureServer } from './fixtures.ts';
import { runSuite } from './runSuite.ts';
import { startTokenProxy } from './tokenProxy.ts';
import type { TokenProxy } from './tokenProxy.ts';

// The public conformance package against the application's own request guard with the tools that the package requires, for all that is scored. The
// scenarios that need no tools of its own run against the running application: application.test.ts.

let withFixtures: McpFixture;
let fixtureProxy: TokenProxy;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tabularium-suite-'));
  // One client does in a minute what a person's do in an hour.
  const limits = { requestsPerMinute: 100_000 };
  withFixtures = new McpFixture({
    limits,
    createServer: (era) => createFixtureServer(era, (event) => withFixtures.server.changes.publish(event)),
  });
  const { port } = await withFixtures.start();
  fixtureProxy = await startTokenProxy(port, withFixtures.mint({ scope: 'fullAccess' }).text);
});
afterAll(async () => {
  await fixtureProxy?.[Symbol.asyncDispose]();
  await withFixtures?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

describe('with the tools that the package requires', () => {
  it.each([
    ['2025-06-18', ['--suite', 'all', '--spec-version', '2025-06-18']],
    ['2025-11-25', ['--requirements', '2025-11-25']],
    ['2026-07-28', ['--requirements', '2026-07-28']],
  ] as const)('every scored scenario of %s', { timeout: 1_200_000 }, async (version, args) => {
    const { code, output } = await runSuite(['--url', fixtureProxy.url, ...args, '-o', join(folder, version)]);
    expect({ code, output: code === 0 ? '' : output.slice(-6_000) }).toEqual({ code: 0, output: '' });
  });
});
