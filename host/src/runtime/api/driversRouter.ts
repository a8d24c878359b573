import { installDriverSchema } from '../../common/api.ts';
import {
  allowGrantsSchema,
  driverNetworkSchema,
  driverSchema,
  fileSchema,
  folderSchema,
  keySchema,
  pinSchema,
  registryInputSchema,
  registryUrlSchema,
  trustSchema,
} from '../../common/driversApi.ts';
import { NEVER, procedure, router } from './trpc.ts';

/** What the window asks about drivers: the chooser's calls, and those of the plug-in browser. */
export const driversRouter = router({
  catalogue: procedure.query(({ ctx, signal }) => ctx.catalogue.listOrRefresh(signal ?? NEVER)),
  refresh: procedure.mutation(({ ctx, signal }) => ctx.catalogue.refresh(signal ?? NEVER)),
  installed: procedure.query(({ ctx }) => ctx.installed.list()),
  install: procedure.input(installDriverSchema).mutation(async function* ({ ctx, input, signal }) {
    const { driver, ...wanted } = input;
    yield* ctx.drivers.install(driver, wanted, signal ?? NEVER);
  }),
  overview: procedure.query(({ ctx }) => ctx.driverManagement.overview()),
  details: procedure.input(driverSchema).query(({ ctx, input }) => ctx.driverManagement.details(input.driver)),
  update: procedure.input(driverSchema).mutation(async function* ({ ctx, input, signal }) {
    yield* ctx.driverManagement.update(input.driver, signal ?? NEVER);
  }),
  rollback: procedure.input(driverSchema).mutation(({ ctx, input }) => ctx.driverManagement.rollback(input.driver)),
  pin: procedure
    .input(pinSchema)
    .mutation(({ ctx, input, signal }) =>
      ctx.driverManagement.pin(input.driver, input.version, signal ?? NEVER, input.allowDowngrade),
    ),
  unpin: procedure.input(driverSchema).mutation(({ ctx, input }) => ctx.driverManagement.unpin(input.driver)),
  enable: procedure.input(driverSchema).mutation(({ ctx, input }) => ctx.driverManagement.enable(input.driver)),
  disable: procedure.input(driverSchema).mutation(({ ctx, input }) => ctx.driverManagement.disable(input.driver)),
  remove: procedure.input(driverSchema).mutation(({ ctx, input }) => ctx.driverManagement.remove(input.driver)),
  applyToOpen: procedure.input(driverSchema).mutation(({ ctx, input }) => ctx.driverManagement.applyToOpen(input.driver)),
  installFile: procedure
    .input(fileSchema)
    .mutation(({ ctx, input, signal }) => ctx.driverManagement.installFile(input.file, signal ?? NEVER, input.allowDowngrade)),
  loadFolder: procedure
    .input(folderSchema)
    .mutation(({ ctx, input, signal }) => ctx.driverManagement.loadFolder(input.folder, signal ?? NEVER)),
  forgetFolder: procedure.input(driverSchema).mutation(({ ctx, input }) => ctx.driverManagement.forgetFolder(input.driver)),
  keys: procedure.query(({ ctx }) => ctx.driverManagement.keys()),
  trust: procedure.input(trustSchema).mutation(({ ctx, input }) => ctx.driverManagement.trustKey(input.keyId, input.shown)),
  revoke: procedure.input(keySchema).mutation(({ ctx, input }) => ctx.driverManagement.revokeKey(input.keyId)),
  allowGrants: procedure
    .input(allowGrantsSchema)
    .mutation(({ ctx, input }) => ctx.driverManagement.allowGrants(input.driver, input.grants, input.askedBy)),
  withdrawGrants: procedure.input(driverSchema).mutation(({ ctx, input }) => ctx.driverManagement.withdrawGrants(input.driver)),
  registries: procedure.query(({ ctx }) => ctx.driverManagement.registries()),
  saveRegistry: procedure.input(registryInputSchema).mutation(({ ctx, input }) => ctx.driverManagement.saveRegistry(input)),
  removeRegistry: procedure.input(registryUrlSchema).mutation(({ ctx, input }) => ctx.driverManagement.removeRegistry(input.url)),
  network: procedure.query(({ ctx }) => ctx.driverManagement.network()),
  setNetwork: procedure.input(driverNetworkSchema).mutation(({ ctx, input }) => ctx.driverManagement.setNetwork(input)),
});
