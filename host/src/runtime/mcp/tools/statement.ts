import { isDeepStrictEqual } from 'node:util';
import type { PermittedStatement, ResultEvent, Session, StatementClassification } from '@tabularium/sdk';
import { z } from 'zod';
import type { OpenSession } from '../../data/sessions.ts';
import { runAction } from '../access/runAction.ts';
import { parseJsonExactly } from './jsonValue.ts';
import { withFaultPlace } from './faultPlace.ts';
import type { GivenStatement } from './faultPlace.ts';
import { answerInWindow, mustStayHidden } from './newSecretAnswer.ts';
import { columnsOutput, ResultRows, rowsOutput } from './resultRows.ts';
import type { RowBounds } from './resultRows.ts';
import { nameInText } from './nearestName.ts';
import { estimateTokens, fittingCharacters } from './tokenEstimate.ts';
import { ToolFailure } from './tool.ts';
import type { ToolContext } from './tool.ts';

/** Characters of a statement. */
export const LONGEST_STATEMENT = 1_000_000;
export const statementArgument = z.string().min(1).max(LONGEST_STATEMENT).describe("One, in the database's own language.");

export const statementOutput = z.object({
  effect: z.enum(['read', 'write', 'destructive']).describe('What the statement does to data.'),
  results: z
    .array(
      z.object({
        columns: columnsOutput.optional(),
        rows: rowsOutput.optional(),
        text: z.string().optional().describe("A result that isn't a table."),
        json: z.unknown().optional().describe("A result in JSON that isn't a table."),
        affectedRows: z.number().int().optional(),
        truncated: z.boolean().optional().describe('Whether rows or text were left out.'),
        status: z.string().optional(),
        milliseconds: z.number().optional(),
      }),
    )
    .describe('One for each result of the statement.'),
  notes: z.array(z.string()).optional(),
});
export type StatementOutput = z.input<typeof statementOutput>;

/** One statement, with what it does. */
export interface ClassifiedStatement {
  readonly text: string;
  readonly statement: GivenStatement;
  readonly classification: StatementClassification;
}

/**
 * The effect of a text. The classified text is the one that runs, and there is only one: a second statement behind a first one
 * would go by unseen.
 *
 * @throws ToolFailure
 */
export async function classify(open: OpenSession, text: string, signal: AbortSignal): Promise<ClassifiedStatement> {
  const statement = await singleStatement(open, text);
  try {
    const classification = await consoleOf(open.session).classify(statement.text, { signal });
    return { text: statement.text, statement, classification };
  } catch (error) {
    throw withFaultPlace(error, statement);
  }
}

/** @throws ToolFailure for a text of none or of several */
export async function singleStatement({ session }: OpenSession, text: string): Promise<GivenStatement> {
  const statements = await consoleOf(session).split(text);
  const [statement, ...more] = statements;
  if (statement === undefined)
    throw new ToolFailure('INVALID_INPUT', 'There is no statement in this text.', 'Send one statement.');
  if (more.length > 0) {
    throw new ToolFailure('INVALID_INPUT', `There are ${statements.length} statements in this text.`, 'Send them one by one.');
  }
  return { ...statement, given: text };
}

/** The statements of a text, one after another. */
export async function statementsOf({ session }: OpenSession, text: string): Promise<readonly string[]> {
  return (await consoleOf(session).split(text)).map((statement) => statement.text);
}

/** A missing condition is said first: in a long statement it is easily overlooked. */
function summaryOf({ summary, effect, everyRowOf }: StatementClassification): string {
  if (everyRowOf === undefined) return summary;
  const does = effect === 'destructive' ? 'Changes or deletes' : 'Changes';
  return `${does} every row of ${nameInText([...everyRowOf.namespace, everyRowOf.name].join('.'))}: ${summary}`;
}

/** The text for the question to a person and for the activity log: never the text of a statement that may hold a secret. */
export function describeStatement({ text, classification }: ClassifiedStatement): {
  readonly summary: string;
  readonly text: string;
  readonly logged?: string;
} {
  const summary = summaryOf(classification);
  return { summary, text, ...(classification.holdsSecret === true ? { logged: summary } : {}) };
}

/**
 * Runs one statement and keeps what an answer may hold. One that changes something is classified again: a person may have taken minutes to
 * approve it, and what its names stand for may have changed.
 *
 * @throws ToolFailure `CONFLICT` when it would do something else than was approved; nothing was run then
 */
export async function runStatementTool(
  open: OpenSession,
  plan: ClassifiedStatement,
  bounds: RowBounds,
  context: ToolContext,
): Promise<StatementOutput> {
  try {
    return await runClassified(open, plan, bounds, context);
  } catch (error) {
    throw withFaultPlace(error, plan.statement);
  }
}

async function runClassified(
  open: OpenSession,
  { text, classification }: ClassifiedStatement,
  { maxRows, maxTokens, cellCharacters }: RowBounds,
  context: ToolContext,
): Promise<StatementOutput> {
  const { session, connection } = open;
  if (runAction(classification).effect !== 'read') {
    const now = await consoleOf(session).classify(text, { signal: context.signal });
    if (!isDeepStrictEqual(now, classification)) {
      throw new ToolFailure(
        'CONFLICT',
        'The statement would do something else now than when it was checked. Nothing was run.',
        'Call again.',
      );
    }
  }
  mustStayHidden(classification, context);
  const permitted: PermittedStatement = {
    effect: classification.effect,
    tables: classification.tables,
    ...(classification.unknown === undefined ? {} : { unknown: classification.unknown }),
    ...(classification.everyRowOf === undefined ? {} : { everyRowOf: classification.everyRowOf }),
  };
  if (classification.newSecret !== undefined) {
    const { summary, effect } = classification;
    const run = (signal: AbortSignal): AsyncIterable<ResultEvent> => consoleOf(session).run(text, { maxRows, permitted, signal });
    const end = await answerInWindow(run, { connectionName: connection.name, summary }, context);
    return {
      effect,
      results: [end],
      notes: ['The answer holds a new secret. The Tabularium window shows it to the person; it is not given to clients.'],
    };
  }
  const results: StatementOutput['results'] = [];
  let tokensLeft = maxTokens;
  const notes: string[] = [];
  let rows: ResultRows | undefined;
  let answer: { text: string; isJson: boolean } | undefined;
  let received = 0;
  const timeLimit = context.timeLeft();
  for await (const event of consoleOf(session).run(text, { maxRows, permitted, timeLimit, signal: context.signal })) {
    switch (event.type) {
      case 'rowsBegin':
        rows = new ResultRows(event.columns, { maxRows, maxTokens: tokensLeft, cellCharacters });
        break;
      case 'rows':
        rows?.add(event.rows);
        received += event.rows.length;
        context.progress(received, undefined, `${received} rows`);
        break;
      case 'text':
        answer = { text: event.text, isJson: event.mediaType === 'application/json' };
        break;
      case 'done': {
        const shown = answer === undefined ? undefined : textAnswer(answer.text, answer.isJson, tokensLeft);
        notes.push(...(rows?.notes(HOW_TO_SEE_LESS) ?? []), ...(shown?.notes ?? []));
        if (event.truncated && rows?.isFull !== true)
          notes.push(`Only the first ${rows?.rows.length ?? 0} rows are here. ${HOW_TO_SEE_LESS}`);
        results.push({
          ...(rows === undefined ? {} : { columns: rows.columns, rows: rows.rows }),
          ...shown?.output,
          ...(event.affectedRows === undefined ? {} : { affectedRows: event.affectedRows }),
          ...(event.truncated || rows?.isFull === true || (shown?.notes.length ?? 0) > 0 ? { truncated: true } : {}),
          ...(event.status === undefined ? {} : { status: event.status }),
          milliseconds: Math.round(event.milliseconds),
        });
        tokensLeft = Math.max(0, tokensLeft - estimateTokens(JSON.stringify(results.at(-1))));
        rows = undefined;
        answer = undefined;
        break;
      }
    }
  }
  return { effect: classification.effect, results, ...(notes.length === 0 ? {} : { notes }) };
}

const HOW_TO_SEE_LESS = 'Ask for fewer columns or rows in the statement, page through it there, or raise maxTokens.';

function textAnswer(
  text: string,
  isJson: boolean,
  maxTokens: number,
): { output: { text?: string; json?: unknown }; notes: string[] } {
  const fitting = fittingCharacters(text, maxTokens);
  if (fitting < text.length) {
    const note = `The answer has ${text.length} characters; only the first ${fitting} are here. Ask for less in the statement, or raise maxTokens.`;
    return { output: { text: text.slice(0, fitting).toWellFormed() }, notes: [note] };
  }
  if (!isJson) return { output: { text }, notes: [] };
  try {
    return { output: { json: parseJsonExactly(text) }, notes: [] };
  } catch {
    return { output: { text }, notes: [] };
  }
}

function consoleOf(session: Session): NonNullable<Session['console']> {
  if (session.console === undefined) {
    throw new ToolFailure(
      'UNSUPPORTED',
      'This database takes no statements.',
      'Use browse_table, count_rows and the tools for rows.',
    );
  }
  return session.console;
}
