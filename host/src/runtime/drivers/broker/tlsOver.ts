import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect } from 'node:tls';
import type { TLSSocket } from 'node:tls';
import type { GrantedServer } from './grantedServer.ts';
import { tlsOptions } from './tlsOptions.ts';

/** TLS over a stream that is connected, with the name of the grant's server, which its certificate has to have, whatever the way to it. */
export function tlsOver(stream: Duplex, grant: GrantedServer, protocols?: readonly string[]): TLSSocket {
  const { host } = grant.origin;
  return connect({
    socket: stream,
    ...(isIP(host) === 0 ? { servername: host } : { host }),
    ...(protocols === undefined ? {} : { ALPNProtocols: [...protocols] }),
    ...tlsOptions(grant),
  });
}
