import { z } from 'zod';
import { tokenScopeSchema } from '../../common/access.ts';
import { HostError } from '../../common/errors.ts';
import { parseDuration } from '../../runtime/mcp/access/duration.ts';
import { defineCommand, namesSchema } from './command.ts';
import { findConnection } from './find.ts';

const tokenSchema = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string(),
  scope: tokenScopeSchema,
  /** Names, or ids of those that are gone. */
  connections: z.union([z.literal('all'), z.array(z.string())]),
  createdAt: z.string(),
  lastUsedAt: z.string().nullable(),
  expiresAt: z.string().nullable(),
  revokedAt: z.string().nullable(),
});

export const createToken = defineCommand({
  input: z.object({
    name: z.string(),
    scope: tokenScopeSchema,
    /** Names or ids; left out: every connection. */
    connections: namesSchema.min(1).optional(),
    /** Such as `30d`. */
    expires: z.string().optional(),
  }),
  output: z.object({
    id: z.string(),
    name: z.string(),
    scope: tokenScopeSchema,
    token: z.string(),
    expiresAt: z.string().nullable(),
  }),
  run: async (services, input) => {
    const lifetime = input.expires === undefined ? undefined : parseDuration(input.expires);
    const { info, text } = services.tokens.mint({
      name: input.name,
      scope: input.scope,
      connections: input.connections?.map((nameOrId) => findConnection(services, nameOrId).id),
      expiresAt: lifetime === undefined ? undefined : new Date(Date.now() + lifetime),
    });
    return { id: info.id, name: info.name, scope: info.scope, token: text, expiresAt: info.expiresAt ?? null };
  },
});

export const listTokens = defineCommand({
  input: z.object({}),
  output: z.object({ tokens: z.array(tokenSchema) }),
  run: async (services) => {
    const names = new Map(services.connections.list().map(({ id, name }) => [id, name]));
    return {
      tokens: services.tokens.list().map(({ id, name, prefix, scope, connections, createdAt, ...times }) => ({
        id,
        name,
        prefix,
        scope,
        connections: connections === 'all' ? connections : connections.map((connection) => names.get(connection) ?? connection),
        createdAt,
        lastUsedAt: times.lastUsedAt ?? null,
        expiresAt: times.expiresAt ?? null,
        revokedAt: times.revokedAt ?? null,
      })),
    };
  },
});

export const revokeToken = defineCommand({
  input: z.object({ token: z.string() }),
  output: z.object({ id: z.string(), name: z.string(), revokedAt: z.string().nullable() }),
  run: async (services, input) => {
    const all = services.tokens.list();
    const byName = all.filter(({ name, revokedAt }) => name === input.token && revokedAt === undefined);
    if (byName.length > 1) {
      throw new HostError('INVALID_REQUEST', `${byName.length} tokens are named "${input.token}".`, {
        details: { advice: 'Name the one by its id; "tabularium tokens list" shows it.' },
      });
    }
    const { id, name, revokedAt } = services.tokens.revoke(byName[0]?.id ?? input.token);
    return { id, name, revokedAt: revokedAt ?? null };
  },
});
