import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RunningApplication } from '../../support/runningApplication.ts';
import { startBridgeProxy } from './bridgeProxy.ts';
import type { BridgeProxy } from './bridgeProxy.ts';
import { runSuite } from './runSuite.ts';
import { startTokenProxy } from './tokenProxy.ts';
import type { TokenProxy } from './tokenProxy.ts';

// The public conformance package against the built application in a process of its own: over HTTP and through the bridge. The other scenarios of the
// package call tools, prompts and resources of its own, which suite.test.ts gives them.

/** Scenarios about messages, and whether they pass through the bridge: those about HTTP itself say nothing of it. */
const SCENARIOS: Readonly<Record<string, Readonly<Record<string, 'both' | 'http'>>>> = {
  '2025-06-18': {
    'server-initialize': 'both',
    'server-session-lifecycle': 'http',
    ping: 'both',
    'logging-set-level': 'both',
    'tools-list': 'both',
    'resources-list': 'both',
    'prompts-list': 'both',
  },
  '2025-11-25': {
    'server-initialize': 'both',
    'server-session-lifecycle': 'http',
    ping: 'both',
    'logging-set-level': 'both',
    'tools-list': 'both',
    'resources-list': 'both',
    'prompts-list': 'both',
    'server-sse-multiple-streams': 'http',
    'dns-rebinding-protection': 'http',
  },
  '2026-07-28': {
    'tools-list': 'both',
    'resources-list': 'both',
    'prompts-list': 'both',
    'sep-2164-resource-not-found': 'both',
    'dns-rebinding-protection': 'http',
    caching: 'both',
    'http-header-validation': 'http',
    'server-sse-multiple-streams': 'http',
    'input-required-result-unsupported-methods': 'both',
  },
};

const CASES = Object.entries(SCENARIOS).flatMap(([version, scenarios]) =>
  Object.entries(scenarios).map(([scenario, where]) => ({ version, scenario, where })),
);

let application: RunningApplication;
let overHttp: TokenProxy;
let throughBridge: BridgeProxy;

beforeAll(async () => {
  application = await RunningApplication.start();
  overHttp = await startTokenProxy(Number(application.url.port), await application.mint('fullAccess'));
  throughBridge = await startBridgeProxy(application.env());
});
afterAll(async () => {
  await throughBridge?.[Symbol.asyncDispose]();
  await overHttp?.[Symbol.asyncDispose]();
  await application?.[Symbol.asyncDispose]();
});

describe.each([
  ['over HTTP', () => overHttp.url, CASES],
  ['through the bridge', () => throughBridge.url, CASES.filter(({ where }) => where === 'both')],
] as const)('the running application, %s', (_, url, cases) => {
  it.each(cases)('$version $scenario', async ({ version, scenario }) => {
    const { code, output } = await runSuite(['--url', url(), '--scenario', scenario, '--spec-version', version]);
    expect({ code, output }).toEqual({ code: 0, output: expect.not.stringContaining('FAILURE') as string });
  });
});
