import { isIP, isIPv6 } from 'node:net';
import { DriverError } from '@tabularium/sdk';
import type { FormField, HttpPermission, Manifest } from '@tabularium/sdk/manifest';
import type { SettingsValues } from '../../../common/connection.ts';
import type { SecretReach } from '../../../common/secretQuestion.ts';
import type { InstalledDriver } from '../installedDriver.ts';
import { widerGrantsOf } from '../policy/widerGrants.ts';

/** How far the server's certificate is checked. */
export type TlsVerification = 'none' | 'chain' | 'identity';

export interface HttpOrigin {
  readonly scheme: 'http' | 'https';
  /** A name or an address, an IPv6 address without brackets. */
  readonly host: string;
  readonly port: number;
}

/** A driver as far as it decides where secrets go; without a publisher while it is not installed. */
export interface SendingDriver extends Pick<InstalledDriver, 'id' | 'manifest'> {
  readonly publisher?: InstalledDriver['publisher'];
  readonly version?: string;
}

/** Where a connection's requests go and how, as the manifest maps its form. Nothing is read and nothing is sent to find out. */
export interface HttpDestination {
  readonly origin: HttpOrigin;
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
  const form = new Form(manifest.connection.fields, settings);
  const { host, port, scheme } = permission.origin;
  const origin: HttpOrigin = {
    scheme: scheme.plainValues.includes(String(form.value(scheme.field) ?? '')) ? 'http' : 'https',
    host: hostName(String(form.value(host.field) ?? ''), host),
    port: portNumber(form.value(port.field), port),
  };
  const isPlain = origin.scheme === 'http';
  const tls = isPlain ? undefined : permission.tls;
  const file = (field: string | undefined): ChosenFile | undefined => {
    const path = field === undefined ? undefined : form.value(field);
    return field === undefined || path === undefined || path === '' ? undefined : { field, path: String(path) };
  };
  return {
    origin,
    verification: isPlain ? undefined : tls === undefined ? 'identity' : verification(tls, form),
    files: {
      authority: file(tls?.certificateAuthorityFile),
      certificate: file(tls?.clientCertificateFile),
      key: file(tls?.clientKeyFile),
    },
  };
}

/** An origin as people write it. */
export function originUrl({ scheme, host, port }: HttpOrigin): string {
  return `${scheme}://${isIPv6(host) ? `[${host}]` : host}:${port}`;
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
  const carriers = http.credentials.filter((credential) => credential.field === field);
  return {
    driver: driver.id,
    publisher: publisherKey(driver),
    origins: [originUrl({ ...destination.origin, host: destination.origin.host.toLowerCase() })],
    verification: destination.verification ?? 'plain',
    authorityFile: destination.files.authority?.path ?? '',
    sentAs: carriers
      .flatMap(({ headers, prefix }) => headers.map((name) => `${name.toLowerCase()}: ${prefix}`))
      .toSorted((a, b) => (a < b ? -1 : 1)),
    grants: [...widerGrantsOf(driver.manifest)],
  };
}

/** Whose driver it is: a key, or the folder of an unsigned one. */
function publisherKey({ publisher }: SendingDriver): string {
  if (publisher === undefined) return '';
  return publisher.fingerprint === '' ? publisher.name : publisher.fingerprint;
}

class Form {
  readonly #fields: ReadonlyMap<string, FormField>;
  readonly #settings: SettingsValues;

  constructor(fields: readonly FormField[], settings: SettingsValues) {
    this.#fields = new Map(fields.map((field) => [field.id, field]));
    this.#settings = settings;
  }

  /** What was entered, else the field's own default. */
  value(id: string): string | number | boolean | undefined {
    if (Object.hasOwn(this.#settings, id)) return this.#settings[id];
    const field = this.#fields.get(id);
    return field !== undefined && 'default' in field ? field.default : undefined;
  }
}

/** Letters, digits, hyphens, dots and underscores: nothing that could end the host part of a URL or a header. */
const HOST_NAME = /^(?!-)[A-Za-z0-9_\-.]{1,253}$/;

function hostName(entered: string, { field, whenEmpty }: { readonly field: string; readonly whenEmpty: string }): string {
  const text = entered.trim() === '' ? whenEmpty : entered.trim();
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
  if (isIP(bare) !== 0) return bare;
  if (text.includes(':') && isIP(bare) === 0 && !/[/@]/.test(text)) {
    throw invalid(field, 'Enter the host name alone; the port has a field of its own.');
  }
  if (!HOST_NAME.test(text)) throw invalid(field, 'Enter a host name or an address, without a scheme, a path or a user.');
  return text;
}

function portNumber(
  entered: string | number | boolean | undefined,
  { field, whenEmpty }: { readonly field: string; readonly whenEmpty: number },
): number {
  if (entered === undefined || entered === '') return whenEmpty;
  const port = typeof entered === 'boolean' ? NaN : Number(entered);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw invalid(field, 'Enter a port from 1 to 65535.');
  return port;
}

function verification(declared: NonNullable<HttpPermission['tls']>, form: Form): TlsVerification {
  if (declared.skipVerification !== undefined && form.value(declared.skipVerification) === true) return 'none';
  const mode = String(form.value(declared.mode.field) ?? '');
  if (declared.mode.encryptOnly.includes(mode)) return 'none';
  if (declared.mode.verifyChain.includes(mode)) return 'chain';
  // Also for a mode that the manifest does not explain: the strictest.
  return 'identity';
}

function invalid(field: string, message: string): DriverError {
  return new DriverError('INVALID_INPUT', message, { details: { field } });
}
