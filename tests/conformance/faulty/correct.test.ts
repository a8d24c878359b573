import { describe, expect, it } from 'vitest';
import { runConformance } from '@tabularium/sdk/testing';
import { consoleSessionChecks } from '../../../sdk/src/testing/checks/consoleSessions.ts';
import { orchardDriver } from './orchard/driver.ts';
import { orchardPlan } from './orchard/plan.ts';

describe('the driver that the faulty ones are made from', () => {
  it('keeps the whole contract, with every facet but sessions of the console and nothing untried', async () => {
    const plan = orchardPlan(orchardDriver());
    const { report } = await runConformance(plan);
    const absent = report.checks.filter(({ outcome }) => outcome !== 'kept');
    expect(absent.map(({ area, rule, outcome }) => [`${area}: ${rule}`, outcome])).toEqual(
      consoleSessionChecks(plan, undefined).map(({ name }) => [name, 'absent']),
    );
    expect(report).toMatchObject({ score: 100, counts: { broken: 0, untried: 0, absent: absent.length } });
  });
});
