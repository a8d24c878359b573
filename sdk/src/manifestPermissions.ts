import { z } from 'zod';
import { credentialSchema } from './manifestCredentials.ts';
import { furtherOriginsSchema } from './manifestFurtherOrigins.ts';
import { identifier } from './manifestIdentifier.ts';
import { sentence } from './manifestTexts.ts';
import { tlsSchema } from './manifestTls.ts';

/**
 * Permissions of a driver's process beyond the sandbox:
 *
 * - `sqlite`: `node:sqlite`. It opens every file that the person can, whatever was granted; it loads no extensions and reaches no network.
 * - `network`: sockets to any host.
 * - `files`: every file that the person can read or write.
 * - `addons`: native code, which can do whatever the person can.
 */
export const WIDER_GRANTS = ['sqlite', 'network', 'files', 'addons'] as const;
/** One of {@link WIDER_GRANTS}. */
export type WiderGrant = (typeof WIDER_GRANTS)[number];

/**
 * Everything that a person is asked about before a driver is used: the {@link WIDER_GRANTS}, and `secrets`, the credentials that the driver
 * itself gets ({@link Permissions}).
 */
export const CONSENT_GRANTS = [...WIDER_GRANTS, 'secrets'] as const;
/** One of {@link CONSENT_GRANTS}. */
export type NamedGrant = (typeof CONSENT_GRANTS)[number];
/** The fixed address of a further origin, such as `https://api.example.com`: a person is asked about each of them. */
export type OriginGrant = `https://${string}`;
/** Something that a person is asked about before a driver is used. */
export type ConsentGrant = NamedGrant | OriginGrant;

/**
 * Ways to a server other than directly:
 *
 * - `ssh`: through an SSH server that the person names, as `ssh -L` does.
 * - `socks`: through a SOCKS5 proxy that the person names.
 */
export const WAYS_THROUGH = ['ssh', 'socks'] as const;
/** One of {@link WAYS_THROUGH}. */
export type WayThrough = (typeof WAYS_THROUGH)[number];

/**
 * The ways that the form offers beside a direct connection. Their fields are the host's, and so is everything that goes through them: the driver sees
 * the same server as without. New in contract 1.1.
 */
const via = z
  .array(z.enum(WAYS_THROUGH))
  .max(WAYS_THROUGH.length)
  .refine((ways) => new Set(ways).size === ways.length, 'Name each way once.')
  .default([]);

/** How form fields become the HTTP origin that the driver may reach, the further ones of its cluster, its credentials and its TLS. */
const httpPermissionSchema = z.strictObject({
  origin: z.strictObject({
    host: z.strictObject({ field: identifier, whenEmpty: z.string().min(1) }),
    port: z.strictObject({ field: identifier, whenEmpty: z.number().int().min(1).max(65_535) }),
    /** `http` while the field has one of `plainValues`, else `https`. */
    scheme: z.strictObject({ field: identifier, plainValues: z.array(z.string()) }),
    /**
     * A text field with further nodes of the same cluster, each `host` or `host:port`, separated by commas or blanks; one without a port has the
     * first node's. Scheme, TLS and credentials are the same for all. A read that a node doesn't answer is sent once to each next one; anything
     * else never is.
     */
    nodes: z.strictObject({ field: identifier }).optional(),
    /** A text field with a path that is the prefix of every request's path, such as `/search`, for a server behind a proxy. */
    pathPrefix: z.strictObject({ field: identifier }).optional(),
  }),
  /**
   * Credentials that the host adds to every request, each by a scheme of its own. The driver never sees a value. Of several that would write the
   * same header the last one counts.
   */
  credentials: z.array(credentialSchema).max(20).default([]),
  tls: tlsSchema.optional(),
  /** Other servers that the driver needs beside the first, each with credentials of its own or none. New in contract 1.1. */
  furtherOrigins: furtherOriginsSchema,
  via,
  /** Milliseconds; a request may ask for less. */
  timeoutMilliseconds: z.number().int().min(1_000).max(3_600_000).default(30_000),
});

/** How form fields become the one endpoint that the driver opens sockets to, and its TLS. */
const socketPermissionSchema = z.strictObject({
  endpoint: z.strictObject({
    host: z.strictObject({ field: identifier, whenEmpty: z.string().min(1) }),
    port: z.strictObject({ field: identifier, whenEmpty: z.number().int().min(1).max(65_535) }),
    /** Nothing is encrypted while the field has one of `plainValues`; else everything is. */
    scheme: z.strictObject({ field: identifier, plainValues: z.array(z.string()) }),
  }),
  tls: tlsSchema.optional(),
  via,
  /**
   * When TLS begins: `immediate`, before the first byte; `upgrade`, when the driver asks for it, for a protocol that agrees on it first. A
   * driver that should encrypt and doesn't ask gets no further than {@link MOST_PLAIN_BYTES} bytes.
   */
  tlsStart: z.enum(['immediate', 'upgrade']).default('immediate'),
  /** Sockets that a session may have open at once. To cancel a statement, many protocols need one more. */
  maxSockets: z.number().int().min(1).max(16).default(4),
  /** Milliseconds to connect, TLS included where it begins at once. */
  timeoutMilliseconds: z.number().int().min(1_000).max(120_000).default(10_000),
});

/**
 * The bytes that a driver may send before TLS begins, where the connection is to be encrypted and the protocol upgrades: enough to ask
 * for TLS (PostgreSQL 8, MySQL 36), and too few to sign in.
 */
export const MOST_PLAIN_BYTES = 40;

/** The permissions that a driver asks for. */
export const permissionsSchema = z.strictObject({
  http: httpPermissionSchema.optional(),
  /** In place of `http`: bytes to one endpoint. */
  socket: socketPermissionSchema.optional(),
  /**
   * Credentials that the driver itself gets, because its protocol signs in with them: form fields of type `secret`. A person is asked before the
   * driver is used. They reach `context.secrets` and nothing else of the driver's.
   */
  secrets: z.strictObject({ fields: z.array(identifier).min(1).max(10), reason: sentence }).optional(),
  /** Form fields of type `file` with `readBy: "driver"`: each chosen file is granted to the driver's process when it starts. */
  files: z.array(z.strictObject({ field: identifier, access: z.enum(['read', 'readWrite']), reason: sentence })).default([]),
  /** Wider grants than the sandbox gives; a person is asked about each of them, and again when a later version asks for more. */
  unconfined: z
    .strictObject({
      reason: sentence,
      /** Which; all of them where the list is left out. Ask for the fewest that will do. */
      grants: z
        .array(z.enum(WIDER_GRANTS))
        .min(1)
        .default([...WIDER_GRANTS]),
    })
    .optional(),
});

/** The part of a manifest that says which origin a driver reaches, and how. */
export type HttpPermission = z.output<typeof httpPermissionSchema>;
/** The part of a manifest that says which endpoint a driver opens sockets to, and how. */
export type SocketPermission = z.output<typeof socketPermissionSchema>;
/** The permissions that a driver asks for. */
export type Permissions = z.output<typeof permissionsSchema>;
