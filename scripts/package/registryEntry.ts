import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { McpBundle } from './mcpBundle.ts';

/** An entry of the MCP registry, as far as one is made here: its schema of 2025-12-11. */
const entrySchema = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
  name: z
    .string()
    .max(200)
    .regex(
      /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/,
      'A name in the MCP registry is a domain backwards, a slash and a name: io.github.me/tabularium.',
    ),
  title: z.string().max(100),
  description: z.string().max(100),
  version: z.string().max(255),
  packages: z.tuple([
    z.strictObject({
      registryType: z.literal('mcpb'),
      identifier: z
        .url({ protocol: /^https$/, error: 'The bundle is downloaded from an https address.' })
        .endsWith('.mcpb', 'The address of the bundle ends with .mcpb.'),
      version: z.string(),
      fileSha256: z.string().regex(/^[a-f0-9]{64}$/),
      transport: z.strictObject({ type: z.literal('stdio') }),
    }),
  ]),
});
export type RegistryEntry = z.output<typeof entrySchema>;

/**
 * The `server.json` of a bundle, for the MCP registry.
 *
 * @param name - in the registry; its first part is a domain of the publisher, backwards
 * @param downloadUrl - where the bundle will lie
 * @throws ZodError for a name or an address that the registry would refuse
 */
export async function registryEntry(
  { file, version }: McpBundle,
  { name, downloadUrl }: { readonly name: string; readonly downloadUrl: string },
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
