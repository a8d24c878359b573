import type { Command } from 'commander';
import { visibleText } from '@tabularium/sdk';
import type { Operation, OperationCall, OperationPlace, OperationPlan } from '@tabularium/sdk';
import { MOST_INPUT_CHARACTERS } from '@tabularium/sdk/protocol';
import { z } from 'zod';
import { HostError } from '../../common/errors.ts';
import {
  operationCallSchema,
  operationFormSchema,
  operationPlanSchema,
  operationRunSchema,
  operationSchema,
} from '../../common/operations.ts';
import type { OperationRun } from '../../common/operations.ts';
import { tableName } from '../../common/tableName.ts';
import { findConnection } from '../findConnection.ts';
import { understood } from '../ownerApi.ts';
import type { ApiCallOptions, OwnerApi } from '../ownerApi.ts';
import { textTable } from '../output/table.ts';
import { rewriteLine, write } from '../terminal.ts';
import { readTextFile } from '../textFiles.ts';
import { UsageError } from '../usageError.ts';
import { findTableOf } from './findTableOf.ts';
import { JsonAnswer } from './jsonAnswer.ts';
import { STANDARD_STREAM, namedPath } from './namedPath.ts';
import { follow, print, run, warn } from './programContext.ts';
import type { JsonOption, ProgramContext } from './programContext.ts';
import { readStandardInput } from './readStandardInput.ts';
import { typedOr } from '../../common/typedOr.ts';
import { typedWord } from '../../common/typedWord.ts';

const listAnswer = new JsonAnswer(
  z.object({
    operations: z.array(
      z.object({
        operation: z.string(),
        label: z.string(),
        help: z.string(),
        effect: z.enum(['read', 'write', 'destructive']),
        resumable: z.boolean(),
        allowed: z.boolean(),
        /** Why it can't be done. */
        reason: z.string().optional(),
      }),
    ),
  }),
);
/** `input` is the text of a JSON object to begin with. */
const formAnswer = new JsonAnswer(
  z.object({ operation: z.string(), input: z.string(), presets: z.array(z.object({ id: z.string(), input: z.string() })) }),
);
const planAnswer = new JsonAnswer(
  z.object({
    operation: z.string(),
    effect: z.enum(['read', 'write', 'destructive']),
    consequence: z.string(),
    steps: z.array(z.object({ title: z.string(), statements: z.array(z.string()) })),
    /** The name for `--confirm`. */
    confirm: z.string().optional(),
    rows: z.number().optional(),
    affected: z.array(z.object({ table: z.string(), becomes: z.enum(['new', 'changed', 'emptied', 'gone']) })),
  }),
);
const outcomeSchema = z.object({
  run: z.string(),
  operation: z.string(),
  connection: z.string(),
  /** Of an operation on one table. */
  table: z.string().optional(),
  state: z.enum(['running', 'done', 'failed', 'cancelled', 'interrupted']),
  message: z.string().optional(),
  affectedRows: z.number().optional(),
  rejected: z.number(),
  canResume: z.boolean(),
  /** The label of the operation that takes it back. */
  undo: z.string().optional(),
});
const runAnswer = new JsonAnswer(outcomeSchema);
const runsAnswer = new JsonAnswer(z.object({ runs: z.array(outcomeSchema) }));
const leaveAnswer = new JsonAnswer(z.object({ left: z.string() }));

interface PlaceOptions extends JsonOption {
  readonly table?: string;
  readonly namespace?: string;
}

interface RunOptions extends PlaceOptions {
  readonly yes?: true;
  readonly confirm?: string;
}

/** Adds the options that say where an operation is done. */
function placed(command: Command): Command {
  return command
    .option('--table <name>', 'an operation of this table; otherwise of the server')
    .option('--namespace <name>', 'an operation of this part of the server, such as a schema');
}

function confirmed(command: Command): Command {
  return command
    .option('--yes', 'run a destructive operation; needs --confirm')
    .option('--confirm <name>', 'the name that "operations plan" asks for');
}

export function addOperationCommands(program: Command, context: ProgramContext): void {
  const operations = program
    .command('operations')
    .description('operations on a server or on whole tables, such as clone, reindex and snapshot');

  placed(operations.command('list').description('list the operations that a connection or one of its tables has'))
    .argument('<connection>', 'name or id')
    .addOption(listAnswer)
    .action(async (connection: string, options: PlaceOptions) => {
      const found = await run(context, z.array(operationSchema), async (api, calling) => {
        const { connectionId, place } = await findPlace(api, connection, options, calling);
        return api.operations.list.query({ connectionId, place }, calling);
      });
      const answer = {
        operations: found.map(({ id, label, help, effect, resumable, ability }) => ({
          ...{ operation: id, label, help, effect, resumable, allowed: ability.allowed },
          ...(ability.allowed ? {} : { reason: ability.reason }),
        })),
      };
      await print(context, options, listAnswer, answer, () =>
        textTable(
          [{ title: 'Operation' }, { title: 'Name' }, { title: 'Effect' }],
          answer.operations.map(({ operation, label, effect, allowed }) => [operation, label, allowed ? effect : 'unavailable']),
        ),
      );
    });

  placed(operations.command('form').description('print the input that an operation begins with'))
    .argument('<connection>', 'name or id')
    .argument('<operation>', 'as "operations list" prints it')
    .addOption(formAnswer)
    .action(async (connection: string, operation: string, options: PlaceOptions) => {
      const form = await run(context, operationFormSchema, async (api, calling) => {
        const found = await findOperation(api, connection, operation, options, calling);
        return api.operations.form.query({ connectionId: found.connectionId, place: found.place, operation }, calling);
      });
      const presets = form.presets.map(({ id, document }) => ({ id, input: document }));
      await print(
        context,
        options,
        formAnswer,
        { operation, input: form.document, presets },
        () => `${visibleText(form.document, 'data')}\n`,
      );
    });

  placed(operations.command('plan').description('print what an operation would do and send nothing'))
    .argument('<connection>', 'name or id')
    .argument('<operation>', 'as "operations list" prints it')
    .argument('[file]', 'a file with the input, a JSON object; - reads standard input. Without it the one of "operations form"')
    .addOption(planAnswer)
    .action(async (connection: string, operation: string, file: string | undefined, options: PlaceOptions) => {
      const input = await readInput(context, file);
      const plan = await run(context, operationPlanSchema, async (api, calling) => {
        const { connectionId, call } = await callOf(api, { connection, operation, input, options }, calling);
        return api.operations.plan.mutate({ connectionId, call }, calling);
      });
      await print(context, options, planAnswer, plannedAnswer(operation, plan), () => planText(plan));
    });

  confirmed(placed(operations.command('run').description('run an operation; prints its steps and its result')))
    .argument('<connection>', 'name or id')
    .argument('<operation>', 'as "operations list" prints it')
    .argument('[file]', 'a file with the input, a JSON object; - reads standard input. Without it the one of "operations form"')
    .addOption(runAnswer)
    .action(async (connection: string, operation: string, file: string | undefined, options: RunOptions) => {
      const input = await readInput(context, file);
      await runToItsEnd(context, options, async (api, calling) => {
        const { connectionId, call } = await callOf(api, { connection, operation, input, options }, calling);
        return start(api, connectionId, call, options, calling);
      });
    });

  operations
    .command('runs')
    .description('list the operations that run, were interrupted, or have ended')
    .addOption(runsAnswer)
    .action(async (options: JsonOption) => {
      const answer = await run(context, runsAnswer.schema, async (api, calling) => ({
        runs: understood(z.array(operationRunSchema), await api.operations.runs.query(undefined, calling)).map(outcomeOf),
      }));
      await print(context, options, runsAnswer, answer, () =>
        textTable(
          [{ title: 'Run' }, { title: 'Operation' }, { title: 'Table' }, { title: 'State' }, { title: 'Resumable' }],
          answer.runs.map((one) => [one.run, one.operation, one.table ?? '', one.state, one.canResume ? 'yes' : 'no']),
        ),
      );
    });

  operations
    .command('resume')
    .description('continue an interrupted operation where it was')
    .argument('<run>', 'as "operations runs" prints it')
    .addOption(runAnswer)
    .action(async (id: string, options: JsonOption) => {
      await runToItsEnd(context, options, async (api, calling) => api.operations.resume.mutate({ id: runId(id) }, calling));
    });

  operations
    .command('leave')
    .description('take an operation that is not running off the list; what it did stays')
    .argument('<run>', 'as "operations runs" prints it')
    .addOption(leaveAnswer)
    .action(async (id: string, options: JsonOption) => {
      await run(context, z.unknown(), async (api, calling) => api.operations.leave.mutate({ id: runId(id) }, calling));
      await print(context, options, leaveAnswer, { left: id }, () => `Left ${id}.\n`);
    });

  confirmed(operations.command('undo').description('take an operation back; prints what is sent'))
    .argument('<run>', 'as "operations runs" prints it')
    .addOption(runAnswer)
    .action(async (id: string, options: RunOptions) => {
      await runToItsEnd(context, options, async (api, calling) => {
        const known = understood(z.array(operationRunSchema), await api.operations.runs.query(undefined, calling));
        const connectionId = known.find((one) => one.id === id)?.connectionId;
        if (connectionId === undefined) throw new UsageError(`There is no run "${id}".`);
        const call = understood(operationCallSchema, await api.operations.undo.query({ id: runId(id) }, calling));
        return start(api, connectionId, call, options, calling);
      });
    });
}

function runId(text: string): string {
  if (z.uuid().safeParse(text).success) return text;
  throw new UsageError(`"${text}" isn't the id of a run. "operations runs" prints them.`);
}

async function readInput(context: ProgramContext, file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  return file === STANDARD_STREAM
    ? readStandardInput(context, MOST_INPUT_CHARACTERS)
    : readTextFile(namedPath(context, file), MOST_INPUT_CHARACTERS);
}

interface FoundPlace {
  readonly connectionId: string;
  readonly place: OperationPlace;
}

async function findPlace(
  api: OwnerApi,
  connection: string,
  { table, namespace }: PlaceOptions,
  calling: ApiCallOptions,
): Promise<FoundPlace> {
  if (table !== undefined && namespace !== undefined) throw new UsageError('Name a table or a namespace, not both.');
  const { id: connectionId } = await findConnection(api, connection, calling);
  if (table !== undefined) {
    return { connectionId, place: { on: 'table', table: await findTableOf(api, connectionId, table, calling) } };
  }
  return { connectionId, place: namespace === undefined ? { on: 'server' } : { on: 'namespace', namespace: [namespace] } };
}

/** @throws UsageError for an operation that the place does not have */
async function findOperation(
  api: OwnerApi,
  connection: string,
  named: string,
  options: PlaceOptions,
  calling: ApiCallOptions,
): Promise<FoundPlace & { readonly operation: Operation }> {
  const found = await findPlace(api, connection, options, calling);
  const known = understood(z.array(operationSchema), await api.operations.list.query(found, calling));
  const operation = known.find(({ id }) => id === named);
  if (operation !== undefined) return { ...found, operation };
  const others = known.map(({ id }) => id).join(', ');
  throw new UsageError(
    known.length === 0
      ? 'There are no operations here.'
      : `There is no operation "${named}" here. The operations are: ${others}.`,
  );
}

interface Asked {
  readonly connection: string;
  readonly operation: string;
  readonly input: string | undefined;
  readonly options: PlaceOptions;
}

async function callOf(
  api: OwnerApi,
  { connection, operation, input, options }: Asked,
  calling: ApiCallOptions,
): Promise<{ readonly connectionId: string; readonly call: OperationCall }> {
  const { connectionId, place } = await findOperation(api, connection, operation, options, calling);
  const whole =
    input ??
    understood(operationFormSchema, await api.operations.form.query({ connectionId, place, operation }, calling)).document;
  return { connectionId, call: { place, operation, input: whole } };
}

async function start(
  api: OwnerApi,
  connectionId: string,
  call: OperationCall,
  { yes, confirm }: RunOptions,
  calling: ApiCallOptions,
): Promise<unknown> {
  const plan = understood(operationPlanSchema, await api.operations.plan.mutate({ connectionId, call }, calling));
  if (plan.effect === 'destructive' && (yes !== true || confirm === undefined)) {
    throw new UsageError(
      `${plan.consequence} To run it, add --yes --confirm ${typedOr(plan.confirm ?? '', 'NAME')}. Nothing was changed.`,
    );
  }
  return api.operations.start.mutate({ connectionId, call, basis: plan.basis, typedName: confirm ?? '' }, calling);
}

/** Begins a run and follows it. Ctrl-C cancels it. */
async function runToItsEnd(
  context: ProgramContext,
  options: JsonOption,
  begin: (api: OwnerApi, calling: ApiCallOptions) => Promise<unknown>,
): Promise<void> {
  const { stderr } = context.terminal;
  const live = options.json !== true && stderr.isTTY === true;
  const last = await run(context, operationRunSchema.optional(), async (api, calling) => {
    const { id } = understood(operationRunSchema, await begin(api, calling));
    const events = await api.operations.follow.mutate({ id }, calling);
    return follow(events, operationRunSchema, async (one) => {
      if (live) await rewriteLine(stderr, progressText(one));
    });
  });
  if (live) await rewriteLine(stderr, '');
  if (last === undefined) throw new HostError('INTERNAL', 'The operation ended without a result.');
  const outcome = outcomeOf(last);
  await print(context, options, runAnswer, outcome, () => `${visibleText(outcome.message ?? outcome.state, 'name', 4_000)}\n`);
  if (options.json !== true) {
    for (const { row, message } of last.rejections) {
      await warn(context, `${visibleText(row, 'name')}: ${visibleText(message, 'text', 4_000)}`, 'Failed');
    }
  }
  if (outcome.state === 'done') return;
  context.setExitCode(1);
  if (options.json === true) return;
  if (last.error !== undefined)
    await write(stderr, `${visibleText(last.error.details.advice ?? last.error.advice, 'text', 4_000)}\n`);
  if (outcome.canResume) await write(stderr, `To continue it: tabularium operations resume ${typedWord(outcome.run)}\n`);
}

function progressText({ steps, progress }: OperationRun): string {
  const title = steps[progress.step]?.title ?? '';
  const { done, of, unit } = progress;
  const count = done === undefined ? '' : ` ${done}${of === undefined ? '' : ` of ${of}`} ${unit ?? ''}`;
  return visibleText(`${progress.step + 1}/${steps.length} ${title}${count}`, 'name', 200);
}

function outcomeOf(one: OperationRun): z.output<typeof outcomeSchema> {
  const { id, operation, connectionId, place, state, result, error, rejected, canResume } = one;
  const message = result?.message ?? error?.message;
  return {
    ...{ run: id, operation, connection: connectionId, state, rejected, canResume },
    ...(place.on === 'table' ? { table: tableName(place.table) } : {}),
    ...(message === undefined ? {} : { message }),
    ...(result?.affectedRows === undefined ? {} : { affectedRows: result.affectedRows }),
    ...(result?.undo === undefined ? {} : { undo: result.undo.label }),
  };
}

function plannedAnswer(operation: string, plan: OperationPlan): z.output<typeof planAnswer.schema> {
  const { effect, consequence, steps, confirm, count, affected } = plan;
  return {
    ...{ operation, effect, consequence },
    steps: steps.map(({ title, statements }) => ({ title, statements: [...statements] })),
    ...(confirm === undefined ? {} : { confirm }),
    ...(count === undefined ? {} : { rows: count.rows }),
    affected: affected.map(({ table, becomes }) => ({ table: tableName(table), becomes })),
  };
}

function planText({ consequence, steps, confirm }: OperationPlan): string {
  const lines = steps.flatMap(({ title, statements }, place) => [
    `${place + 1}. ${visibleText(title, 'name')}`,
    ...statements.map((statement) => visibleText(statement, 'data')),
  ]);
  const wanted = confirm === undefined ? '' : ` To run it, add --yes --confirm ${typedOr(confirm, 'NAME')}.`;
  return `${lines.join('\n')}\n${visibleText(consequence, 'name', 4_000)}${wanted} Nothing was sent.\n`;
}
