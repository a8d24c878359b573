import { Option } from 'commander';
import type { Command } from 'commander';
import { visibleText } from '@tabularium/sdk';
import type { EndRequest, EndWay, RunningEntry } from '@tabularium/sdk';
import { endOutcomeSchema, slowStatementsSchema } from '@tabularium/sdk/protocol';
import { z } from 'zod';
import { busyEntries, serverActivitySchema } from '../../common/serverActivity.ts';
import { findConnection } from '../findConnection.ts';
import { understood } from '../ownerApi.ts';
import type { ApiCallOptions, OwnerApi } from '../ownerApi.ts';
import { textTable } from '../output/table.ts';
import { canAskPerson, confirm } from '../terminal.ts';
import { UsageError } from '../usageError.ts';
import { JsonAnswer } from './jsonAnswer.ts';
import { choice, print, run, warn } from './programContext.ts';
import type { JsonOption, ProgramContext } from './programContext.ts';

const waySchema = z.enum(['cancel', 'terminate']);

const listAnswer = new JsonAnswer(
  z.object({
    entries: z.array(
      z.object({
        id: z.string(),
        number: z.string().optional(),
        kind: z.enum(['session', 'statement', 'background']),
        state: z.enum(['running', 'waiting', 'idle', 'inTransaction', 'failedTransaction', 'hidden']),
        activity: z.string().optional(),
        user: z.string().optional(),
        application: z.string().optional(),
        client: z.string().optional(),
        namespace: z.string().optional(),
        /** The one that runs, or the last one. */
        statement: z.string().optional(),
        statementId: z.string().optional(),
        /** Only the beginning of the statement is there. */
        statementCut: z.boolean().optional(),
        milliseconds: z.number().optional(),
        transactionMilliseconds: z.number().optional(),
        sessionMilliseconds: z.number().optional(),
        /** The lock that it waits for. */
        lock: z.string().optional(),
        /** Ids of entries. */
        blockedBy: z.array(z.string()).optional(),
        blockedByOthers: z.array(z.string()).optional(),
        own: z.boolean(),
        ways: z.array(waySchema),
        /** Why a way is missing. */
        reason: z.string().optional(),
      }),
    ),
    /** Idle entries that were left out. */
    idle: z.number(),
    /** Entries that the driver has left out. */
    leftOut: z.number(),
    notes: z.array(z.string()),
  }),
);
type Listed = z.output<(typeof listAnswer)['schema']>['entries'][number];

const slowAnswer = new JsonAnswer(
  z.object({
    available: z.boolean(),
    statements: z
      .array(
        z.object({
          statement: z.string(),
          user: z.string().optional(),
          namespace: z.string().optional(),
          calls: z.number(),
          totalMilliseconds: z.number(),
          meanMilliseconds: z.number(),
          maxMilliseconds: z.number().optional(),
          rows: z.number().optional(),
        }),
      )
      .optional(),
    /** Why there are no statistics. */
    reason: z.string().optional(),
  }),
);
const endAnswer = new JsonAnswer(z.object({ id: z.string(), way: waySchema, outcome: z.enum(['ended', 'gone', 'asked']) }));

interface EndOptions extends JsonOption {
  readonly way: EndWay;
  readonly statement?: string;
  readonly yes?: true;
}

export function addActivityCommands(program: Command, context: ProgramContext): void {
  const activity = program.command('activity').description('sessions and statements at a server, and ending one');

  activity
    .command('list', { isDefault: true })
    .description('list what runs at the server and who waits for whom')
    .argument('<connection>', 'name or id')
    .option('--all', 'list idle entries, too')
    .addOption(listAnswer)
    .action(async (connection: string, options: JsonOption & { readonly all?: true }) => {
      const { list } = await run(context, serverActivitySchema, (api, calling) => listOf(api, connection, calling));
      const shown = options.all === true ? list.entries : busyEntries(list.entries);
      const answer = {
        entries: shown.map(listed),
        idle: list.entries.length - shown.length,
        leftOut: list.leftOut ?? 0,
        notes: [...list.notes],
      };
      await print(context, options, listAnswer, answer, () => listText(answer.entries, list.entries));
      if (options.json === true) return;
      for (const note of answer.notes) await warn(context, visibleText(note, 'name', 4_000));
      if (answer.idle > 0)
        await warn(context, `${answer.idle} idle ${answer.idle === 1 ? 'session' : 'sessions'} not listed; --all lists them.`);
      if (answer.leftOut > 0) await warn(context, `${answer.leftOut} more not listed.`);
    });

  activity
    .command('slow')
    .description('list the statements that took the server most time, where it records them')
    .argument('<connection>', 'name or id')
    .addOption(slowAnswer)
    .action(async (connection: string, options: JsonOption) => {
      const found = await run(context, slowStatementsSchema, async (api, calling) => {
        const { id } = await findConnection(api, connection, calling);
        return api.activity.slow.query({ connectionId: id }, calling);
      });
      if (!found.available) {
        const { available, reason } = found;
        await print(context, options, slowAnswer, { available, reason }, () => `${visibleText(reason, 'name', 4_000)}\n`);
        return;
      }
      const statements = found.statements.map(({ text, isCut: _isCut, ...measures }) => ({ statement: text, ...measures }));
      await print(context, options, slowAnswer, { available: true, statements }, () =>
        textTable(
          [
            ...(['Total', 'Calls', 'Mean'] as const).map((title) => ({ title, align: 'right' as const })),
            { title: 'User' },
            { title: 'Statement' },
          ],
          statements.map((one) => [
            seconds(one.totalMilliseconds),
            String(one.calls),
            seconds(one.meanMilliseconds),
            one.user ?? '',
            oneLine(one.statement),
          ]),
        ),
      );
    });

  activity
    .command('end')
    .description('cancel the statement of a session, or end the session')
    .argument('<connection>', 'name or id')
    .argument('<id>', 'as "activity list" prints it')
    .addOption(
      new Option('--way <way>', 'what is ended')
        .choices(waySchema.options)
        .argParser(choice('--way', waySchema.options))
        .makeOptionMandatory(),
    )
    .option('--statement <id>', 'cancel only this statement, by its statementId')
    .option('--yes', 'do not ask')
    .addOption(endAnswer)
    .action(async (connection: string, id: string, options: EndOptions) => {
      const { way, yes } = options;
      if (yes !== true && !canAskPerson(context.terminal))
        throw new UsageError("This isn't a terminal. Add --yes to end it without confirmation.");
      const { outcome } = await run(context, endOutcomeSchema, async (api, calling) => {
        const { id: connectionId } = await findConnection(api, connection, calling);
        const { list } = understood(serverActivitySchema, await api.activity.list.query({ connectionId }, calling));
        const entry = list.entries.find((one) => one.id === id);
        if (yes !== true) await ask(context, entry, id, way);
        // The statement that was shown: the next one of the session is another.
        const statement = options.statement ?? (way === 'cancel' ? entry?.statement?.id : undefined);
        const request: EndRequest = { id, way, ...(statement === undefined ? {} : { statement }) };
        return api.activity.end.mutate({ connectionId, request }, calling);
      });
      if (outcome === 'gone') context.setExitCode(1);
      await print(context, options, endAnswer, { id, way, outcome }, () => OUTCOMES[outcome]);
    });
}

const OUTCOMES = {
  ended: 'Ended.\n',
  gone: 'It had already ended. Nothing was ended.\n',
  asked: 'The server was asked to end it, and it is still there. "activity list" shows when it has ended.\n',
} as const;

async function listOf(api: OwnerApi, connection: string, calling: ApiCallOptions): Promise<unknown> {
  const { id } = await findConnection(api, connection, calling);
  return api.activity.list.query({ connectionId: id }, calling);
}

async function ask(context: ProgramContext, entry: RunningEntry | undefined, id: string, way: EndWay): Promise<void> {
  const facts = [entry?.user, entry?.application, entry?.client, entry?.namespace].filter((fact) => fact !== undefined);
  const text = entry?.statement?.text;
  const what = way === 'cancel' ? 'Cancel the statement of' : 'End the session';
  const question = `${text === undefined ? '' : `${text}\n`}${what} ${entry?.number ?? id}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}?`;
  if (!(await confirm(context.terminal, question, context.signal))) throw new UsageError('Nothing was ended.');
}

function listed({ statement, lockWait, texts: _texts, ways, ...entry }: RunningEntry): Listed {
  return {
    ...entry,
    ways: [...ways],
    ...(statement === undefined
      ? {}
      : { statement: statement.text, statementId: statement.id, ...(statement.isCut ? { statementCut: true } : {}) }),
    ...(lockWait === undefined
      ? {}
      : {
          lock: lockWait.lock,
          blockedBy: [...lockWait.blockedBy],
          ...(lockWait.others.length === 0 ? {} : { blockedByOthers: [...lockWait.others] }),
        }),
  };
}

function listText(shown: readonly Listed[], all: readonly RunningEntry[]): string {
  const numbers = new Map(all.map(({ id, number }) => [id, number ?? id]));
  return textTable(
    [
      { title: 'Id' },
      { title: 'State' },
      { title: 'User' },
      { title: 'Client' },
      { title: 'Database' },
      { title: 'Duration', align: 'right' },
      { title: 'Blocked by' },
      { title: 'Statement' },
    ],
    shown.map((one) => [
      one.id,
      one.state,
      one.user ?? '',
      one.application ?? one.client ?? '',
      one.namespace ?? '',
      one.milliseconds === undefined ? '' : seconds(one.milliseconds),
      [...(one.blockedBy ?? []).map((id) => numbers.get(id) ?? id), ...(one.blockedByOthers ?? [])].join(', '),
      oneLine(one.statement ?? ''),
    ]),
  );
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(milliseconds < 10_000 ? 2 : 0)} s`;
}

function oneLine(statement: string): string {
  return statement.slice(0, 400).replaceAll(/\s+/g, ' ').trim();
}
