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

/**
 * The driver's completions at the cursor, for the session of the text where it has one. A driver that offers nothing, or does not answer, leaves the list closed.
 */
export async function completeByDriver(
  connectionId: string,
  sessionId: string | undefined,
  context: CompletionContext,
): Promise<CompletionResult | null> {
  if (!context.explicit && context.matchBefore(/[\w/?&.:"-]$/) === null) return null;
  const controller = new AbortController();
  context.addEventListener('abort', () => controller.abort());
  try {
    const ofSession = sessionId === undefined ? {} : { sessionId };
    const input = { connectionId, text: context.state.doc.toString(), position: context.pos, ...ofSession };
    const { from, items } = await api.console.complete.mutate(input, { signal: controller.signal });
    if (items.length === 0) return null;
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
