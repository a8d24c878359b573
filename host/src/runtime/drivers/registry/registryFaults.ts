import { HostError } from '../../../common/errors.ts';
import type { RegistrySource } from '../trust/registrySource.ts';

/** @param why - one sentence without its full stop */
export function registryUnreachable(registry: RegistrySource, why: string, cause?: unknown): HostError {
  return new HostError(
    'REGISTRY_UNREACHABLE',
    `The driver registry "${registry.name}" (${registry.url}) cannot be used. ${why}.`,
    { cause },
  );
}

const UNKNOWN_AUTHORITY =
  "Its certificate is signed by an authority that this computer doesn't trust; name a file of authorities in the settings, or set NODE_EXTRA_CA_CERTS";

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing is listening at this address',
  ENOTFOUND: "The host name couldn't be resolved",
  EAI_AGAIN: 'The name of the host could not be looked up',
  ECONNRESET: 'The connection broke',
  UND_ERR_SOCKET: 'The connection broke',
  UND_ERR_CONNECT_TIMEOUT: "It didn't respond in time",
  UND_ERR_HEADERS_TIMEOUT: "It didn't respond in time",
  UND_ERR_BODY_TIMEOUT: 'Its answer stopped half-way',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  CERT_HAS_EXPIRED: 'Its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Its certificate is for another host name',
};

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/**
 * The reason in words, because people don't know the codes.
 *
 * @param proxy - the proxy of the address
 */
export function whyNoAnswer(error: unknown, proxy: URL | undefined): string {
  if (proxy !== undefined && error instanceof Error && error.message.includes('407'))
    return `The proxy ${proxy.host} needs a name and a password, or rejected those that were sent`;
  const code = codeOf(error);
  const reason = REASONS[code] ?? `It could not be asked${code === '' ? '' : ` (${code})`}`;
  // The address of a proxy may hold a password; its host does not.
  return proxy === undefined ? reason : `${reason} (through the proxy ${proxy.host})`;
}
