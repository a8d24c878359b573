import { fingerprintOf } from '@tabularium/sdk/package';
import type { CatalogueInfo, RegistryInfo } from '../../../common/drivers.ts';
import type { DriverNetwork, RegistryInput } from '../../../common/driversApi.ts';
import { originOf } from '../../../common/errors.ts';
import type { HostError } from '../../../common/errors.ts';
import type { Inject } from '../../container/inject.ts';
import { errorReport } from '../../errors/errorReport.ts';
import { DriverPolicy } from '../policy/driverPolicy.ts';
import { LOCAL_REGISTRY_ID } from '../trust/registrySource.ts';
import { Registries } from './registries.ts';
import { RegistrySettings } from './registrySettings.ts';
import { SignedCatalogues } from './signedCatalogues.ts';

export interface RegistryManagementOptions {
  readonly policy: DriverPolicy;
  readonly registries: Registries;
  readonly settings: RegistrySettings;
  readonly signedCatalogues: SignedCatalogues;
}

/** Operations on the registries that drivers come from, and on the network that leads to them. */
export class RegistryManagement {
  static readonly inject: Inject<typeof RegistryManagement> = {
    policy: DriverPolicy,
    registries: Registries,
    settings: RegistrySettings,
    signedCatalogues: SignedCatalogues,
  };

  readonly #options: RegistryManagementOptions;

  constructor(options: RegistryManagementOptions) {
    this.#options = options;
  }

  /** In the order in which they are asked. */
  async registries(): Promise<readonly RegistryInfo[]> {
    const { registries, settings } = this.#options;
    const own = settings.list();
    const found = (await registries.list()).map(async (source): Promise<RegistryInfo> => {
      const setting = own.find(({ url }) => url === source.url);
      return {
        url: source.url,
        name: source.name,
        scopes: source.scopes ?? [],
        packages: source.packages ?? [],
        downloadOrigins: source.downloadOrigins ?? [],
        hasCredential: setting?.hasCredential ?? false,
        from: source.id === LOCAL_REGISTRY_ID ? 'thisMachine' : setting === undefined ? 'environment' : 'settings',
        catalogue: await this.#catalogueInfo(source.id),
      };
    });
    return Promise.all(found);
  }

  /** About an entry of the environment that isn't the address of a registry. */
  fault(): HostError | undefined {
    return this.#options.registries.fault();
  }

  /** @throws HostError `INVALID_REQUEST`, `SECURE_STORE_UNAVAILABLE`, `POLICY_FORBIDS` */
  async saveRegistry(input: RegistryInput): Promise<void> {
    const { policy, registries, settings, signedCatalogues } = this.#options;
    const source = await registries.byUrl(input.url);
    await policy.assertRegistry(source.url);
    if (input.catalogueFingerprint !== undefined)
      await signedCatalogues.adopt(source, input.catalogueFingerprint, new AbortController().signal);
    await settings.save(input);
  }

  async removeRegistry(url: string): Promise<void> {
    await this.#options.settings.remove(url);
    await this.#options.signedCatalogues.retire((await this.#options.registries.byUrl(url)).id);
  }

  network(): DriverNetwork {
    return this.#options.settings.network();
  }

  setNetwork(network: DriverNetwork): void {
    this.#options.settings.setNetwork(network);
  }

  async #catalogueInfo(registryId: string): Promise<CatalogueInfo> {
    const { signedCatalogues } = this.#options;
    const problem = signedCatalogues.problem(registryId);
    const faulty = problem === undefined ? {} : { problem: problem.message, problemOrigin: originOf(problem) };
    try {
      const state = await signedCatalogues.known(registryId);
      if (state.kind === 'unsigned') return { state: 'unsigned', ...faulty };
      const { fingerprint, content } = state;
      return {
        state: 'signed',
        fingerprint: fingerprintOf(fingerprint),
        ...(content === undefined ? {} : { version: content.version, expiresAt: content.expiresAt }),
        ...faulty,
      };
    } catch (error) {
      const { code } = errorReport(error);
      return { state: 'signed', problem: error instanceof Error ? error.message : String(error), problemOrigin: { code } };
    }
  }
}
