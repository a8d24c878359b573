import { DriverError } from '@tabularium/sdk';
import type { DriverErrorCode } from '@tabularium/sdk';
import type { HostSentence, HostSentenceId } from '../../../common/hostSentences.ts';
import { englishOf, hostSentence } from '../../../common/hostSentences.ts';
import type { GrantedServer } from './grantedServer.ts';

type TlsSentenceId = Exclude<Extract<HostSentenceId, `tls${string}`>, `tlsCertificate${string}` | `tlsKey${string}`>;

/** Why a certificate was not accepted, by OpenSSL's code. */
const TLS_REASONS: Readonly<Record<string, TlsSentenceId>> = {
  CERT_HAS_EXPIRED: 'tlsExpired',
  CERT_NOT_YET_VALID: 'tlsNotYetValid',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tlsSelfSigned',
  SELF_SIGNED_CERT_IN_CHAIN: 'tlsUnknownAuthority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tlsUnknownAuthority',
  UNABLE_TO_GET_ISSUER_CERT: 'tlsUnknownAuthority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tlsUnknownAuthority',
  CERT_REVOKED: 'tlsRevoked',
  CERT_UNTRUSTED: 'tlsUntrusted',
  CERT_SIGNATURE_FAILURE: 'tlsSignature',
  INVALID_CA: 'tlsAuthority',
  INVALID_PURPOSE: 'tlsPurpose',
  ERR_TLS_CERT_ALTNAME_INVALID: 'tlsOtherHost',
  HOSTNAME_MISMATCH: 'tlsOtherHost',
  ERR_SSL_WRONG_VERSION_NUMBER: 'tlsNotSpoken',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'tlsNotSpoken',
  'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE': 'tlsHandshake',
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: 'tlsHandshake',
};

/** Alerts by which a server ends the handshake: it is the one that rejects something, and mostly the certificate that it is shown. */
const ALERT = /^ERR_SSL_.*_ALERT_(.+)$/;
const CLIENT_ALERTS: Readonly<Record<string, TlsSentenceId>> = {
  UNKNOWN_CA: 'tlsClientAuthority',
  CERTIFICATE_EXPIRED: 'tlsClientExpired',
  CERTIFICATE_REVOKED: 'tlsClientRevoked',
  BAD_CERTIFICATE: 'tlsClientRejected',
  UNSUPPORTED_CERTIFICATE: 'tlsClientRejected',
  CERTIFICATE_UNKNOWN: 'tlsClientRejected',
  CERTIFICATE_REQUIRED: 'tlsClientRejected',
  ACCESS_DENIED: 'tlsClientRejected',
  DECRYPT_ERROR: 'tlsClientRejected',
};
const CLIENT_ADVICE =
  "Choose another client certificate and key in the SSL settings, or ask the administrator of the server which authority's certificates it accepts.";
/** OpenSSL's code for files that it can't use: this side's own, before anything is sent. */
const OWN_FILES = /^ERR_OSSL_/;

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

/** An error between this machine and the server, in the contract's terms. Holds no header and no body. */
export function connectionError(error: unknown, grant: GrantedServer): DriverError {
  if (error instanceof DriverError) return error;
  const status = errorCode(error);
  const sentence = connectionSentence(error, grant);
  return new DriverError(codeOf(error), sentence === undefined ? undefined : englishOf(sentence), {
    ...(status === '' ? {} : { details: { status, ...adviceOf(error, grant) } }),
    cause: withoutData(error),
  });
}

/** The certificate that the server rejects is ours, so what the code advises about its own leads the wrong way. */
function adviceOf(error: unknown, grant: GrantedServer): { readonly advice?: string } {
  const id = tlsSentenceOf(errorCode(error), grant);
  return id?.startsWith('tlsClient') === true ? { advice: CLIENT_ADVICE } : {};
}

function tlsSentenceOf(status: string, { tls }: Pick<GrantedServer, 'tls'>): TlsSentenceId {
  const known = TLS_REASONS[status];
  const [, alert] = ALERT.exec(status) ?? [];
  if (OWN_FILES.test(status)) return 'tlsOwnFiles';
  if (alert === undefined) return known ?? 'tlsOther';
  const client = CLIENT_ALERTS[alert];
  if (client === undefined) return known ?? 'tlsAlert';
  return tls?.clientCertificate === undefined ? 'tlsClientCertificate' : client;
}

function codeOf(error: unknown): DriverErrorCode {
  const status = errorCode(error);
  if (TLS_REASONS[status] !== undefined || isTlsCode(status)) return 'TLS_FAILED';
  return HOST_CODES[status] ?? (isParserError(error) ? 'BAD_ANSWER' : 'CONNECTION_LOST');
}

/** Whether the connection broke, rather than being refused or ended by one of us. */
export function isBrokenConnection(error: unknown): boolean {
  return ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(errorCode(error));
}

/**
 * A connection that ended before the server said anything. A server that requires a client certificate does that, from TLS 1.3 on, after
 * the handshake has succeeded, so it looks like any other end.
 */
export function silentEnd(error: unknown, grant: GrantedServer): DriverError {
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

/** The message of {@link connectionError} for a window of another language; undefined where the code's own sentence says everything. */
export function connectionSentence(error: unknown, grant: GrantedServer): HostSentence | undefined {
  if (error instanceof DriverError) return undefined;
  const {
    address,
    origin: { host },
  } = grant;
  const status = errorCode(error);
  switch (codeOf(error)) {
    case 'TLS_FAILED':
      return hostSentence(tlsSentenceOf(status, grant), { address, status });
    case 'HOST_NOT_FOUND':
      return hostSentence(status === 'EAI_AGAIN' ? 'serverNameUnanswered' : 'serverNameUnknown', { host });
    case 'CONNECTION_REFUSED':
      return hostSentence(status === 'ECONNREFUSED' ? 'serverNotListening' : 'serverUnreachable', { address });
    case 'TIMEOUT':
      return hostSentence(status === 'UND_ERR_BODY_TIMEOUT' ? 'serverStopped' : 'serverLate', { address });
    case 'CONNECTION_LOST':
      return hostSentence('serverLost', { address });
    case 'INVALID_INPUT':
      return hostSentence('requestInvalid');
    case 'BAD_ANSWER':
      return hostSentence('serverNotHttp', { address });
    default:
      return undefined;
  }
}

function isTlsCode(code: string): boolean {
  return (
    OWN_FILES.test(code) ||
    code.startsWith('ERR_SSL_') ||
    code.startsWith('ERR_TLS_') ||
    code.startsWith('CERT_') ||
    code === 'EPROTO'
  );
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
