import type { HttpPermission, Manifest, SocketPermission } from '@tabularium/sdk/manifest';

/** The part of a manifest that maps a connection's form to its server, whether the driver reaches it by HTTP or by sockets. */
export interface ServerPermission {
  readonly origin: HttpPermission['origin'] | SocketPermission['endpoint'];
  readonly tls: HttpPermission['tls'];
  readonly schemes: { readonly plain: 'http' | 'tcp'; readonly encrypted: 'https' | 'tls' };
}

/** Undefined for a driver that reaches no server. */
export function serverPermissionOf({ permissions: { http, socket } }: Manifest): ServerPermission | undefined {
  if (http !== undefined) return { origin: http.origin, tls: http.tls, schemes: { plain: 'http', encrypted: 'https' } };
  if (socket !== undefined) return { origin: socket.endpoint, tls: socket.tls, schemes: { plain: 'tcp', encrypted: 'tls' } };
  return undefined;
}
