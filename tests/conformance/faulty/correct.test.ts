import { describe, expect, it } from 'vitest';
import { runConformance } from '@tabularium/sdk/testing';
import { orchardDriver } from './orchard/driver.ts';
import { orchardPlan } from './orchard/plan.ts';

describe('the driver that the faulty ones are made from', () => {
  it('keeps the whole contract, with every facet and nothing untried', async () => {
    const { report } = await runConformance(orchardPlan(orchardDriver()));
    expect(report.checks.filter(({ outcome }) => outcome !== 'kept')).toEqual([]);
    expect(report).toMatchObject({ score: 100, counts: { broken: 0, untried: 0, absent: 0 } });
  });
});
