import type { SocketPermission } from '@tabularium/sdk/manifest';
import type { ServerOrigin } from './serverDestination.ts';
import type { Tunnel } from './tunnel.ts';
import type { TlsPolicy } from './tlsPolicy.ts';

/** The server of a grant, as far as connecting to it needs. */
export interface GrantedServer {
  readonly origin: Pick<ServerOrigin, 'scheme' | 'host' | 'port'>;
  /** Host and port as people write them. */
  readonly address: string;
  readonly tls: TlsPolicy | undefined;
  /** A fixed address of the manifest: a name that leads into a private network isn't connected to. */
  readonly isFixed?: boolean;
  /** The way to it; absent: directly. */
  readonly tunnel?: Tunnel | undefined;
  /** Absent: at once. */
  readonly tlsStart?: SocketPermission['tlsStart'];
}
