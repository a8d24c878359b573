import { DriverError } from '@tabularium/sdk';
import type { HttpCapability, HttpRequest } from '@tabularium/sdk';

/** A request beside the driver, under the same guard. */
export type Ask = (
  method: HttpRequest['method'],
  path: string,
  body?: string,
) => Promise<{ readonly status: number; readonly text: string }>;

/** Kinds of things that a server lists by name. */
const NAMED = new Set(['collections', 'aliases', 'presets', 'stopwords', 'synonym_sets', 'curation_sets']);
/** A server takes these from the query if they are there, and then not from the path. */
const NAMES_IN_QUERY = ['collection', 'name', 'alias'];

/**
 * Lets a request pass only if it can't change anything of other people: it reads, or it names something whose name begins with the prefix
 * of this run. Whatever a scenario or the driver gets wrong, collections, rules and keys of others stay as they are.
 */
export function guardedHttp(http: HttpCapability, prefix: string): HttpCapability & { readonly ask: Ask } {
  /** A key that isn't there can't be anybody's. */
  const isOwnKey = async (id: string): Promise<boolean> => {
    const { status, text } = await answerOf(http, { method: 'GET', path: `/keys/${id}` });
    return status === 404 || startsSo(memberOf(text, 'description'), prefix);
  };
  const guarded: HttpCapability = {
    async request(request) {
      if (!(await mayPass(request, prefix, isOwnKey)))
        throw new DriverError('PERMISSION_DENIED', `This check sends no ${request.method} to what it hasn't created itself.`);
      return http.request(request);
    },
  };
  return {
    ...guarded,
    ask: (method, path, body) =>
      answerOf(guarded, {
        method,
        path,
        headers: { 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body }),
      }),
  };
}

async function answerOf(http: HttpCapability, request: HttpRequest): Promise<{ status: number; text: string }> {
  const response = await http.request(request);
  return { status: response.status, text: await response.text() };
}

async function mayPass(
  { method, path, body }: HttpRequest,
  prefix: string,
  isOwnKey: (keyId: string) => Promise<boolean>,
): Promise<boolean> {
  if (/^(?:GET|HEAD)$/i.test(method)) return true;
  const [route = '', ...query] = path.split('?');
  const parameters = new URLSearchParams(query.join('?'));
  if (NAMES_IN_QUERY.some((name) => parameters.getAll(name).some((value) => !startsSo(value, prefix)))) return false;
  // Spelled in any way that some server may read as this route.
  if (route.split('/').includes('..')) return false;
  const text = typeof body === 'string' ? body : '';
  // A server decodes a path once, another may do so again: the name is of this run in either reading.
  for (const reading of readings(route)) {
    const [kind = '', name, ...rest] = reading.split('/').filter((segment) => segment !== '' && segment !== '.');
    if (!(await mayChange({ kind, name, isWhole: rest.length === 0, text }, prefix, isOwnKey))) return false;
  }
  return true;
}

interface Named {
  readonly kind: string;
  readonly name: string | undefined;
  /** Whether the path ends with the name. */
  readonly isWhole: boolean;
  /** The body. */
  readonly text: string;
}

async function mayChange(
  { kind, name, isWhole, text }: Named,
  prefix: string,
  isOwnKey: (keyId: string) => Promise<boolean>,
): Promise<boolean> {
  if (kind === 'multi_search' && name === undefined) return true;
  if (kind === 'keys') {
    if (name === undefined) return startsSo(memberOf(text, 'description'), prefix);
    return isWhole && /^\d+$/.test(name) && (await isOwnKey(name));
  }
  return NAMED.has(kind) && startsSo(name ?? memberOf(text, 'name'), prefix);
}

/** The text decoded once, and again until nothing is left to decode. */
function readings(text: string): readonly string[] {
  try {
    const once = decodeURIComponent(text);
    return once === text ? [text] : [once, ...readings(once)];
  } catch {
    return [text];
  }
}

function startsSo(name: unknown, prefix: string): boolean {
  return typeof name === 'string' && name.startsWith(prefix);
}

function memberOf(text: string, name: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  } catch {
    return undefined;
  }
}
