import type { HttpRequest } from '@tabularium/sdk';
import { routes } from './routes.ts';
import type { Route, RouteEffect } from './routes.ts';

type Method = HttpRequest['method'];

export interface KnownRoute {
  readonly effect: RouteEffect;
  /** The names that stand for segments of the path, such as `collection`. */
  readonly names: readonly string[];
  readonly pattern: string;
  /** As in a route. */
  readonly since?: number;
  readonly until?: number;
}

interface Pattern extends KnownRoute {
  readonly method: Method;
  readonly parts: readonly string[];
}

function patternOf({ method, effect, segments, since, until }: Route): Pattern {
  const names = segments.filter((part) => part.startsWith(':')).map((part) => part.slice(1));
  const versions = { ...(since === undefined ? {} : { since }), ...(until === undefined ? {} : { until }) };
  return { method, effect, pattern: `/${segments.join('/')}`, parts: segments, names, ...versions };
}

let made: readonly Pattern[] | undefined;

/** Of all versions: what a request loses is judged without asking which one answers. */
function patterns(): readonly Pattern[] {
  return (made ??= routes().map(patternOf));
}

function fits({ parts }: Pattern, raw: readonly string[]): boolean {
  return parts.length === raw.length && parts.every((part, index) => part.startsWith(':') || part === raw[index]);
}

/**
 * The route that the server finds for a path, undefined for one that the driver does not know. A server's own words beat names:
 * `/documents/export` isn't a document.
 *
 * @param raw - the segments as they are sent, without empty ones: the server compares them in their letter case and without decoding
 */
export function findRoute(method: Method, raw: readonly string[]): KnownRoute | undefined {
  const asked = method === 'HEAD' || method === 'OPTIONS' ? 'GET' : method;
  const found = patterns().filter((pattern) => pattern.method === asked && fits(pattern, raw));
  return found.toSorted((one, two) => one.names.length - two.names.length)[0];
}

/** The names in a path: `collection` and `id` for `/collections/a/documents/b`. */
export function namesInPath(method: Method, raw: readonly string[]): readonly string[] {
  // `POST /stemming/dictionaries/import?id=…` names the dictionary in its query; `import` is part of the path.
  if (findRoute(method, raw)?.names.length === 0) return [];
  // Of every method: a DELETE has no route of its own in the list, because every one of them is destructive.
  const named = patterns().filter((pattern) => pattern.names.length > 0 && fits(pattern, raw));
  return [...new Set(named.flatMap(({ names }) => names))];
}
