import { DriverError } from '@tabularium/sdk';
import type { ExplainFacet } from '@tabularium/sdk';
import { createConsole } from './streams.ts';
import type { World } from './world.ts';

export function createExplain(world: World): ExplainFacet {
  const statements = createConsole(world);
  return {
    async classify(statement, options) {
      const found = await statements.classify(statement, options);
      return options.analyze || found.unknown === true ? found : { ...found, effect: 'read' };
    },
    async explain(statement, { analyze, signal }) {
      await world.ready({ signal });
      const { effect, unknown, summary } = await statements.classify(statement, { signal });
      if (unknown === true) throw new DriverError('INVALID_INPUT', `“${statement}” is no statement of an orchard.`);
      if (analyze && effect !== 'read') throw new DriverError('PERMISSION_DENIED', 'Nothing was run: it does more than read.');
      const measures = analyze ? { actualRows: 4, actualMilliseconds: 1, loops: 1 } : {};
      return {
        nodes: [
          { depth: 0, operation: 'Gather', estimatedRows: 4, cost: 2, ...measures, facts: [] },
          {
            depth: 1,
            operation: 'Walk',
            target: summary,
            estimatedRows: 4,
            cost: 1,
            ...measures,
            facts: [{ label: 'Path', value: 'gravel' }],
          },
        ],
        raw: { mediaType: 'text/plain', text: `Gather\n  Walk ${summary}` },
        notes: [],
      };
    },
  };
}
