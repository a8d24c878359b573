import { DriverError } from '@tabularium/sdk';
import type { ExplainFacet, PlanNode } from '@tabularium/sdk';
import type { Link } from '../link.ts';
import { requireStatement } from '../statements.ts';

interface Step {
  readonly depth: number;
  readonly operation: string;
  readonly target?: string;
  readonly expected: number;
  /** Only where it was measured. */
  readonly rows?: number;
  readonly milliseconds?: number;
}

function nodeOf({ depth, operation, target, expected, rows, milliseconds }: Step): PlanNode {
  return {
    depth,
    operation,
    ...(target === undefined ? {} : { target }),
    estimatedRows: expected,
    ...(rows === undefined ? {} : { actualRows: rows, loops: 1 }),
    ...(milliseconds === undefined ? {} : { actualMilliseconds: milliseconds }),
    facts: [],
  };
}

/** How the server would carry a statement out. */
export function explainFacet(link: Link): ExplainFacet {
  return {
    async classify(statement, { analyze, signal }) {
      signal.throwIfAborted();
      const found = requireStatement(statement);
      // Without measuring nothing of it is run.
      return analyze ? found : { ...found, effect: 'read' };
    },
    async explain(statement, { analyze, signal }) {
      link.begin(signal);
      if (requireStatement(statement).effect !== 'read' && analyze)
        throw new DriverError('PERMISSION_DENIED', 'Only a statement that reads is measured.');
      const json = { text: statement, analyze };
      const answer = await link.json({ method: 'POST', path: '/plans', json, isReading: true, signal });
      const { steps } = answer as { readonly steps: readonly Step[] };
      return {
        nodes: steps.map(nodeOf),
        raw: { mediaType: 'application/json', text: JSON.stringify(steps, null, 2) },
        notes: [],
      };
    },
  };
}
