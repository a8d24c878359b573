import { mkdir, realpath, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isDriverError } from '@tabularium/sdk';
import type { InstallProgress } from '../../../common/drivers.ts';
import { HostError } from '../../../common/errors.ts';
import type { Logger } from '../../logger.ts';
import { SharedTask } from '../../sessions/sharedTask.ts';
import type { DriverCatalogue, FoundPackage, WantedDriver } from '../catalogue/driverCatalogue.ts';
import type { InstalledDriver } from '../installedDriver.ts';
import { announcedSha512, downloadTarball, loadPacote } from '../registryClient/tarballDownload.ts';
import type { PublisherTrust } from '../trust/publisherTrust.ts';
import { verifyPackage } from '../verifier/packageVerifier.ts';
import { readTarball } from '../verifier/readTarball.ts';
import type { DriverFolders } from '../versions/driverFolders.ts';
import type { InstalledDrivers } from '../versions/installedDrivers.ts';
import { contractFault } from '../versions/resolveVersion.ts';
import { StagingFolder } from './stagingFolder.ts';
import type { TrialLoader } from './trialLoader.ts';
import { writePackage } from './writePackage.ts';

export interface DriverInstallerOptions {
  readonly folders: DriverFolders;
  readonly catalogue: DriverCatalogue;
  readonly installed: InstalledDrivers;
  readonly trust: PublisherTrust;
  readonly trialLoader: TrialLoader;
  readonly logger: Logger;
  /** Default: the contract of this host. */
  readonly contract?: string;
}

export interface InstallOptions extends WantedDriver {
  readonly signal: AbortSignal;
  readonly onProgress?: ((progress: InstallProgress) => void) | undefined;
}

interface RunningInstall {
  readonly wanted: string;
  readonly task: SharedTask<InstalledDriver, InstallProgress>;
}

type Tell = (progress: InstallProgress) => void;

/** Progress of a download is told at most this often. */
const BYTES_BETWEEN_STEPS = 64 * 1024;

/**
 * Installs drivers: download, SHA-512, signature, trust, contract, trial, then one rename into `drivers/<id>/<version>`. Whatever is
 * refused on the way leaves nothing behind.
 */
export class DriverInstaller implements AsyncDisposable {
  readonly #options: DriverInstallerOptions;
  readonly #running = new Map<string, RunningInstall>();
  readonly #unsettled = new Set<Promise<unknown>>();
  readonly #closing = new AbortController();

  constructor(options: DriverInstallerOptions) {
    this.#options = options;
  }

  /**
   * Installs a driver and makes it the version that new sessions use. Only one installation of a driver runs at a time: who asks for the
   * same meanwhile waits for that one and sees its progress; it is cancelled when all who wait have given up.
   *
   * @param id - of the database type
   * @throws HostError any `PACKAGE_…` or `DRIVER_…` code, `REGISTRY_UNREACHABLE`, `CANCELLED`
   */
  async install(id: string, options: InstallOptions): Promise<InstalledDriver> {
    const { signal, onProgress, version, prerelease, registry } = options;
    const wanted = JSON.stringify([version, prerelease, registry]);
    for (;;) {
      if (this.#closing.signal.aborted || signal.aborted) throw new HostError('CANCELLED');
      const running = this.#running.get(id) ?? this.#start(id, wanted, { version, prerelease, registry });
      if (running.wanted === wanted) return running.task.join(signal, onProgress);
      // Another version of the same driver is being installed. Its outcome is its own caller's.
      await running.task.join(signal).catch(() => undefined);
    }
  }

  /** Loads what an installation needs. Worth calling when somebody is about to choose a driver; installing works without. */
  async prepare(): Promise<void> {
    await loadPacote();
  }

  /** Cancels what is under way and waits until it has cleaned up. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled(this.#unsettled);
  }

  #start(id: string, wanted: string, package_: WantedDriver): RunningInstall {
    const settled = Promise.withResolvers<void>();
    this.#unsettled.add(settled.promise);
    const task = new SharedTask<InstalledDriver, InstallProgress>(async (signal, tell) => {
      const forget = (): void => {
        if (this.#running.get(id) === running) this.#running.delete(id);
      };
      // Who comes after the last one has given up starts anew.
      signal.addEventListener('abort', forget, { once: true });
      try {
        return await this.#run(id, package_, AbortSignal.any([signal, this.#closing.signal]), tell);
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

  async #run(id: string, wanted: WantedDriver, signal: AbortSignal, tell: Tell): Promise<InstalledDriver> {
    const started = performance.now();
    tell({ step: 'resolving' });
    try {
      // Loads beside the registry's answer; what fails here is said by the download.
      this.prepare().catch(() => undefined);
      const found = await this.#options.catalogue.find(id, wanted, signal);
      const driver = (await this.#alreadyInstalled(found)) ?? (await this.#fetch(found, signal, tell));
      const milliseconds = Math.round(performance.now() - started);
      tell({ step: 'installed', version: driver.version, milliseconds, publisher: driver.publisher });
      return driver;
    } catch (error) {
      if (signal.aborted) throw new HostError('CANCELLED', undefined, { cause: error });
      this.#options.logger.warn(
        `the driver "${id}" was not installed: ${error instanceof Error ? error.message : String(error)}`,
      );
      throw error;
    }
  }

  /** The very archive that is on offer stands installed and undamaged: only the pointer moves. */
  async #alreadyInstalled(found: FoundPackage): Promise<InstalledDriver | undefined> {
    const { installed } = this.#options;
    const version = found.version.version;
    const standing = installed.integrityOf(found.id, version);
    if (standing === undefined || standing !== announcedSha512(found.version.dist.integrity, `${found.packageName} ${version}`))
      return undefined;
    return installed.setCurrent(found.id, version).catch((error: unknown) => {
      if (error instanceof HostError && error.code === 'PACKAGE_KEY_REVOKED') throw error;
      return undefined;
    });
  }

  async #fetch(found: FoundPackage, signal: AbortSignal, tell: Tell): Promise<InstalledDriver> {
    const { id, packageName, registry } = found;
    const version = found.version.version;
    const packageText = `${packageName} ${version}`;
    const integrity = announcedSha512(found.version.dist.integrity, packageText);
    await using staging = await StagingFolder.create(this.#options.folders.staging);

    tell({ step: 'downloading', version, receivedBytes: 0 });
    let told = 0;
    const archive = await downloadTarball({
      url: found.version.dist.tarball,
      integrity,
      registryUrl: registry.url,
      packageText,
      signal,
      onBytes: (receivedBytes) => {
        if (receivedBytes - told < BYTES_BETWEEN_STEPS) return;
        told = receivedBytes;
        tell({ step: 'downloading', version, receivedBytes });
      },
    });

    tell({ step: 'verifying', version });
    const files = await readTarball(archive, packageText, signal);
    const { packageJson, signature } = await verifyPackage(files, packageText);
    const publisher = await this.#options.trust.decide(signature, registry.url);
    const { manifest } = packageJson;
    const announced =
      packageJson.name === packageName && packageJson.version === version && isDeepStrictEqual(manifest, found.manifest);
    if (!announced || manifest.id !== id) {
      const actual = `${packageJson.name} ${packageJson.version}`;
      const what = actual === packageText ? 'has another manifest than the registry announced' : `is in truth ${actual}`;
      throw new HostError('PACKAGE_TAMPERED', `The archive of ${packageText} ${what}.`);
    }
    const fault = contractFault(manifest.sdk, this.#options.contract);
    if (fault !== undefined) throw new HostError('DRIVER_NOT_COMPATIBLE', `The driver "${id}" ${version} ${fault}.`);

    const staged = join(staging.path, 'package');
    await writePackage(staged, files);
    const driver: InstalledDriver = {
      id,
      packageName,
      version,
      folder: staged,
      entry: packageJson.entry,
      manifest,
      publisher,
      installedAt: new Date().toISOString(),
    };
    tell({ step: 'tryingOut', version });
    await this.#tryOut(driver, signal);
    return await this.#moveIntoPlace(driver, staging, { registryUrl: registry.url, integrity, keyId: signature.keyId });
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
    origin: { readonly registryUrl: string; readonly integrity: string; readonly keyId: string },
  ): Promise<InstalledDriver> {
    const target = this.#options.folders.version(staged.id, staged.version);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    // A damaged or never finished folder of the same version: moved aside whole, and removed with the staging folder.
    const aside = join(staging.path, 'replaced');
    const replaces = await rename(target, aside).then(
      () => true,
      (error: unknown) => {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
        throw error;
      },
    );
    try {
      await rename(staged.folder, target);
      const driver = { ...staged, folder: await realpath(target) };
      this.#options.installed.activate(driver, origin);
      return driver;
    } catch (error) {
      await rm(target, { recursive: true, force: true, maxRetries: 5 });
      if (replaces) await rename(aside, target);
      else await rmdir(dirname(target)).catch(() => undefined);
      throw error;
    }
  }
}
