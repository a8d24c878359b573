import { z } from 'zod';
import type { CatalogueEntry } from '../../common/drivers.ts';
import { HostError } from '../../common/errors.ts';
import { defineCommand, publisherSchema } from './command.ts';

const installedDriverSchema = z.object({
  id: z.string(),
  packageName: z.string(),
  version: z.string(),
  current: z.boolean(),
  installedAt: z.string(),
  publisher: publisherSchema,
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
});
export type OfferedDriver = z.output<typeof offeredDriverSchema>;

export const listDrivers = defineCommand({
  input: z.object({}),
  output: z.object({ drivers: z.array(installedDriverSchema) }),
  run: async (services) => ({ drivers: [...services.drivers.installed()] }),
});

export const searchDrivers = defineCommand({
  input: z.object({ text: z.string(), registry: z.string().optional() }),
  output: z.object({
    drivers: z.array(offeredDriverSchema),
    refreshedAt: z.string().optional(),
    problem: z.string().optional(),
  }),
  run: async (services, { text, registry }, { signal }) => {
    const { entries, refreshedAt, problem } = await services.drivers.catalogue({ registry, signal });
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    return {
      drivers: entries.filter((entry) => words.every((word) => textOf(entry).includes(word))).map(offered),
      ...(refreshedAt === undefined ? {} : { refreshedAt }),
      ...(problem === undefined ? {} : { problem }),
    };
  },
});

export const installDriver = defineCommand({
  input: z.object({ driver: z.string().min(1), version: z.string().optional(), registry: z.string().optional() }),
  output: z.object({ id: z.string(), version: z.string(), milliseconds: z.number(), publisher: publisherSchema }),
  run: async (services, { driver, version, registry }, { signal, emit }) => {
    let last;
    for await (const progress of services.drivers.install(driver, { version, registry, signal })) {
      await emit({ type: 'install', progress });
      last = progress;
    }
    if (last?.step !== 'installed') throw new HostError('INTERNAL', 'The installation ended without a result.');
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
  };
}
