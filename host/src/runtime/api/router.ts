import { initTRPC } from '@trpc/server';
import {
  connectionIdSchema,
  countRowsSchema,
  describeTableSchema,
  installDriverSchema,
  openConnectionSchema,
  preferencesSchema,
  testConnectionSchema,
  updateConnectionSchema,
} from '../../common/api.ts';
import { connectionInputSchema } from '../../common/connection.ts';
import { errorReport } from './errorReport.ts';
import type { ApiServices } from './services.ts';

const trpc = initTRPC.context<ApiServices>().create({
  // The window shows this report; the stack stays in the log.
  errorFormatter: ({ shape, error }) => ({
    ...shape,
    message: errorReport(error.cause ?? error).message,
    data: { ...shape.data, stack: undefined, report: errorReport(error.cause ?? error) },
  }),
});
const { procedure, router } = trpc;

const NEVER = new AbortController().signal;

/** Everything the window can ask, typed. Pages of rows travel beside it (see PAGE_PATH). */
export const appRouter = router({
  application: router({
    info: procedure.query(({ ctx }) => ctx.applicationInfo()),
    preferences: procedure.query(({ ctx }) => ctx.preferences.get()),
    setPreferences: procedure.input(preferencesSchema).mutation(({ ctx, input }) => ctx.preferences.set(input)),
  }),
  connections: router({
    list: procedure.query(({ ctx }) => ctx.connections.list()),
    create: procedure.input(connectionInputSchema).mutation(({ ctx, input }) => ctx.connections.create(input)),
    update: procedure
      .input(updateConnectionSchema)
      .mutation(({ ctx, input }) => ctx.connections.update(input.connectionId, input.input)),
    remove: procedure.input(connectionIdSchema).mutation(({ ctx, input }) => ctx.connections.remove(input.connectionId)),
    test: procedure.input(testConnectionSchema).mutation(async function* ({ ctx, input, signal }) {
      yield* ctx.connections.test(input.input, input.connectionId, signal ?? NEVER);
    }),
    open: procedure.input(openConnectionSchema).mutation(async function* ({ ctx, input, signal }) {
      yield* ctx.connections.open(input.connectionId, input.secrets, signal ?? NEVER);
    }),
    close: procedure.input(connectionIdSchema).mutation(({ ctx, input }) => ctx.connections.close(input.connectionId)),
  }),
  drivers: router({
    catalogue: procedure.query(({ ctx, signal }) => ctx.drivers.catalogue(signal ?? NEVER)),
    refresh: procedure.mutation(({ ctx, signal }) => ctx.drivers.refresh(signal ?? NEVER)),
    installed: procedure.query(({ ctx }) => ctx.drivers.installed()),
    install: procedure.input(installDriverSchema).mutation(async function* ({ ctx, input, signal }) {
      yield* ctx.drivers.install(input.driver, input.version, signal ?? NEVER);
    }),
  }),
  tables: router({
    list: procedure
      .input(connectionIdSchema)
      .query(({ ctx, input, signal }) => ctx.tables.list(input.connectionId, signal ?? NEVER)),
    describe: procedure
      .input(describeTableSchema)
      .query(({ ctx, input, signal }) => ctx.tables.describe(input.connectionId, input.table, input.reload, signal ?? NEVER)),
    count: procedure
      .input(countRowsSchema)
      .query(({ ctx, input, signal }) => ctx.tables.count(input.connectionId, input.table, input.filter, signal ?? NEVER)),
  }),
});

/** The type that the window's client is made of. */
export type AppRouter = typeof appRouter;
