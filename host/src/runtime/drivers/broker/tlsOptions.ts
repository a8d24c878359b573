import type { ConnectionOptions } from 'node:tls';
import type { GrantedServer } from './grantedServer.ts';

/** Node's options for a grant's TLS policy; none where nothing is encrypted. */
export function tlsOptions({
  tls,
}: Pick<GrantedServer, 'tls'>): Pick<ConnectionOptions, 'rejectUnauthorized' | 'checkServerIdentity' | 'ca' | 'cert' | 'key'> {
  if (tls === undefined) return {};
  return {
    rejectUnauthorized: tls.verification !== 'none',
    // The chain alone: any certificate of a trusted authority is accepted, whatever its name.
    ...(tls.verification === 'chain' ? { checkServerIdentity: () => undefined } : {}),
    ...(tls.certificateAuthority === undefined ? {} : { ca: tls.certificateAuthority }),
    ...(tls.clientCertificate === undefined ? {} : { cert: tls.clientCertificate }),
    ...(tls.clientKey === undefined ? {} : { key: tls.clientKey }),
  };
}
