import { answersWith, nothing, streams } from '../procedureAnswer.ts';
import { hostCheckSchema, hostCheckupSchema, supportTextSchema } from '../../../common/checkup.ts';
import { hostHealthSchema } from '../../../common/hostHealth.ts';
import { logSettingChangesSchema, logSettingsSchema } from '../../../common/logs.ts';
import { windowUrlSchema, shownWindowSchema } from '../../../common/hostWindow.ts';
import { backupCopySchema } from '../../../common/backups.ts';
import { stat } from 'node:fs/promises';
import { z } from 'zod';
import { HostError } from '../../../common/errors.ts';
import { NEVER } from '../trpc.ts';
import { boundInputs } from '../boundInputs.ts';
import { appRouter } from '../router.ts';
import { connectionProcedures } from './connectionProcedures.ts';
import { driverProcedures } from './driverProcedures.ts';
import { exportProcedure } from './exportProcedure.ts';
import { ownerProcedure, ownerTrpcRouter } from './ownerTrpc.ts';
import { copyProcedure } from './copyProcedure.ts';
import { findProcedure } from './findProcedure.ts';
import { importProcedure } from './importProcedure.ts';
import { queryProcedure } from './queryProcedure.ts';
import { rowsProcedure } from './rowsProcedure.ts';
import { searchProcedure } from './searchProcedure.ts';

/** Characters of the address of a sign-in page, with its parameters. */
const LONGEST_ADDRESS = 16_000;

const { sessions: _sessions, ...ownerConsole } = appRouter._def.record.console;

/**
 * The procedures of the owner's socket: all of the window's but the sessions of its console, and below `owner` those that a window never has. A window's
 * transport serves a router that has none of these procedures.
 */
export const ownerRouter = ownerTrpcRouter({
  ...appRouter._def.record,
  console: ownerConsole,
  owner: ownerTrpcRouter({
    connections: connectionProcedures,
    drivers: driverProcedures,
    query: queryProcedure,
    rows: rowsProcedure,
    search: searchProcedure,
    find: findProcedure,
    export: exportProcedure,
    copy: copyProcedure,
    import: importProcedure,
    /** Copies the database to a file at a path of this machine. */
    backupTo: ownerProcedure
      .input(z.object({ output: z.string(), overwrite: z.boolean() }))
      .output(answersWith(backupCopySchema))
      .mutation(async ({ ctx, input: { output, overwrite } }) => {
        const createdAt = new Date().toISOString();
        await ctx.backups.copyTo(output, overwrite);
        return { file: output, bytes: (await stat(output)).size, createdAt };
      }),
    /** Checks the host and what it reaches; each check as soon as it is made. */
    check: ownerProcedure.output(streams(hostCheckSchema)).mutation(async function* ({ ctx, signal }) {
      yield* ctx.hostChecks.run(ctx.shell.lifetime === 'host', signal ?? NEVER);
    }),
    /** A text for those who are asked for help, with the checks that were made. */
    supportText: ownerProcedure
      .input(hostCheckupSchema)
      .output(answersWith(supportTextSchema))
      .mutation(async ({ ctx, input, signal }) => ({ text: await ctx.supportReport.text(input.checks, signal ?? NEVER) })),
    /** The entries that the log keeps. */
    logSettings: ownerProcedure.output(answersWith(logSettingsSchema)).query(({ ctx }) => ctx.logSettings.get()),
    /** Changes what the log keeps, from now on, and answers with all settings. */
    changeLogSettings: ownerProcedure
      .input(logSettingChangesSchema)
      .output(answersWith(logSettingsSchema))
      .mutation(({ ctx, input }) => ctx.logSettings.change(input)),
    /** Whether the host can be used. */
    health: ownerProcedure
      .output(answersWith(hostHealthSchema))
      .query(({ ctx }) => ctx.shell.health?.() ?? { status: 'ready' as const }),
    /** A new address for the window. Its holder can do everything the window can. */
    windowUrl: ownerProcedure.output(answersWith(windowUrlSchema)).mutation(({ ctx }) => {
      const url = ctx.shell.newWindowUrl();
      if (url !== undefined) return { url };
      throw new HostError('INVALID_REQUEST', 'No host is running that serves the window to a browser.', {
        details: { advice: 'Start one with "tabularium serve".' },
      });
    }),
    /** Whether a sign-in that runs now sends the person to this address. Asked by a desktop window before it opens a browser. */
    sendsSignInTo: ownerProcedure
      .input(z.object({ address: z.string().max(LONGEST_ADDRESS) }))
      .output(answersWith(z.object({ sends: z.boolean() })))
      .mutation(({ ctx, input }) => ({ sends: ctx.signIns.sendsTo(input.address) })),
    /** Asked by a start by hand. Null: the host is not hidden. */
    showHidden: ownerProcedure
      .output(answersWith(shownWindowSchema.nullable()))
      .mutation(({ ctx }) => ctx.shell.showHidden?.() ?? null),
    /** Asked by an address of our scheme: starts the MCP server where it is enabled and does not run. */
    ensureMcp: ownerProcedure.output(nothing).mutation(async ({ ctx }) => ctx.shell.ensureMcp?.()),
  }),
});

boundInputs(ownerRouter);

/** The type that the command line's client is made of. */
export type OwnerRouter = typeof ownerRouter;
