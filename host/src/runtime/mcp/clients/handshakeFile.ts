import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writeDurably } from '../../storage/durableFile.ts';

/** `mcp-handshake.json`: where the MCP server is, and how the bridge may speak to it. Only the home's owner can read it. */
export const handshakeSchema = z.strictObject({
  version: z.literal(1),
  /** The port that was really bound. */
  port: z.number().int().min(1).max(65_535),
  /** The token that the bridge presents with every request. */
  token: z.string().min(1),
  /** The secret with which the server proves itself, before any token is sent to it. Never sent itself. */
  proofSecret: z.string().regex(/^[0-9a-f]{64}$/),
  pid: z.number().int().positive(),
  /** New with every start of the server. */
  instanceId: z.uuid(),
  /** The newest protocol version that the server speaks. */
  protocolVersion: z.iso.date(),
  /** When the token ends. */
  expiresAt: z.iso.datetime(),
  /** The home's real path: in a copy of the home, the bridge must not use the handshake of the original. */
  home: z.string().min(1),
});
export type Handshake = z.output<typeof handshakeSchema>;

export const HANDSHAKE_FILE = 'mcp-handshake.json';
/** The content while a host runs with its MCP server turned off, so that the bridge can say so. */
export const OFF_FILE = 'mcp-off.json';

/**
 * Writes a file of the home that only its owner can read, in one step: a reader sees the old one or the new one.
 *
 * @returns its content
 */
export async function writePrivately(folder: string, name: string, value: unknown): Promise<string> {
  const content = `${JSON.stringify(value)}\n`;
  await writeDurably(join(folder, name), content);
  return content;
}

export async function removePrivate(folder: string, name: string): Promise<void> {
  // Whatever it is: nothing else may have this name.
  await rm(join(folder, name), { force: true, recursive: true });
}
