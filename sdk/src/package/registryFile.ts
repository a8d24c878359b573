import { z } from 'zod';
import { publisherIdSchema, publisherNameSchema } from './signature.ts';

/** The version of the file's form. */
export const REGISTRY_FILE_FORMAT = 1;

/** The description of a running local registry in `registry.json`, for the hosts of the same person on the same machine. */
export const registryFileSchema = z.object({
  formatVersion: z.literal(REGISTRY_FILE_FORMAT),
  url: z.url({ protocol: /^http$/, hostname: /^127\.0\.0\.1$/ }),
  publisher: z.object({ id: publisherIdSchema, name: publisherNameSchema, publicKey: z.base64().length(44) }),
  /** The first root of its signed catalogue, as it is served: what a host trusts. Absent in files of registries without one. */
  catalogueRoot: z.string().max(65_536).optional(),
  pid: z.number().int().positive(),
});

/** The content of `registry.json`. */
export type RegistryFile = z.output<typeof registryFileSchema>;
