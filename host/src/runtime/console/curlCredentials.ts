import type { HttpCredential, Manifest } from '@tabularium/sdk/manifest';
import type { SettingsValues } from '../../common/connection.ts';
import { settingOf } from '../../common/destinationOf.ts';
import { sourceValue } from '../../common/usedCredentials.ts';
import { shellQuoted } from './shellQuoted.ts';

/** Characters without a meaning to a shell, also inside double quotes. */
const PLAIN = /^[\w .:=-]*$/;

/** `apiKey` as `API_KEY`. */
const variableOf = (field: string): string =>
  field
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase();

/** The variable of a token that is made of a secret, and not the secret itself. */
const ACCESS_TOKEN = 'ACCESS_TOKEN';

/** Credentials as words of curl. Variables of the shell replace each of them. */
export interface CurlCredentials {
  /** After the quoted URL, without a blank between. */
  readonly query: string;
  readonly options: readonly string[];
}

/** @param hasQuery - the URL has a query already */
export function curlCredentials(
  credentials: readonly HttpCredential[],
  manifest: Manifest,
  settings: SettingsValues,
  hasQuery: boolean,
): CurlCredentials {
  // As the host sends them: a header that two credentials write has the value of the last one.
  const byHeader = new Map<string, string>();
  const others: string[] = [];
  const query: string[] = [];
  for (const credential of credentials) {
    switch (credential.scheme) {
      case 'query':
        query.push(
          `${shellQuoted(`${hasQuery || query.length > 0 ? '&' : '?'}${credential.parameter}=`)}"$${variableOf(credential.field)}"`,
        );
        break;
      case 'basic':
        byHeader.set('authorization', `--user ${user(credential.user, credential.field, manifest, settings)}`);
        break;
      case 'bearer':
        byHeader.set('authorization', header('authorization', 'Bearer ', variableOf(credential.field)));
        break;
      case 'jwt':
      case 'oauth2':
        byHeader.set('authorization', header('authorization', 'Bearer ', ACCESS_TOKEN));
        break;
      case 'sigv4': {
        const { accessKey, field, sessionToken, region, service } = credential;
        const scope = `aws:amz:${sourceValue(region, manifest, settings)}:${service}`;
        byHeader.set('authorization', `--aws-sigv4 ${shellQuoted(scope)} --user ${user(accessKey, field, manifest, settings)}`);
        if (sessionToken !== undefined) others.push(header('x-amz-security-token', '', variableOf(sessionToken)));
        break;
      }
      default:
        for (const name of credential.headers) {
          const lower = name.toLowerCase();
          byHeader.set(lower, header(lower, credential.prefix, variableOf(credential.field)));
        }
    }
  }
  return { query: query.join(''), options: [...byHeader.values(), ...others] };
}

/** In double quotes, so that the shell puts the variable's value in; but of what a manifest puts before it, the shell is to read nothing. */
function header(name: string, prefix: string, variable: string): string {
  return `--header ${PLAIN.test(prefix) ? `"${name}: ${prefix}$${variable}"` : `${shellQuoted(`${name}: ${prefix}`)}"$${variable}"`}`;
}

function user(nameField: string, secretField: string, manifest: Manifest, settings: SettingsValues): string {
  const name = String(settingOf(manifest, settings, nameField) ?? '');
  return `${shellQuoted(`${name}:`)}"$${variableOf(secretField)}"`;
}
