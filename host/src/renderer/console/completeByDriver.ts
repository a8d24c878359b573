import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { visibleText } from '@tabularium/sdk';
import type { Completion } from '@tabularium/sdk';
import { api } from '../api/client.ts';

/** The kinds of the contract as the editor's marks. */
const KINDS: Readonly<Record<Completion['kind'], string>> = {
  keyword: 'keyword',
  request: 'method',
  table: 'class',
  column: 'property',
  parameter: 'variable',
  value: 'constant',
};

const LONGEST_BEFORE = 20;
/** Typing one of these opens the list. */
const TYPED = /[\p{L}\p{N}_$/?&.:"-]$/u;
/** In SQL the name of a table comes next, or a column that is set. */
const BEFORE_NAME = /(?<![\p{L}\p{N}_$])(?:from|join|into|update|table|set)\s$/iu;

/**
 * The driver's completions at the cursor, for the session of the text where it has one; null where it completes no texts or does not answer. An empty
 * list leaves the list closed.
 */
export async function completeByDriver(
  connectionId: string,
  sessionId: string | undefined,
  context: CompletionContext,
  inSql: boolean,
): Promise<CompletionResult | null> {
  const before = (): string => context.state.sliceDoc(Math.max(0, context.pos - LONGEST_BEFORE), context.pos);
  if (!context.explicit && !TYPED.test(before()) && !(inSql && BEFORE_NAME.test(before()))) return null;
  const controller = new AbortController();
  context.addEventListener('abort', () => controller.abort());
  try {
    const ofSession = sessionId === undefined ? {} : { sessionId };
    const input = { connectionId, text: context.state.doc.toString(), position: context.pos, ...ofSession };
    const answer = await api.console.complete.mutate(input, { signal: controller.signal });
    if (answer === null) return null;
    const { from, items } = answer;
    return {
      from,
      filter: false,
      options: items.map(({ label, detail, insert, kind }) => ({
        label: visibleText(label),
        apply: insert,
        type: KINDS[kind] ?? 'keyword',
        ...(detail === undefined ? {} : { detail: visibleText(detail) }),
      })),
    };
  } catch {
    return null;
  }
}
