import type { ConnectionOptions } from 'node:tls';
import type { HttpGrant } from './httpGrant.ts';

/** Node's options for a grant's TLS policy; none for plain HTTP. */
export function tlsOptions({
  tls,
}: HttpGrant): Pick<ConnectionOptions, 'rejectUnauthorized' | 'checkServerIdentity' | 'ca' | 'cert' | 'key'> {
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
