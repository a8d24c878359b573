import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { RegistryInput, DriverNetwork } from '../../../common/driversApi.ts';
import { driverNetworkSchema } from '../../../common/driversApi.ts';
import { HostError } from '../../../common/errors.ts';
import { openEnvelope, sealEnvelope } from '../../credentials/secretEnvelope.ts';
import type { SecureStore } from '../../credentials/secureStore.ts';
import { badRegistryAddress } from './registryAddress.ts';
import { statedPlace } from './addressPlace.ts';
import type { KnownPlaces } from './registryReach.ts';
import { normaliseDownloadOrigin, normaliseRegistryUrl, registrySource } from '../trust/registrySource.ts';
import type { RegistrySource } from '../trust/registrySource.ts';
import { DATABASE_CONNECTION } from '../../storage/database.ts';
import { storedSettings } from '../../storage/storedSettings.ts';
import { SECURE_STORE } from '../../credentials/secureStore.ts';
import type { Inject } from '../../container/inject.ts';

const textsSchema = z.array(z.string());

/** A registry as it was entered in the settings. */
export interface RegistrySetting {
  readonly url: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly packages: readonly string[];
  readonly downloadOrigins: readonly string[];
  readonly hasCredential: boolean;
}

/** Registries and how they are reached: in the home's database, with their tokens in the operating system's secure store. */
export class RegistrySettings {
  static readonly inject: Inject<typeof RegistrySettings> = { connection: DATABASE_CONNECTION, secureStore: SECURE_STORE };

  readonly #connection: DatabaseSync;
  readonly #secureStore: SecureStore;

  constructor(options: { readonly connection: DatabaseSync; readonly secureStore: SecureStore }) {
    this.#connection = options.connection;
    this.#secureStore = options.secureStore;
  }

  list(): readonly RegistrySetting[] {
    return this.#connection
      .prepare(
        'SELECT url, name, scopes, packages, download_origins, has_credential FROM driver_registries ORDER BY position, url',
      )
      .all()
      .map((row) => ({
        url: String(row['url']),
        name: String(row['name']),
        scopes: textsSchema.parse(JSON.parse(String(row['scopes']))),
        packages: textsSchema.parse(JSON.parse(String(row['packages']))),
        downloadOrigins: textsSchema.parse(JSON.parse(String(row['download_origins']))),
        hasCredential: row['has_credential'] === 1,
      }));
  }

  /** As {@link list}, as places to ask. */
  sources(): readonly RegistrySource[] {
    return this.list().map((setting) => registrySource(setting.url, setting));
  }

  /** Adds a registry, or changes the one at that address. @throws HostError `INVALID_REQUEST`, `SECURE_STORE_UNAVAILABLE` */
  async save(input: RegistryInput): Promise<void> {
    const url = normalised(input.url);
    const before = this.list().find((registry) => registry.url === url);
    if (input.token !== undefined && input.token !== '' && !isConfidential(url)) {
      throw new HostError('INVALID_REQUEST', `The token would be sent to ${url} without encryption. Use an https address.`);
    }
    const downloadOrigins = input.downloadOrigins?.map((origin) => downloadOrigin(origin, url)) ?? before?.downloadOrigins ?? [];
    // The store first: without it nothing is kept.
    if (input.token !== undefined && input.token !== '')
      await this.#secureStore.set(account(url), sealEnvelope(input.token, this.#tokenDigest(url)));
    if (input.token === '' && before?.hasCredential === true) await this.#secureStore.delete(account(url));
    const hasCredential = input.token === undefined ? before?.hasCredential === true : input.token !== '';
    this.#connection
      .prepare(
        `INSERT INTO driver_registries (url, name, scopes, packages, download_origins, has_credential, position)
         VALUES (?, ?, ?, ?, ?, ?, (SELECT coalesce(max(position), 0) + 1 FROM driver_registries))
         ON CONFLICT (url) DO UPDATE SET name = excluded.name, scopes = excluded.scopes, packages = excluded.packages,
           download_origins = excluded.download_origins,
          has_credential = excluded.has_credential`,
      )
      .run(
        url,
        input.name ?? new URL(url).host,
        JSON.stringify(input.scopes),
        JSON.stringify(input.packages),
        JSON.stringify([...new Set(downloadOrigins)]),
        hasCredential ? 1 : 0,
      );
    // Saving it is how a person accepts that it moved.
    this.#forgetPlace(url);
  }

  /** The entries of the secure store that hold tokens of registries. */
  storedAccounts(): readonly string[] {
    return this.list().flatMap(({ url, hasCredential }) => (hasCredential ? [account(url)] : []));
  }

  /** @throws HostError `INVALID_REQUEST`, `SECURE_STORE_UNAVAILABLE` */
  async remove(url: string): Promise<void> {
    const wanted = normalised(url);
    if (this.list().find((registry) => registry.url === wanted)?.hasCredential === true)
      await this.#secureStore.delete(account(wanted));
    this.#connection.prepare('DELETE FROM driver_registries WHERE url = ?').run(wanted);
    this.#forgetPlace(wanted);
  }

  /** Where registries were when they were first reached (see {@link KnownPlaces}). */
  readonly places: KnownPlaces = {
    get: (url) => {
      const place = this.#connection.prepare('SELECT place FROM registry_places WHERE url = ?').get(url)?.['place'];
      return place === 'public' || place === 'private' ? place : undefined;
    },
    set: (url, place) => {
      this.#connection.prepare('INSERT OR IGNORE INTO registry_places (url, place) VALUES (?, ?)').run(url, place);
    },
  };

  #forgetPlace(url: string): void {
    this.#connection.prepare('DELETE FROM registry_places WHERE url = ?').run(url);
  }

  /**
   * The token for a registry, as long as the same certificate authorities vouch for it as when the token was entered. Entering it again is how
   * a person accepts others. A token that an older version stored is bound at its first use.
   *
   * @throws HostError `SECURE_STORE_UNAVAILABLE`, `SECRET_MISSING`, `SECRET_NOT_CONFIRMED`
   */
  async token(url: string): Promise<string | undefined> {
    const setting = this.list().find((registry) => registry.url === url);
    if (setting?.hasCredential !== true) return undefined;
    const entry = await this.#secureStore.get(account(url));
    if (entry !== undefined) {
      const { value, digest } = openEnvelope(entry);
      // Read after the wait: what is compared is what the request is about to use.
      const present = this.#tokenDigest(url);
      if (digest === present) return value;
      if (digest !== undefined) throw this.#notConfirmed(setting.name);
      // The administrator who set the variable also set the authorities.
      if (this.#secureStore.isReadOnly === true) return value;
      await this.#secureStore.set(account(url), sealEnvelope(value, present));
      return this.token(url);
    }
    throw new HostError('SECRET_MISSING', `The token for the registry "${setting.name}" is gone from the secure store.`, {
      details: { advice: 'Enter it again in the settings under Drivers.' },
    });
  }

  /** The binding of a token. Of several files only the one of the settings counts: the environment differs between window and terminal. */
  #tokenDigest(url: string): string {
    const authorityFile = url.startsWith('https:') ? this.network().certificateAuthorityFile : '';
    return createHash('sha256')
      .update(JSON.stringify(['tabularium registry token 1', url, authorityFile]))
      .digest('hex');
  }

  #notConfirmed(name: string): HostError {
    const file = this.network().certificateAuthorityFile;
    const present =
      file === '' ? 'no file of certificate authorities is set' : `the certificate authorities of ${file} are trusted`;
    return new HostError(
      'SECRET_NOT_CONFIRMED',
      `The token for the registry "${name}" was entered when other certificate authorities were trusted. Now ${present}.`,
      {
        details: {
          advice: 'If you changed that yourself, enter the token again in the settings under Drivers. Nothing was sent.',
        },
      },
    );
  }

  network(): DriverNetwork {
    const row = this.#connection.prepare('SELECT value FROM driver_network WHERE id = 1').get();
    return storedSettings(driverNetworkSchema, row === undefined ? undefined : String(row['value']), { offline: true });
  }

  /** @throws HostError `INVALID_REQUEST` for a proxy's address that holds a password */
  setNetwork(network: DriverNetwork): void {
    if (network.proxy !== '' && holdsLogin(network.proxy)) {
      throw new HostError(
        'INVALID_REQUEST',
        "The address of the proxy is stored unencrypted, so it can't contain a name or password.",
        {
          details: { advice: 'Set HTTPS_PROXY with them in the environment of Tabularium, and leave the setting empty.' },
        },
      );
    }
    this.#connection
      .prepare('INSERT INTO driver_network (id, value) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET value = excluded.value')
      .run(JSON.stringify(network));
  }
}

function holdsLogin(proxy: string): boolean {
  const { username, password } = new URL(proxy);
  return username !== '' || password !== '';
}

function account(url: string): string {
  return `registry:${url}`;
}

/** Whether others on the way cannot read what is sent: TLS, or this machine. */
function isConfidential(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
}

/** @throws HostError `INVALID_REQUEST` for what is not an origin, has no TLS where the registry has it, or is local where the registry is not */
function downloadOrigin(text: string, registryUrl: string): string {
  const refuse = (why: string, cause?: unknown): never => {
    throw new HostError('INVALID_REQUEST', `"${text}" cannot be a download origin. ${why}`, { cause });
  };
  let origin: string;
  try {
    origin = normaliseDownloadOrigin(text);
  } catch (cause) {
    return refuse('Use one such as https://cdn.example, without a path.', cause);
  }
  const { protocol, hostname } = new URL(registryUrl);
  if (protocol === 'https:' && !origin.startsWith('https:')) refuse('The registry uses https, so its archives have to.');
  const place = statedPlace(new URL(origin).hostname) ?? 'public';
  const own = statedPlace(hostname);
  // A name may turn out to be in a private network; that is checked when it is connected to.
  const couldBeThere = own === undefined ? ['public', 'private'] : ['public', own];
  if (!couldBeThere.includes(place)) refuse('The registry itself is not on that computer or network.');
  return origin;
}

function normalised(url: string): string {
  try {
    return normaliseRegistryUrl(url);
  } catch (cause) {
    throw badRegistryAddress(url, cause);
  }
}
