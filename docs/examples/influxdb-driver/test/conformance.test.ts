import { afterAll, beforeAll, expect, it } from 'vitest';
import { runConformance } from '@tabularium/sdk/testing';
import { startInfluxd } from './influxd.ts';
import type { Influxd } from './influxd.ts';
import { fill, planFor } from './plan.ts';

// Needs `influxd` on the path.

let server: Influxd;
beforeAll(async () => {
  server = await startInfluxd();
  await fill(server);
}, 300_000);
afterAll(() => server.stop());

it('keeps the contract of drivers', async () => {
  const { report } = await runConformance(planFor(server));
  expect(report.checks.filter(({ outcome }) => outcome === 'broken')).toEqual([]);
  expect(report.score).toBe(100);
}, 300_000);
