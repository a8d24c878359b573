import { readFile } from 'node:fs/promises';
import { publisherIdSchema, publisherNameSchema } from '@tabularium/sdk/package';
import { z } from 'zod';
import { knownPublisher } from './knownPublisher.ts';
import type { KnownPublisher } from './knownPublisher.ts';

const publishersSchema = z.object({
  formatVersion: z.literal(1),
  publishers: z.array(z.strictObject({ id: publisherIdSchema, name: publisherNameSchema, publicKey: z.base64().length(44) })),
});

/** The first-party publishers that came with this host. */
export async function readBuiltInPublishers(file: string): Promise<readonly KnownPublisher[]> {
  const { publishers } = publishersSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  return Promise.all(publishers.map((publisher) => knownPublisher(publisher)));
}
