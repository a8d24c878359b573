/** Where the resources are. Names in it are percent-encoded. */
export const CONNECTIONS_URI = 'tabularium://connections';

/** The parts of a resource's address. */
export type ResourceAddress =
  | { readonly kind: 'connections' }
  | { readonly kind: 'schema' | 'tables' | 'history'; readonly connection: string; readonly query: URLSearchParams }
  | {
      readonly kind: 'table' | 'definition';
      readonly connection: string;
      readonly table: string;
      readonly namespace: readonly string[] | undefined;
    };

/** @returns undefined for an address that this server has nothing at */
export function parseUri(uri: string): ResourceAddress | undefined {
  const match = /^tabularium:\/\/connections(?:\/([^?#]*))?(?:\?([^#]*))?$/.exec(uri);
  if (match === null) return undefined;
  const [, path, search = ''] = match;
  if (path === undefined || path === '') return search === '' ? { kind: 'connections' } : undefined;
  const parts = path.split('/').map(decode);
  const query = new URLSearchParams(search);
  const [connection, section, table, last, ...more] = parts;
  if (connection === undefined || connection === '' || section === undefined || more.length > 0) return undefined;
  if (parts.some((part) => part === undefined)) return undefined;
  if (table === undefined) {
    return section === 'schema' || section === 'tables' || section === 'history'
      ? { kind: section, connection, query }
      : undefined;
  }
  if (section !== 'tables' || table === '' || (last !== undefined && last !== 'definition')) return undefined;
  const names = query.get('namespace');
  const namespace = names === null || names === '' ? undefined : names.split('/').map((name) => decode(name) ?? name);
  return { kind: last === undefined ? 'table' : 'definition', connection, table, namespace };
}

export function connectionUri(connectionId: string, section: 'schema' | 'tables' | 'history'): string {
  return `${CONNECTIONS_URI}/${encodeURIComponent(connectionId)}/${section}`;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
