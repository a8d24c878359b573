import { DriverError } from '@tabularium/sdk';
import type { DescribedRequest } from '@tabularium/sdk';
import type { Manifest } from '@tabularium/sdk/manifest';
import type { SettingsValues } from '../../common/connection.ts';
import { destinationUrl } from '../../common/destinationOf.ts';
import { serverDestination } from '../drivers/broker/serverDestination.ts';
import { serverPermissionOf } from '../../common/serverPermission.ts';
import { checkHeaders, checkPath, checkWithinPrefix } from '../drivers/broker/requestRules.ts';

/** Inside single quotes a POSIX shell reads nothing but the quote itself. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Characters without a meaning to a shell, also inside double quotes. */
const PLAIN = /^[\w .:=-]*$/;

/** `apiKey` as `API_KEY`. */
const variableOf = (field: string): string =>
  field
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase();

/**
 * A request as a command of curl for a POSIX shell. A variable of the shell (`$API_KEY`) replaces every credential: no credential is
 * asked for to write it. A driver says no more than what it could send itself: the person who runs the command sends the credential.
 *
 * @throws DriverError `PERMISSION_DENIED` for a request that the host would not send
 */
export async function curlCommand(
  { method, path, headers = {}, body }: DescribedRequest,
  manifest: Manifest,
  settings: SettingsValues,
): Promise<string> {
  const { http } = manifest.permissions;
  const server = serverPermissionOf(manifest);
  if (http === undefined || server === undefined) throw new DriverError('UNSUPPORTED', `${manifest.title} does not use HTTP.`);
  const { tls, credentials } = http;
  // Certificates are named by their paths below; their contents are not needed.
  const { origin, verification } = serverDestination(server, manifest, settings);
  checkPath(path);
  checkWithinPrefix(path, origin.pathPrefix);
  checkHeaders(headers, new Set(credentials.flatMap(({ headers: names }) => names.map((name) => name.toLowerCase()))));
  // As the host sends them: a header that two credentials name has the value of the last one.
  const transports = new Map(credentials.flatMap((one) => one.headers.map((name) => [name.toLowerCase(), one] as const)));
  // In double quotes, so that the shell puts the variable's value in; but of what a manifest puts before it, the shell is to read nothing.
  const credential = (name: string, field: string, prefix: string): string => {
    const variable = `$${variableOf(field)}`;
    return PLAIN.test(prefix) ? `"${name}: ${prefix}${variable}"` : `${quoted(`${name}: ${prefix}`)}"${variable}"`;
  };
  const file = (option: string, field: string | undefined): readonly string[] => {
    const chosen = field === undefined ? undefined : settings[field];
    return verification === undefined || typeof chosen !== 'string' || chosen === '' ? [] : [`${option} ${quoted(chosen)}`];
  };
  const options = [
    ...(verification === 'none' || verification === 'chain' ? ['--insecure'] : []),
    ...file('--cacert', tls?.certificateAuthorityFile),
    ...file('--cert', tls?.clientCertificateFile),
    ...file('--key', tls?.clientKeyFile),
    ...Array.from(transports, ([name, { field, prefix }]) => `--header ${credential(name, field, prefix)}`),
    ...Object.entries(headers).map(([name, value]) => `--header ${quoted(`${name}: ${value}`)}`),
    // Not `--data-binary`, to which a body that begins with `@` is the name of a file.
    ...(body === undefined ? [] : [`--data-raw ${quoted(body)}`]),
  ];
  const start = method === 'HEAD' ? 'curl --head' : `curl --request ${method}`;
  return [`${start} ${quoted(destinationUrl(origin) + path)}`, ...options].join(' \\\n  ');
}
