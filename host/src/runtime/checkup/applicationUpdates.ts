import semver from 'semver';
import { z } from 'zod';
import type { NewerVersion } from '../../common/api.ts';
import type { Inject } from '../container/inject.ts';
import { from } from '../container/inject.ts';
import { Registries } from '../drivers/registry/registries.ts';
import { RegistryClient } from '../drivers/registry/registryClient.ts';
import { RegistryNetwork } from '../drivers/registry/registryNetwork.ts';
import { isAskedFor } from '../drivers/trust/registrySource.ts';
import { HOST_PACKAGE } from '../program/hostPackage.ts';
import { Database } from '../storage/database.ts';
import { loggerOf } from '../storage/logger.ts';
import type { Logger } from '../storage/logger.ts';
import { storedSettings } from '../storage/storedSettings.ts';
import { PreferencesStore } from '../workspace/preferencesStore.ts';

/** The package of this application in a registry. */
const PACKAGE = '@tabularium/host';
const DAY_MILLISECONDS = 86_400_000;
const LOOK_MILLISECONDS = 3_600_000;

const foundSchema = z.object({
  /** Milliseconds since 1970; 0: never. */
  lookedAt: z.number().default(0),
  version: z.string().default(''),
  registry: z.string().default(''),
});
type Found = z.output<typeof foundSchema>;

export interface ApplicationUpdatesParts {
  /** Of this application. */
  readonly version: string;
  readonly database: Pick<Database, 'connection'>;
  readonly preferences: Pick<PreferencesStore, 'get'>;
  readonly registries: Pick<Registries, 'list'>;
  readonly client: Pick<RegistryClient, 'latestVersion'>;
  readonly network: Pick<RegistryNetwork, 'isOffline'>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly now?: () => number;
}

/**
 * Looks once a day whether a registry has a newer version of the application, where its owner has switched that on. It installs nothing: the way of an
 * update is that of the installation.
 */
export class ApplicationUpdates implements AsyncDisposable {
  static readonly inject: Inject<typeof ApplicationUpdates> = {
    version: from([HOST_PACKAGE], ({ version }) => version),
    database: Database,
    preferences: PreferencesStore,
    registries: Registries,
    client: RegistryClient,
    network: RegistryNetwork,
    logger: loggerOf('updates'),
  };

  readonly #parts: ApplicationUpdatesParts;
  readonly #now: () => number;
  readonly #closing = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;

  constructor(parts: ApplicationUpdatesParts) {
    this.#parts = parts;
    this.#now = parts.now ?? Date.now;
  }

  start(): void {
    this.#timer ??= setInterval(() => void this.look(), LOOK_MILLISECONDS).unref();
    void this.look();
  }

  /** Whether the owner has it look, and when it did. */
  state(): { readonly isOn: boolean; readonly lookedAt: Date | undefined } {
    const { lookedAt } = this.#found();
    return { isOn: this.#isOn(), lookedAt: lookedAt === 0 ? undefined : new Date(lookedAt) };
  }

  /** The newer version that was found at the last look. */
  newer(): NewerVersion | undefined {
    const { version, registry } = this.#found();
    if (!this.#isOn() || !this.#isOffered(version) || !semver.gt(version, this.#parts.version)) return undefined;
    return { version, registry };
  }

  /** Looks where it is on and the last look is a day old. Errors are logged, because no caller needs the answer. */
  look(): Promise<void> {
    return (this.#looking ??= this.#look()
      .catch((error: unknown) => {
        if (!this.#closing.signal.aborted) this.#parts.logger.warn(`no newer version was looked for: ${String(error)}`);
      })
      .finally(() => {
        this.#looking = undefined;
      }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    this.#closing.abort();
    await this.#looking;
  }

  async #look(): Promise<void> {
    const { registries, client, network, logger } = this.#parts;
    const { signal } = this.#closing;
    const passed = this.#now() - this.#found().lookedAt;
    // A look in the future was made while the clock was wrong.
    if (!this.#isOn() || (passed >= 0 && passed < DAY_MILLISECONDS) || (await network.isOffline())) return;
    const all = await registries.list();
    const before = this.#found();
    let newest: Omit<Found, 'lookedAt'> = { version: '', registry: '' };
    const take = (version: string, registry: string): void => {
      if (!this.#isOffered(version)) return;
      if (newest.version === '' || semver.gt(version, newest.version)) newest = { version, registry };
    };
    let answers = 0;
    for (const registry of all.filter((each) => isAskedFor(each, PACKAGE, all))) {
      const version = await client.latestVersion(registry, PACKAGE, signal).catch((error: unknown) => {
        if (!signal.aborted) logger.warn(`a registry was not asked for a newer version: ${String(error)}`);
        return error instanceof Error ? error : new Error(String(error));
      });
      if (signal.aborted) return;
      if (version instanceof Error) {
        // A registry that doesn't answer has taken nothing back.
        if (registry.name === before.registry && semver.valid(before.version) !== null) take(before.version, registry.name);
      } else {
        answers += 1;
        if (version !== undefined) take(version, registry.name);
      }
    }
    // The next hour looks again.
    if (answers === 0) return;
    this.#save({ lookedAt: this.#now(), ...newest });
  }

  /** Whether a person of this version is offered another one: of a pre-release only where this is one. */
  #isOffered(version: string): boolean {
    if (semver.valid(version) === null) return false;
    return semver.prerelease(version) === null || semver.prerelease(this.#parts.version) !== null;
  }

  #isOn(): boolean {
    return this.#parts.preferences.get().lookForNewerVersions;
  }

  #found(): Found {
    const row = this.#parts.database.connection.prepare("SELECT value FROM preferences WHERE name = 'newerVersion'").get();
    return storedSettings(foundSchema, row === undefined ? undefined : String(row['value']), {});
  }

  #save(found: Found): void {
    this.#parts.database.connection
      .prepare(
        "INSERT INTO preferences (name, value) VALUES ('newerVersion', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
      )
      .run(JSON.stringify(found));
  }
}
