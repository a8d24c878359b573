import { isDriverError, visibleText, wholeStart } from '@tabularium/sdk';
import { z } from 'zod';
import { filledLength, fillVariables, variablesOf } from '../../../common/console.ts';
import { runAction } from '../access/runAction.ts';
import { boundArguments, toRowBounds } from './boundArguments.ts';
import { connectionArgument } from './connectionArgument.ts';
import { fittingEntries } from './fittingEntries.ts';
import { didYouMean, namesInShort } from './nearestName.ts';
import { MOST_ANSWER_CHARACTERS, timeoutArgument } from './resultRows.ts';
import type { ReadableRequest } from './savedRequestReader.ts';
import { classify, describeStatement, LONGEST_STATEMENT, runStatementTool, statementOutput, statementsOf } from './statement.ts';
import { defineTool, ToolFailure } from './tool.ts';
import type { ToolContext } from './tool.ts';

/** Characters of a text in the list of requests. */
const LISTED_CHARACTERS = 500;

const input = z.strictObject({
  connection: connectionArgument,
  request: z.string().min(1).max(200).optional().describe('Its name or id. Absent: lists them.'),
  variables: z.record(z.string().max(80), z.string().max(100_000)).default({}),
  statement: z.number().int().min(1).max(10_000).optional().describe('Of several statements, which one.'),
  ...boundArguments,
  timeoutSeconds: timeoutArgument,
});

export const runSavedRequest = defineTool({
  name: 'run_saved_request',
  title: 'Run saved request',
  description: 'Runs a request that the person saved in the console, by the rules of execute_query.',
  input,
  output: statementOutput.partial().extend({
    requests: z
      .array(
        z.object({
          id: z.string(),
          name: z.string(),
          text: z.string().optional().describe('Absent: it may hold a secret, or is too long to be searched.'),
          variables: z.array(z.string()).optional(),
        }),
      )
      .optional(),
  }),
  mostCharacters: MOST_ANSWER_CHARACTERS,
  isFor: ({ read, savedRequests }) => read && savedRequests,
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  async run({ connection, request, variables, statement, timeoutSeconds, ...bounds }, context) {
    context.timeLimit(timeoutSeconds);
    if (request === undefined) return list(connection, context);
    return context.change(connection, {
      prepare: async (open) => {
        const { name, text } = readable(findRequest(request, await requestsOf(connection, context)));
        checkVariables(name, text, variables);
        // Counted in what the person saved: no value moves a statement to another number, or makes two of one.
        const saved = chosen(name, await statementsOf(open, text), statement);
        const plan = await classify(open, filled(name, saved, variables), context.signal);
        const action = runAction(plan.classification);
        // The policy refuses a destructive statement, and names the tool for it.
        if (plan.classification.holdsSecret === true && action.effect !== 'destructive') throw holdsSecret(name);
        return { action, ...describeStatement(plan), plan };
      },
      run: (open, plan) => runStatementTool(open, plan, toRowBounds(bounds), context),
    });
  },
});

async function requestsOf(named: string, context: ToolContext): Promise<readonly ReadableRequest[]> {
  const connection = context.connection(named, { kind: 'read' });
  if (context.savedRequests === undefined)
    throw new ToolFailure('UNSUPPORTED', 'This host keeps no saved requests.', 'Use execute_query.');
  return context.savedRequests.list(connection);
}

interface ListedRequest {
  readonly id: string;
  readonly name: string;
  readonly text?: string;
  readonly variables?: string[];
}

async function list(connection: string, context: ToolContext): Promise<{ requests: ListedRequest[]; notes?: string[] }> {
  const requests = await requestsOf(connection, context);
  if (requests.length === 0) return { requests: [], notes: ['The person has saved no request for this connection.'] };
  const entries = requests.map(({ id, name, text }): ListedRequest => {
    if (text === undefined) return { id, name };
    const variables = [...variablesOf(text)];
    const shown = text.length > LISTED_CHARACTERS ? `${wholeStart(text, LISTED_CHARACTERS)}…` : text;
    return { id, name, text: shown, ...(variables.length === 0 ? {} : { variables }) };
  });
  const fitting = fittingEntries(entries);
  const left = entries.length - fitting.length;
  const withheld = await withheldByDriver(requests.slice(0, fitting.length), connection, context);
  return {
    requests: fitting.map(({ text, ...entry }) => (text === undefined || withheld.has(entry.id) ? entry : { ...entry, text })),
    ...(left === 0 ? {} : { notes: [`${left} more are left out: ask the person for the name.`] }),
  };
}

/** The requests whose text holds a secret for the driver, or that it cannot judge: what a key looks like is the database's own affair. */
async function withheldByDriver(
  requests: readonly ReadableRequest[],
  connection: string,
  context: ToolContext,
): Promise<ReadonlySet<string>> {
  return context.withConnection(connection, { kind: 'read' }, async (open) => {
    const withheld = new Set<string>();
    for (const { id, text } of requests) {
      if (text === undefined) continue;
      context.signal.throwIfAborted();
      // A statement with a variable in it is seldom one: a number fits where most values go.
      const sample = fillVariables(text, Object.fromEntries(variablesOf(text).map((variable) => [variable, '1'])));
      try {
        for (const statement of await statementsOf(open, sample)) {
          const { classification } = await classify(open, statement, context.signal);
          if (classification.holdsSecret === true) withheld.add(id);
        }
      } catch (error) {
        if (!isDriverError(error)) throw error;
        withheld.add(id);
      }
    }
    return withheld;
  });
}

/** A name means the connection's own request before one for all connections. */
function findRequest(wanted: string, requests: readonly ReadableRequest[]): ReadableRequest {
  const byId = requests.find(({ id }) => id === wanted);
  if (byId !== undefined) return byId;
  // Names are listed with marks for hidden characters; a client may also have the name from elsewhere, as it was saved.
  const listed = visibleText(wanted);
  const named = requests.filter(({ name }) => name === wanted || name === listed);
  const own = named.filter(({ isForAll }) => !isForAll);
  const [only, ...more] = own.length > 0 ? own : named;
  if (only === undefined) {
    const names = requests.map(({ name }) => name);
    const advice =
      names.length === 0
        ? 'The person has saved none for this connection.'
        : `${didYouMean(wanted, names)} There are: ${namesInShort(names)}.`.trim();
    throw new ToolFailure('NOT_FOUND', `There is no saved request "${wanted}".`, advice);
  }
  if (more.length > 0) {
    const ids = [only, ...more].map(({ id }) => id).join(', ');
    throw new ToolFailure('INVALID_INPUT', `Several saved requests are named "${wanted}".`, `Name one by its id: ${ids}.`);
  }
  return only;
}

function readable({ name, text, isTooLong }: ReadableRequest): { readonly name: string; readonly text: string } {
  if (text !== undefined) return { name, text };
  if (isTooLong !== true) throw holdsSecret(name);
  throw new ToolFailure(
    'UNSUPPORTED',
    `The saved request "${name}" is too long to be searched for secrets, so it isn't run for a client.`,
    'Ask the person to run it in the console of the window.',
  );
}

function checkVariables(name: string, text: string, values: Readonly<Record<string, string>>): void {
  const variables = variablesOf(text);
  const missing = variables.filter((variable) => !Object.hasOwn(values, variable));
  const unknown = Object.keys(values).filter((variable) => !variables.includes(variable));
  const takes = variables.length === 0 ? 'It takes none.' : `It takes: ${variables.join(', ')}.`;
  if (missing.length > 0) {
    throw new ToolFailure('INVALID_INPUT', `The saved request "${name}" lacks variables: ${missing.join(', ')}.`, takes);
  }
  if (unknown.length > 0) {
    throw new ToolFailure('INVALID_INPUT', `The saved request "${name}" has no variable ${unknown[0] ?? ''}.`, takes);
  }
}

function filled(name: string, statement: string, values: Readonly<Record<string, string>>): string {
  const length = filledLength(statement, values);
  if (length <= LONGEST_STATEMENT) return fillVariables(statement, values);
  throw new ToolFailure(
    'TOO_LARGE',
    `The saved request "${name}" has ${length} characters with these values.`,
    'Give shorter values.',
  );
}

function chosen(name: string, statements: readonly string[], wanted: number | undefined): string {
  const [first] = statements;
  if (first === undefined) throw new ToolFailure('INVALID_INPUT', `The saved request "${name}" is empty.`, 'Choose another one.');
  if (wanted === undefined && statements.length > 1) {
    throw new ToolFailure(
      'INVALID_INPUT',
      `The saved request "${name}" has ${statements.length} statements.`,
      `Run one after the other: statement 1 to ${statements.length}.`,
    );
  }
  const statement = statements[(wanted ?? 1) - 1];
  if (statement === undefined) {
    throw new ToolFailure(
      'INVALID_INPUT',
      `The saved request "${name}" has no statement ${wanted}.`,
      `It has ${statements.length}.`,
    );
  }
  return statement;
}

function holdsSecret(name: string): ToolFailure {
  return new ToolFailure(
    'UNSUPPORTED',
    `The saved request "${name}" may hold a secret, so it isn't run for a client.`,
    'Ask the person to run it in the console of the window.',
  );
}
