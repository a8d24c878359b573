import { readdir, realpath, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fingerprintOf } from '@tabularium/sdk/package';
import type { InstalledDriverInfo, PublisherInfo } from '../../../common/drivers.ts';
import { HostError } from '../../../common/errors.ts';
import type { Logger } from '../../logger.ts';
import type { InstalledDriver } from '../installedDriver.ts';
import type { PublisherTrust } from '../trust/publisherTrust.ts';
import { readPackageFolder } from '../verifier/packageFolder.ts';
import { verifyPackage } from '../verifier/packageVerifier.ts';
import type { DriverFolders } from './driverFolders.ts';
import type { DriverRecord, DriverRecords } from './driverRecords.ts';
import { contractFault } from './resolveVersion.ts';

export interface InstalledDriversOptions {
  readonly folders: DriverFolders;
  readonly records: DriverRecords;
  readonly trust: PublisherTrust;
  readonly logger: Logger;
  readonly contract?: string;
}

/** An installed driver: loaded, or the reason why it cannot be. */
export interface CurrentDriver {
  readonly info: InstalledDriverInfo;
  readonly driver?: InstalledDriver;
  readonly fault?: HostError;
}

function publisherOf(record: DriverRecord): PublisherInfo {
  return {
    id: record.publisherId,
    name: record.publisherName,
    fingerprint: fingerprintOf(record.keyId),
    origin: record.publisherOrigin,
  };
}

/** The driver versions on disk. Hands out none whose files are not those that were signed, or whose key was revoked. */
export class InstalledDrivers {
  readonly #options: InstalledDriversOptions;
  /** Verified once per run of the host: between runs anything may have happened to the files. */
  readonly #verified = new Map<string, Promise<InstalledDriver>>();

  constructor(options: InstalledDriversOptions) {
    this.#options = options;
  }

  list(): readonly InstalledDriverInfo[] {
    return this.#options.records.list().map((record) => ({
      id: record.id,
      packageName: record.packageName,
      version: record.version,
      current: record.current,
      installedAt: record.installedAt,
      publisher: publisherOf(record),
    }));
  }

  /** The version that new sessions use, without looking at its files. */
  currentInfo(id: string): InstalledDriverInfo | undefined {
    return this.list().find((driver) => driver.id === id && driver.current);
  }

  /**
   * The version that new sessions use.
   *
   * @throws HostError `DRIVER_NOT_INSTALLED`, and as {@link get}
   */
  async current(id: string): Promise<InstalledDriver> {
    const record = this.#options.records.current(id);
    if (record === undefined) throw new HostError('DRIVER_NOT_INSTALLED', `The driver "${id}" is not installed.`);
    return this.#load(record);
  }

  /**
   * One version.
   *
   * @throws HostError `DRIVER_NOT_INSTALLED`, `PACKAGE_SIGNATURE_INVALID`, `PACKAGE_UNSIGNED`, `PACKAGE_KEY_REVOKED`,
   *   `DRIVER_NOT_COMPATIBLE`
   */
  async get(id: string, version: string): Promise<InstalledDriver> {
    const record = this.#options.records.get(id, version);
    if (record === undefined) throw new HostError('DRIVER_NOT_INSTALLED', `The driver "${id}" ${version} is not installed.`);
    return this.#load(record);
  }

  /** Makes an installed version the one that new sessions use, after the same checks. */
  async setCurrent(id: string, version: string): Promise<InstalledDriver> {
    const driver = await this.get(id, version);
    this.#options.records.setCurrent(id, version);
    return driver;
  }

  /** Called by the installer when the files stand. Remembers the version and makes it current. */
  activate(
    driver: InstalledDriver,
    origin: { readonly registryUrl: string | undefined; readonly integrity: string; readonly keyId: string },
  ): void {
    this.#options.records.add({
      id: driver.id,
      version: driver.version,
      packageName: driver.packageName,
      publisherId: driver.publisher.id,
      publisherName: driver.publisher.name,
      publisherOrigin: driver.publisher.origin,
      installedAt: driver.installedAt,
      ...origin,
    });
    this.#verified.set(keyOf(driver), Promise.resolve(driver));
  }

  /** The archive that a version was installed from. */
  integrityOf(id: string, version: string): string | undefined {
    return this.#options.records.get(id, version)?.integrity;
  }

  /** Every driver that is installed, or why it cannot be loaded, for the catalogue. */
  async currentDrivers(): Promise<readonly CurrentDriver[]> {
    const current = this.list().filter((driver) => driver.current);
    return Promise.all(
      current.map(async (info) => {
        const loaded = await this.current(info.id).then(
          (driver) => ({ driver }),
          (error: unknown) => ({
            fault: error instanceof HostError ? error : new HostError('INTERNAL', undefined, { cause: error }),
          }),
        );
        return { info, ...loaded };
      }),
    );
  }

  /**
   * Called once at start, before anything is installed: removes what an installation that was killed has left, and forgets versions
   * whose folder is gone.
   */
  async sweep(): Promise<void> {
    const { folders, records, logger } = this.#options;
    await rm(folders.staging, { recursive: true, force: true, maxRetries: 5 });
    for (const id of await readdir(folders.drivers).catch(() => [])) {
      for (const version of await readdir(join(folders.drivers, id)).catch(() => [])) {
        if (records.get(id, version) !== undefined) continue;
        logger.warn(`removed ${id} ${version}, which was never completely installed`);
        await rm(join(folders.drivers, id, version), { recursive: true, force: true, maxRetries: 5 });
      }
      await rmdir(join(folders.drivers, id)).catch(() => undefined);
    }
    for (const { id, version } of records.list()) {
      const present = await readdir(folders.version(id, version)).catch(() => undefined);
      if (present !== undefined) continue;
      logger.warn(`forgot ${id} ${version}, whose folder is gone`);
      records.remove(id, version);
    }
  }

  async #load(record: DriverRecord): Promise<InstalledDriver> {
    // Asked each time: a key may be revoked while the host runs.
    this.#options.trust.assertNotRevoked(record.keyId);
    const key = keyOf(record);
    let verified = this.#verified.get(key);
    if (verified === undefined) {
      verified = this.#verify(record);
      this.#verified.set(key, verified);
      verified.catch(() => this.#verified.delete(key));
    }
    return verified;
  }

  async #verify(record: DriverRecord): Promise<InstalledDriver> {
    const { id, version, packageName } = record;
    const text = `The installed driver "${id}" ${version}`;
    const damaged = (message: string, cause?: unknown): HostError =>
      new HostError('PACKAGE_SIGNATURE_INVALID', message, {
        cause,
        details: { advice: 'Install the driver again. If you did not change its files, find out who did.' },
      });
    let folder: string;
    let verified;
    try {
      folder = await realpath(this.#options.folders.version(id, version));
      verified = await verifyPackage(await readPackageFolder(folder), text);
    } catch (cause) {
      throw damaged(
        `${text} is not as it was installed: ${cause instanceof HostError ? cause.message : 'its files cannot be read.'}`,
        cause,
      );
    }
    const { packageJson, signature } = verified;
    const { manifest } = packageJson;
    if (
      signature.keyId !== record.keyId ||
      packageJson.name !== packageName ||
      packageJson.version !== version ||
      manifest.id !== id
    ) {
      throw damaged(`${text} was replaced by another package.`);
    }
    const fault = contractFault(manifest.sdk, this.#options.contract);
    if (fault !== undefined) throw new HostError('DRIVER_NOT_COMPATIBLE', `${text} ${fault}.`);
    return {
      id,
      packageName,
      version,
      folder,
      entry: packageJson.entry,
      manifest,
      publisher: publisherOf(record),
      installedAt: record.installedAt,
    };
  }
}

function keyOf({ id, version }: { readonly id: string; readonly version: string }): string {
  return `${id}@${version}`;
}
