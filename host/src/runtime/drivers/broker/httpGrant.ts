import { inspect } from 'node:util';
import { DriverError } from '@tabularium/sdk';
import type { ConsentGrant, HttpCredential } from '@tabularium/sdk/manifest';
import type { SettingsValues } from '../../../common/connection.ts';
import type { SealedSecrets } from '../../credentials/sealedSecrets.ts';
import { destinationUrl } from '../../../common/destinationOf.ts';
import { fixedOriginsOf } from '../../../common/fixedOrigins.ts';
import { serverPermissionOf } from '../../../common/serverPermission.ts';
import type { ServerPermission } from '../../../common/serverPermission.ts';
import type { SignedInTokens } from '../../credentials/signedInTokens.ts';
import type { SoughtAs } from './repeatedSecret.ts';
import { originUrl, reachOf, serverDestination } from './serverDestination.ts';
import { credentialHeadersOf, credentialParametersOf, credentialsFor } from './credentials/credentialsFor.ts';
import type { OutgoingRequest, RequestCredential } from './credentials/requestCredential.ts';
import type { SendingDriver, ServerOrigin, ServerPlace } from './serverDestination.ts';
import type { Tunnel } from './tunnel.ts';
import type { ReadTextFile, TlsPolicy } from './tlsPolicy.ts';
import { tlsPolicyFor } from './tlsPolicy.ts';

/** A further origin that the manifest declares. */
export interface FurtherGrant {
  readonly id: string;
  readonly label: string;
  /** The form field of its host; undefined for a fixed address. */
  readonly hostField: string | undefined;
  /** Undefined where the form leaves its host empty. */
  readonly grant: HttpGrant | undefined;
}

/**
 * An origin that a session may reach, and how; {@link nodes} are the further ones of its cluster, {@link further} other servers with credentials of their own. Holds the credentials; they come out by {@link addCredentials} alone, which only the
 * broker calls: printing, inspecting or serialising a grant shows none.
 */
export class HttpGrant {
  readonly origin: ServerOrigin;
  /** Grants for the further nodes, with the same credentials and TLS; none of them has nodes of its own. */
  readonly nodes: readonly HttpGrant[];
  /** The further origins of the manifest, those that this connection doesn't have among them. A further origin has none. */
  readonly further: readonly FurtherGrant[];
  /** A fixed address of the manifest: a name that leads into a private network isn't connected to. */
  readonly isFixed: boolean;
  readonly tls: TlsPolicy | undefined;
  readonly timeoutMilliseconds: number;
  readonly tunnel: Tunnel | undefined;
  /** Lower-case names of all headers that the manifest declares as credentials of any origin, with a value or not. */
  readonly credentialHeaders: ReadonlySet<string>;
  /** Names of all parameters of a query that the manifest declares as credentials of any origin, with a value or not. */
  readonly credentialParameters: ReadonlySet<string>;
  readonly #credentials: readonly RequestCredential[];

  constructor(options: {
    readonly origin: ServerOrigin;
    readonly nodes?: readonly ServerOrigin[];
    readonly further?: readonly FurtherGrant[];
    readonly isFixed?: boolean;
    readonly tls?: TlsPolicy;
    readonly timeoutMilliseconds: number;
    readonly tunnel?: Tunnel | undefined;
    readonly credentialHeaders: readonly string[];
    readonly credentialParameters?: readonly string[];
    readonly credentials: readonly RequestCredential[];
  }) {
    const { nodes = [], ...alike } = options;
    this.origin = options.origin;
    this.nodes = nodes.map((origin) => new HttpGrant({ ...alike, origin }));
    this.further = options.further ?? [];
    this.isFixed = options.isFixed ?? false;
    this.timeoutMilliseconds = options.timeoutMilliseconds;
    this.credentialHeaders = new Set(options.credentialHeaders.map((name) => name.toLowerCase()));
    this.credentialParameters = new Set(options.credentialParameters);
    this.#credentials = options.credentials;
    // The client key is a secret too.
    this.tls = options.tls;
    Object.defineProperty(this, 'tls', { enumerable: false });
    this.tunnel = options.tunnel;
    Object.defineProperty(this, 'tunnel', { enumerable: false });
  }

  /**
   * Adds every credential to a request that is sent next, in the manifest's order.
   *
   * @throws DriverError where one can't be added, or can't be got
   */
  async addCredentials(request: OutgoingRequest, signal: AbortSignal): Promise<void> {
    for (const credential of this.#credentials) {
      const added = credential.apply(request, signal);
      // Most are there at once: a request does not wait a turn for them.
      if (added !== undefined) await added;
    }
  }

  /** After a server has refused the credentials: whether they would be others the next time. */
  renewCredentials(): boolean {
    return this.#credentials.filter((credential) => credential.renew?.() === true).length > 0;
  }

  /** Whether a text gives a credential away, see {@link RequestCredential.isIn}. */
  repeatsSecret(text: string, as?: SoughtAs): boolean {
    return this.#credentials.some((credential) => credential.isIn(text, as));
  }

  /** Ends what credentials are being asked for. */
  async close(): Promise<void> {
    for (const credential of this.#credentials) await credential.close?.();
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
 * The grant that a connection's form amounts to, as the manifest maps it, with one for each further origin. Each secret is taken out of its seal for the
 * destination of this very grant: one that was approved for another stays closed, and there is no grant.
 *
 * @param settings - values of the form, the paths of chosen files among them
 * @throws DriverError `INVALID_INPUT` (with the field), `CREDENTIALS_MISSING`, `UNSUPPORTED` for a manifest without HTTP, `PERMISSION_DENIED` for a fixed
 *   address that no person has allowed
 * @throws HostError `SECRET_NOT_CONFIRMED`
 */
export async function httpGrantFor(
  driver: SendingDriver & { readonly allowedGrants?: readonly ConsentGrant[] },
  settings: SettingsValues,
  secrets: SealedSecrets,
  readFile: ReadTextFile,
  tunnel?: Tunnel,
): Promise<HttpGrant> {
  const { manifest } = driver;
  const permission = manifest.permissions.http;
  const server = serverPermissionOf(manifest);
  if (permission === undefined || server === undefined)
    throw new DriverError('UNSUPPORTED', `${manifest.title} does not use HTTP.`);
  for (const { origin, label } of fixedOriginsOf(manifest.permissions)) {
    if (driver.allowedGrants?.includes(origin) === true) continue;
    throw new DriverError(
      'PERMISSION_DENIED',
      `The driver "${driver.id}" needs a permission that you haven't granted (${label}: ${origin}).`,
    );
  }
  const destination = serverDestination(server, manifest, settings);
  const all = [permission, ...permission.furtherOrigins].flatMap(({ credentials }) => credentials);
  const alike = {
    timeoutMilliseconds: permission.timeoutMilliseconds,
    tunnel,
    // Of all origins: what one of them takes for a credential the driver writes to none.
    credentialHeaders: credentialHeadersOf(all),
    credentialParameters: credentialParametersOf(all),
  };
  const signedIn = new Map<string, SignedInTokens | undefined>();
  const openSecret = (field: string): string | undefined => secrets.open(field, reachOf(driver, settings, destination, field));
  // Once each: two that are refreshed beside each other would spend the same refresh token.
  const openTokens = (field: string): SignedInTokens | undefined => {
    if (!signedIn.has(field)) signedIn.set(field, secrets.openTokens(field, reachOf(driver, settings, destination, field)));
    return signedIn.get(field);
  };
  const grantOf = async (place: ServerPlace, tls: ServerPermission['tls'], declared: readonly HttpCredential[]) => {
    const policy = await tlsPolicyFor(tls, place, readFile);
    return {
      ...alike,
      origin: place.origin,
      ...(policy === undefined ? {} : { tls: policy }),
      credentials: await credentialsFor(driver, settings, openSecret, openTokens, declared),
    };
  };
  const first = await grantOf(destination, server.tls, permission.credentials);
  const further: FurtherGrant[] = [];
  for (const { id, label, credentials, server: from, place } of destination.further) {
    // A fixed address is a permission, which was looked for above.
    if (place !== undefined && from !== undefined) secrets.requireOrigin(id, originUrl(place.origin));
    const granted = place === undefined ? undefined : await grantOf(place, from?.tls, credentials);
    const grant = granted === undefined ? undefined : new HttpGrant({ ...granted, isFixed: from === undefined });
    further.push({ id, label, hostField: from?.origin.host.field, grant });
  }
  return new HttpGrant({ ...first, nodes: destination.nodes, further });
}
