import type { HttpPermission, Manifest } from '@tabularium/sdk/manifest';
import type { SettingsValues } from './connection.ts';

/** How far the server's certificate is checked; `plain`: the connection is not encrypted. */
export type Protection = 'plain' | 'none' | 'chain' | 'identity';

/** Where requests and credentials of a connection go, as the manifest maps its form. Host and port are as entered, valid or not. */
export interface Destination {
  readonly scheme: 'http' | 'https';
  readonly host: string;
  readonly port: string;
  readonly protection: Protection;
}

type Value = string | number | boolean | undefined;

/**
 * The value that counts for a field: what was entered, else the field's own default. What is sent and what a person is shown both come
 * from here, so that no manifest makes them differ.
 */
export function settingOf(manifest: Manifest, settings: SettingsValues, id: string): Value {
  if (Object.hasOwn(settings, id)) return settings[id];
  const field = manifest.connection.fields.find((candidate) => candidate.id === id);
  return field !== undefined && 'default' in field ? field.default : undefined;
}

/** The one server that a connection's requests go to. Never throws. */
export function destinationOf(permission: HttpPermission, manifest: Manifest, settings: SettingsValues): Destination {
  const { host, port, scheme } = permission.origin;
  const text = (id: string): string => String(settingOf(manifest, settings, id) ?? '').trim();
  const isPlain = scheme.plainValues.includes(text(scheme.field));
  const entered = text(host.field) === '' ? host.whenEmpty : text(host.field);
  return {
    scheme: isPlain ? 'http' : 'https',
    host: bareAddress(entered),
    port: text(port.field) === '' ? String(port.whenEmpty) : text(port.field),
    protection: isPlain ? 'plain' : protectionOf(permission.tls, manifest, settings),
  };
}

/** `https://db.example:8108`, an IPv6 address in brackets. */
export function destinationUrl({ scheme, host, port }: Pick<Destination, 'scheme' | 'host'> & { port: string | number }): string {
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** An IPv6 address without its brackets; any other text as it is. */
function bareAddress(text: string): string {
  return text.startsWith('[') && text.endsWith(']') && text.includes(':') ? text.slice(1, -1) : text;
}

function protectionOf(tls: HttpPermission['tls'], manifest: Manifest, settings: SettingsValues): Protection {
  if (tls === undefined) return 'identity';
  if (tls.skipVerification !== undefined && settingOf(manifest, settings, tls.skipVerification) === true) return 'none';
  const mode = String(settingOf(manifest, settings, tls.mode.field) ?? '');
  if (tls.mode.encryptOnly.includes(mode)) return 'none';
  if (tls.mode.verifyChain.includes(mode)) return 'chain';
  // Also for a mode that the manifest does not explain: the strictest.
  return 'identity';
}
