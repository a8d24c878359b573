import {
  formSignInStepSchema,
  signedOutSchema,
  signInFormSchema,
  signInSchema,
  signInStateSchema,
  signInStepSchema,
  signInTicketSchema,
} from '../../common/signInSteps.ts';
import { z } from 'zod';
import { answersWith, passesOn, streams, streamsOn, nothing } from './procedureAnswer.ts';
import {
  namespacePageSchema,
  rowCountSchema,
  tableDescriptionSchema,
  tablePageSchema,
  tableSummarySchema,
} from '@tabularium/sdk/protocol';
import { acceptHostKeySchema, forgottenHostKeySchema } from '../../common/hostKeyQuestion.ts';
import { secretQuestionSchema } from '../../common/secretQuestion.ts';
import {
  confirmSecretsSchema,
  connectionIdSchema,
  countRowsSchema,
  describeTableSchema,
  openConnectionSchema,
  preferencesSchema,
  testConnectionSchema,
  updateConnectionSchema,
  applicationInfoSchema,
  diskSchema,
  openProgressSchema,
} from '../../common/api.ts';
import { backupNameSchema, backupsViewSchema, backupInfoSchema } from '../../common/backups.ts';
import {
  connectionInputSchema,
  savedConnectionSchema,
  testStepSchema,
  renameConnectionSchema,
  unreadableConnectionSchema,
} from '../../common/connection.ts';
import {
  duplicateConnectionSchema,
  exportConnectionsSchema,
  groupConnectionsSchema,
  importConnectionsSchema,
  previewImportSchema,
  importPreviewSchema,
  importOutcomeSchema,
} from '../../common/connectionFile.ts';
import { firstRunSchema, tourEventSchema } from '../../common/firstRun.ts';
import { activityRouter } from './activityRouter.ts';
import { boundInputs } from './boundInputs.ts';
import { consoleRouter } from './consoleRouter.ts';
import { driversRouter } from './driversRouter.ts';
import { editingRouter } from './editingRouter.ts';
import { filteringRouter } from './filteringRouter.ts';
import { findingRouter } from './findingRouter.ts';
import { relevanceRouter } from './relevanceRouter.ts';
import { objectsRouter } from './objectsRouter.ts';
import { searchRouter } from './searchRouter.ts';
import { importRouter } from './importRouter.ts';
import { exportRouter } from './exportRouter.ts';
import { connectRouter } from './connectRouter.ts';
import { integrationsRouter } from './integrationsRouter.ts';
import { metricsRouter } from './metricsRouter.ts';
import { operationsRouter } from './operationsRouter.ts';
import { principalsRouter } from './principalsRouter.ts';
import { tableOperationsRouter } from './tableOperationsRouter.ts';
import { watchRouter } from './watchRouter.ts';
import { workspaceRouter } from './workspaceRouter.ts';
import { namespacePageRequestSchema } from '../../common/namespaces.ts';
import { forgetNamedTableSchema, namedTablesSchema, openNamedTableSchema } from '../../common/namedTables.ts';
import { NEVER, procedure, router } from './trpc.ts';

/** Everything the window can ask, typed. Pages of rows travel beside it (see PAGE_PATH). */
export const appRouter = router({
  application: router({
    info: procedure.output(answersWith(applicationInfoSchema)).query(({ ctx }) => ctx.application.info()),
    disk: procedure.output(answersWith(diskSchema)).query(({ ctx, signal }) => ctx.application.disk(signal ?? NEVER)),
    firstRun: procedure.output(answersWith(firstRunSchema)).query(({ ctx }) => ctx.firstRun.get()),
    /** Notes that a person started, finished, skipped or declined the tour. Every window of the data directory hears of it. */
    noteTour: procedure
      .input(tourEventSchema)
      .output(answersWith(firstRunSchema))
      .mutation(({ ctx, input }) => ctx.firstRun.noteTour(input.event)),
    preferences: procedure.output(answersWith(preferencesSchema)).query(({ ctx }) => ctx.preferences.get()),
    setPreferences: procedure
      .input(preferencesSchema)
      .output(answersWith(preferencesSchema))
      .mutation(({ ctx, input }) => {
        const saved = ctx.preferences.set(input);
        // Where it was just switched on, this is the first look.
        void ctx.applicationUpdates.look();
        return saved;
      }),
  }),
  backups: router({
    view: procedure.output(answersWith(backupsViewSchema)).query(({ ctx }) => ctx.backups.view()),
    create: procedure.output(answersWith(backupInfoSchema)).mutation(({ ctx }) => ctx.backups.create()),
    restoreAtNextStart: procedure
      .input(backupNameSchema)
      .output(answersWith(backupsViewSchema))
      .mutation(({ ctx, input }) => ctx.backups.restoreAtNextStart(input.name)),
    cancelRestore: procedure.output(answersWith(backupsViewSchema)).mutation(({ ctx }) => ctx.backups.cancelRestore()),
  }),
  connections: router({
    list: procedure.output(answersWith(z.array(savedConnectionSchema))).query(({ ctx }) => ctx.connectionStore.list()),
    /** Those that the list leaves out. */
    unreadable: procedure
      .output(answersWith(z.array(unreadableConnectionSchema)))
      .query(({ ctx }) => ctx.connectionStore.unreadable().map(({ id, name, fields }) => ({ id, name, fields }))),
    create: procedure
      .input(connectionInputSchema)
      .output(answersWith(savedConnectionSchema))
      .mutation(({ ctx, input }) => ctx.connectionService.create(input)),
    update: procedure
      .input(updateConnectionSchema)
      .output(answersWith(savedConnectionSchema))
      .mutation(({ ctx, input }) => ctx.connectionService.update(input.connectionId, input.input, input.code)),
    remove: procedure
      .input(connectionIdSchema)
      .output(nothing)
      .mutation(({ ctx, input }) => ctx.connectionService.remove(input.connectionId)),
    test: procedure
      .input(testConnectionSchema)
      .output(streams(testStepSchema))
      .mutation(async function* ({ ctx, input, signal }) {
        yield* ctx.connectionTest.run(input.input, input.connectionId, signal ?? NEVER, input.code);
      }),
    open: procedure
      .input(openConnectionSchema)
      .output(streamsOn(openProgressSchema))
      .mutation(async function* ({ ctx, input, signal }) {
        yield* ctx.openConnections.open(input.connectionId, input.secrets, signal ?? NEVER);
      }),
    /** Signs a person in at the connection's provider. Ends when they have, or when the caller stops reading. */
    signIn: procedure
      .input(signInSchema)
      .output(streams(signInStepSchema))
      .mutation(async function* ({ ctx, input, signal }) {
        yield* ctx.signIns.signIn(input.connectionId, input.way, signal ?? NEVER);
      }),
    /** The same for a form that isn't saved. */
    signInForm: procedure
      .input(signInFormSchema)
      .output(streams(formSignInStepSchema))
      .mutation(async function* ({ ctx, input, signal }) {
        yield* ctx.signIns.signInForm(input, signal ?? NEVER);
      }),
    dropSignIn: procedure
      .input(signInTicketSchema)
      .output(answersWith(signedOutSchema))
      .mutation(({ ctx, input }) => ctx.signIns.dropHeld(input.ticket)),
    signInState: procedure
      .input(connectionIdSchema)
      .output(answersWith(signInStateSchema.nullable()))
      .query(async ({ ctx, input }) => (await ctx.signIns.state(input.connectionId)) ?? null),
    signOut: procedure
      .input(connectionIdSchema)
      .output(answersWith(signedOutSchema))
      .mutation(({ ctx, input, signal }) => ctx.signIns.signOut(input.connectionId, signal ?? NEVER)),
    secretQuestion: procedure
      .input(connectionIdSchema)
      .output(answersWith(secretQuestionSchema.nullable()))
      .query(async ({ ctx, input }) => (await ctx.connectionService.secretQuestion(input.connectionId)) ?? null),
    confirmSecrets: procedure
      .input(confirmSecretsSchema)
      .output(nothing)
      .mutation(({ ctx, input }) => ctx.connectionService.confirmSecrets(input.connectionId, input.code)),
    acceptHostKey: procedure
      .input(acceptHostKeySchema)
      .output(nothing)
      .mutation(({ ctx, input }) => ctx.hostKeys.accept(input.code)),
    forgetHostKey: procedure
      .input(connectionIdSchema)
      .output(answersWith(forgottenHostKeySchema))
      .mutation(({ ctx, input }) => ctx.connectionTunnels.forgetHostKey(input.connectionId)),
    duplicate: procedure
      .input(duplicateConnectionSchema)
      .output(answersWith(savedConnectionSchema))
      .mutation(({ ctx, input }) => ctx.connectionService.duplicate(input.connectionId, input.name, input.withSecrets)),
    rename: procedure
      .input(renameConnectionSchema)
      .output(answersWith(savedConnectionSchema))
      .mutation(({ ctx, input }) => ctx.connectionService.rename(input.connectionId, input.name)),
    group: procedure
      .input(groupConnectionsSchema)
      .output(answersWith(z.array(savedConnectionSchema)))
      .mutation(({ ctx, input }) => ctx.connectionService.group(input.connectionIds, input.group)),
    export: procedure
      .input(exportConnectionsSchema)
      .output(answersWith(z.string()))
      .query(({ ctx, input }) => ctx.connectionImport.export(input.connectionIds)),
    previewImport: procedure
      .input(previewImportSchema)
      .output(answersWith(importPreviewSchema))
      .mutation(({ ctx, input }) => ctx.connectionImport.preview(input.text)),
    import: procedure
      .input(importConnectionsSchema)
      .output(answersWith(z.array(importOutcomeSchema)))
      .mutation(({ ctx, input }) => ctx.connectionImport.import(input)),
    close: procedure
      .input(connectionIdSchema)
      .output(nothing)
      .mutation(({ ctx, input }) => ctx.sessions.close(input.connectionId)),
  }),
  drivers: driversRouter,
  tables: router({
    list: procedure
      .input(connectionIdSchema)
      .output(passesOn(z.array(tableSummarySchema)))
      .query(({ ctx, input, signal }) => ctx.tables.list(input.connectionId, signal ?? NEVER)),
    namespaces: procedure
      .input(namespacePageRequestSchema)
      .output(passesOn(namespacePageSchema))
      .query(({ ctx, input, signal }) => ctx.tables.namespaces(input, signal ?? NEVER)),
    inNamespace: procedure
      .input(namespacePageRequestSchema)
      .output(passesOn(tablePageSchema))
      .query(({ ctx, input, signal }) => ctx.tables.inNamespace(input, signal ?? NEVER)),
    describe: procedure
      .input(describeTableSchema)
      .output(passesOn(tableDescriptionSchema))
      .query(({ ctx, input, signal }) => ctx.tables.describe(input.connectionId, input.table, input.reload, signal ?? NEVER)),
    count: procedure
      .input(countRowsSchema)
      .output(passesOn(rowCountSchema))
      .query(({ ctx, input, signal }) => ctx.tables.count(input.connectionId, input.table, input.filter, signal ?? NEVER)),
    named: procedure
      .input(connectionIdSchema)
      .output(answersWith(namedTablesSchema))
      .query(({ ctx, input, signal }) => ctx.namedTables.view(input.connectionId, signal ?? NEVER)),
    openNamed: procedure
      .input(openNamedTableSchema)
      .output(passesOn(tableSummarySchema))
      .mutation(({ ctx, input, signal }) => ctx.namedTables.open(input.connectionId, input.name, signal ?? NEVER)),
    forgetNamed: procedure
      .input(forgetNamedTableSchema)
      .output(nothing)
      .mutation(({ ctx, input }) => ctx.namedTables.forget(input.connectionId, input.table)),
  }),
  editing: editingRouter,
  exports: exportRouter,
  imports: importRouter,
  console: consoleRouter,
  filtering: filteringRouter,
  search: searchRouter,
  finding: findingRouter,
  objects: objectsRouter,
  relevance: relevanceRouter,
  principals: principalsRouter,
  metrics: metricsRouter,
  activity: activityRouter,
  operations: operationsRouter,
  tableOperations: tableOperationsRouter,
  integrations: integrationsRouter,
  connect: connectRouter,
  watches: watchRouter,
  workspace: workspaceRouter,
});

boundInputs(appRouter);

/** The type that the window's client is made of. */
export type AppRouter = typeof appRouter;
