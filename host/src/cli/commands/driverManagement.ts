import { z } from 'zod';
import type { InstallProgress } from '../../common/drivers.ts';
import { allowGrantsSchema, driverNetworkSchema, registryInputSchema } from '../../common/driversApi.ts';
import { HostError } from '../../common/errors.ts';
import type { DriverManagement } from '../../runtime/drivers/install/driverManagement.ts';
import { errorReport } from '../../runtime/errors/errorReport.ts';
import { defineCommand, publisherSchema } from './command.ts';
import type { Command, CommandContext } from './command.ts';

export const installedDriverSchema = z.object({
  id: z.string(),
  packageName: z.string(),
  version: z.string(),
  current: z.boolean(),
  installedAt: z.string(),
  publisher: publisherSchema,
  developerFolder: z.string().optional(),
});

export const installDriverFile = defineCommand({
  input: z.object({ file: z.string().min(1), allowDowngrade: z.boolean().optional() }),
  output: installedDriverSchema,
  run: async (services, { file, allowDowngrade }, { signal }) =>
    services.driverManagement.installFile(file, signal, allowDowngrade),
});

const updatedSchema = z.object({ id: z.string(), version: z.string(), openSessions: z.array(z.string()) });
const failedSchema = z.object({ id: z.string(), code: z.string(), message: z.string() });

export const updateDrivers = defineCommand({
  input: z.object({ driver: z.string().min(1).optional() }),
  output: z.object({ updated: z.array(updatedSchema), failed: z.array(failedSchema) }),
  run: async (services, { driver }, { signal, emit }) => {
    const { driverManagement } = services;
    if (driver === undefined) await services.drivers.catalogue({ signal });
    const updated: z.output<typeof updatedSchema>[] = [];
    const failed: z.output<typeof failedSchema>[] = [];
    for (const id of driver === undefined ? await driverManagement.updatable() : [driver]) {
      try {
        const { version } = await follow(driverManagement.update(id, signal), emit);
        const open = (await driverManagement.overview()).drivers.find((entry) => entry.id === id)?.oldSessions ?? [];
        updated.push({ id, version, openSessions: [...open] });
      } catch (error) {
        // One that was named is the caller's to know; of all, the others go on.
        if (driver !== undefined || signal.aborted) throw error;
        const { code, message } = errorReport(error);
        failed.push({ id, code, message });
      }
    }
    return { updated, failed };
  },
});

export const rollBackDriver = defineCommand({
  input: z.object({ driver: z.string().min(1) }),
  output: installedDriverSchema,
  run: async (services, { driver }) => services.driverManagement.rollback(driver),
});

export const pinDriver = defineCommand({
  input: z.object({ driver: z.string().min(1), version: z.string().optional(), allowDowngrade: z.boolean().optional() }),
  output: installedDriverSchema,
  run: async (services, { driver, version, allowDowngrade }, { signal }) =>
    services.driverManagement.pin(driver, version, signal, allowDowngrade),
});

const driverInputSchema = z.object({ driver: z.string().min(1) });
const doneSchema = z.object({ id: z.string() });

/** A command that takes a driver and answers with nothing but its id. */
function simple(
  work: (services: DriverManagement, driver: string) => Promise<void> | void,
): Command<typeof driverInputSchema, typeof doneSchema> {
  return defineCommand({
    input: driverInputSchema,
    output: doneSchema,
    run: async (services, { driver }) => {
      await work(services.driverManagement, driver);
      return { id: driver };
    },
  });
}

export const unpinDriver = simple((management, driver) => management.unpin(driver));
export const enableDriver = simple((management, driver) => management.enable(driver));
export const disableDriver = simple((management, driver) => management.disable(driver));
export const removeDriver = simple((management, driver) => management.remove(driver));
export const unloadFolder = simple((management, driver) => management.forgetFolder(driver));

export const bundleDriver = defineCommand({
  input: z.object({ driver: z.string().min(1), version: z.string().optional(), file: z.string().min(1) }),
  output: z.object({ file: z.string(), bytes: z.number() }),
  run: async (services, { driver, version, file }) => services.driverManagement.bundleTo(driver, version, file),
});

export const loadFolder = defineCommand({
  input: z.object({ folder: z.string().min(1) }),
  output: installedDriverSchema,
  run: async (services, { folder }, { signal }) => services.driverManagement.loadFolder(folder, signal),
});

const keySchema = publisherSchema.extend({
  keyId: z.string(),
  /** A known publisher with another key, whose name this one has or looks like. */
  resembles: z.string().optional(),
  addedAt: z.string().optional(),
  revokedAt: z.string().optional(),
});

export const listKeys = defineCommand({
  input: z.object({}),
  output: z.object({ publishers: z.array(keySchema) }),
  run: async (services) => ({ publishers: [...(await services.driverManagement.keys())] }),
});

const fingerprint = z
  .string()
  .transform((text) => text.replaceAll(/\s/g, '').toLowerCase())
  .refine((text) => /^[0-9a-f]{64}$/.test(text), 'A fingerprint has 64 hexadecimal digits.');

export const trustKey = defineCommand({
  input: z.object({ fingerprint }),
  output: publisherSchema,
  run: async (services, input) => services.driverManagement.trustKey(input.fingerprint),
});

export const revokeKey = defineCommand({
  input: z.object({ fingerprint }),
  output: z.object({ fingerprint: z.string() }),
  run: async (services, input) => {
    await services.driverManagement.revokeKey(input.fingerprint);
    return { fingerprint: input.fingerprint };
  },
});

export const allowGrants = defineCommand({
  input: allowGrantsSchema,
  output: z.object({ id: z.string(), grants: z.array(z.string()) }),
  run: async (services, { driver, grants, askedBy }) => {
    services.driverManagement.allowGrants(driver, grants, askedBy);
    return { id: driver, grants };
  },
});

export const withdrawGrants = simple((management, driver) => management.withdrawGrants(driver));

const catalogueSchema = z.object({
  state: z.enum(['signed', 'unsigned']),
  fingerprint: z.string().optional(),
  version: z.number().optional(),
  expiresAt: z.string().optional(),
  problem: z.string().optional(),
});

/** A registry's signed catalogue as `drivers list` and `drivers search` tell of it. */
export const registryCatalogueSchema = catalogueSchema.extend({ registry: z.string() });

export async function cataloguesOf(management: DriverManagement): Promise<z.output<typeof registryCatalogueSchema>[]> {
  return (await management.registries()).map(({ url, catalogue }) => ({ registry: url, ...catalogue }));
}

const registrySchema = z.object({
  url: z.string(),
  name: z.string(),
  scopes: z.array(z.string()),
  packages: z.array(z.string()),
  downloadOrigins: z.array(z.string()),
  catalogue: catalogueSchema,
  hasCredential: z.boolean(),
  from: z.enum(['settings', 'environment', 'thisMachine']),
});

export const listRegistries = defineCommand({
  input: z.object({}),
  output: z.object({ registries: z.array(registrySchema) }),
  run: async (services) => ({ registries: await registriesOf(services.driverManagement) }),
});

export const saveRegistry = defineCommand({
  input: registryInputSchema,
  output: z.object({ registries: z.array(registrySchema) }),
  run: async (services, input) => {
    await services.driverManagement.saveRegistry(input);
    return { registries: await registriesOf(services.driverManagement) };
  },
});

export const removeRegistry = defineCommand({
  input: z.object({ url: z.string().min(1) }),
  output: z.object({ registries: z.array(registrySchema) }),
  run: async (services, { url }) => {
    await services.driverManagement.removeRegistry(url);
    return { registries: await registriesOf(services.driverManagement) };
  },
});

export const driverNetwork = defineCommand({
  // Without the defaults: what is left out stays as it is.
  input: z.object({
    offline: z.boolean().optional(),
    proxy: z.string().optional(),
    certificateAuthorityFile: z.string().optional(),
  }),
  output: driverNetworkSchema,
  run: async (services, change) => {
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    const network = driverNetworkSchema.parse({ ...services.driverManagement.network(), ...given });
    if (Object.keys(given).length > 0) services.driverManagement.setNetwork(network);
    return network;
  },
});

async function registriesOf(management: DriverManagement): Promise<z.output<typeof registrySchema>[]> {
  return (await management.registries()).map((registry) => ({
    ...registry,
    scopes: [...registry.scopes],
    packages: [...registry.packages],
    downloadOrigins: [...registry.downloadOrigins],
  }));
}

type Installed = Extract<InstallProgress, { readonly step: 'installed' }>;

/** Tells every step of an installation and gives the last. */
export async function follow(steps: AsyncIterable<InstallProgress>, emit: CommandContext['emit']): Promise<Installed> {
  let last: InstallProgress | undefined;
  for await (const progress of steps) {
    await emit({ type: 'install', progress });
    last = progress;
  }
  if (last?.step !== 'installed') throw new HostError('INTERNAL', 'The installation ended without a result.');
  return last;
}
