import { inspect } from 'node:util';
import { DriverError } from '@tabularium/sdk';
import type { SettingsValues } from '../../../common/connection.ts';
import type { SealedSecrets } from '../../credentials/sealedSecrets.ts';
import { destinationUrl } from '../../../common/destinationOf.ts';
import { serverPermissionOf } from '../../../common/serverPermission.ts';
import { reachOf, serverDestination } from './serverDestination.ts';
import { credentialHeadersOf, credentialParametersOf, credentialsFor } from './credentials/credentialsFor.ts';
import type { OutgoingRequest, RequestCredential } from './credentials/requestCredential.ts';
import type { SendingDriver, ServerOrigin } from './serverDestination.ts';
import type { Tunnel } from './tunnel.ts';
import type { ReadTextFile, TlsPolicy } from './tlsPolicy.ts';
import { tlsPolicyFor } from './tlsPolicy.ts';

/**
 * An origin that a session may reach, and how; {@link nodes} are the further ones of its cluster. Holds the credentials; they come out by {@link addCredentials} alone, which only the
 * broker calls: printing, inspecting or serialising a grant shows none.
 */
export class HttpGrant {
  readonly origin: ServerOrigin;
  /** Grants for the further nodes, with the same credentials and TLS; none of them has nodes of its own. */
  readonly nodes: readonly HttpGrant[];
  readonly tls: TlsPolicy | undefined;
  readonly timeoutMilliseconds: number;
  readonly tunnel: Tunnel | undefined;
  /** Lower-case names of all headers that the manifest declares as credentials, with a value or not. */
  readonly credentialHeaders: ReadonlySet<string>;
  /** Names of all parameters of a query that the manifest declares as credentials, with a value or not. */
  readonly credentialParameters: ReadonlySet<string>;
  readonly #credentials: readonly RequestCredential[];

  constructor(options: {
    readonly origin: ServerOrigin;
    readonly nodes?: readonly ServerOrigin[];
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
  repeatsSecret(text: string): boolean {
    return this.#credentials.some((credential) => credential.isIn(text));
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
  tunnel?: Tunnel,
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
    tunnel,
    credentialHeaders: credentialHeadersOf(permission.credentials),
    credentialParameters: credentialParametersOf(permission.credentials),
    credentials: await credentialsFor(
      driver,
      settings,
      (field) => secrets.open(field, reachOf(driver, settings, destination, field)),
      (field) => secrets.openTokens(field, reachOf(driver, settings, destination, field)),
    ),
  });
}
