import { DriverError } from '@tabularium/sdk';
import type { PlanNode, StatementPlan } from '@tabularium/sdk';
import { shortenedText } from '../cutText.ts';
import { faultTexts } from '../fault.ts';

/** As many as the contract takes. */
const MOST_NODES = 2_000;
const MOST_FACTS = 60;
const LONGEST_VALUE = 4_000;
const LONGEST_NAME = 1_000;
const LONGEST_LABEL = 200;
const LONGEST_RAW = 4_000_000;

type Members = Readonly<Record<string, unknown>>;

/** Members that are shown in a place of their own, or say nothing. */
const SHOWN_ELSEWHERE: ReadonlySet<string> = new Set([
  'Node Type',
  'Operation',
  'Relation Name',
  'Schema',
  'Alias',
  'Function Name',
  'CTE Name',
  'Tuplestore Name',
  'Table Function Name',
  'Startup Cost',
  'Total Cost',
  'Plan Rows',
  'Plan Width',
  'Actual Startup Time',
  'Actual Total Time',
  'Actual Rows',
  'Actual Loops',
  'Parent Relationship',
  'Plans',
]);
/** Target of a step, the first that it has. */
const TARGETS = ['Relation Name', 'Index Name', 'CTE Name', 'Function Name', 'Table Function Name', 'Tuplestore Name'];

/**
 * The plan in what the server answered to `EXPLAIN (FORMAT JSON)`.
 *
 * @throws DriverError `BAD_ANSWER`
 */
export function planOf(raw: string): StatementPlan {
  const plans = parsed(raw);
  const nodes: PlanNode[] = [];
  let count = 0;
  for (const plan of plans) {
    // By a list of what is left to visit: a plan may be nested as deeply as its statement is long.
    const left: { readonly node: Members; readonly depth: number }[] = [];
    const root = membersOf(plan['Plan']);
    if (root !== undefined) left.push({ node: root, depth: 0 });
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      count += 1;
      if (nodes.length < MOST_NODES) nodes.push(nodeOf(next.node, next.depth));
      const { depth } = next;
      const parts = Array.isArray(next.node['Plans']) ? (next.node['Plans'] as unknown[]) : [];
      for (const part of parts.toReversed()) {
        const node = membersOf(part);
        if (node !== undefined) left.push({ node, depth: depth + 1 });
      }
    }
  }
  const [first = {}] = plans;
  return {
    nodes,
    ...(count > nodes.length ? { leftOut: count - nodes.length } : {}),
    ...measured('planningMilliseconds', first['Planning Time']),
    ...measured('executionMilliseconds', first['Execution Time']),
    ...(raw.length <= LONGEST_RAW ? { raw: { mediaType: 'application/json', text: raw } } : {}),
    notes: [],
  };
}

function parsed(raw: string): readonly Members[] {
  try {
    const plans: unknown = JSON.parse(raw);
    if (Array.isArray(plans)) return plans.map(membersOf).filter((plan) => plan !== undefined);
  } catch (error) {
    throw new DriverError('BAD_ANSWER', "The server's plan isn't valid JSON.", {
      cause: error,
      details: { texts: faultTexts('explain.noJson') },
    });
  }
  throw new DriverError('BAD_ANSWER', "The server's plan isn't a list.", { details: { texts: faultTexts('explain.noList') } });
}

function membersOf(value: unknown): Members | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : undefined;
}

function measured<Name extends string>(name: Name, value: unknown): { readonly [N in Name]?: number } {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) return {};
  return { [name]: value } as { readonly [N in Name]: number };
}

function nodeOf(node: Members, depth: number): PlanNode {
  const target = targetOf(node);
  return {
    depth,
    operation: shortenedText([operationOf(node), relationshipOf(node)].join(''), LONGEST_LABEL) || '?',
    ...(target === undefined ? {} : { target: shortenedText(target, LONGEST_NAME) }),
    ...measured('estimatedRows', node['Plan Rows']),
    ...measured('cost', node['Total Cost']),
    ...measured('loops', node['Actual Loops']),
    ...(node['Actual Loops'] === 0
      ? {}
      : { ...measured('actualRows', node['Actual Rows']), ...measured('actualMilliseconds', node['Actual Total Time']) }),
    facts: factsOf(node),
  };
}

/** `ModifyTable` says less than what it does. */
function operationOf(node: Members): string {
  const operation = textOf(node['Operation']);
  return textOf(node['Node Type']) === 'ModifyTable' && operation !== '' ? operation : textOf(node['Node Type']);
}

/** Steps that run before the others, or once for each row. */
function relationshipOf(node: Members): string {
  const relationship = textOf(node['Parent Relationship']);
  return relationship === 'InitPlan' || relationship === 'SubPlan' ? ` (${relationship})` : '';
}

function targetOf(node: Members): string | undefined {
  const name = TARGETS.map((member) => textOf(node[member])).find((text) => text !== '');
  if (name === undefined) return undefined;
  const schema = textOf(node['Schema']);
  const alias = textOf(node['Alias']);
  return [schema === '' ? name : `${schema}.${name}`, ...(alias === '' || alias === name ? [] : [alias])].join(' ');
}

function factsOf(node: Members): PlanNode['facts'] {
  return Object.entries(node)
    .filter(([label]) => !SHOWN_ELSEWHERE.has(label))
    .flatMap(([label, value]) => {
      const shown = shownFact(value);
      return shown === undefined || label === ''
        ? []
        : [{ label: shortenedText(label, LONGEST_LABEL), value: shortenedText(shown, LONGEST_VALUE) }];
    })
    .slice(0, MOST_FACTS);
}

/** False and nothing are what most steps have of most members. */
function shownFact(value: unknown): string | undefined {
  if (value === true) return 'true';
  if (typeof value === 'number') return value === 0 ? undefined : String(value);
  if (typeof value === 'string') return value === '' ? undefined : value;
  if (Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string')) return value.join(', ');
  return undefined;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
