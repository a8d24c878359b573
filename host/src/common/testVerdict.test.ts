import { expect, it } from 'vitest';
import { testVerdict } from './testVerdict.ts';

const tcp = { id: 'tcp', outcome: 'ok' } as const;
const server = { id: 'server', outcome: 'ok' } as const;

it.each([
  ['passed', [tcp, server]],
  ['warned', [tcp, server, { id: 'finding-0', outcome: 'warning' }]],
  ['failed', [tcp, { id: 'server', outcome: 'failed' }]],
  ['failed', [tcp, server, { id: 'finding-0', outcome: 'failed' }]],
  // Nothing failed, and nothing is known: stopped before the first step, on the way, at the server, at a further node.
  ['incomplete', []],
  ['incomplete', [tcp]],
  ['incomplete', [tcp, { id: 'tls', outcome: 'warning' }]],
  ['incomplete', [tcp, { id: 'server', outcome: 'running' }]],
  ['incomplete', [tcp, { id: 'server', outcome: 'skipped' }]],
  ['incomplete', [tcp, server, { id: 'node-1', outcome: 'running' }]],
] as const)('is %s for %j', (verdict, steps) => {
  expect(testVerdict(steps)).toBe(verdict);
});
