import type { Manifest } from '@tabularium/sdk/manifest';
import type { SettingsValues } from './connection.ts';
import { destinationOf } from './destinationOf.ts';
import { destinationProblems } from './destinationProblems.ts';

/** Where a connection leads, in one line, as far as its manifest lets a host know: an origin, or a file. */
export function addressOf(manifest: Manifest, settings: SettingsValues): string | undefined {
  const { http, files } = manifest.permissions;
  if (http !== undefined) {
    // Also one that holds a password, which an earlier version has saved.
    if (destinationProblems(http, manifest, settings).length > 0) return undefined;
    const { host, port, pathPrefix } = destinationOf(http, manifest, settings);
    return `${host}:${port}${pathPrefix}`;
  }
  const file = files[0];
  const path = file === undefined ? undefined : settings[file.field];
  return typeof path === 'string' ? path : undefined;
}
