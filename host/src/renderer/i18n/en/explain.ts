import { formatCount, formatDecimal, formatMilliseconds } from '../format.ts';
import { formatMessage } from '../formatMessage.ts';

/** A number of rows of a plan, which may be the average of many loops. */
const rows = (value: number): string => (Number.isInteger(value) ? formatCount(value) : formatDecimal(value, 1));

/** The words of plans in the console. */
export const explainWords = {
  explain: 'Explain',
  explainTitle: 'Shows the plan of the request at the cursor; nothing is run (F9)',
  measure: 'Run and measure',
  measureTitle: 'Runs the request in a read-only transaction and shows what each step really took',
  notMeasurable: (does: string): string => `Only a request that is certain to read is run for its plan. This one: ${does}`,
  running: (text: string): string => `Explaining ${text}`,
  waiting: 'Waiting for the plan.',
  failed: 'There is no plan',
  stopped: 'You stopped this. Nothing was changed.',
  region: 'Plan',
  table: (text: string): string => `Plan of ${text}`,
  columns: {
    step: 'Step',
    estimated: 'Rows, estimated',
    actual: 'Rows, actual',
    loops: 'Loops',
    time: 'Time',
    cost: 'Cost',
  },
  level: (depth: number): string => `Level ${formatCount(depth + 1)}:`,
  rows,
  cost: (value: number): string => formatDecimal(value, 2),
  time: (value: number): string => (value < 10 ? `${formatDecimal(value, 2)} ms` : formatMilliseconds(value)),
  never: 'Never ran',
  more: (factor: number): string => `${formatCount(factor)}× more than estimated`,
  fewer: (factor: number): string => `${formatCount(factor)}× fewer than estimated`,
  moreFacts: (count: number): string => formatMessage('{count, plural, one {# more fact} other {# more facts}}', { count }),
  estimatedOnly: 'Estimates. Nothing was run.',
  measured: 'Measured. Rows and time are those of one loop.',
  planning: (value: number): string => `Planning: ${formatDecimal(value, 2)} ms`,
  execution: (value: number): string => `Execution: ${formatDecimal(value, 2)} ms`,
  leftOut: (count: number): string =>
    formatMessage('{count, plural, one {# more step is} other {# more steps are}} left out; the text has all.', { count }),
  view: 'How the plan is shown',
  views: { tree: 'Steps', text: 'Text' },
  noText: 'The text of this plan is too long to show.',
  copy: 'Copy plan',
  close: 'Close the plan',
};
