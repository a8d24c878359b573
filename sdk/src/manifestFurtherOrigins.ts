import { z } from 'zod';
import { credentialSchema } from './manifestCredentials.ts';
import type { HttpCredential } from './manifestCredentials.ts';
import { identifier } from './manifestIdentifier.ts';
import { label, sentence } from './manifestTexts.ts';
import { tlsSchema } from './manifestTls.ts';

const MOST_FURTHER_ORIGINS = 3;
const LONGEST_LABEL = 40;

/** The fields of the form that make up a further origin. */
const mappedOriginSchema = z.strictObject({
  /**
   * A text field. While it is empty, the connection doesn't have this origin. The first origin's own field may be named too: then this is another
   * port of the same host.
   */
  host: z.strictObject({ field: identifier }),
  port: z.strictObject({ field: identifier, whenEmpty: z.number().int().min(1).max(65_535) }),
  /** `http` while the field has one of `plainValues`, else `https`. */
  scheme: z.strictObject({ field: identifier, plainValues: z.array(z.string()) }),
  /** A text field with a path that is the prefix of every request's path. */
  pathPrefix: z.strictObject({ field: identifier }).optional(),
});

const furtherOriginSchema = z.strictObject({
  id: identifier,
  // Short, so that the address beside it stays in view.
  label: label.max(LONGEST_LABEL),
  reason: sentence,
  origin: z.union([z.string().min(1).max(300), mappedOriginSchema]),
  credentials: z.array(credentialSchema).max(20).default([]),
  tls: tlsSchema.optional(),
});

/** A further HTTP origin of a driver, beside the first one. New in contract 1.1. */
export interface FurtherOrigin {
  /** By which the driver names it in a request. */
  readonly id: string;
  /** The name of the server or service, for people. */
  readonly label: string;
  /** Why the driver needs it. A person reads it before anything is sent there. */
  readonly reason: string;
  /** Form fields, or the fixed `https` origin of a public service, which a person is asked about before the driver is used. */
  readonly origin: string | z.output<typeof mappedOriginSchema>;
  /** Credentials that the host adds to requests to this origin, and to no other. Those of another origin never go here. */
  readonly credentials: HttpCredential[];
  /** Of an origin from form fields. A fixed one always has its certificate and host name checked. */
  readonly tls?: z.output<typeof tlsSchema> | undefined;
}

/** A further origin as an author may write it. */
export interface FurtherOriginInput extends Pick<FurtherOrigin, 'id' | 'label' | 'reason' | 'origin'> {
  readonly credentials?: z.input<typeof credentialSchema>[] | undefined;
  readonly tls?: z.input<typeof tlsSchema> | undefined;
}

// Types with names of their own: written out, they would make those of the host's routers too long for the compiler.
const oneSchema: z.ZodType<FurtherOrigin, FurtherOriginInput> = furtherOriginSchema;

/** The member `permissions.http.furtherOrigins`. */
export const furtherOriginsSchema = z
  .array(oneSchema)
  .max(MOST_FURTHER_ORIGINS)
  .refine((origins) => new Set(origins.map(({ id }) => id)).size === origins.length, 'Two further origins have the same id.')
  .refine((origins) => {
    const fixed = origins.flatMap(({ origin }) => (typeof origin === 'string' ? [origin] : []));
    return new Set(fixed).size === fixed.length;
  }, 'Two further origins have the same fixed address. Declare it once.')
  .default([]);
