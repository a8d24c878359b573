import { z } from 'zod';
import type { CatalogueEntry } from '../../common/drivers.ts';
import { defineCommand, publisherSchema } from './command.ts';
import { cataloguesOf, follow, installedDriverSchema, registryCatalogueSchema } from './driverManagement.ts';

/** As `drivers list` has it: with what was chosen about the driver. */
const listedDriverSchema = installedDriverSchema.extend({
  pinned: z.boolean(),
  disabled: z.boolean(),
  /** Names of open connections that use this version. */
  usedBy: z.array(z.string()),
  /** A known publisher with another key, whose name that of this driver's publisher has or looks like. */
  resembles: z.string().optional(),
  /** Why this version was taken out of use. */
  refusedBecause: z.string().optional(),
  /** Why the driver cannot be used now. */
  fault: z.string().optional(),
});

const offeredDriverSchema = z.object({
  id: z.string(),
  title: z.string(),
  tagline: z.string(),
  category: z.string(),
  packageName: z.string(),
  state: z.enum(['notInstalled', 'installed', 'updateAvailable', 'cannotRun']),
  installedVersion: z.string().optional(),
  availableVersion: z.string().optional(),
  reason: z.string().optional(),
  resembles: z.object({ title: z.string(), packageName: z.string() }).optional(),
});
export type OfferedDriver = z.output<typeof offeredDriverSchema>;

export const listDrivers = defineCommand({
  input: z.object({}),
  output: z.object({
    drivers: z.array(listedDriverSchema),
    catalogues: z.array(registryCatalogueSchema),
    /** Why the kernel does not confine drivers here; absent where it does. */
    kernelSandboxMissing: z.string().optional(),
  }),
  run: async (services) => {
    const [{ drivers, kernelSandboxMissing }, keys] = await Promise.all([
      services.driverManagement.overview(),
      services.driverManagement.keys(),
    ]);
    return {
      ...(kernelSandboxMissing === undefined ? {} : { kernelSandboxMissing }),
      drivers: services.drivers.installed().map((info) => {
        const driver = drivers.find(({ id }) => id === info.id);
        const version = driver?.versions.find((candidate) => candidate.version === info.version);
        const resembles = keys.find(({ fingerprint }) => fingerprint === info.publisher.fingerprint)?.resembles;
        return {
          ...info,
          ...(resembles === undefined ? {} : { resembles }),
          pinned: driver?.pinned === info.version,
          disabled: driver?.disabled === true,
          ...(info.current && driver?.fault !== undefined ? { fault: driver.fault } : {}),
          usedBy: [...(version?.usedBy ?? [])],
          ...(version?.refusedBecause === undefined ? {} : { refusedBecause: version.refusedBecause }),
        };
      }),
      catalogues: await cataloguesOf(services.driverManagement),
    };
  },
});

export const searchDrivers = defineCommand({
  input: z.object({ text: z.string(), registry: z.string().optional() }),
  output: z.object({
    drivers: z.array(offeredDriverSchema),
    refreshedAt: z.string().optional(),
    problem: z.string().optional(),
    catalogues: z.array(registryCatalogueSchema),
  }),
  run: async (services, { text, registry }, { signal }) => {
    const { entries, refreshedAt, problem } = await services.drivers.catalogue({ registry, signal });
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    return {
      drivers: entries.filter((entry) => words.every((word) => textOf(entry).includes(word))).map(offered),
      ...(refreshedAt === undefined ? {} : { refreshedAt }),
      ...(problem === undefined ? {} : { problem }),
      catalogues: await cataloguesOf(services.driverManagement),
    };
  },
});

export const installDriver = defineCommand({
  input: z.object({
    driver: z.string().min(1),
    version: z.string().optional(),
    prerelease: z.boolean().optional(),
    registry: z.string().optional(),
    allowDowngrade: z.boolean().optional(),
  }),
  output: z.object({ id: z.string(), version: z.string(), milliseconds: z.number(), publisher: publisherSchema }),
  run: async (services, { driver, ...wanted }, { signal, emit }) => {
    const last = await follow(services.drivers.install(driver, { ...wanted, signal }), emit);
    return { id: driver, version: last.version, milliseconds: last.milliseconds, publisher: last.publisher };
  },
});

function textOf({ id, packageName, manifest }: CatalogueEntry): string {
  return [id, packageName, manifest.title, manifest.tagline, manifest.category].join(' ').toLowerCase();
}

function offered({
  id,
  packageName,
  manifest,
  state,
  installedVersion,
  availableVersion,
  reason,
  resembles,
}: CatalogueEntry): OfferedDriver {
  const { title, tagline, category } = manifest;
  return {
    id,
    title,
    tagline,
    category,
    packageName,
    state,
    ...(installedVersion === undefined ? {} : { installedVersion }),
    ...(availableVersion === undefined ? {} : { availableVersion }),
    ...(reason === undefined ? {} : { reason }),
    ...(resembles === undefined ? {} : { resembles }),
  };
}
