import { DriverError, isDriverError } from '@tabularium/sdk';
import type { DriverTexts } from '@tabularium/sdk';
import { has, versionNumber, versionText } from '../versions.ts';
import type { ConsoleRequest } from './request.ts';
import { findRoute } from './routeEffects.ts';
import type { KnownRoute } from './routeEffects.ts';
import { faultTexts } from '../faultTexts.ts';

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
    return new DriverError('NOT_FOUND', error.message, {
      cause: error,
      details: { ...error.details, advice, texts: { ...error.details.texts, ...adviceText('fault.checkPath') } },
    });
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
    details: { ...error.details, advice: adviceFor(route.pattern), texts: textsFor(method, route, number, version) },
  });
}

function textsFor(method: string, { pattern, since, until }: KnownRoute, number: number | undefined, version = ''): DriverTexts {
  const other = otherRoute(pattern);
  return faultTexts(
    'fault.otherVersion',
    {
      request: `${method} ${pattern}`,
      version: number === undefined ? 'unknown' : version,
      which: until === undefined ? 'since' : 'until',
      limit: versionText(until ?? since ?? 0),
    },
    other === undefined ? 'fault.seeCompletions' : 'fault.useInstead',
    other === undefined ? {} : { other },
  );
}

const adviceText = (id: string): DriverTexts => ({ advice: { id } });

function otherRoute(pattern: string): string | undefined {
  const pair = INSTEAD.find((paths) => paths.some((path) => pattern.startsWith(path)));
  return pair?.find((path) => !pattern.startsWith(path));
}

function adviceFor(pattern: string): string {
  const other = otherRoute(pattern);
  return other === undefined ? 'See the completions of the console for what this server has.' : `Use ${other} instead.`;
}
