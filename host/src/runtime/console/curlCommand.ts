import type { DescribedRequest } from '@tabularium/sdk';
import type { Manifest } from '@tabularium/sdk/manifest';
import type { SettingsValues } from '../../common/connection.ts';
import { httpGrantFor } from '../drivers/broker/httpGrant.ts';
import { checkHeaders, checkPath } from '../drivers/broker/requestRules.ts';

/** Inside single quotes a POSIX shell reads nothing but the quote itself. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** What a shell reads nothing of, neither inside double quotes. */
const PLAIN = /^[\w .:=-]*$/;

/** `apiKey` as `API_KEY`. */
const variableOf = (field: string): string =>
  field
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase();

/**
 * A request as a command of curl for a POSIX shell. In place of every credential stands a variable of the shell (`$API_KEY`): no credential is
 * asked for to write it. A driver says no more than what it could send itself: whoever runs the command sends the credential.
 *
 * @throws DriverError `PERMISSION_DENIED` for a request that the host would not send
 */
export async function curlCommand(
  { method, path, headers = {}, body }: DescribedRequest,
  manifest: Manifest,
  settings: SettingsValues,
): Promise<string> {
  const secretFields = manifest.connection.fields.filter(({ type }) => type === 'secret');
  const placeholders = Object.fromEntries(secretFields.map(({ id }) => [id, `$${variableOf(id)}`]));
  // Certificates are named by their paths below; their contents are not needed.
  const grant = await httpGrantFor(manifest, settings, placeholders, async () => '');
  checkPath(path);
  checkHeaders(headers, grant.credentialHeaders);
  const { tls, credentials = [] } = manifest.permissions.http ?? {};
  // In double quotes, so that the shell puts the variable's value in; but of what a manifest puts before it, the shell is to read nothing.
  const credential = (name: string, value: string): string => {
    const { field = '', prefix = '' } =
      credentials.find(
        (one) =>
          `${one.prefix}${placeholders[one.field] ?? ''}` === value &&
          one.headers.some((header) => header.toLowerCase() === name),
      ) ?? {};
    const variable = placeholders[field] ?? '';
    return PLAIN.test(prefix) ? `"${name}: ${prefix}${variable}"` : `${quoted(`${name}: ${prefix}`)}"${variable}"`;
  };
  const file = (option: string, field: string | undefined): readonly string[] => {
    const chosen = field === undefined ? undefined : settings[field];
    return grant.tls === undefined || typeof chosen !== 'string' || chosen === '' ? [] : [`${option} ${quoted(chosen)}`];
  };
  const options = [
    ...(grant.tls?.verification === 'none' || grant.tls?.verification === 'chain' ? ['--insecure'] : []),
    ...file('--cacert', tls?.certificateAuthorityFile),
    ...file('--cert', tls?.clientCertificateFile),
    ...file('--key', tls?.clientKeyFile),
    ...grant.secretHeaders().map(([name, value]) => `--header ${credential(name, value)}`),
    ...Object.entries(headers).map(([name, value]) => `--header ${quoted(`${name}: ${value}`)}`),
    // Not `--data-binary`, to which a body that begins with `@` is the name of a file.
    ...(body === undefined ? [] : [`--data-raw ${quoted(body)}`]),
  ];
  const start = method === 'HEAD' ? 'curl --head' : `curl --request ${method}`;
  return [`${start} ${quoted(grant.url + path)}`, ...options].join(' \\\n  ');
}
