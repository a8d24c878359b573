import { answersWith, passesOn, streams } from '../procedureAnswer.ts';
import { driverFormSchema, catalogueSchema, installProgressSchema, bundledDriverSchema } from '../../../common/drivers.ts';
import { z } from 'zod';
import { buildProblemSchema, developmentLogLineSchema, loadedBuildSchema } from '../../../common/development.ts';
import { HostError } from '../../../common/errors.ts';
import { NEVER } from '../trpc.ts';
import { ownerProcedure, ownerTrpcRouter } from './ownerTrpc.ts';

const driver = z.string().min(1);

/** Drivers: what names a registry to ask or a place to write to, and what the tools of their authors need. */
export const driverProcedures = ownerTrpcRouter({
  /** The manifest of a database type, so that its form can be read from a command line. */
  form: ownerProcedure
    .input(z.object({ driver: z.string() }))
    .output(passesOn(driverFormSchema))
    .mutation(async ({ ctx, input, signal }) => {
      const known = await ctx.catalogue.list();
      let entry = known.entries.find(({ id }) => id === input.driver);
      let asked = known;
      if (entry === undefined) {
        asked = await ctx.catalogue.refresh(signal ?? NEVER);
        entry = asked.entries.find(({ id }) => id === input.driver);
      }
      if (entry !== undefined) return { manifest: entry.manifest };
      const ids = asked.entries.map(({ id }) => id).join(', ');
      throw new HostError('DRIVER_UNKNOWN', `No registry has a driver for the database type "${input.driver}".`, {
        details: { advice: ids === '' ? 'Check the registry, and try again.' : `Use one of: ${ids}.` },
      });
    }),
  /** The drivers that one registry offers now. */
  catalogueOf: ownerProcedure
    .input(z.object({ registry: z.string() }))
    .output(passesOn(catalogueSchema))
    .mutation(({ ctx, input, signal }) => ctx.catalogue.of(input.registry).refresh(signal ?? NEVER)),
  install: ownerProcedure
    .input(
      z.object({
        driver,
        version: z.string().optional(),
        prerelease: z.boolean().optional(),
        registry: z.string().optional(),
        allowDowngrade: z.boolean().optional(),
      }),
    )
    .output(streams(installProgressSchema))
    .mutation(async function* ({ ctx, input, signal }) {
      const { driver: id, ...wanted } = input;
      yield* ctx.drivers.install(id, wanted, signal ?? NEVER);
    }),
  updatable: ownerProcedure.output(answersWith(z.array(z.string()))).query(({ ctx }) => ctx.driverManagement.updatable()),
  /** Writes an installed driver to an archive at a path of this machine. */
  bundle: ownerProcedure
    .input(z.object({ driver, version: z.string().optional(), file: z.string().min(1), overwrite: z.boolean().optional() }))
    .output(answersWith(bundledDriverSchema))
    .mutation(({ ctx, input }) => ctx.driverManagement.bundleTo(input.driver, input.version, input.file, input.overwrite)),
  /**
   * For the tools of those who write drivers: docs/reference/host-socket.md. Null first, when the folder is followed: from there on a
   * reported build belongs to a driver that is being developed. Then the messages of the driver, until the caller goes away.
   */
  develop: ownerProcedure
    .input(z.object({ folder: z.string().min(1), inspectorPort: z.number().int().min(0).max(65_535).optional() }))
    .output(streams(developmentLogLineSchema.nullable()))
    .subscription(async function* ({ ctx, input, signal }) {
      const lines = await ctx.driverDevelopment.follow(input.folder, signal ?? NEVER, input.inspectorPort);
      yield null;
      yield* lines;
    }),
  built: ownerProcedure
    .input(z.object({ folder: z.string().min(1), problems: z.array(buildProblemSchema).max(1_000) }))
    .output(answersWith(loadedBuildSchema.nullable()))
    .mutation(async ({ ctx, input, signal }) => {
      return (await ctx.driverDevelopment.built(input.folder, input.problems, signal ?? NEVER)) ?? null;
    }),
});
