import type { Scenario } from '../scenario.ts';

const EXPECTED = ['bytes', 'ratio', 'percent', 'perSecond', 'milliseconds', 'count'];

/** The dashboard has metrics, each a number with a unit, and no source failed. */
export const metrics: Scenario = {
  id: 'metrics',
  title: 'Server dashboard',
  async run({ session, options }, problems) {
    const reading = await session.metrics?.read(options);
    problems.same('problems', reading?.problems, []);
    const found = reading?.metrics ?? [];
    problems.holds(`only ${found.length} metrics`, found.length >= 6);
    for (const { id, value, unit } of found)
      problems.holds(`${id} is ${value} ${unit}`, Number.isFinite(value) && value >= 0 && EXPECTED.includes(unit));
  },
};
