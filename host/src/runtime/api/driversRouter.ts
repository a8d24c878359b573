import { z } from 'zod';
import { answersWith, passesOn, streams, nothing } from './procedureAnswer.ts';
import {
  catalogueSchema,
  installedDriverSchema,
  installProgressSchema,
  driversOverviewSchema,
  driverDetailsSchema,
  publisherKeySchema,
  publisherSchema,
  registrySchema,
} from '../../common/drivers.ts';
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
  withdrawnGrantsSchema,
} from '../../common/driversApi.ts';
import { NEVER, procedure, router } from './trpc.ts';

/** Requests of the window about drivers: the chooser's calls, and those of the plug-in browser. */
export const driversRouter = router({
  catalogue: procedure.output(passesOn(catalogueSchema)).query(({ ctx, signal }) => ctx.catalogue.listOrRefresh(signal ?? NEVER)),
  refresh: procedure.output(passesOn(catalogueSchema)).mutation(({ ctx, signal }) => ctx.catalogue.refresh(signal ?? NEVER)),
  installed: procedure.output(answersWith(z.array(installedDriverSchema))).query(({ ctx }) => ctx.installed.list()),
  install: procedure
    .input(installDriverSchema)
    .output(streams(installProgressSchema))
    .mutation(async function* ({ ctx, input, signal }) {
      const { driver, ...wanted } = input;
      yield* ctx.drivers.install(driver, wanted, signal ?? NEVER);
    }),
  overview: procedure.output(passesOn(driversOverviewSchema)).query(({ ctx }) => ctx.driverManagement.overview()),
  details: procedure
    .input(driverSchema)
    .output(answersWith(driverDetailsSchema))
    .query(({ ctx, input }) => ctx.driverManagement.details(input.driver)),
  update: procedure
    .input(driverSchema)
    .output(streams(installProgressSchema))
    .mutation(async function* ({ ctx, input, signal }) {
      yield* ctx.driverManagement.update(input.driver, signal ?? NEVER);
    }),
  rollback: procedure
    .input(driverSchema)
    .output(answersWith(installedDriverSchema))
    .mutation(({ ctx, input }) => ctx.driverManagement.rollback(input.driver)),
  pin: procedure
    .input(pinSchema)
    .output(answersWith(installedDriverSchema))
    .mutation(({ ctx, input, signal }) =>
      ctx.driverManagement.pin(input.driver, input.version, signal ?? NEVER, input.allowDowngrade),
    ),
  unpin: procedure
    .input(driverSchema)
    .output(nothing)
    .mutation(({ ctx, input }) => ctx.driverManagement.unpin(input.driver)),
  enable: procedure
    .input(driverSchema)
    .output(nothing)
    .mutation(({ ctx, input }) => ctx.driverManagement.enable(input.driver)),
  disable: procedure
    .input(driverSchema)
    .output(nothing)
    .mutation(({ ctx, input }) => ctx.driverManagement.disable(input.driver)),
  remove: procedure
    .input(driverSchema)
    .output(nothing)
    .mutation(({ ctx, input }) => ctx.driverManagement.remove(input.driver)),
  applyToOpen: procedure
    .input(driverSchema)
    .output(nothing)
    .mutation(({ ctx, input }) => ctx.driverManagement.applyToOpen(input.driver)),
  installFile: procedure
    .input(fileSchema)
    .output(answersWith(installedDriverSchema))
    .mutation(({ ctx, input, signal }) => ctx.driverManagement.installFile(input.file, signal ?? NEVER, input.allowDowngrade)),
  loadFolder: procedure
    .input(folderSchema)
    .output(answersWith(installedDriverSchema))
    .mutation(({ ctx, input, signal }) => ctx.driverManagement.loadFolder(input.folder, signal ?? NEVER)),
  forgetFolder: procedure
    .input(driverSchema)
    .output(nothing)
    .mutation(({ ctx, input }) => ctx.driverManagement.forgetFolder(input.driver)),
  keys: procedure.output(answersWith(z.array(publisherKeySchema))).query(({ ctx }) => ctx.driverManagement.keys()),
  trust: procedure
    .input(trustSchema)
    .output(answersWith(publisherSchema))
    .mutation(({ ctx, input }) => ctx.driverManagement.trustKey(input.keyId, input.shown)),
  revoke: procedure
    .input(keySchema)
    .output(nothing)
    .mutation(({ ctx, input }) => ctx.driverManagement.revokeKey(input.keyId)),
  allowGrants: procedure
    .input(allowGrantsSchema)
    .output(nothing)
    .mutation(({ ctx, input }) => ctx.driverManagement.allowGrants(input.driver, input.grants, input.askedBy)),
  withdrawGrants: procedure
    .input(driverSchema)
    .output(answersWith(withdrawnGrantsSchema))
    .mutation(async ({ ctx, input }) => ({ withdrawn: [...(await ctx.driverManagement.withdrawGrants(input.driver))] })),
  registries: procedure.output(answersWith(z.array(registrySchema))).query(({ ctx }) => ctx.registryManagement.registries()),
  saveRegistry: procedure
    .input(registryInputSchema)
    .output(nothing)
    .mutation(({ ctx, input }) => ctx.registryManagement.saveRegistry(input)),
  removeRegistry: procedure
    .input(registryUrlSchema)
    .output(nothing)
    .mutation(({ ctx, input }) => ctx.registryManagement.removeRegistry(input.url)),
  network: procedure.output(answersWith(driverNetworkSchema)).query(({ ctx }) => ctx.registryManagement.network()),
  setNetwork: procedure
    .input(driverNetworkSchema)
    .output(nothing)
    .mutation(({ ctx, input }) => ctx.registryManagement.setNetwork(input)),
});
