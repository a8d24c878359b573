import type { Manifest } from '@tabularium/sdk/manifest';
import { withoutSlashesAtEnd } from '../../common/destinationOf.ts';

const WEB_PORTS = { 'http:': '80', 'https:': '443' } as const;

/**
 * The parts of an address that was put into the host field: `https://xyz.example:443/prefix` fills in host, port, encryption and, where the
 * form has one, the path prefix. The address itself isn't stored.
 *
 * @returns values by field; undefined for a text that isn't an address, and for one with a user, which only the person can take apart
 */
export function splitAddress(
  manifest: Manifest,
  fieldId: string,
  text: string,
): Readonly<Record<string, string | boolean>> | undefined {
  const { http } = manifest.permissions;
  if (http === undefined || fieldId !== http.origin.host.field) return undefined;
  const { port: portPart, scheme, pathPrefix } = http.origin;
  const address = text.trim();
  const [, host, port] = /^([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\]):(\d{1,5})$/.exec(address) ?? [];
  if (host !== undefined && port !== undefined) return { [fieldId]: host, [portPart.field]: port };
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (url.username !== '' || url.password !== '' || url.hostname === '') return undefined;
  const isPlain = url.protocol === 'http:';
  const mode = schemeValue(manifest, isPlain);
  const path = withoutSlashesAtEnd(url.pathname);
  return {
    [fieldId]: url.hostname,
    [portPart.field]: url.port === '' ? WEB_PORTS[isPlain ? 'http:' : 'https:'] : url.port,
    ...(mode === undefined ? {} : { [scheme.field]: mode }),
    ...(pathPrefix === undefined ? {} : { [pathPrefix.field]: path }),
  };
}

/** The value that means HTTP, or the one that means HTTPS and checks most. */
function schemeValue(manifest: Manifest, isPlain: boolean): string | boolean | undefined {
  const { http } = manifest.permissions;
  const field = manifest.connection.fields.find(({ id }) => id === http?.origin.scheme.field);
  if (http === undefined || field === undefined) return undefined;
  const { plainValues } = http.origin.scheme;
  if (field.type === 'toggle') return [true, false].find((value) => plainValues.includes(String(value)) === isPlain);
  if (isPlain) return plainValues[0];
  if (field.type !== 'select') return undefined;
  const tls = http.tls?.mode;
  const checked = tls?.field === field.id ? [...tls.verifyIdentity, ...tls.verifyChain, ...tls.encryptOnly] : [];
  return [...checked, ...field.options.map(({ value }) => value)].find((value) => !plainValues.includes(value));
}
