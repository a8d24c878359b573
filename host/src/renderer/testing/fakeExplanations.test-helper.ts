import { DriverError } from '@tabularium/sdk';
import type { PlanNode, StatementClassification } from '@tabularium/sdk';
import type { ExplainStatement } from '../../common/explaining.ts';
import type { FakeContext } from './fakeContext.test-helper.ts';

export interface FakeExplanations {
  readonly explanations: NonNullable<FakeContext['explanations']>;
  /** The statements that were explained, in order, those that were run for it with `measured`. */
  readonly explained: readonly string[];
}

const NODES: readonly (PlanNode & { readonly measured: Partial<PlanNode> })[] = [
  {
    depth: 0,
    operation: 'Hash Join',
    estimatedRows: 12,
    cost: 1_234.5,
    facts: [{ label: 'Hash Cond', value: '(p.brand_id = b.id)' }],
    measured: { actualRows: 4_800, actualMilliseconds: 21.4, loops: 1 },
  },
  {
    depth: 1,
    operation: 'Seq Scan',
    target: 'products p',
    estimatedRows: 5_000,
    cost: 900,
    facts: ['Filter', 'Rows Removed by Filter', 'Shared Hit Blocks', 'Shared Read Blocks'].map((label) => ({
      label,
      value: label === 'Filter' ? "(name = 'gone\u0007\u202etxt')" : '7',
    })),
    measured: { actualRows: 4_800, actualMilliseconds: 9.1, loops: 1 },
  },
  {
    depth: 1,
    operation: 'Index Scan',
    target: 'brands b',
    estimatedRows: 1,
    cost: 8.3,
    facts: [],
    measured: { loops: 0 },
  },
];

/** Plans of the statements of {@link fakeConsole}; planning `empty NAME` may run a function, `slow NAME` takes until it is stopped. */
export function fakeExplanations(): FakeExplanations {
  const explained: string[] = [];
  const classify = (statement: string, analyze: boolean): StatementClassification => {
    const [verb = '', name = ''] = statement.split(' ');
    const summary = `${verb.toUpperCase()} ${name}`;
    if (!['read', 'change', 'slow', 'empty', 'fail'].includes(verb))
      throw new DriverError('INVALID_INPUT', `Unknown word “${verb}”.`);
    if (verb === 'empty') return { effect: 'write', unknown: true, tables: [], summary: `${summary} (the function trace)` };
    return { effect: analyze && verb === 'change' ? 'write' : 'read', tables: [], summary };
  };
  return {
    explained,
    explanations: {
      classify: async ({ statement, analyze }) => classify(statement, analyze),
      explain: async ({ statement, analyze, agreedTo }: ExplainStatement, signal) => {
        const { effect } = classify(statement, analyze);
        if (effect !== 'read' && (analyze || agreedTo === 'read')) throw new DriverError('PERMISSION_DENIED', 'Nothing was run.');
        explained.push(analyze ? `${statement} measured` : statement);
        if (statement.startsWith('fail ')) throw new DriverError('NOT_FOUND', `There is no “${statement.slice(5)}”.`);
        if (statement.startsWith('slow ')) {
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
          throw new DriverError('CANCELLED');
        }
        const nodes = NODES.map(({ measured, ...node }) => ({ ...node, ...(analyze ? measured : {}) }));
        const { effect: run, summary } = classify(statement, true);
        return {
          plan: {
            nodes,
            planningMilliseconds: 0.214,
            ...(analyze ? { executionMilliseconds: 22.4 } : {}),
            raw: { mediaType: 'application/json', text: '[{"Plan":{"Node Type":"Hash Join","Plan Rows":12}}]' },
            notes: [],
          },
          measurable: run === 'read' ? { allowed: true } : { allowed: false, does: summary },
        };
      },
    },
  };
}
