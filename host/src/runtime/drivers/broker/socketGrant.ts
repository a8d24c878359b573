import { inspect } from 'node:util';
import { DriverError } from '@tabularium/sdk';
import type { SocketPermission } from '@tabularium/sdk/manifest';
import type { SettingsValues } from '../../../common/connection.ts';
import { destinationUrl } from '../../../common/destinationOf.ts';
import { serverPermissionOf } from '../../../common/serverPermission.ts';
import type { GrantedServer } from './grantedServer.ts';
import type { SendingDriver, ServerOrigin } from './serverDestination.ts';
import { serverDestination } from './serverDestination.ts';
import type { Tunnel } from './tunnel.ts';
import type { ReadTextFile, TlsPolicy } from './tlsPolicy.ts';
import { tlsPolicyFor } from './tlsPolicy.ts';

/** The one endpoint that a session may open sockets to, and how. */
export class SocketGrant implements GrantedServer {
  readonly origin: ServerOrigin;
  readonly tls: TlsPolicy | undefined;
  readonly tlsStart: SocketPermission['tlsStart'];
  readonly maxSockets: number;
  readonly timeoutMilliseconds: number;
  readonly tunnel: Tunnel | undefined;

  constructor(options: {
    readonly origin: ServerOrigin;
    readonly tls?: TlsPolicy;
    readonly tlsStart: SocketPermission['tlsStart'];
    readonly maxSockets: number;
    readonly timeoutMilliseconds: number;
    readonly tunnel?: Tunnel | undefined;
  }) {
    this.origin = options.origin;
    this.tlsStart = options.tlsStart;
    this.maxSockets = options.maxSockets;
    this.timeoutMilliseconds = options.timeoutMilliseconds;
    // The client key is a secret.
    this.tls = options.tls;
    Object.defineProperty(this, 'tls', { enumerable: false });
    this.tunnel = options.tunnel;
    Object.defineProperty(this, 'tunnel', { enumerable: false });
  }

  get address(): string {
    return destinationUrl({ ...this.origin, pathPrefix: '' }).slice(this.origin.scheme.length + '://'.length);
  }

  toJSON(): unknown {
    return { origin: this.origin, tlsStart: this.tlsStart, timeoutMilliseconds: this.timeoutMilliseconds };
  }

  [inspect.custom](): string {
    return `SocketGrant(${this.origin.scheme}://${this.address})`;
  }
}

/**
 * The grant that a connection's form amounts to, as the manifest maps it.
 *
 * @throws DriverError `INVALID_INPUT` (with the field), `UNSUPPORTED` for a manifest without sockets
 */
export async function socketGrantFor(
  { manifest }: SendingDriver,
  settings: SettingsValues,
  readFile: ReadTextFile,
  tunnel?: Tunnel,
): Promise<SocketGrant> {
  const { socket } = manifest.permissions;
  const server = serverPermissionOf(manifest);
  if (socket === undefined || server === undefined) {
    throw new DriverError('UNSUPPORTED', `${manifest.title} does not use sockets.`);
  }
  const destination = serverDestination(server, manifest, settings);
  const tls = await tlsPolicyFor(server.tls, destination, readFile);
  const { tlsStart, maxSockets, timeoutMilliseconds } = socket;
  return new SocketGrant({
    origin: destination.origin,
    ...(tls === undefined ? {} : { tls }),
    tlsStart,
    maxSockets,
    timeoutMilliseconds,
    tunnel,
  });
}
