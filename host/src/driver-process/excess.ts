import type { DriverMethod } from '@tabularium/sdk/protocol';

/** Calls whose answer is as large as what the person sent: a driver that answers with too much was asked about too much. */
const SENT: Readonly<Partial<Record<DriverMethod, { readonly what: string; readonly entries: string }>>> = {
  'console.split': { what: 'The text', entries: 'statements' },
  'console.classify': { what: 'The statement', entries: 'tables' },
  'console.describeRequest': { what: 'The statement', entries: 'entries' },
  'edits.prepare': { what: 'The change', entries: 'changes' },
  'export.splice': { what: 'The filter', entries: 'columns' },
  'expressions.ofRead': { what: 'The filter', entries: 'conditions' },
};

/** An issue of a schema; the part of it that names what is too large. */
interface Issue {
  readonly code?: string | undefined;
  readonly origin?: unknown;
  readonly maximum?: unknown;
}

/** The input that was too large, where that is why the answer of a call exceeds its limit; undefined for every other wrong answer. */
export function excessOf(method: DriverMethod, issue: Issue): { readonly message: string; readonly advice: string } | undefined {
  const sent = SENT[method];
  if (sent === undefined || issue.code !== 'too_big') return undefined;
  const unit = issue.origin === 'string' ? 'characters' : sent.entries;
  const limit = Number(issue.maximum).toLocaleString('en-US');
  return {
    message: `${sent.what} is too large: the limit is ${limit} ${unit}. Nothing was run.`,
    advice: 'Send it in smaller parts.',
  };
}
