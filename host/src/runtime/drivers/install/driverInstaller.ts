import { mkdir, realpath, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isDriverError } from '@tabularium/sdk';
import { fingerprintOf } from '@tabularium/sdk/package';
import type { DriverPackageJson, PackageFiles } from '@tabularium/sdk/package';
import semver from 'semver';
import type { InstallProgress } from '../../../common/drivers.ts';
import type { DowngradeConsent } from '../../../common/driversApi.ts';
import { HostError } from '../../../common/errors.ts';
import type { Logger } from '../../storage/logger.ts';
import { SharedTask } from '../../../common/sharedTask.ts';
import type { FoundPackage, WantedDriver } from '../catalogue/driverCatalogue.ts';
import type { InstalledDriver } from '../packages/installedDriver.ts';
import { announcedSha512, downloadTarball } from '../registry/tarballDownload.ts';
import { manifestReader } from '../registry/manifestReader.ts';
import { verifyPackage } from '../packages/packageVerifier.ts';
import { readArchiveFile } from '../packages/readArchiveFile.ts';
import { receiveArchive } from '../packages/receiveArchive.ts';
import { assertOwnFiles } from '../packages/readInstalledPackage.ts';
import { readTarball } from '../packages/readTarball.ts';
import type { DriverFolders } from '../packages/driverFolders.ts';
import { compatibilityFault } from '../registry/compatibilityFault.ts';
import { notCompatible } from '../registry/notCompatible.ts';
import { StagingFolder } from '../packages/stagingFolder.ts';
import { writePackage } from '../packages/writePackage.ts';
import { DRIVER_FOLDERS } from '../packages/driverFolders.ts';
import { DriverCatalogue } from '../catalogue/driverCatalogue.ts';
import { DriverChoices } from '../versions/driverChoices.ts';
import { DriverPolicy } from '../policy/driverPolicy.ts';
import { DriverProcesses } from '../processes/driverProcesses.ts';
import { InstalledDrivers } from '../versions/installedDrivers.ts';
import { PlatformFiles } from './platformFiles.ts';
import type { PlatformSource } from './platformFiles.ts';
import { loggerOf } from '../../storage/logger.ts';
import { PublisherTrust } from '../trust/publisherTrust.ts';
import { RegistryNetwork } from '../registry/registryNetwork.ts';
import { SignedCatalogues } from '../registry/signedCatalogues.ts';
import { WiderGrants } from '../policy/widerGrants.ts';
import type { Inject } from '../../container/inject.ts';
import { from, token } from '../../container/inject.ts';

export const DRIVER_USAGE = token<DriverUsage>('DRIVER_USAGE');

/** Answers whether a session uses a version now. */
export interface DriverUsage {
  isInUse(id: string, version: string): boolean;
}

export interface DriverInstallerOptions {
  readonly folders: DriverFolders;
  readonly catalogue: DriverCatalogue;
  readonly installed: InstalledDrivers;
  readonly trust: PublisherTrust;
  readonly trialLoader: Pick<DriverProcesses, 'tryOut'>;
  readonly policy: DriverPolicy;
  readonly widerGrants: WiderGrants;
  readonly choices: DriverChoices;
  readonly network: RegistryNetwork;
  readonly signedCatalogues: Pick<SignedCatalogues, 'revocationOf'>;
  readonly platformFiles: PlatformFiles;
  /** Whether a session uses this version now: then it is not removed to make room. */
  readonly isInUse?: (id: string, version: string) => boolean;
  readonly logger: Logger;
  /** Default: the contract of this host. */
  readonly contract?: string;
}

export interface InstallOptions extends WantedDriver {
  readonly signal: AbortSignal;
  /** The version in use stays where it is newer than what would be taken: a pre-release that somebody asked for. */
  readonly keepNewer?: boolean | undefined;
  /** A person agreed to an older version than the one in use. Without it an older version is refused. */
  readonly allowDowngrade?: DowngradeConsent | undefined;
  readonly onProgress?: ((progress: InstallProgress) => void) | undefined;
}

/** Where an archive came from, and what was said of it there. */
interface ArchiveOrigin {
  readonly packageText: string;
  readonly integrity: string;
  /** Undefined for a file. */
  readonly registryUrl: string | undefined;
  /** The registry's announcement; a file has none. */
  readonly announced: FoundPackage | undefined;
  /** Where the files of this platform are, for a driver that has some. */
  readonly platformSource: PlatformSource;
  readonly allowDowngrade: DowngradeConsent | undefined;
}

interface RunningInstall {
  readonly wanted: string;
  readonly task: SharedTask<InstalledDriver, InstallProgress>;
}

type Notify = (progress: InstallProgress) => void;

/** Progress of a download is reported at most this often. */
const BYTES_BETWEEN_STEPS = 64 * 1024;

/**
 * Installs drivers: download, SHA-512, signature, trust, contract, trial, then one rename into `drivers/<id>/<version>`. Whatever is
 * refused on the way leaves nothing behind.
 */
export class DriverInstaller implements AsyncDisposable {
  static readonly inject: Inject<typeof DriverInstaller> = {
    folders: DRIVER_FOLDERS,
    catalogue: DriverCatalogue,
    installed: InstalledDrivers,
    trust: PublisherTrust,
    trialLoader: DriverProcesses,
    policy: DriverPolicy,
    widerGrants: WiderGrants,
    choices: DriverChoices,
    network: RegistryNetwork,
    signedCatalogues: SignedCatalogues,
    platformFiles: PlatformFiles,
    isInUse: from([DRIVER_USAGE], (usage) => (id: string, version: string) => usage.isInUse(id, version)),
    logger: loggerOf('drivers'),
  };

  readonly #options: DriverInstallerOptions;
  readonly #running = new Map<string, RunningInstall>();
  readonly #unsettled = new Set<Promise<unknown>>();
  readonly #closing = new AbortController();

  constructor(options: DriverInstallerOptions) {
    this.#options = options;
  }

  /**
   * Installs a driver and makes it the version that new sessions use. Only one installation of a driver runs at a time: another caller
   * meanwhile waits for that one and sees its progress; it is cancelled when all who wait have given up.
   *
   * @param id - of the database type
   * @throws HostError any `PACKAGE_…` or `DRIVER_…` code (`DRIVER_DOWNGRADE` for an older version that a person hasn't confirmed), `REGISTRY_UNREACHABLE`, `CANCELLED`
   */
  async install(id: string, options: InstallOptions): Promise<InstalledDriver> {
    const { signal, onProgress, prerelease, registry, keepNewer, allowDowngrade } = options;
    // Without a requested version, the pinned one is installed.
    const version = options.version ?? this.#options.choices.pinned(id);
    const wanted = JSON.stringify([version, prerelease, registry, keepNewer, allowDowngrade]);
    for (;;) {
      if (this.#closing.signal.aborted || signal.aborted) throw new HostError('CANCELLED');
      const running =
        this.#running.get(id) ?? this.#start(id, wanted, { version, prerelease, registry, keepNewer, allowDowngrade });
      if (running.wanted === wanted) return running.task.join(signal, onProgress);
      // Another version of the same driver is being installed. Its outcome is its own caller's.
      await running.task.join(signal).catch(() => undefined);
    }
  }

  /**
   * Waits for the running installation of a driver, whatever its version.
   *
   * @returns undefined when none is
   * @throws what that installation throws
   */
  async joinRunning(id: string, options: Pick<InstallOptions, 'signal' | 'onProgress'>): Promise<InstalledDriver | undefined> {
    return this.#running.get(id)?.task.join(options.signal, options.onProgress);
  }

  /**
   * Installs a driver from an archive that a person has: the same checks, only without a registry's announcement of its content.
   *
   * @param archive - its bytes, or a file on this machine, beside which the platform package may be
   * @param name - for messages
   * @throws HostError any `PACKAGE_…` code, `DRIVER_NOT_COMPATIBLE`, `DRIVER_DOWNGRADE`, `POLICY_FORBIDS`, `CANCELLED`
   */
  async installFile(
    archive: Uint8Array | AsyncIterable<Uint8Array> | { readonly path: string },
    name: string,
    options: Pick<InstallOptions, 'signal' | 'onProgress' | 'allowDowngrade'>,
  ): Promise<InstalledDriver> {
    if ('path' in archive) return this.#installFrom(archive.path, name, dirname(archive.path), options);
    // In a file, because the files of a platform are large.
    await using received = await receiveArchive(archive, name, this.#options.folders.staging, options.signal);
    return await this.#installFrom(received.file, name, undefined, options);
  }

  async #installFrom(
    file: string,
    name: string,
    beside: string | undefined,
    options: Pick<InstallOptions, 'signal' | 'onProgress' | 'allowDowngrade'>,
  ): Promise<InstalledDriver> {
    const { allowDowngrade } = options;
    const { files, integrity, hasPlatformFiles } = await readArchiveFile(file, name, options.signal);
    // Read before the work is begun, because one driver has one installation at a time.
    const { packageJson } = await verifyPackage(files, name);
    const { id } = packageJson.manifest;
    const wanted = JSON.stringify(['file', integrity, allowDowngrade]);
    for (;;) {
      if (this.#closing.signal.aborted || options.signal.aborted) throw new HostError('CANCELLED');
      const running =
        this.#running.get(id) ??
        this.#begin(id, wanted, (signal, notify) =>
          this.#check(
            files,
            {
              packageText: name,
              integrity,
              registryUrl: undefined,
              announced: undefined,
              platformSource: { file, name, hasPlatformFiles, beside },
              allowDowngrade,
            },
            signal,
            notify,
          ),
        );
      if (running.wanted === wanted) return running.task.join(options.signal, options.onProgress);
      await running.task.join(options.signal).catch(() => undefined);
    }
  }

  /** Cancels running installations and waits until they have cleaned up. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled(this.#unsettled);
  }

  #start(id: string, wanted: string, package_: Omit<InstallOptions, 'signal' | 'onProgress'>): RunningInstall {
    return this.#begin(id, wanted, async (signal, notify) => {
      notify({ step: 'resolving' });
      const { catalogue, installed } = this.#options;
      const found = await catalogue.find(id, package_, signal);
      const current = package_.keepNewer === true ? installed.currentInfo(id) : undefined;
      if (current !== undefined && semver.lt(found.version.version, current.version)) return installed.current(id);
      const { allowDowngrade } = package_;
      installed.assertNotOlder({ ...found, version: found.version.version }, allowDowngrade);
      return (await this.#alreadyInstalled(found)) ?? (await this.#fetch(found, allowDowngrade, signal, notify));
    });
  }

  #begin(id: string, wanted: string, work: (signal: AbortSignal, notify: Notify) => Promise<InstalledDriver>): RunningInstall {
    const settled = Promise.withResolvers<void>();
    this.#unsettled.add(settled.promise);
    const task = new SharedTask<InstalledDriver, InstallProgress>(async (signal, notify) => {
      const forget = (): void => {
        if (this.#running.get(id) === running) this.#running.delete(id);
      };
      // A caller that comes after the last one has given up starts again.
      signal.addEventListener('abort', forget, { once: true });
      try {
        return await this.#run(id, work, AbortSignal.any([signal, this.#closing.signal]), notify);
      } finally {
        forget();
        this.#unsettled.delete(settled.promise);
        settled.resolve();
      }
    });
    const running = { wanted, task };
    this.#running.set(id, running);
    return running;
  }

  async #run(
    id: string,
    work: (signal: AbortSignal, notify: Notify) => Promise<InstalledDriver>,
    signal: AbortSignal,
    notify: Notify,
  ): Promise<InstalledDriver> {
    const started = performance.now();
    const { installed, logger, isInUse = () => false } = this.#options;
    try {
      const driver = await work(signal, notify);
      const removed = await installed
        .prune(driver.id, (version) => isInUse(driver.id, version))
        .catch((error: unknown) => {
          logger.warn(`old versions of "${id}" were not removed: ${String(error)}`);
          return [];
        });
      if (removed.length > 0) logger.info(`removed old versions of "${id}": ${removed.join(', ')}`);
      const milliseconds = Math.round(performance.now() - started);
      notify({ step: 'installed', version: driver.version, milliseconds, publisher: driver.publisher });
      return driver;
    } catch (error) {
      if (signal.aborted) throw new HostError('CANCELLED', undefined, { cause: error });
      logger.warn(`the driver "${id}" was not installed: ${error instanceof Error ? error.message : String(error)}`);
      throw error;
    }
  }

  /** The offered archive is installed already and undamaged: only the pointer moves. */
  async #alreadyInstalled(found: FoundPackage): Promise<InstalledDriver | undefined> {
    const { installed, choices } = this.#options;
    const version = found.version.version;
    const standing = installed.integrityOf(found.id, version);
    if (standing === undefined || standing !== announcedSha512(found.version.dist.integrity, `${found.packageName} ${version}`))
      return undefined;
    return installed
      .setCurrent(found.id, version, () => choices.chose(found.id, version))
      .catch((error: unknown) => {
        if (error instanceof HostError && (error.code === 'PACKAGE_KEY_REVOKED' || error.code === 'DRIVER_REVOKED')) throw error;
        return undefined;
      });
  }

  async #fetch(
    found: FoundPackage,
    allowDowngrade: DowngradeConsent | undefined,
    signal: AbortSignal,
    notify: Notify,
  ): Promise<InstalledDriver> {
    const { packageName, registry } = found;
    const version = found.version.version;
    const packageText = `${packageName} ${version}`;
    const integrity = announcedSha512(found.version.dist.integrity, packageText);
    notify({ step: 'downloading', version, receivedBytes: 0 });
    let reported = 0;
    const archive = await downloadTarball({
      url: found.version.dist.tarball,
      integrity,
      registry,
      network: this.#options.network,
      packageText,
      signal,
      onBytes: (receivedBytes, totalBytes) => {
        if (reported > 0 && receivedBytes !== totalBytes && receivedBytes - reported < BYTES_BETWEEN_STEPS) return;
        reported = receivedBytes;
        notify({ step: 'downloading', version, receivedBytes, ...(totalBytes === undefined ? {} : { totalBytes }) });
      },
    });
    notify({ step: 'verifying', version });
    return this.#check(
      await readTarball(archive, packageText, signal),
      { packageText, integrity, registryUrl: registry.url, announced: found, platformSource: { registry }, allowDowngrade },
      signal,
      notify,
    );
  }

  /** Everything between an archive and a version in its place, the same for every way that an archive can come. */
  async #check(files: PackageFiles, origin: ArchiveOrigin, signal: AbortSignal, notify: Notify): Promise<InstalledDriver> {
    const { packageText, integrity, registryUrl, announced, platformSource, allowDowngrade } = origin;
    if (announced === undefined) notify({ step: 'verifying', version: '' });
    const { packageJson, signature } = await verifyPackage(files, packageText, manifestReader(announced?.version));
    const { manifest, version, name: packageName } = packageJson;
    const { id } = manifest;
    const publisher = await this.#options.trust.decide(signature, registryUrl, {
      manifest,
      before: this.#options.installed.currentInfo(id)?.publisher,
      resembledDriver: () =>
        this.#options.catalogue.resembled({
          packageName,
          title: manifest.title,
          fingerprint: fingerprintOf(signature.keyId),
        }),
    });
    const { keyId } = signature;
    const revoked = await this.#options.signedCatalogues.revocationOf({ packageName, version, keyId, registryUrl });
    if (revoked !== undefined) throw revoked;
    await this.#options.policy.assertDriver(id);
    await this.#options.policy.assertPublisher(signature.keyId, publisher.origin, publisher.name);
    if (announced !== undefined) assertAnnounced(packageJson, announced, packageText);
    else await this.#assertOwnId(id, packageName);
    this.#options.installed.assertNotOlder({ id, packageName, version, manifest }, allowDowngrade);
    const { contract, platformFiles } = this.#options;
    const fault = compatibilityFault(`"${id}" ${version}`, manifest, { contract, platform: platformFiles.platform });
    if (fault !== undefined) throw notCompatible(fault);
    if (manifest.platforms !== undefined) assertOwnFiles(files, packageText);

    // Before any of its code runs, and before anything of the version in use is touched.
    const allowedGrants = await this.#options.widerGrants.assertAllowed({ id, packageName, version, manifest, publisher });

    await using staging = await StagingFolder.create(this.#options.folders.staging);
    const staged = join(staging.path, 'package');
    await writePackage(staged, files);
    if (manifest.platforms !== undefined)
      await platformFiles.place({
        ...{ packageName, version, keyId, source: platformSource, staging: staging.path, folder: staged },
        ...{ signal, notify },
      });
    // From here on it is run; verifying is over.
    notify({ step: 'tryingOut', version });
    const driver: InstalledDriver = {
      id,
      packageName,
      version,
      folder: staged,
      entry: packageJson.entry,
      manifest,
      publisher,
      installedAt: new Date().toISOString(),
      ...(allowedGrants.length === 0 ? {} : { allowedGrants }),
    };
    await this.#tryOut(driver, signal);
    return await this.#moveIntoPlace(driver, staging, { registryUrl, integrity, keyId: signature.keyId, allowDowngrade });
  }

  /** A file may not take the id of a driver that is another package. */
  async #assertOwnId(id: string, packageName: string): Promise<void> {
    const known = await this.#options.catalogue.entry(id);
    if (known === undefined || known.packageName === packageName) return;
    throw new HostError('PACKAGE_INVALID', `${packageName} says it is the driver "${id}", which ${known.packageName} is.`);
  }

  async #tryOut(driver: InstalledDriver, signal: AbortSignal): Promise<void> {
    try {
      await this.#options.trialLoader.tryOut(driver, signal);
    } catch (cause) {
      if (signal.aborted) throw new HostError('CANCELLED', undefined, { cause });
      const why = isDriverError(cause) || cause instanceof HostError ? ` ${cause.message}` : '';
      throw new HostError(
        'PACKAGE_FAILED_TRIAL',
        `The driver "${driver.id}" ${driver.version} did not start when it was tried out.${why}`,
        {
          cause,
        },
      );
    }
    signal.throwIfAborted();
  }

  /** From here on nothing is cancelled: one rename, one transaction. A process that is killed between them leaves what a start sweeps. */
  async #moveIntoPlace(
    staged: InstalledDriver,
    staging: StagingFolder,
    {
      allowDowngrade,
      ...origin
    }: Pick<ArchiveOrigin, 'registryUrl' | 'integrity' | 'allowDowngrade'> & { readonly keyId: string },
  ): Promise<InstalledDriver> {
    const target = this.#options.folders.version(staged.id, staged.version);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    this.#options.installed.beginActivation(staged.id, staged.version);
    // A damaged or never finished folder of the same version: moved aside whole, and removed with the staging folder.
    const aside = join(staging.path, 'replaced');
    const replaces = await rename(target, aside).then(
      () => true,
      (error: unknown) => {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
        this.#options.installed.abandonActivation(staged.id, staged.version);
        throw error;
      },
    );
    try {
      await rename(staged.folder, target);
      const driver = { ...staged, folder: await realpath(target) };
      this.#options.installed.activate(driver, origin, allowDowngrade);
      return driver;
    } catch (error) {
      await rm(target, { recursive: true, force: true, maxRetries: 5 });
      if (replaces) await rename(aside, target);
      else await rmdir(dirname(target)).catch(() => undefined);
      this.#options.installed.abandonActivation(staged.id, staged.version);
      throw error;
    }
  }
}

/** @throws HostError `PACKAGE_TAMPERED` */
function assertAnnounced(packageJson: DriverPackageJson, announced: FoundPackage, packageText: string): void {
  const { name, version, manifest } = packageJson;
  const isIt =
    name === announced.packageName &&
    version === announced.version.version &&
    manifest.id === announced.id &&
    isDeepStrictEqual(manifest, announced.manifest);
  if (isIt) return;
  const actual = `${name} ${version}`;
  const what = actual === packageText ? "has a manifest that differs from the registry's" : `contains ${actual}`;
  throw new HostError('PACKAGE_TAMPERED', `The archive of ${packageText} ${what}.`);
}
