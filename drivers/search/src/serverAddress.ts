import type { Settings } from '@tabularium/sdk';

/** The address of a server as its own clients take it. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  readonly protocol: 'http' | 'https';
  /** Empty, or one that begins with a slash. */
  readonly path: string;
}

/** The address that a connection's form names; undefined for one without a host. */
export function serverAddress({ host, port, sslMode, pathPrefix }: Settings): ServerAddress | undefined {
  if (typeof host !== 'string' || host === '' || typeof port !== 'number') return undefined;
  return {
    host,
    port,
    protocol: sslMode === 'disabled' ? 'http' : 'https',
    path: typeof pathPrefix === 'string' ? pathPrefix.replace(/\/$/, '') : '',
  };
}
