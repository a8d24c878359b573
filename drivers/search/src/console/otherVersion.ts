import { DriverError, isDriverError } from '@tabularium/sdk';
import { has, versionNumber, versionText } from '../versions.ts';
import type { ConsoleRequest } from './request.ts';
import { findRoute } from './routeEffects.ts';

/** Every version's text for a route that it doesn't have; some use it for a missing object as well. */
const NO_ROUTE = /^Not found\.?$/i;

/** The routes that took over, and those before them. */
const INSTEAD: readonly (readonly [before: string, after: string])[] = [
  ['/collections/:collection/synonyms', '/synonym_sets'],
  ['/collections/:collection/overrides', '/curation_sets'],
];

/** The error for a request that only servers of other versions have, with what to use instead; any other error as it is. */
export function namingVersion(error: unknown, { method, path }: ConsoleRequest, version: string | undefined): unknown {
  if (!isDriverError(error) || error.code !== 'NOT_FOUND' || !NO_ROUTE.test(error.details.serverMessage ?? '')) return error;
  const route = findRoute(method, path.raw);
  if (route === undefined) {
    const advice = 'Check the method and the path; the completions of the console list the requests of this server.';
    return new DriverError('NOT_FOUND', error.message, { cause: error, details: { ...error.details, advice } });
  }
  if (route.since === undefined && route.until === undefined) return error;
  const number = versionNumber(version);
  if (number !== undefined && has(number, route)) return error;
  const which =
    route.until === undefined
      ? `versions from ${versionText(route.since ?? 0)} on`
      : `versions before ${versionText(route.until)}`;
  const message =
    number === undefined
      ? `The server found nothing at ${method} ${route.pattern}. Only ${which} have this request.`
      : `The server has version ${version ?? ''}, and only ${which} have ${method} ${route.pattern}.`;
  return new DriverError(number === undefined ? 'NOT_FOUND' : 'UNSUPPORTED', message, {
    cause: error,
    details: { ...error.details, advice: adviceFor(route.pattern) },
  });
}

function adviceFor(pattern: string): string {
  const pair = INSTEAD.find((paths) => paths.some((path) => pattern.startsWith(path)));
  const other = pair?.find((path) => !pattern.startsWith(path));
  return other === undefined ? 'See the completions of the console for what this server has.' : `Use ${other} instead.`;
}
