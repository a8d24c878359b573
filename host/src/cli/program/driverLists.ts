import { z } from 'zod';
import {
  catalogueSchema,
  installedDriverSchema,
  overviewSchema,
  publisherKeySchema,
  registrySchema,
} from '../answers/drivers.ts';
import type { OfferedEntry } from '../answers/drivers.ts';
import { understood } from '../ownerApi.ts';
import type { ApiCallOptions, OwnerApi } from '../ownerApi.ts';

/** A registry's signed catalogue as `drivers list` and `drivers search` tell of it. */
const registryCatalogueSchema = registrySchema.shape.catalogue.extend({ registry: z.string() });

/** As `drivers list` prints it: with what was chosen about each driver. */
export const listedDriversSchema = z.object({
  drivers: z.array(
    installedDriverSchema.extend({
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
    }),
  ),
  catalogues: z.array(registryCatalogueSchema),
  /** Why the kernel does not confine drivers here; absent where it does. */
  kernelSandboxMissing: z.string().optional(),
});

export const offeredDriversSchema = z.object({
  drivers: z.array(
    z.object({
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
    }),
  ),
  refreshedAt: z.string().optional(),
  problem: z.string().optional(),
  catalogues: z.array(registryCatalogueSchema),
});

export async function listDrivers(api: OwnerApi, options: ApiCallOptions): Promise<z.output<typeof listedDriversSchema>> {
  const [overview, keys, installed, catalogues] = await Promise.all([
    api.drivers.overview.query(undefined, options),
    api.drivers.keys.query(undefined, options),
    api.drivers.installed.query(undefined, options),
    cataloguesOf(api, options),
  ]);
  const { drivers, kernelSandboxMissing } = understood(overviewSchema, overview);
  const publishers = understood(z.array(publisherKeySchema), keys);
  return {
    ...(kernelSandboxMissing === undefined ? {} : { kernelSandboxMissing }),
    drivers: understood(z.array(installedDriverSchema), installed).map((info) => {
      const driver = drivers.find(({ id }) => id === info.id);
      const version = driver?.versions.find((candidate) => candidate.version === info.version);
      const resembles = publishers.find(({ fingerprint }) => fingerprint === info.publisher.fingerprint)?.resembles;
      return {
        ...info,
        ...(resembles === undefined ? {} : { resembles }),
        pinned: driver?.pinned === info.version,
        disabled: driver?.disabled === true,
        ...(info.current && driver?.fault !== undefined ? { fault: driver.fault } : {}),
        usedBy: version?.usedBy ?? [],
        ...(version?.refusedBecause === undefined ? {} : { refusedBecause: version.refusedBecause }),
      };
    }),
    catalogues,
  };
}

/** @param registry - asked alone; left out: all of them */
export async function searchDrivers(
  api: OwnerApi,
  text: string,
  registry: string | undefined,
  options: ApiCallOptions,
): Promise<z.output<typeof offeredDriversSchema>> {
  const offered =
    registry === undefined
      ? await api.drivers.refresh.mutate(undefined, options)
      : await api.owner.drivers.catalogueOf.mutate({ registry }, options);
  const { entries, ...state } = understood(catalogueSchema, offered);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return {
    drivers: entries
      .filter((entry) => words.every((word) => textOf(entry).includes(word)))
      .map(({ manifest, ...entry }) => ({ ...entry, ...manifest })),
    ...state,
    catalogues: await cataloguesOf(api, options),
  };
}

function textOf({ id, packageName, manifest }: OfferedEntry): string {
  return [id, packageName, manifest.title, manifest.tagline, manifest.category].join(' ').toLowerCase();
}

async function cataloguesOf(api: OwnerApi, options: ApiCallOptions): Promise<z.output<typeof registryCatalogueSchema>[]> {
  const registries = understood(z.array(registrySchema), await api.drivers.registries.query(undefined, options));
  return registries.map(({ url, catalogue }) => ({ registry: url, ...catalogue }));
}
