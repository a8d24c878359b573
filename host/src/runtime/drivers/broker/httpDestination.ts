import { DriverError } from '@tabularium/sdk';
import type { HttpPermission, Manifest } from '@tabularium/sdk/manifest';
import type { SettingsValues } from '../../../common/connection.ts';
import { destinationOf, destinationUrl, settingOf } from '../../../common/destinationOf.ts';
import { destinationProblems } from '../../../common/destinationProblems.ts';
import { englishOf } from '../../../common/hostSentences.ts';
import type { SecretReach } from '../../../common/secretQuestion.ts';
import type { InstalledDriver } from '../packages/installedDriver.ts';
import { widerGrantsOf } from '../policy/widerGrants.ts';

/** How far the server's certificate is checked. */
export type TlsVerification = 'none' | 'chain' | 'identity';

export interface HttpOrigin {
  readonly scheme: 'http' | 'https';
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

/** Where a connection's requests go and how, as the manifest maps its form. Nothing is read and nothing is sent to find out. */
export interface HttpDestination {
  readonly origin: HttpOrigin;
  /** Further nodes of the same cluster, in the order in which they are tried. Each differs from the first in host and port alone. */
  readonly nodes: readonly HttpOrigin[];
  /** Undefined for plain HTTP. */
  readonly verification: TlsVerification | undefined;
  /** Paths; undefined where none was chosen, or for plain HTTP. */
  readonly files: {
    readonly authority: ChosenFile | undefined;
    readonly certificate: ChosenFile | undefined;
    readonly key: ChosenFile | undefined;
  };
}

/** A file that was chosen in the form. */
export interface ChosenFile {
  readonly field: string;
  readonly path: string;
}

/** @throws DriverError `INVALID_INPUT` with the field */
export function httpDestination(permission: HttpPermission, manifest: Manifest, settings: SettingsValues): HttpDestination {
  const { scheme, host, port, protection, ...rest } = destinationOf(permission, manifest, settings);
  const [problem] = destinationProblems(permission, manifest, settings);
  if (problem !== undefined)
    throw new DriverError('INVALID_INPUT', englishOf(problem.sentence), { details: { field: problem.field } });
  const origin: HttpOrigin = { scheme, host, port: Number(port), pathPrefix: rest.pathPrefix };
  const nodes = rest.nodes.map((node) => ({ ...origin, host: node.host, port: Number(node.port) }));
  const tls = protection === 'plain' ? undefined : permission.tls;
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
  const { http } = manifest.permissions;
  return http === undefined ? undefined : reachOf(driver, http, httpDestination(http, manifest, settings), field);
}

/** The reach of a field's secret for a destination that is known. */
export function reachOf(driver: SendingDriver, http: HttpPermission, destination: HttpDestination, field: string): SecretReach {
  const transports = http.credentials.filter((credential) => credential.field === field);
  return {
    driver: driver.id,
    publisher: publisherKey(driver),
    // A further node and a path are as much a place where the secret goes as the first origin.
    origins: [destination.origin, ...destination.nodes].map((origin) =>
      destinationUrl({ ...origin, host: origin.host.toLowerCase() }),
    ),
    verification: destination.verification ?? 'plain',
    authorityFile: destination.files.authority?.path ?? '',
    sentAs: transports
      .flatMap(({ headers, prefix }) => headers.map((name) => `${name.toLowerCase()}: ${prefix}`))
      .toSorted((a, b) => (a < b ? -1 : 1)),
    grants: [...widerGrantsOf(driver.manifest)],
  };
}

/** The owner of the driver: a key, or the folder of an unsigned one. */
function publisherKey({ publisher }: SendingDriver): string {
  if (publisher === undefined) return '';
  return publisher.fingerprint === '' ? publisher.name : publisher.fingerprint;
}
