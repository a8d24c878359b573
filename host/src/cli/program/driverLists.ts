import { manifestSchema } from '@tabularium/sdk/manifest';
import { z } from 'zod';
import {
  catalogueEntrySchema,
  catalogueInfoSchema,
  catalogueSchema,
  driverOverviewSchema,
  driversOverviewSchema,
  installedDriverSchema,
  installedVersionSchema,
  publisherKeySchema,
  registrySchema,
} from '../../common/drivers.ts';
import { understood } from '../ownerApi.ts';
import type { ApiCallOptions, OwnerApi } from '../ownerApi.ts';

// A host may be newer than the command: of what it answers, only the parts that a command prints have to be understood.

const knownVersion = installedVersionSchema.pick({ version: true, usedBy: true, refusedBecause: true });
const knownDriver = driverOverviewSchema
  .pick({ id: true, pinned: true, disabled: true, fault: true, oldSessions: true, installedVersion: true, reason: true })
  .extend({ versions: z.array(knownVersion) });
/** The choices about each installed driver, and its faults. */
export const overviewSchema = driversOverviewSchema
  .pick({ kernelSandboxMissing: true })
  .extend({ drivers: z.array(knownDriver) });

const { title, tagline, category } = manifestSchema.shape;
const offeredEntry = catalogueEntrySchema.pick({
  id: true,
  packageName: true,
  state: true,
  installedVersion: true,
  availableVersion: true,
  reason: true,
  resembles: true,
});
const offeredEntrySchema = offeredEntry.extend({ manifest: z.object({ title, tagline, category }) });
const offeredCatalogueSchema = catalogueSchema.extend({ entries: z.array(offeredEntrySchema) });

/** A registry's signed catalogue as `drivers list` and `drivers search` report it. */
const registryCatalogueSchema = catalogueInfoSchema.extend({ registry: registrySchema.shape.url });

/** As `drivers list` prints it: with what was chosen about each driver. */
export const listedDriversSchema = z.object({
  drivers: z.array(
    installedDriverSchema.extend({
      pinned: z.boolean(),
      disabled: z.boolean(),
      usedBy: installedVersionSchema.shape.usedBy,
      /** A known publisher with another key, whose name that of this driver's publisher has or looks like. */
      resembles: publisherKeySchema.shape.resembles,
      refusedBecause: installedVersionSchema.shape.refusedBecause,
      fault: driverOverviewSchema.shape.fault,
    }),
  ),
  catalogues: z.array(registryCatalogueSchema),
  kernelSandboxMissing: driversOverviewSchema.shape.kernelSandboxMissing,
});

/** As `drivers search` prints it. */
export const offeredDriversSchema = catalogueSchema.omit({ entries: true }).extend({
  drivers: z.array(offeredEntry.extend({ title, tagline, category })),
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
  const { entries, ...state } = understood(offeredCatalogueSchema, offered);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return {
    drivers: entries
      .filter((entry) => words.every((word) => textOf(entry).includes(word)))
      .map(({ manifest, ...entry }) => ({ ...entry, ...manifest })),
    ...state,
    catalogues: await cataloguesOf(api, options),
  };
}

function textOf({ id, packageName, manifest }: z.output<typeof offeredEntrySchema>): string {
  return [id, packageName, manifest.title, manifest.tagline, manifest.category].join(' ').toLowerCase();
}

async function cataloguesOf(api: OwnerApi, options: ApiCallOptions): Promise<z.output<typeof registryCatalogueSchema>[]> {
  const registries = understood(z.array(registrySchema), await api.drivers.registries.query(undefined, options));
  return registries.map(({ url, catalogue }) => ({ registry: url, ...catalogue }));
}
