import { DriverError } from '@tabularium/sdk';
import type { DescribedRequest } from '@tabularium/sdk';
import type { Manifest } from '@tabularium/sdk/manifest';
import type { SettingsValues } from '../../common/connection.ts';
import { destinationUrl } from '../../common/destinationOf.ts';
import { serverDestination } from '../drivers/broker/serverDestination.ts';
import { serverPermissionOf } from '../../common/serverPermission.ts';
import { usedCredentials } from '../../common/usedCredentials.ts';
import { credentialHeadersOf, credentialParametersOf } from '../drivers/broker/credentials/credentialsFor.ts';
import { checkParameters } from '../drivers/broker/credentials/staticCredentials.ts';
import { checkHeaders, checkPath, checkWithinPrefix } from '../drivers/broker/requestRules.ts';
import { curlCredentials } from './curlCredentials.ts';
import { shellQuoted } from './shellQuoted.ts';

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
  const { tls } = http;
  // Certificates are named by their paths below; their contents are not needed.
  const { origin, verification } = serverDestination(server, manifest, settings);
  checkPath(path);
  checkWithinPrefix(path, origin.pathPrefix);
  const declared = [http, ...http.furtherOrigins].flatMap(({ credentials: those }) => those);
  checkParameters(path, new Set(credentialParametersOf(declared)));
  checkHeaders(headers, new Set(credentialHeadersOf(declared)));
  const credentials = curlCredentials(usedCredentials(manifest, settings), manifest, settings, path.includes('?'));
  const file = (option: string, field: string | undefined): readonly string[] => {
    const chosen = field === undefined ? undefined : settings[field];
    return verification === undefined || typeof chosen !== 'string' || chosen === '' ? [] : [`${option} ${shellQuoted(chosen)}`];
  };
  const options = [
    ...(verification === 'none' || verification === 'chain' ? ['--insecure'] : []),
    ...file('--cacert', tls?.certificateAuthorityFile),
    ...file('--cert', tls?.clientCertificateFile),
    ...file('--key', tls?.clientKeyFile),
    ...credentials.options,
    ...Object.entries(headers).map(([name, value]) => `--header ${shellQuoted(`${name}: ${value}`)}`),
    // Not `--data-binary`, to which a body that begins with `@` is the name of a file.
    ...(body === undefined ? [] : [`--data-raw ${shellQuoted(body)}`]),
  ];
  const start = method === 'HEAD' ? 'curl --head' : `curl --request ${method}`;
  return [`${start} ${shellQuoted(destinationUrl(origin) + path)}${credentials.query}`, ...options].join(' \\\n  ');
}
