import { publicAddress, secretFieldsOf } from '@tabularium/sdk/manifest';
import type { FurtherOrigin, HttpPermission, Manifest } from '@tabularium/sdk/manifest';
import type { SettingsValues } from './connection.ts';
import { destinationOf, destinationUrl, settingOf } from './destinationOf.ts';
import type { Destination, Protection } from './destinationOf.ts';
import { destinationProblems } from './destinationProblems.ts';
import { formFieldsOf } from './formFields.ts';
import type { FormProblem } from './formProblem.ts';
import type { ServerPermission } from './serverPermission.ts';
import { usedCredentials } from './usedCredentials.ts';

/** A further origin that a manifest declares, and where it is for the values of a form. */
export interface FurtherDestination extends Pick<FurtherOrigin, 'id' | 'label' | 'reason' | 'credentials'> {
  /** The fields that it comes from; undefined for a fixed address, which is the same for all connections. */
  readonly server: ServerPermission | undefined;
  /** Undefined while the form leaves its host empty: the connection doesn't have it then. */
  readonly destination: Destination | undefined;
}

/** The further origins of a manifest, in its order. Never throws. */
export function furtherDestinationsOf(manifest: Manifest, settings: SettingsValues): readonly FurtherDestination[] {
  const { http } = manifest.permissions;
  if (http === undefined) return [];
  return http.furtherOrigins.map(({ id, label, reason, credentials, origin, tls }) => {
    const said = { id, label, reason, credentials };
    if (typeof origin === 'string') return { ...said, server: undefined, destination: fixedDestination(origin) };
    const server: ServerPermission = {
      origin: { ...origin, host: { ...origin.host, whenEmpty: whenEmptyOf(origin.host.field, http) } },
      tls,
      schemes: { plain: 'http', encrypted: 'https' },
    };
    const entered = String(settingOf(manifest, settings, origin.host.field) ?? '').trim();
    const isThere = entered !== '' || server.origin.host.whenEmpty !== '';
    return { ...said, server, destination: isThere ? destinationOf(server, manifest, settings) : undefined };
  });
}

/** The faults of the further origins that a form has, as {@link destinationProblems} finds those of the first. */
export function furtherProblems(manifest: Manifest, settings: SettingsValues): readonly FormProblem[] {
  return furtherDestinationsOf(manifest, settings).flatMap(({ server, destination }) =>
    server === undefined || destination === undefined ? [] : destinationProblems(server, manifest, settings),
  );
}

/** A further origin of a form as a person is shown it. */
export interface ShownOrigin extends Pick<FurtherOrigin, 'label' | 'reason'> {
  readonly url: string;
  readonly protection: Protection;
  /** The fields of the secrets that are sent there, or that tokens for it are got with, by their labels. */
  readonly credentials: readonly string[];
}

/** The further origins that a form has, without those whose address is not valid: nothing is sent there, and it may hold a password. */
export function shownOriginsOf(manifest: Manifest, settings: SettingsValues): readonly ShownOrigin[] {
  const labelOf = (id: string): string => formFieldsOf(manifest).find((field) => field.id === id)?.label ?? id;
  return furtherDestinationsOf(manifest, settings).flatMap(({ label, reason, credentials, server, destination }) => {
    if (destination === undefined) return [];
    if (server !== undefined && destinationProblems(server, manifest, settings).length > 0) return [];
    const fields = usedCredentials(manifest, settings, credentials).flatMap(secretFieldsOf);
    const { protection } = destination;
    return [{ label, reason, url: destinationUrl(destination), protection, credentials: [...new Set(fields)].map(labelOf) }];
  });
}

/** Another port of the first origin's host is where that is, also while the field is empty. No other host is ever filled in for the person. */
function whenEmptyOf(field: string, { origin }: HttpPermission): string {
  return field === origin.host.field ? origin.host.whenEmpty : '';
}

function fixedDestination(origin: string): Destination | undefined {
  const address = publicAddress(origin);
  if (address.problem !== undefined) return undefined;
  const { host, port } = address;
  return { scheme: 'https', host, port: String(port), pathPrefix: '', nodes: [], protection: 'identity' };
}
