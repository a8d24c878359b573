import type { Cell, ResultEvent, StatementClassification } from '@tabularium/sdk';
import { ToolFailure } from './tool.ts';
import type { ToolContext } from './tool.ts';

/** Characters of an answer that the window shows. */
const LONGEST_SHOWN = 100_000;
/** The client may give up while the request is in flight. The secret exists then, and its value must reach the window all the same. */
const ANSWER_MILLISECONDS = 60_000;

/**
 * Whether the new secret that a statement creates, if any, can stay out of the client's sight.
 *
 * @throws ToolFailure before anything is sent: the client chose the value itself, or no window is open that could show it
 */
export function mustStayHidden({ newSecret }: StatementClassification, { newSecrets }: ToolContext): void {
  if (newSecret === 'inStatement') {
    throw new ToolFailure(
      'ACCESS_FORBIDDEN',
      'The statement chooses the value of a new secret, so that this client would know it. Nothing was sent.',
      'Leave the value out: the database makes one, and the Tabularium window shows it to the person.',
      { refused: true },
    );
  }
  if (newSecret === 'inAnswer' && !newSecrets.canShow()) {
    throw new ToolFailure(
      'APPROVAL_REQUIRED',
      'The answer holds a new secret, which only the Tabularium window shows, and no window can show it now. Nothing was sent.',
      'Ask the person to open the Tabularium window, to dismiss the secrets that it shows, and call again.',
      { refused: true },
    );
  }
}

/** The end of an answer that went to the window. */
export interface HiddenAnswer {
  readonly status?: string;
  readonly milliseconds: number;
}

/** Runs a statement whose answer holds a new secret, and gives the answer to the window alone. */
export async function answerInWindow(
  run: (signal: AbortSignal) => AsyncIterable<ResultEvent>,
  about: { readonly connectionName: string; readonly summary: string },
  { newSecrets, principal }: ToolContext,
): Promise<HiddenAnswer> {
  const parts: string[] = [];
  let columns: readonly string[] = [];
  let end: HiddenAnswer = { milliseconds: 0 };
  try {
    for await (const event of run(AbortSignal.timeout(ANSWER_MILLISECONDS))) {
      if (event.type === 'text') parts.push(event.text);
      if (event.type === 'rowsBegin') columns = event.columns.map(({ name }) => name);
      if (event.type === 'rows')
        for (const row of event.rows) parts.push(columns.map((name, at) => `${name}: ${textOfCell(row[at] ?? null)}`).join('\n'));
      if (event.type === 'done')
        end = { milliseconds: event.milliseconds, ...(event.status === undefined ? {} : { status: event.status }) };
    }
  } finally {
    // Also what came before a failure: the secret may exist.
    if (parts.length > 0)
      newSecrets.show({ ...about, principalName: principal.name, text: parts.join('\n\n').slice(0, LONGEST_SHOWN) });
  }
  return end;
}

function textOfCell(cell: Cell): string {
  return Array.isArray(cell) ? String(cell[1] ?? '') : String(cell ?? '');
}
