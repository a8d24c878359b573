import { decodePart } from './http.ts';
import type { Handler } from './http.ts';

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** The action a key needs; undefined where no key is asked for. */
  readonly action: string | undefined;
  readonly handler: Handler;
  /** How the route announces its errors. */
  readonly type?: 'json' | 'stream';
}

export interface RouteMatch {
  readonly route: Route;
  readonly captured: Readonly<Record<string, string>>;
}

const capture = (pattern: readonly string[], parts: readonly string[]): Record<string, string> | undefined => {
  if (pattern.length !== parts.length) return undefined;
  const captured: Record<string, string> = {};
  for (const [at, expected] of pattern.entries()) {
    const part = parts[at] ?? '';
    if (expected.startsWith(':')) captured[expected.slice(1)] = decodePart(part);
    else if (expected !== part) return undefined;
  }
  return captured;
};

/** Matches the path as it was sent: dots and encoded slashes are part of a name. */
export class Router {
  readonly #routes: readonly { readonly route: Route; readonly parts: readonly string[] }[];

  constructor(routes: readonly Route[]) {
    this.#routes = routes.map((route) => ({ route, parts: route.path.split('/').slice(1) }));
  }

  find(method: string, path: string): RouteMatch | undefined {
    const parts = path.split('/').filter((part) => part !== '');
    for (const { parts: pattern, route } of this.#routes) {
      if (route.method !== method) continue;
      const captured = capture(pattern, parts);
      if (captured !== undefined) return { route, captured };
    }
    return undefined;
  }
}
