import { DriverError } from '@tabularium/sdk';
import { addressesOf, secretFieldsOf } from '@tabularium/sdk/manifest';
import type { HttpCredential, Manifest } from '@tabularium/sdk/manifest';
import type { SettingsValues } from '../../../common/connection.ts';
import { destinationOf, destinationUrl, settingOf } from '../../../common/destinationOf.ts';
import type { Destination } from '../../../common/destinationOf.ts';
import { destinationProblems } from '../../../common/destinationProblems.ts';
import { furtherDestinationsOf, furtherProblems } from '../../../common/furtherDestinations.ts';
import type { FurtherDestination } from '../../../common/furtherDestinations.ts';
import { englishOf } from '../../../common/hostSentences.ts';
import type { SecretReach } from '../../../common/secretQuestion.ts';
import { DECRYPTS, GIVEN_TO_DRIVER, SIGN_IN_ON_THE_WAY } from '../../../common/secretQuestion.ts';
import { TUNNEL, isTunnelField } from '../../../common/tunnelFields.ts';
import { tunnelOf, tunnelSecretsOf, tunnelUrl } from '../../../common/tunnelOf.ts';
import { tunnelProblems } from '../../../common/tunnelProblems.ts';
import type { ServerPermission } from '../../../common/serverPermission.ts';
import { serverPermissionOf } from '../../../common/serverPermission.ts';
import { sentAsOf, sourceValue, usedCredentials } from '../../../common/usedCredentials.ts';
import type { InstalledDriver } from '../packages/installedDriver.ts';
import { namedGrantsOf } from '../policy/widerGrants.ts';

/** How far the server's certificate is checked. */
export type TlsVerification = 'none' | 'chain' | 'identity';

/** A server: of HTTP, or of a protocol of its own. */
export interface ServerOrigin {
  readonly scheme: 'http' | 'https' | 'tcp' | 'tls';
  /** A name or an address, an IPv6 address without brackets. */
  readonly host: string;
  readonly port: number;
  /** Before the path of every request: empty, or with a slash at its beginning and none at its end. */
  readonly pathPrefix: string;
}

/** A driver as far as it decides where secrets go; without a publisher while it is not installed. */
export interface SendingDriver extends Pick<InstalledDriver, 'id' | 'manifest'> {
  readonly publisher?: InstalledDriver['publisher'];
  readonly version?: string;
}

/** One place of a connection and its nodes. */
export interface ServerPlace {
  readonly origin: ServerOrigin;
  /** Further nodes of the same cluster, in the order in which they are tried. Each differs from the first in host and port alone. */
  readonly nodes: readonly ServerOrigin[];
  /** Undefined where nothing is encrypted. */
  readonly verification: TlsVerification | undefined;
  /** Paths; undefined where none was chosen, or where nothing is encrypted. */
  readonly files: {
    readonly authority: ChosenFile | undefined;
    readonly certificate: ChosenFile | undefined;
    readonly key: ChosenFile | undefined;
  };
}

/** A further origin of a connection. */
export interface FurtherServer extends Pick<FurtherDestination, 'id' | 'label' | 'credentials' | 'server'> {
  /** Undefined where the form leaves its host empty. */
  readonly place: ServerPlace | undefined;
}

/** Where a connection's bytes go and how, as the manifest maps its form. Nothing is read and nothing is sent to find out. */
export interface ServerDestination extends ServerPlace {
  readonly further: readonly FurtherServer[];
}

/** A file that was chosen in the form. */
export interface ChosenFile {
  readonly field: string;
  readonly path: string;
}

/** @throws DriverError `INVALID_INPUT` with the field */
export function serverDestination(server: ServerPermission, manifest: Manifest, settings: SettingsValues): ServerDestination {
  const [problem] = [...destinationProblems(server, manifest, settings), ...furtherProblems(manifest, settings)];
  if (problem !== undefined)
    throw new DriverError('INVALID_INPUT', englishOf(problem.sentence), { details: { field: problem.field } });
  return {
    ...placeOf(destinationOf(server, manifest, settings), server.tls, manifest, settings),
    further: furtherDestinationsOf(manifest, settings).map(({ id, label, credentials, server: from, destination }) => ({
      ...{ id, label, credentials, server: from },
      place: destination === undefined ? undefined : placeOf(destination, from?.tls, manifest, settings),
    })),
  };
}

function placeOf(
  { scheme, host, port, protection, ...rest }: Destination,
  declaredTls: ServerPermission['tls'],
  manifest: Manifest,
  settings: SettingsValues,
): ServerPlace {
  const origin: ServerOrigin = { scheme, host, port: Number(port), pathPrefix: rest.pathPrefix };
  const nodes = rest.nodes.map((node) => ({ ...origin, host: node.host, port: Number(node.port) }));
  const tls = protection === 'plain' ? undefined : declaredTls;
  const file = (field: string | undefined): ChosenFile | undefined => {
    const path = field === undefined ? undefined : settingOf(manifest, settings, field);
    return field === undefined || path === undefined || path === '' ? undefined : { field, path: String(path) };
  };
  return {
    origin,
    nodes,
    verification: protection === 'plain' ? undefined : protection,
    files: {
      authority: file(tls?.certificateAuthorityFile),
      certificate: file(tls?.clientCertificateFile),
      key: file(tls?.clientKeyFile),
    },
  };
}

/**
 * Where the secret of a field goes when this driver works with these settings; undefined for a driver that no secret is ever used for.
 *
 * @throws DriverError `INVALID_INPUT` with the field
 */
export function secretReach(driver: SendingDriver, settings: SettingsValues, field: string): SecretReach | undefined {
  const { manifest } = driver;
  if (isTunnelField(field)) return tunnelReach(driver, settings, field);
  const server = serverPermissionOf(manifest);
  return server === undefined ? undefined : reachOf(driver, settings, serverDestination(server, manifest, settings), field);
}

/** The reach of a field's secret for a destination that is known. */
export function reachOf(
  driver: SendingDriver,
  settings: SettingsValues,
  destination: ServerDestination,
  field: string,
): SecretReach {
  const { manifest } = driver;
  const { secrets, http } = manifest.permissions;
  const isGiven = secrets?.fields.includes(field) === true;
  const holds = (credential: HttpCredential): boolean => secretFieldsOf(credential).includes(field);
  const firsts = usedCredentials(manifest, settings).filter(holds);
  const further = destination.further.flatMap(({ credentials, place }): readonly FurtherReach[] => {
    const used = usedCredentials(manifest, settings, credentials).filter(holds);
    // A driver that has a secret in its hands can send it to each of its origins.
    return place === undefined || (used.length === 0 && !isGiven) ? [] : [{ place, used }];
  });
  // A secret that further origins alone have a use for never goes to the first.
  const isFirsts =
    isGiven || http?.credentials.some(holds) === true || !destination.further.some(({ credentials }) => credentials.some(holds));
  const used = [...firsts, ...further.flatMap((one) => one.used)];
  const sentAs = used.flatMap(sentAsOf).toSorted((a, b) => (a < b ? -1 : 1));
  const given = isGiven ? [GIVEN_TO_DRIVER] : [];
  const tunnel = tunnelOf(manifest, settings);
  const addresses = used.flatMap((credential) =>
    addressesOf(credential).map(({ source }) => sourceValue(source, manifest, settings)),
  );
  const protectedAs = isFirsts ? destination : further[0]?.place;
  return {
    driver: driver.id,
    publisher: publisherKey(driver),
    // A further node and a path are as much a place where the secret goes as the first origin.
    origins: [
      ...(isFirsts ? [destination.origin, ...destination.nodes] : []).map(originUrl),
      ...further.map(({ place }) => originUrl(place.origin)),
      // A secret goes to the token server, and what that gives for it to the others. A person signs in at the addresses beside it.
      ...(further.length === 0 ? addresses : new Set(addresses)),
    ],
    verification: protectedAs?.verification ?? (protectedAs === undefined ? 'identity' : 'plain'),
    authorityFile: protectedAs?.files.authority?.path ?? '',
    sentAs: [...(further.length === 0 ? sentAs : new Set(sentAs)), ...given],
    // A fixed address counts where the secret goes there, and not beside it.
    grants: [...namedGrantsOf(manifest)],
    // The SSH server or proxy carries it, and sees all that is not encrypted.
    ...(tunnel === undefined ? {} : { through: tunnelUrl(tunnel) }),
    ...(further.length === 0
      ? {}
      : {
          further: further.map(({ place, used: sent }) => ({
            origin: originUrl(place.origin),
            verification: place.verification ?? 'plain',
            authorityFile: place.files.authority?.path ?? '',
            sentAs: [...sent.flatMap(sentAsOf).toSorted((a, b) => (a < b ? -1 : 1)), ...given],
          })),
        }),
  };
}

/** A further origin that gets a secret, and the credentials that carry it there. */
interface FurtherReach {
  readonly place: ServerPlace;
  readonly used: readonly HttpCredential[];
}

/** The address of an origin as it is compared and shown. */
export function originUrl(origin: ServerOrigin): string {
  return destinationUrl({ ...origin, host: origin.host.toLowerCase() });
}

/**
 * Where the secret of a field for the way to the server goes: to the SSH server or proxy alone. The driver has no part in it, so an update of the driver
 * changes nothing. Undefined for a secret that these settings do not use.
 *
 * @throws DriverError `INVALID_INPUT` with the field
 */
export function tunnelReach(
  { id, manifest }: Pick<SendingDriver, 'id' | 'manifest'>,
  settings: SettingsValues,
  field: string,
): SecretReach | undefined {
  const tunnel = tunnelOf(manifest, settings);
  if (tunnel === undefined || !tunnelSecretsOf(tunnel).some((one) => one === field)) return undefined;
  const [problem] = tunnelProblems(manifest, settings);
  if (problem !== undefined)
    throw new DriverError('INVALID_INPUT', englishOf(problem.sentence), { details: { field: problem.field } });
  const isPassphrase = field === TUNNEL.sshPassphrase;
  return {
    driver: id,
    publisher: '',
    origins: isPassphrase ? [] : [tunnelUrl(tunnel)],
    verification: tunnel.kind === 'ssh' ? 'identity' : 'plain',
    authorityFile: '',
    sentAs: [isPassphrase && tunnel.kind === 'ssh' ? `${DECRYPTS}${tunnel.keyFile}` : SIGN_IN_ON_THE_WAY],
    grants: [],
  };
}

/** The owner of the driver: a key, or the folder of an unsigned one. */
function publisherKey({ publisher }: SendingDriver): string {
  if (publisher === undefined) return '';
  return publisher.fingerprint === '' ? publisher.name : publisher.fingerprint;
}
