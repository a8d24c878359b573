import { afterAll, describe, expect, it } from 'vitest';
import { conformanceChecks } from '@tabularium/sdk/testing';
import { consoleSessionChecks } from '../../../sdk/src/testing/checks/consoleSessions.ts';
import { activityFaults } from './faults/activity.ts';
import { editingFaults } from './faults/editing.ts';
import { explainFaults } from './faults/explaining.ts';
import { facetFaults } from './faults/facets.ts';
import { filteringFaults } from './faults/filtering.ts';
import { importFaults } from './faults/importing.ts';
import { namespaceFaults } from './faults/namespaces.ts';
import { objectFaults } from './faults/objects.ts';
import { operationFaults } from './faults/operations.ts';
import { readingFaults } from './faults/reading.ts';
import { rowFaults } from './faults/rows.ts';
import { searchFaults } from './faults/searching.ts';
import { leftovers, sessionFaults } from './faults/sessions.ts';
import { streamFaults } from './faults/streams.ts';
import { structureFaults } from './faults/structure.ts';
import { orchardDriver } from './orchard/driver.ts';
import { orchardPlan } from './orchard/plan.ts';
import type { Seeded } from './seeded.ts';

const all: readonly Seeded[] = [
  ...readingFaults,
  ...structureFaults,
  ...filteringFaults,
  ...sessionFaults,
  ...editingFaults,
  ...streamFaults,
  ...facetFaults,
  ...namespaceFaults,
  ...explainFaults,
  ...activityFaults,
  ...rowFaults,
  ...searchFaults,
  ...objectFaults,
  ...operationFaults,
  ...importFaults,
];

/** The output of the checks of one rule, with every table. */
async function complaints({ plan, breaks: [area, rule] }: Seeded): Promise<string[]> {
  const said: string[] = [];
  for (const check of conformanceChecks(plan)) {
    if (check.area !== area || check.rule !== rule) continue;
    await check.run().catch((error: unknown) => said.push(error instanceof Error ? error.message : String(error)));
  }
  return said;
}

afterAll(() => {
  for (const remove of leftovers) remove();
});

describe('the conformance kit', () => {
  it.each(all.map((seeded) => [seeded.name, seeded.breaks.join(': '), seeded] as const))(
    'finds %s, by %s',
    async (_name, _check, seeded) => {
      expect(await complaints(seeded)).toContainEqual(expect.stringMatching(seeded.says));
    },
  );

  it('has no check that nothing can fail', () => {
    const found = new Set(all.map(({ breaks }) => breaks.join(': ')));
    const plan = orchardPlan(orchardDriver());
    // The orchard has no sessions: their checks have faults of their own, beside the kit.
    const ofSessions = new Set(consoleSessionChecks(plan, undefined).map(({ name }) => name));
    const checks = conformanceChecks(plan)
      .filter(({ name }) => !ofSessions.has(name))
      .map(({ area, rule }) => `${area}: ${rule}`);
    expect([...new Set(checks)].filter((check) => !found.has(check))).toEqual([]);
    expect(all.length).toBeGreaterThanOrEqual(25);
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  });
});
