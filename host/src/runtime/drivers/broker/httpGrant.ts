import { isIP, isIPv6 } from 'node:net';
import { inspect } from 'node:util';
import { DriverError } from '@tabularium/sdk';
import type { FormField, HttpPermission, Manifest } from '@tabularium/sdk/manifest';
import type { SettingsValues } from '../../../common/connection.ts';

/** How far the server's certificate is checked. */
export type TlsVerification = 'none' | 'chain' | 'identity';

export interface TlsPolicy {
  readonly verification: TlsVerification;
  /** PEM. Trusted instead of the usual authorities. */
  readonly certificateAuthority?: string;
  /** PEM, shown to a server that asks who we are. */
  readonly clientCertificate?: string;
  readonly clientKey?: string;
}

export interface HttpOrigin {
  readonly scheme: 'http' | 'https';
  /** A name or an address, an IPv6 address without brackets. */
  readonly host: string;
  readonly port: number;
}

/** A credential and what stands before it in its header. */
export interface Secret {
  readonly prefix: string;
  readonly value: string;
}

/** A credential shorter than this is looked for as a whole value only: it would be found by chance. */
const SHORTEST_SOUGHT = 4;

/**
 * The one origin that a session may reach, and how. Holds the credentials; they come out by {@link secretHeaders} alone, which only the
 * broker calls: printing, inspecting or serialising a grant shows none.
 */
export class HttpGrant {
  readonly origin: HttpOrigin;
  readonly tls: TlsPolicy | undefined;
  readonly timeoutMilliseconds: number;
  /** Lower-case names of all headers that the manifest declares as credentials, with a value or not. */
  readonly credentialHeaders: ReadonlySet<string>;
  readonly #secrets: ReadonlyMap<string, Secret>;

  constructor(options: {
    readonly origin: HttpOrigin;
    readonly tls?: TlsPolicy;
    readonly timeoutMilliseconds: number;
    readonly credentialHeaders: readonly string[];
    readonly secrets: ReadonlyMap<string, Secret>;
  }) {
    this.origin = options.origin;
    this.timeoutMilliseconds = options.timeoutMilliseconds;
    this.credentialHeaders = new Set(options.credentialHeaders.map((name) => name.toLowerCase()));
    this.#secrets = options.secrets;
    // The client key is a secret too.
    this.tls = options.tls;
    Object.defineProperty(this, 'tls', { enumerable: false });
  }

  /** Header names and whole values, prefix included. */
  secretHeaders(): readonly (readonly [name: string, value: string])[] {
    return [...this.#secrets].map(([name, { prefix, value }]) => [name, `${prefix}${value}`]);
  }

  /** Whether a text gives a credential away. */
  repeatsSecret(text: string): boolean {
    return [...this.#secrets.values()].some(
      ({ value }) => text === value || (value.length >= SHORTEST_SOUGHT && text.includes(value)),
    );
  }

  /** Host and port as people write them. */
  get address(): string {
    return `${isIPv6(this.origin.host) ? `[${this.origin.host}]` : this.origin.host}:${this.origin.port}`;
  }

  get url(): string {
    return `${this.origin.scheme}://${this.address}`;
  }

  toJSON(): unknown {
    return { origin: this.origin, timeoutMilliseconds: this.timeoutMilliseconds };
  }

  [inspect.custom](): string {
    return `HttpGrant(${this.url})`;
  }
}

/** Reads a file that was chosen in the form. */
export type ReadTextFile = (path: string) => Promise<string>;

/**
 * The grant that a connection's form amounts to, as the manifest maps it.
 *
 * @param settings - values of the form, the paths of chosen files among them
 * @param secrets - values of the secret fields
 * @throws DriverError `INVALID_INPUT` (with the field), `CREDENTIALS_MISSING`, `UNSUPPORTED` for a manifest without HTTP
 */
export async function httpGrantFor(
  manifest: Manifest,
  settings: SettingsValues,
  secrets: Readonly<Record<string, string>>,
  readFile: ReadTextFile,
): Promise<HttpGrant> {
  const permission = manifest.permissions.http;
  if (permission === undefined) throw new DriverError('UNSUPPORTED', `${manifest.title} does not use HTTP.`);
  const form = new Form(manifest.connection.fields, settings);
  const scheme = permission.origin.scheme;
  const origin: HttpOrigin = {
    scheme: scheme.plainValues.includes(String(form.value(scheme.field) ?? '')) ? 'http' : 'https',
    host: hostName(String(form.value(permission.origin.host.field) ?? ''), permission.origin.host),
    port: portNumber(form.value(permission.origin.port.field), permission.origin.port),
  };
  return new HttpGrant({
    origin,
    ...(origin.scheme === 'https' ? { tls: await tlsPolicy(permission.tls, form, readFile) } : {}),
    timeoutMilliseconds: permission.timeoutMilliseconds,
    credentialHeaders: permission.credentials.flatMap(({ headers }) => headers),
    secrets: secretHeaders(permission, manifest.connection.fields, secrets),
  });
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

async function tlsPolicy(declared: HttpPermission['tls'], form: Form, readFile: ReadTextFile): Promise<TlsPolicy> {
  if (declared === undefined) return { verification: 'identity' };
  const file = async (field: string | undefined): Promise<string | undefined> => {
    const path = field === undefined ? undefined : form.value(field);
    if (field === undefined || path === undefined || path === '') return undefined;
    try {
      return await readFile(String(path));
    } catch (cause) {
      throw new DriverError('INVALID_INPUT', `The file ${String(path)} cannot be read.`, { details: { field }, cause });
    }
  };
  const certificateAuthority = await file(declared.certificateAuthorityFile);
  const clientCertificate = await file(declared.clientCertificateFile);
  const clientKey = await file(declared.clientKeyFile);
  if (clientCertificate !== undefined && clientKey === undefined) {
    throw invalid(declared.clientKeyFile ?? '', 'A client certificate needs its key.');
  }
  return {
    verification: verification(declared, form),
    ...(certificateAuthority === undefined ? {} : { certificateAuthority }),
    ...(clientCertificate === undefined ? {} : { clientCertificate }),
    ...(clientKey === undefined ? {} : { clientKey }),
  };
}

function verification(declared: NonNullable<HttpPermission['tls']>, form: Form): TlsVerification {
  if (declared.skipVerification !== undefined && form.value(declared.skipVerification) === true) return 'none';
  const mode = String(form.value(declared.mode.field) ?? '');
  if (declared.mode.encryptOnly.includes(mode)) return 'none';
  if (declared.mode.verifyChain.includes(mode)) return 'chain';
  // Also for a mode that the manifest does not explain: the strictest.
  return 'identity';
}

/** What a header value may hold (RFC 9110), without the obsolete bytes above ASCII. */
const HEADER_VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

function secretHeaders(
  { credentials }: HttpPermission,
  fields: readonly FormField[],
  secrets: Readonly<Record<string, string>>,
): ReadonlyMap<string, Secret> {
  const headers = new Map<string, Secret>();
  for (const { field, headers: names, prefix } of credentials) {
    const label = fields.find(({ id }) => id === field);
    const secret = Object.hasOwn(secrets, field) ? secrets[field] : undefined;
    if (secret === undefined || secret === '') {
      if (label?.required === true) {
        throw new DriverError('CREDENTIALS_MISSING', `${label.label} is missing.`, { details: { field } });
      }
      continue;
    }
    if (!HEADER_VALUE.test(secret)) {
      throw invalid(
        field,
        `${label?.label ?? field} holds a character that cannot be sent in a header, such as a line break or a blank at its end.`,
      );
    }
    for (const name of names) headers.set(name.toLowerCase(), { prefix, value: secret });
  }
  return headers;
}

function invalid(field: string, message: string): DriverError {
  return new DriverError('INVALID_INPUT', message, { details: { field } });
}
