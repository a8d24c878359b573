import type { ExplainFacet, PlanNode } from '@tabularium/sdk';
import { acts } from '../seeded.ts';
import type { Seeded } from '../seeded.ts';
import type { World } from '../orchard/world.ts';

const PLANNED = ['explain', 'a statement that reads has a plan, and with analyze what it measured'] as const;
const NOT_CARRIED_OUT = ['explain', 'nothing is carried out, and no change is measured'] as const;

const explaining = (
  name: string,
  breaks: Seeded['breaks'],
  says: RegExp,
  change: (facet: ExplainFacet, world: World) => Partial<ExplainFacet>,
): Seeded => acts(name, breaks, says, ({ explain }, world) => ({ explain: { ...explain, ...change(explain, world) } }));
const withSteps = (name: string, says: RegExp, change: (node: PlanNode) => Partial<PlanNode>): Seeded =>
  explaining(name, PLANNED, says, ({ explain }) => ({
    explain: async (...asked) => {
      const plan = await explain(...asked);
      return { ...plan, nodes: plan.nodes.map((node) => ({ ...node, ...change(node) })) };
    },
  }));

export const explainFaults: readonly Seeded[] = [
  withSteps('a step that is a part of no other', /part of no other/, ({ depth }) => ({ depth: depth * 2 })),
  withSteps("a cost that isn't a number", /is NaN/, () => ({ cost: NaN })),
  withSteps('a step without a name', /has no name/, () => ({ operation: ' ' })),
  explaining('a plan that runs the statement unasked', PLANNED, /nothing was to run/, ({ explain }) => ({
    explain: (statement, options) => explain(statement, { ...options, analyze: true }),
  })),
  explaining('a plan of no steps', PLANNED, /has no step/, ({ explain }) => ({
    explain: async (...asked) => ({ ...(await explain(...asked)), nodes: [] }),
  })),
  explaining('a plan that carries the change out', NOT_CARRIED_OUT, /changed rows/, ({ explain }, world) => ({
    explain: async (statement, options) => {
      const plan = await explain(statement, options);
      if (/^(?:empty|remove) /.test(statement)) for (const table of world.tables.values()) table.rows = table.rows.slice(1);
      return plan;
    },
  })),
  explaining('a change that is measured', NOT_CARRIED_OUT, /Measuring .*succeeded/, ({ explain }) => ({
    explain: (statement, options) => explain(statement, { ...options, analyze: false }),
  })),
];
