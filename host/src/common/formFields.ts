import type { FormField, Manifest, WayThrough } from '@tabularium/sdk/manifest';
import { tunnelFields } from './tunnelFields.ts';

const known = new WeakMap<Manifest, readonly FormField[]>();

/** The fields of a connection's form: those of the driver's manifest, then the host's own for the ways that the manifest allows. */
export function formFieldsOf(manifest: Manifest): readonly FormField[] {
  const found = known.get(manifest);
  if (found !== undefined) return found;
  const fields = [...manifest.connection.fields, ...tunnelFields(waysThroughOf(manifest))];
  known.set(manifest, fields);
  return fields;
}

/** The ways to the server that a manifest allows beside a direct connection. */
export function waysThroughOf({ permissions: { http, socket } }: Manifest): readonly WayThrough[] {
  return (http ?? socket)?.via ?? [];
}
