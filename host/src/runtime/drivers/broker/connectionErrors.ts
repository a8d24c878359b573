import { DriverError } from '@tabularium/sdk';
import type { DriverErrorCode } from '@tabularium/sdk';
import type { HttpGrant } from './httpGrant.ts';

/** Why a certificate was not accepted, by OpenSSL's code. */
const TLS_REASONS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate was issued by an authority that this computer doesn't trust",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate was issued by an authority that this computer doesn't trust",
  UNABLE_TO_GET_ISSUER_CERT: "its certificate was issued by an authority that this computer doesn't trust",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "its certificate was issued by an authority that this computer doesn't trust",
  CERT_REVOKED: 'its certificate has been revoked',
  CERT_UNTRUSTED: 'its certificate is not trusted',
  CERT_SIGNATURE_FAILURE: 'the signature of its certificate is wrong',
  INVALID_CA: 'its certificate authority is not valid',
  INVALID_PURPOSE: 'its certificate is not one for servers',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name',
  HOSTNAME_MISMATCH: 'its certificate is for another host name',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS on this port',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not speak TLS on this port',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'it requires a client certificate',
  'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE': 'it rejected the handshake; it may require a client certificate',
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: 'it rejected the handshake; it may require a client certificate',
};

const HOST_CODES: Readonly<Record<string, DriverErrorCode>> = {
  ENOTFOUND: 'HOST_NOT_FOUND',
  EAI_AGAIN: 'HOST_NOT_FOUND',
  EAI_NONAME: 'HOST_NOT_FOUND',
  ECONNREFUSED: 'CONNECTION_REFUSED',
  EHOSTUNREACH: 'CONNECTION_REFUSED',
  ENETUNREACH: 'CONNECTION_REFUSED',
  EADDRNOTAVAIL: 'CONNECTION_REFUSED',
  EACCES: 'CONNECTION_REFUSED',
  ETIMEDOUT: 'TIMEOUT',
  UND_ERR_CONNECT_TIMEOUT: 'TIMEOUT',
  UND_ERR_HEADERS_TIMEOUT: 'TIMEOUT',
  UND_ERR_BODY_TIMEOUT: 'TIMEOUT',
  ABORT_ERR: 'CANCELLED',
  UND_ERR_ABORTED: 'CANCELLED',
  UND_ERR_DESTROYED: 'CANCELLED',
  UND_ERR_CLOSED: 'CANCELLED',
  ECONNRESET: 'CONNECTION_LOST',
  EPIPE: 'CONNECTION_LOST',
  UND_ERR_SOCKET: 'CONNECTION_LOST',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'CONNECTION_LOST',
  UND_ERR_HEADERS_OVERFLOW: 'BAD_ANSWER',
  UND_ERR_INVALID_ARG: 'INVALID_INPUT',
  UND_ERR_REQ_CONTENT_LENGTH_MISMATCH: 'INVALID_INPUT',
};

/** What went wrong between this machine and the server, in the contract's terms. Holds no header and no body. */
export function connectionError(error: unknown, grant: HttpGrant): DriverError {
  if (error instanceof DriverError) return error;
  const code = errorCode(error);
  const reason = TLS_REASONS[code];
  if (reason !== undefined || isTlsCode(code)) {
    return new DriverError('TLS_FAILED', `${grant.address} did not pass the TLS check: ${reason ?? `OpenSSL says ${code}`}.`, {
      details: { status: code },
      cause: withoutData(error),
    });
  }
  const known = HOST_CODES[code] ?? (isParserError(error) ? 'BAD_ANSWER' : 'CONNECTION_LOST');
  return new DriverError(known, sentence(known, code, grant), {
    ...(code === '' ? {} : { details: { status: code } }),
    cause: withoutData(error),
  });
}

/** Whether the connection broke, rather than being refused or ended by one of us. */
export function isBrokenConnection(error: unknown): boolean {
  return ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(errorCode(error));
}

/**
 * A connection that ended before the server said anything. A server that wants a client certificate does that, from TLS 1.3 on, after the
 * handshake has succeeded, so it cannot be told from any other end.
 */
export function silentEnd(error: unknown, grant: HttpGrant): DriverError {
  const lost = connectionError(error, grant);
  if (lost.code !== 'CONNECTION_LOST' || grant.tls === undefined || grant.tls.clientCertificate !== undefined) return lost;
  return new DriverError('CONNECTION_LOST', lost.message, {
    details: {
      ...lost.details,
      advice: 'Try again. If the server asks for a client certificate, choose one in the SSL settings.',
    },
    cause: lost.cause,
  });
}

function sentence(known: DriverErrorCode, code: string, grant: HttpGrant): string | undefined {
  switch (known) {
    case 'HOST_NOT_FOUND':
      return `The host name "${grant.origin.host}" couldn't be resolved${code === 'EAI_AGAIN' ? " (the name server didn't answer)" : ''}.`;
    case 'CONNECTION_REFUSED':
      return code === 'ECONNREFUSED'
        ? `Nothing is listening at ${grant.address}.`
        : `${grant.address} cannot be reached from this machine.`;
    case 'TIMEOUT':
      return code === 'UND_ERR_BODY_TIMEOUT'
        ? `${grant.address} stopped in the middle of its answer.`
        : `${grant.address} did not accept the connection in time.`;
    case 'CONNECTION_LOST':
      return `The connection to ${grant.address} was lost before the response was complete.`;
    case 'INVALID_INPUT':
      return 'The driver made an invalid request.';
    case 'BAD_ANSWER':
      return `${grant.address} did not answer as an HTTP server does.`;
    default:
      return undefined;
  }
}

function isTlsCode(code: string): boolean {
  return code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_') || code.startsWith('CERT_') || code === 'EPROTO';
}

function isParserError(error: unknown): boolean {
  return error instanceof Error && error.name === 'HTTPParserError';
}

/** The library's error for the log: some hold what the server sent, and a server may echo a credential. */
function withoutData(error: unknown): Error {
  return new Error(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
}

/** With several addresses Node gives an AggregateError; its first cause speaks for all. */
function errorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  if ('code' in error && typeof error.code === 'string' && error.code !== '') return error.code;
  if (error instanceof AggregateError) return errorCode(error.errors[0]);
  if ('cause' in error && error.cause !== undefined) return errorCode(error.cause);
  return '';
}
