import type { HostError } from '../../../common/errors.ts';
import type { LocalRegistry } from '../trust/localRegistry.ts';
import { LOCAL_REGISTRY_ID, registrySource } from '../trust/registrySource.ts';
import type { RegistrySource } from '../trust/registrySource.ts';
import { ENVIRONMENT } from '../../program/environment.ts';
import { LOCAL_REGISTRY } from '../trust/localRegistry.ts';
import { RegistrySettings } from './registrySettings.ts';
import { from } from '../../container/inject.ts';
import { configuredRegistries } from './configuredRegistries.ts';
import { badRegistryAddress } from './registryAddress.ts';
import type { Inject } from '../../container/inject.ts';

/** The registries that drivers may come from, in the order in which they are asked: the local one first, then the configured ones. */
export class Registries {
  static readonly inject: Inject<typeof Registries> = {
    configured: from([RegistrySettings, ENVIRONMENT], (settings, env) => () => [
      ...settings.sources(),
      ...configuredRegistries(env).sources,
    ]),
    fault: from([ENVIRONMENT], (env) => () => configuredRegistries(env).fault),
    localRegistry: LOCAL_REGISTRY,
  };

  readonly #configured: () => readonly RegistrySource[];
  readonly #localRegistry: () => Promise<LocalRegistry | undefined>;
  /** About an entry of the environment that isn't an address. The others count, and who asks registries says it. */
  readonly fault: () => HostError | undefined;

  constructor(options: {
    readonly configured: () => readonly RegistrySource[];
    readonly fault?: () => HostError | undefined;
    readonly localRegistry: () => Promise<LocalRegistry | undefined>;
  }) {
    this.#configured = options.configured;
    this.#localRegistry = options.localRegistry;
    this.fault = options.fault ?? (() => undefined);
  }

  async list(): Promise<readonly RegistrySource[]> {
    const local = await this.#localRegistry();
    const configured = this.#configured();
    if (local === undefined) return configured;
    const source = { id: LOCAL_REGISTRY_ID, url: local.url, name: 'Local driver registry' };
    // A registry that is entered in the settings and named by the environment too counts once, as it was entered.
    const others = configured.filter(
      ({ url }, place) => url !== local.url && configured.findIndex((other) => other.url === url) === place,
    );
    return [source, ...others];
  }

  /** The one registry that somebody asked for by its address. @throws HostError `INVALID_REQUEST` */
  async byUrl(url: string): Promise<RegistrySource> {
    let wanted: RegistrySource;
    try {
      wanted = registrySource(url);
    } catch (cause) {
      throw badRegistryAddress(url, cause);
    }
    return (await this.list()).find((source) => source.url === wanted.url) ?? wanted;
  }
}
