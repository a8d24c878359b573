import type { Manifest } from '@tabularium/sdk/manifest';
import type { SettingsValues } from './connection.ts';
import { destinationOf } from './destinationOf.ts';
import { destinationProblems } from './destinationProblems.ts';
import { serverPermissionOf } from './serverPermission.ts';

/** Where a connection leads, in one line, as far as its manifest lets a host know: an origin, or a file. */
export function addressOf(manifest: Manifest, settings: SettingsValues): string | undefined {
  const { files } = manifest.permissions;
  const server = serverPermissionOf(manifest);
  if (server !== undefined) {
    // Also one that holds a password, which an earlier version has saved.
    if (destinationProblems(server, manifest, settings).length > 0) return undefined;
    const { host, port, pathPrefix } = destinationOf(server, manifest, settings);
    return `${host}:${port}${pathPrefix}`;
  }
  const file = files[0];
  const path = file === undefined ? undefined : settings[file.field];
  return typeof path === 'string' ? path : undefined;
}
