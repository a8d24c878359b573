import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';
import { DriverError } from '@tabularium/sdk';
import type { Tunnel } from './tunnel.ts';
import type { GrantedServer } from './grantedServer.ts';
import { whenConnected } from './whenConnected.ts';
import { tlsOver } from './tlsOver.ts';

/** Undici's way to connect, through a tunnel: to the server of the grant, whatever it is asked for. TLS goes through it, with the server's own name. */
export function throughTunnel(grant: GrantedServer, tunnel: Tunnel, timeout: number): buildConnector.connector {
  const connect = async (): Promise<Socket> => {
    const signal = AbortSignal.timeout(timeout);
    try {
      const stream = await tunnel.open(grant.origin.host, grant.origin.port, signal);
      if (grant.tls === undefined) return stream as Socket;
      const secure = tlsOver(stream, grant, ['http/1.1']);
      await whenConnected(secure, 'secureConnect', signal);
      return secure;
    } catch (error) {
      throw signal.aborted ? new DriverError('TIMEOUT', `${grant.address} did not answer within ${timeout / 1_000} s.`) : error;
    }
  };
  return (_options, callback) => {
    connect().then(
      (socket) => callback(null, socket),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
    );
  };
}
