import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { McpBundle } from './mcpBundle.ts';

/** A person's choices for the entry of a bundle. Checked before a bundle is made, because a bundle without its entry would replace one that has it. */
export const registryPlaceSchema = z.strictObject({
  /** In the registry; its first part is a domain of the publisher, backwards. */
  name: z
    .string()
    .max(200, 'A name in the MCP registry has at most 200 characters.')
    .regex(
      /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/,
      'A name in the MCP registry is a domain backwards, a slash and a name: io.github.me/tabularium.',
    ),
  /** Where the bundle will lie. */
  downloadUrl: z
    .url({ protocol: /^https$/, error: 'The bundle is downloaded from an https address.' })
    .endsWith('.mcpb', 'The address of the bundle ends with .mcpb.'),
});

/** An entry of the MCP registry, as far as one is made here: its schema of 2025-12-11. */
const entrySchema = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
  name: registryPlaceSchema.shape.name,
  title: z.string().max(100),
  description: z.string().max(100),
  version: z.string().max(255),
  packages: z.tuple([
    z.strictObject({
      registryType: z.literal('mcpb'),
      identifier: registryPlaceSchema.shape.downloadUrl,
      version: z.string(),
      fileSha256: z.string().regex(/^[a-f0-9]{64}$/),
      transport: z.strictObject({ type: z.literal('stdio') }),
    }),
  ]),
});
export type RegistryEntry = z.output<typeof entrySchema>;

/** The `server.json` of a bundle, for the MCP registry. @throws ZodError for a name or an address that the registry would refuse */
export async function registryEntry(
  { file, version }: McpBundle,
  { name, downloadUrl }: z.output<typeof registryPlaceSchema>,
): Promise<RegistryEntry> {
  const fileSha256 = createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
  return entrySchema.parse({
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name,
    title: 'Tabularium',
    description: 'Reads and, where its owner allows it, changes the databases saved in Tabularium.',
    version,
    packages: [{ registryType: 'mcpb', identifier: downloadUrl, version, fileSha256, transport: { type: 'stdio' } }],
  });
}
