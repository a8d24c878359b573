import { inspect } from 'node:util';
import { DriverError } from '@tabularium/sdk';
import type { FormField, HttpPermission } from '@tabularium/sdk/manifest';
import type { SettingsValues } from '../../../common/connection.ts';
import type { SealedSecrets } from '../../credentials/sealedSecrets.ts';
import { destinationUrl } from '../../../common/destinationOf.ts';
import { serverPermissionOf } from '../../../common/serverPermission.ts';
import { reachOf, serverDestination } from './serverDestination.ts';
import { RepeatedSecret } from './repeatedSecret.ts';
import type { SendingDriver, ServerOrigin } from './serverDestination.ts';
import type { ReadTextFile, TlsPolicy } from './tlsPolicy.ts';
import { tlsPolicyFor } from './tlsPolicy.ts';

/** A credential and the text before it in its header. */
export interface Secret {
  readonly prefix: string;
  readonly value: string;
}

/**
 * An origin that a session may reach, and how; {@link nodes} are the further ones of its cluster. Holds the credentials; they come out by {@link secretHeaders} alone, which only the
 * broker calls: printing, inspecting or serialising a grant shows none.
 */
export class HttpGrant {
  readonly origin: ServerOrigin;
  /** Grants for the further nodes, with the same credentials and TLS; none of them has nodes of its own. */
  readonly nodes: readonly HttpGrant[];
  readonly tls: TlsPolicy | undefined;
  readonly timeoutMilliseconds: number;
  /** Lower-case names of all headers that the manifest declares as credentials, with a value or not. */
  readonly credentialHeaders: ReadonlySet<string>;
  readonly #secrets: ReadonlyMap<string, Secret>;
  readonly #sought: readonly RepeatedSecret[];

  constructor(options: {
    readonly origin: ServerOrigin;
    readonly nodes?: readonly ServerOrigin[];
    readonly tls?: TlsPolicy;
    readonly timeoutMilliseconds: number;
    readonly credentialHeaders: readonly string[];
    readonly secrets: ReadonlyMap<string, Secret>;
  }) {
    const { nodes = [], ...alike } = options;
    this.origin = options.origin;
    this.nodes = nodes.map((origin) => new HttpGrant({ ...alike, origin }));
    this.timeoutMilliseconds = options.timeoutMilliseconds;
    this.credentialHeaders = new Set(options.credentialHeaders.map((name) => name.toLowerCase()));
    this.#secrets = options.secrets;
    this.#sought = [...new Set(Array.from(options.secrets.values(), ({ value }) => value))].map(
      (value) => new RepeatedSecret(value),
    );
    // The client key is a secret too.
    this.tls = options.tls;
    Object.defineProperty(this, 'tls', { enumerable: false });
  }

  /** Header names and whole values, prefix included. */
  secretHeaders(): readonly (readonly [name: string, value: string])[] {
    return [...this.#secrets].map(([name, { prefix, value }]) => [name, `${prefix}${value}`]);
  }

  /** Whether a text gives a credential away, see {@link RepeatedSecret}. */
  repeatsSecret(text: string): boolean {
    return this.#sought.some((secret) => secret.isIn(text));
  }

  /** Host and port as people write them. */
  get address(): string {
    return destinationUrl({ ...this.origin, pathPrefix: '' }).slice(this.origin.scheme.length + '://'.length);
  }

  /** Without the path prefix. */
  get url(): string {
    return destinationUrl({ ...this.origin, pathPrefix: '' });
  }

  toJSON(): unknown {
    return { origin: this.origin, timeoutMilliseconds: this.timeoutMilliseconds };
  }

  [inspect.custom](): string {
    return `HttpGrant(${this.url})`;
  }
}

/**
 * The grant that a connection's form amounts to, as the manifest maps it. Each secret is taken out of its seal for the destination of this very
 * grant: one that was approved for another stays closed, and there is no grant.
 *
 * @param settings - values of the form, the paths of chosen files among them
 * @throws DriverError `INVALID_INPUT` (with the field), `CREDENTIALS_MISSING`, `UNSUPPORTED` for a manifest without HTTP
 * @throws HostError `SECRET_NOT_CONFIRMED`
 */
export async function httpGrantFor(
  driver: SendingDriver,
  settings: SettingsValues,
  secrets: SealedSecrets,
  readFile: ReadTextFile,
): Promise<HttpGrant> {
  const { manifest } = driver;
  const permission = manifest.permissions.http;
  const server = serverPermissionOf(manifest);
  if (permission === undefined || server === undefined)
    throw new DriverError('UNSUPPORTED', `${manifest.title} does not use HTTP.`);
  const destination = serverDestination(server, manifest, settings);
  const tls = await tlsPolicyFor(server, destination, readFile);
  return new HttpGrant({
    origin: destination.origin,
    nodes: destination.nodes,
    ...(tls === undefined ? {} : { tls }),
    timeoutMilliseconds: permission.timeoutMilliseconds,
    credentialHeaders: permission.credentials.flatMap(({ headers }) => headers),
    secrets: secretHeaders(permission, manifest.connection.fields, (field) =>
      secrets.open(field, reachOf(driver, destination, field)),
    ),
  });
}

/** Characters of a header value (RFC 9110), without the obsolete bytes above ASCII. */
const HEADER_VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

function secretHeaders(
  { credentials }: HttpPermission,
  fields: readonly FormField[],
  valueOf: (field: string) => string | undefined,
): ReadonlyMap<string, Secret> {
  const headers = new Map<string, Secret>();
  for (const { field, headers: names, prefix } of credentials) {
    const label = fields.find(({ id }) => id === field);
    const secret = valueOf(field);
    if (secret === undefined || secret === '') {
      if (label?.required === true) {
        throw new DriverError('CREDENTIALS_MISSING', `${label.label} is missing.`, { details: { field } });
      }
      continue;
    }
    if (!HEADER_VALUE.test(secret)) {
      throw invalid(
        field,
        `${label?.label ?? field} holds a character that cannot be sent in a header, such as a line break or a blank at its end.`,
      );
    }
    for (const name of names) headers.set(name.toLowerCase(), { prefix, value: secret });
  }
  return headers;
}

function invalid(field: string, message: string): DriverError {
  return new DriverError('INVALID_INPUT', message, { details: { field } });
}
