import type { Manifest } from '@tabularium/sdk/manifest';
import { PACKAGE_LIMITS } from '@tabularium/sdk/package';
import type { Catalogue, CatalogueEntry, ResembledDriver } from '../../../common/drivers.ts';
import { HostError, originOf } from '../../../common/errors.ts';
import type { HostSentence, TextOrigin } from '../../../common/hostSentences.ts';
import { englishOf, hostSentence } from '../../../common/hostSentences.ts';
import type { Logger } from '../../storage/logger.ts';
import type { CachedDocument } from '../registry/documentCache.ts';
import { manifestOfDocument } from '../registry/registryDocument.ts';
import type { RegistryVersion } from '../registry/registryDocument.ts';
import { isAskedFor, LOCAL_REGISTRY_ID } from '../trust/registrySource.ts';
import type { RegistrySource } from '../trust/registrySource.ts';
import type { CatalogueState } from '../registry/signedCatalogues.ts';
import { hiddenVersion, offeredVersions, unlistedFault } from '../registry/offeredVersions.ts';
import { resolveVersion } from '../registry/resolveVersion.ts';
import { catalogueEntry } from './catalogueEntry.ts';
import type { KnownPackage } from './catalogueEntry.ts';
import { bestKnownFirst, resembledDriver, withResembled } from './resembledDriver.ts';
import type { ComparedDriver } from './resembledDriver.ts';
import type { SeedEntry } from './seedCatalogue.ts';
import { join } from 'node:path';
import { DocumentCache } from '../registry/documentCache.ts';
import { DriverPolicy } from '../policy/driverPolicy.ts';
import { storageFailure } from '../../errors/storageFailure.ts';
import { HOST_PACKAGE } from '../../program/hostPackage.ts';
import { InstalledDrivers } from '../versions/installedDrivers.ts';
import { loggerOf } from '../../storage/logger.ts';
import { Registries } from '../registry/registries.ts';
import { notCompatible } from '../registry/notCompatible.ts';
import { WITHOUT_REGISTRY } from '../registry/withoutRegistry.ts';
import { registryUnreachable } from '../registry/registryFaults.ts';
import { RegistryClient } from '../registry/registryClient.ts';
import { SignedCatalogues } from '../registry/signedCatalogues.ts';
import { from } from '../../container/inject.ts';
import { readSeedCatalogue } from './seedCatalogue.ts';
import type { Inject } from '../../container/inject.ts';

export interface DriverCatalogueOptions {
  readonly seed: () => Promise<readonly SeedEntry[]>;
  readonly registries: Pick<Registries, 'list' | 'byUrl' | 'fault'>;
  readonly client: RegistryClient;
  readonly cache: DocumentCache;
  readonly installed: InstalledDrivers;
  readonly policy: DriverPolicy;
  readonly signedCatalogues: SignedCatalogues;
  readonly logger: Logger;
  /** Default: the contract of this host. */
  readonly contract?: string;
  /** Default: the platform of this host. */
  readonly platform?: string;
}

/** The version of a driver that a caller needs. */
export interface WantedDriver {
  /** Exactly this version; default: the newest that this host can run. */
  readonly version?: string | undefined;
  readonly prerelease?: boolean | undefined;
  /** Ask this registry alone. */
  readonly registry?: string | undefined;
}

/** A version that can be installed. */
export interface FoundPackage {
  readonly id: string;
  readonly packageName: string;
  readonly version: RegistryVersion;
  readonly manifest: Manifest;
  readonly registry: RegistrySource;
}

/** The versions of one package in a registry, newest first. */
export interface OfferedPackage {
  readonly readme: string | undefined;
  readonly versions: readonly {
    readonly version: string;
    readonly contract: string;
    /** Why it cannot run here. */
    readonly reason?: string;
    readonly reasonOrigin?: TextOrigin;
    readonly size?: number;
    /** Its maker, as the package says of itself; unverified. */
    readonly author?: string;
    /** Where its files can be read on the web. */
    readonly source?: string;
  }[];
}

/** An address that answers, and as if nothing were there. Without its full stop. */
const NO_REGISTRY =
  'It answers, but it has neither a search nor any of the packages that it was asked for: the address may have a wrong path, or be none of an npm registry';

/** A registry that cannot be asked now, for a reason that does not keep the others from being asked. */
function isAbsence(error: unknown): error is HostError {
  const codes: readonly string[] = [
    'REGISTRY_UNREACHABLE',
    'ADDRESS_NOT_ALLOWED',
    'CATALOGUE_EXPIRED',
    'CATALOGUE_INVALID',
    'OFFLINE',
    'POLICY_FORBIDS',
    'SECRET_MISSING',
    'SECRET_NOT_CONFIRMED',
    'SECURE_STORE_UNAVAILABLE',
  ];
  return error instanceof HostError && codes.includes(error.code);
}

/** The size that a registry states; nothing where it states one that no package may have. */
function sizeIn({ dist: { unpackedSize } }: RegistryVersion): { readonly size?: number } {
  return unpackedSize === undefined || unpackedSize > PACKAGE_LIMITS.totalBytes ? {} : { size: unpackedSize };
}

/** Every database type that can be connected to: those that came with the host, those that are installed, those that registries offer. */
export class DriverCatalogue {
  static readonly inject: Inject<typeof DriverCatalogue> = {
    seed: from(
      [HOST_PACKAGE],
      ({ folder }) =>
        () =>
          readSeedCatalogue(join(folder, 'catalogue', 'first-party.json')),
    ),
    registries: Registries,
    client: RegistryClient,
    cache: DocumentCache,
    installed: InstalledDrivers,
    policy: DriverPolicy,
    signedCatalogues: SignedCatalogues,
    logger: loggerOf('drivers'),
  };

  readonly #options: DriverCatalogueOptions;
  #seed: Promise<readonly SeedEntry[]> | undefined;
  /** The problem that came up when the registries were asked last, and their addresses. */
  #lastAsked: { readonly urls: readonly string[]; readonly problem: HostError | HostSentence | undefined } | undefined;

  constructor(options: DriverCatalogueOptions) {
    this.#options = options;
  }

  /** The catalogue as it is known now, without a request. */
  async list(): Promise<Catalogue> {
    const documents = await this.#documents();
    const entries = await this.#entries(documents);
    const refreshedAt = documents
      .map(({ checkedAt }) => checkedAt)
      .sort()
      .at(-1);
    return {
      entries,
      ...(refreshedAt === undefined ? {} : { refreshedAt }),
      ...(await this.#problemNow()),
    };
  }

  async #problemNow(): Promise<Pick<Catalogue, 'problem' | 'problemOrigin'>> {
    const { urls = [], problem } = this.#lastAsked ?? {};
    if (problem === undefined) return {};
    const sources = await this.#options.registries.list();
    // It is about registries of before.
    if (sources.length !== urls.length || sources.some(({ url }) => !urls.includes(url))) return {};
    return problem instanceof HostError
      ? { problem: problem.message, problemOrigin: originOf(problem) }
      : { problem: englishOf(problem), problemOrigin: { sentence: problem } };
  }

  /** The catalogue of one registry alone. */
  of(registryUrl: string): DriverCatalogue {
    const { registries } = this.#options;
    const one: Pick<Registries, 'list' | 'byUrl' | 'fault'> = {
      list: async () => [await registries.byUrl(registryUrl)],
      byUrl: (url) => registries.byUrl(url),
      fault: () => undefined,
    };
    return new DriverCatalogue({ ...this.#options, registries: one });
  }

  /** The catalogue as it is known now; where no registry was ever asked, each is asked first. */
  async listOrRefresh(signal: AbortSignal): Promise<Catalogue> {
    const known = await this.list();
    return known.refreshedAt === undefined ? this.refresh(signal) : known;
  }

  /** Asks every registry, then lists. A registry that does not answer is said in `problem`; what it said before still counts. */
  async refresh(signal: AbortSignal): Promise<Catalogue> {
    const registries = await this.#options.registries.list();
    const problems = await Promise.all(registries.map((registry) => this.#refreshOne(registry, signal)));
    const problem =
      this.#options.registries.fault() ??
      (registries.length === 0 ? hostSentence('registriesMissing') : problems.find((found) => found !== undefined));
    this.#lastAsked = { urls: registries.map(({ url }) => url), problem };
    return this.list();
  }

  /** The versions of a driver that registries offer, as they were last seen, with what they say of the package. */
  async offered(id: string): Promise<OfferedPackage | undefined> {
    const entry = await this.entry(id);
    if (entry === undefined) return undefined;
    const document = (await this.#documents()).find((cached) => cached.document.name === entry.packageName)?.document;
    if (document === undefined) return undefined;
    return {
      readme: document.readme,
      versions: document.versions.map((version) => {
        const { best, reason } = resolveVersion([version], {
          version: version.version,
          contract: this.#options.contract,
          platform: this.#options.platform,
        });
        const read = manifestOfDocument(version);
        return {
          version: version.version,
          contract: read.ok ? read.manifest.sdk : '',
          ...(best === undefined && reason !== undefined
            ? { reason: englishOf(reason), reasonOrigin: { sentence: reason } }
            : {}),
          ...sizeIn(version),
          ...(version.author === undefined ? {} : { author: version.author }),
          ...(version.source === undefined ? {} : { source: version.source }),
        };
      }),
    };
  }

  /** One type, as {@link list} has it. */
  async entry(id: string): Promise<CatalogueEntry | undefined> {
    return (await this.list()).entries.find((entry) => entry.id === id);
  }

  /** The driver that came with the host, or is installed, that a package can be taken for. */
  async resembled(driver: ComparedDriver): Promise<ResembledDriver | undefined> {
    const shipped = new Set((await this.#seeds()).map(({ packageName }) => packageName));
    const { entries } = await this.list();
    const known = entries.filter(({ packageName, publisher }) => shipped.has(packageName) || publisher !== undefined);
    return resembledDriver(driver, bestKnownFirst(known, shipped));
  }

  /**
   * Looks for a version of a driver, and asks the registries for it again.
   *
   * @throws HostError `DRIVER_UNKNOWN`, `PACKAGE_NOT_FOUND`, `DRIVER_NOT_COMPATIBLE`, `REGISTRY_UNREACHABLE`, `INVALID_REQUEST`, `CANCELLED`
   */
  async find(id: string, wanted: WantedDriver, signal: AbortSignal): Promise<FoundPackage> {
    const { registries, policy } = this.#options;
    await policy.assertDriver(id);
    // The entry that can't be read may be that of the registry which is to answer.
    const fault = wanted.registry === undefined ? registries.fault() : undefined;
    if (fault !== undefined) throw fault;
    const sources = wanted.registry === undefined ? await registries.list() : [await registries.byUrl(wanted.registry)];
    if (sources.length === 0) {
      throw new HostError('REGISTRY_UNREACHABLE', 'No driver registry is running or configured.', {
        details: { advice: WITHOUT_REGISTRY },
      });
    }
    const packageName = await this.#packageNameOf(id, sources, signal);
    let failure: HostError | undefined;
    for (const registry of sources.filter(
      (source) => wanted.registry !== undefined || isAskedFor(source, packageName, sources),
    )) {
      const asked = [
        this.#options.client.document(registry, packageName, signal),
        this.#options.signedCatalogues.refresh(registry, signal),
      ] as const;
      const [document, signed] = await Promise.all(asked).catch((error: unknown) => {
        if (!isAbsence(error)) throw error;
        // Another registry must not answer for one whose catalogue is in doubt.
        if (error.code === 'CATALOGUE_EXPIRED' || error.code === 'CATALOGUE_INVALID') throw error;
        failure ??= error;
        return [undefined, undefined] as const;
      });
      // The first registry that has the package decides: versions of several are never mixed.
      if (document !== undefined) return this.#choose(id, document.versions, wanted, registry, packageName, signed);
    }
    const names = sources.map(({ name }) => name).join(', ');
    throw failure ?? new HostError('PACKAGE_NOT_FOUND', `No registry has the package ${packageName} (asked: ${names}).`);
  }

  #choose(
    id: string,
    versions: readonly RegistryVersion[],
    wanted: WantedDriver,
    registry: RegistrySource,
    packageName: string,
    signed: CatalogueState,
  ): FoundPackage {
    if (wanted.version === undefined) {
      const hidden = hiddenVersion(registry, packageName, versions, signed);
      if (hidden !== undefined) throw hidden;
    }
    const offered = offeredVersions(packageName, versions, signed);
    const { best, reason } = resolveVersion(offered, {
      ...wanted,
      contract: this.#options.contract,
      platform: this.#options.platform,
    });
    if (best !== undefined) {
      if (best.manifest.id !== id) {
        throw new HostError(
          'PACKAGE_INVALID',
          `${packageName} ${best.version.version} is the driver "${best.manifest.id}", not "${id}".`,
        );
      }
      return { id, packageName, registry, ...best };
    }
    if (reason !== undefined) throw notCompatible(reason);
    const unlisted = unlistedFault(registry, packageName, versions, wanted.version, signed);
    if (unlisted !== undefined) throw unlisted;
    const missing = wanted.version === undefined ? 'no version that can be installed' : `no version ${wanted.version}`;
    throw new HostError('PACKAGE_NOT_FOUND', `"${registry.name}" has ${missing} of ${packageName}.`);
  }

  async #packageNameOf(id: string, sources: readonly RegistrySource[], signal: AbortSignal): Promise<string> {
    const known = await this.entry(id);
    if (known !== undefined) return known.packageName;
    const problems = await Promise.all(sources.map((registry) => this.#refreshOne(registry, signal)));
    const found = (await this.#entries(await this.#documents(sources))).find((entry) => entry.id === id);
    if (found !== undefined) return found.packageName;
    const problem = problems.find((candidate) => candidate !== undefined);
    if (problem !== undefined) throw problem;
    const names = sources.map(({ name }) => name).join(', ');
    throw new HostError('DRIVER_UNKNOWN', `No registry has a driver for the database type "${id}" (asked: ${names}).`);
  }

  /** @returns why the registry could not be asked */
  async #refreshOne(registry: RegistrySource, signal: AbortSignal): Promise<HostError | undefined> {
    const { client, cache, installed } = this.#options;
    const cached = (await cache.all()).filter(({ registryId }) => registryId === registry.id);
    try {
      const all = await this.#options.registries.list();
      const found = await client.search(registry, signal);
      // Those of the person first: a registry that finds very many packages does not push them out.
      const names = new Set([
        ...installed.list().map(({ packageName }) => packageName),
        ...(await this.#seeds()).map(({ packageName }) => packageName),
        ...(registry.packages ?? []),
        ...(found ?? []),
        ...cached.map(({ document }) => document.name),
      ]);
      const asked = all.some(({ id }) => id === registry.id)
        ? [...names].filter((name) => isAskedFor(registry, name, all))
        : [...names];
      await Promise.all([this.#options.signedCatalogues.refresh(registry, signal), client.documents(registry, asked, signal)]);
      if (found !== undefined || asked.length === 0) return undefined;
      const hasOne = (await cache.all()).some(({ registryId }) => registryId === registry.id);
      return hasOne ? undefined : registryUnreachable(registry, NO_REGISTRY);
    } catch (error) {
      // A full disk is a reason to show as well, and hides no driver that is known.
      const failure = storageFailure(error);
      if (failure === undefined && !isAbsence(error)) throw error;
      return error instanceof HostError ? error : failure;
    }
  }

  /** A driver that the administrator doesn't allow is shown, with the reason, and can't be chosen. */
  async #allowed(entry: CatalogueEntry): Promise<CatalogueEntry> {
    try {
      await this.#options.policy.assertDriver(entry.id);
      return entry;
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
      return { ...entry, state: 'cannotRun', reason: error.message, reasonOrigin: originOf(error) };
    }
  }

  #seeds(): Promise<readonly SeedEntry[]> {
    return (this.#seed ??= this.#options.seed());
  }

  /** Cached documents, those of the registry that is asked first in front. The local registry's count also while it does not run. */
  async #documents(sources?: readonly RegistrySource[]): Promise<readonly CachedDocument[]> {
    const ids = (sources ?? (await this.#options.registries.list())).map(({ id }) => id);
    const order = [...new Set([...ids, LOCAL_REGISTRY_ID])];
    const all = await this.#options.cache.all();
    const registries = await this.#options.registries.list();
    const found = order.map(async (id) => {
      const source = registries.find((registry) => registry.id === id);
      // A damaged state offers nothing; the next installation says so.
      const signed = await this.#options.signedCatalogues.known(id).catch(() => undefined);
      return all
        .filter(
          ({ registryId, document }) =>
            registryId === id && (source === undefined || isAskedFor(source, document.name, registries)),
        )
        .map((cached) => {
          const { document } = cached;
          const versions = signed === undefined ? [] : offeredVersions(document.name, document.versions, signed);
          return { ...cached, document: { ...document, versions: [...versions] } };
        });
    });
    return (await Promise.all(found)).flat();
  }

  async #entries(documents: readonly CachedDocument[]): Promise<readonly CatalogueEntry[]> {
    const installed = await this.#options.installed.currentDrivers();
    const seeds = await this.#seeds();
    // Installed and first-party packages come first, so that no later package takes their id. Two folders of a developer may name one package.
    const installedNames = new Set(installed.map(({ info }) => info.packageName));
    const otherNames = new Set([
      ...seeds.map(({ packageName }) => packageName),
      ...documents.map(({ document }) => document.name),
    ]);
    const packages: readonly Pick<KnownPackage, 'packageName' | 'installed'>[] = [
      ...installed.map((driver) => ({ packageName: driver.info.packageName, installed: driver })),
      ...[...otherNames.difference(installedNames)].map((packageName) => ({ packageName, installed: undefined })),
    ];
    const entries = new Map<string, CatalogueEntry>();
    for (const { packageName, installed: driver } of packages) {
      const known: KnownPackage = {
        packageName,
        seed: seeds.find((seed) => seed.packageName === packageName),
        installed: driver,
        offered: documents.find(({ document }) => document.name === packageName)?.document.versions,
      };
      const drawn = catalogueEntry(known, this.#options);
      if (drawn === undefined) continue;
      const entry = await this.#allowed(drawn);
      const taken = entries.get(entry.id);
      if (taken === undefined) entries.set(entry.id, entry);
      else
        this.#options.logger.warn(
          `${packageName} says it is the driver "${entry.id}", which ${taken.packageName} is; it is not shown`,
        );
    }
    const shipped = new Set(seeds.map(({ packageName }) => packageName));
    return [...withResembled([...entries.values()], shipped)].sort((a, b) => a.manifest.title.localeCompare(b.manifest.title));
  }
}
