import type { HttpPermission, Manifest } from '@tabularium/sdk/manifest';
import type { SettingsValues } from './connection.ts';
import { formFieldsOf } from './formFields.ts';
import type { ServerPermission } from './serverPermission.ts';

/** How far the server's certificate is checked; `plain`: the connection is not encrypted. */
export type Protection = 'plain' | 'none' | 'chain' | 'identity';

/** Where the bytes and credentials of a connection go, as the manifest maps its form. Host and port are as entered, valid or not. */
export interface Destination {
  readonly scheme: 'http' | 'https' | 'tcp' | 'tls';
  readonly host: string;
  readonly port: string;
  /** Before the path of every request: empty, or with a slash at its beginning and none at its end. As entered, valid or not. */
  readonly pathPrefix: string;
  /** Further nodes of the cluster, in the order in which they are tried. */
  readonly nodes: readonly { readonly host: string; readonly port: string }[];
  readonly protection: Protection;
}

type Value = string | number | boolean | undefined;

/**
 * The value that counts for a field: what was entered, else the field's own default. What is sent and what a person is shown both come
 * from here, so that no manifest makes them differ.
 */
export function settingOf(manifest: Manifest, settings: SettingsValues, id: string): Value {
  if (Object.hasOwn(settings, id)) return settings[id];
  const field = formFieldsOf(manifest).find((candidate) => candidate.id === id);
  return field !== undefined && 'default' in field ? field.default : undefined;
}

/** The server that a connection reaches, and the further nodes of its cluster. Never throws. */
export function destinationOf(server: ServerPermission, manifest: Manifest, settings: SettingsValues): Destination {
  const { host, port, scheme, nodes, pathPrefix } = addressPartsOf(server);
  const text = (id: string | undefined): string =>
    id === undefined ? '' : String(settingOf(manifest, settings, id) ?? '').trim();
  const isPlain = scheme.plainValues.includes(text(scheme.field));
  const entered = text(host.field) === '' ? host.whenEmpty : text(host.field);
  const firstPort = text(port.field) === '' ? String(port.whenEmpty) : text(port.field);
  return {
    scheme: isPlain ? server.schemes.plain : server.schemes.encrypted,
    host: bareAddress(entered),
    port: firstPort,
    pathPrefix: prefixOf(text(pathPrefix?.field)),
    nodes: nodes === undefined ? [] : enteredNodes(server, manifest, settings).map((node) => nodeOf(node, firstPort)),
    protection: isPlain ? 'plain' : protectionOf(server.tls, manifest, settings),
  };
}

/** The parts of the address, each from a field; only HTTP has further nodes and a path prefix. */
export function addressPartsOf({
  origin,
}: ServerPermission): ServerPermission['origin'] & Pick<HttpPermission['origin'], 'nodes' | 'pathPrefix'> {
  return origin;
}

/** The further nodes one by one, as entered, valid or not. */
export function enteredNodes(server: ServerPermission, manifest: Manifest, settings: SettingsValues): readonly string[] {
  const { nodes } = addressPartsOf(server);
  if (nodes === undefined) return [];
  return String(settingOf(manifest, settings, nodes.field) ?? '')
    .split(/[\s,]+/)
    .filter((node) => node !== '');
}

/** An origin and the path before all others, its port as entered or as a number. */
export interface DestinationAddress extends Pick<Destination, 'scheme' | 'host'> {
  readonly port: string | number;
  readonly pathPrefix?: string;
}

/** `https://db.example:8108`, an IPv6 address in brackets; with a path prefix `https://db.example:8108/search`. */
export function destinationUrl({ scheme, host, port, pathPrefix = '' }: DestinationAddress): string {
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}${pathPrefix}`;
}

/** {@link destinationUrl} of the first node and all further ones: everything that credentials are sent to. */
export function destinationUrls(destination: Destination): readonly string[] {
  return [destination, ...destination.nodes].map((node) => destinationUrl({ ...destination, ...node }));
}

/** `search/` as `/search`. */
function prefixOf(text: string): string {
  const path = text.replace(/^\/+/, '');
  return path === '' ? '' : `/${withoutSlashesAtEnd(path)}`;
}

export function withoutSlashesAtEnd(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

/** `host`, `host:port`, `[address]:port` or an IPv6 address alone. */
function nodeOf(text: string, firstPort: string): { readonly host: string; readonly port: string } {
  const [, name, port] = /^(\[[^\]]*\]|[^:]*):([^:]*)$/.exec(text) ?? [];
  return name === undefined || port === undefined
    ? { host: bareAddress(text), port: firstPort }
    : { host: bareAddress(name), port };
}

/** An IPv6 address without its brackets; any other text as it is. */
function bareAddress(text: string): string {
  return text.startsWith('[') && text.endsWith(']') && text.includes(':') ? text.slice(1, -1) : text;
}

function protectionOf(tls: ServerPermission['tls'], manifest: Manifest, settings: SettingsValues): Protection {
  if (tls === undefined) return 'identity';
  if (tls.skipVerification !== undefined && settingOf(manifest, settings, tls.skipVerification) === true) return 'none';
  const mode = String(settingOf(manifest, settings, tls.mode.field) ?? '');
  if (tls.mode.encryptOnly.includes(mode)) return 'none';
  if (tls.mode.verifyChain.includes(mode)) return 'chain';
  // Also for a mode that the manifest does not explain: the strictest.
  return 'identity';
}
