import { lstat, readdir, realpath, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fingerprintOf, platformPackageName } from '@tabularium/sdk/package';
import type { PackageFiles } from '@tabularium/sdk/package';
import semver from 'semver';
import type { Manifest } from '@tabularium/sdk/manifest';
import type { InstalledDriverInfo, PublisherInfo } from '../../../common/drivers.ts';
import type { DowngradeConsent } from '../../../common/driversApi.ts';
import { HostError } from '../../../common/errors.ts';
import type { Logger } from '../../storage/logger.ts';
import type { InstalledDriver } from '../packages/installedDriver.ts';
import { readInstalledPackage } from '../packages/readInstalledPackage.ts';
import { DowngradeError } from './downgradeError.ts';
import { developerPublisher } from './developerFolders.ts';
import type { DeveloperFolder } from './developerFolders.ts';
import type { DriverFolders } from '../packages/driverFolders.ts';
import type { DriverRecord } from '../packages/driverRecords.ts';
import { compatibilityFault } from '../registry/compatibilityFault.ts';
import { notCompatible } from '../registry/notCompatible.ts';
import { DRIVER_FOLDERS } from '../packages/driverFolders.ts';
import { DeveloperFolders } from './developerFolders.ts';
import { hostPlatform } from '../packages/hostPlatform.ts';
import { DriverChoices } from './driverChoices.ts';
import { DriverPolicy } from '../policy/driverPolicy.ts';
import { DriverRecords } from '../packages/driverRecords.ts';
import { loggerOf } from '../../storage/logger.ts';
import { PublisherTrust } from '../trust/publisherTrust.ts';
import { SignedCatalogues } from '../registry/signedCatalogues.ts';
import { WiderGrants } from '../policy/widerGrants.ts';
import type { Inject } from '../../container/inject.ts';

export interface InstalledDriversOptions {
  readonly folders: DriverFolders;
  readonly records: DriverRecords;
  readonly trust: PublisherTrust;
  readonly policy: DriverPolicy;
  readonly widerGrants: WiderGrants;
  readonly choices: DriverChoices;
  readonly developerFolders: DeveloperFolders;
  readonly signedCatalogues: Pick<SignedCatalogues, 'revocationOf'>;
  readonly logger: Logger;
  readonly contract?: string;
  /** Default: the platform of this host. */
  readonly platform?: string;
}

/** How many versions of a driver are kept, the one in use among them. */
const MOST_VERSIONS = 3;

/** An installed driver: loaded, or the reason why it cannot be. */
export interface CurrentDriver {
  readonly info: InstalledDriverInfo;
  readonly driver?: InstalledDriver;
  readonly fault?: HostError;
}

/** Packages in `drivers/` were signed; a developer's folder is never recorded as installed. */
function recordedOrigin(origin: PublisherInfo['origin']): DriverRecord['publisherOrigin'] {
  if (origin === 'developerFolder') throw new HostError('PACKAGE_UNSIGNED');
  return origin;
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
  static readonly inject: Inject<typeof InstalledDrivers> = {
    folders: DRIVER_FOLDERS,
    records: DriverRecords,
    trust: PublisherTrust,
    policy: DriverPolicy,
    widerGrants: WiderGrants,
    choices: DriverChoices,
    developerFolders: DeveloperFolders,
    signedCatalogues: SignedCatalogues,
    logger: loggerOf('drivers'),
  };

  readonly #options: InstalledDriversOptions;
  /** Verified once per run of the host: between runs anything may have happened to the files. */
  readonly #verified = new Map<string, Promise<InstalledDriver>>();

  constructor(options: InstalledDriversOptions) {
    this.#options = options;
  }

  list(): readonly InstalledDriverInfo[] {
    const folders = this.#options.developerFolders.list();
    const replaced = new Set(folders.map(({ id }) => id));
    const records = this.#options.records.list().map((record) => ({
      id: record.id,
      packageName: record.packageName,
      version: record.version,
      current: record.current && !replaced.has(record.id),
      installedAt: record.installedAt,
      publisher: publisherOf(record),
    }));
    return [...records, ...folders.map(folderInfo)];
  }

  /** The version that new sessions use, without looking at its files. */
  currentInfo(id: string): InstalledDriverInfo | undefined {
    return this.list().find((driver) => driver.id === id && driver.current);
  }

  /**
   * The version that new sessions use: a developer's folder where one was chosen, else the installed one.
   *
   * @throws HostError `DRIVER_NOT_INSTALLED`, `DRIVER_DISABLED`, and as {@link get}
   */
  async current(id: string): Promise<InstalledDriver> {
    if (this.#options.choices.isDisabled(id)) throw new HostError('DRIVER_DISABLED', `The driver "${id}" is disabled.`);
    const developed = await this.#options.developerFolders.load(id);
    if (developed !== undefined) return this.#granted(developed);
    const record = this.#options.records.current(id);
    if (record === undefined) throw new HostError('DRIVER_NOT_INSTALLED', `The driver "${id}" is not installed.`);
    return this.#load(record);
  }

  /**
   * One version.
   *
   * @throws HostError `DRIVER_NOT_INSTALLED`, `PACKAGE_SIGNATURE_INVALID`, `PACKAGE_UNSIGNED`, `PACKAGE_KEY_REVOKED`, `DRIVER_REVOKED`,
   *   `DRIVER_NOT_COMPATIBLE`, `POLICY_FORBIDS`, `GRANT_NEEDED`
   */
  async get(id: string, version: string): Promise<InstalledDriver> {
    const record = this.#options.records.get(id, version);
    if (record === undefined) throw new HostError('DRIVER_NOT_INSTALLED', `The driver "${id}" ${version} is not installed.`);
    return this.#load(record);
  }

  /**
   * Refuses a version that is older than the installed one in use, unless a person has agreed to it.
   *
   * @throws HostError `DRIVER_DOWNGRADE`
   */
  assertNotOlder(
    driver: { readonly id: string; readonly packageName: string; readonly version: string; readonly manifest: Manifest },
    consent: DowngradeConsent | undefined,
  ): void {
    const current = this.#options.records.current(driver.id)?.version;
    if (current === undefined || semver.compareBuild(driver.version, current) >= 0) return;
    if (consent === true || consent === driver.version) return;
    throw new DowngradeError(driver, current, driver.version);
  }

  /**
   * Makes an installed version the one that new sessions use, after the same checks.
   *
   * @param also - what else is decided thereby, in the same transaction
   */
  async setCurrent(id: string, version: string, also?: () => void): Promise<InstalledDriver> {
    const driver = await this.get(id, version);
    this.#options.records.setCurrent(id, version, also);
    return driver;
  }

  /** Called by the installer before the files get their place: what is there without {@link activate} is deleted at the next start. */
  beginActivation(id: string, version: string): void {
    this.#options.records.markFolder(id, version);
  }

  /** Called by the installer when the files did not get their place, or were taken back. */
  abandonActivation(id: string, version: string): void {
    this.#options.records.folderGone(id, version);
  }

  /**
   * Called by the installer when the files are in place. Remembers the version and makes it current.
   *
   * @throws HostError `DRIVER_DOWNGRADE`
   */
  activate(
    driver: InstalledDriver,
    origin: { readonly registryUrl: string | undefined; readonly integrity: string; readonly keyId: string },
    consent: DowngradeConsent | undefined,
  ): void {
    this.assertNotOlder(driver, consent);
    const { records, choices } = this.#options;
    const { id, version } = driver;
    const record = {
      id,
      version,
      packageName: driver.packageName,
      publisherId: driver.publisher.id,
      publisherName: driver.publisher.name,
      publisherOrigin: recordedOrigin(driver.publisher.origin),
      installedAt: driver.installedAt,
      ...origin,
    };
    records.add(record, () => choices.chose(id, version));
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

  /** Whether a registry has revoked an installed version of a driver. */
  async isRevoked(id: string): Promise<boolean> {
    const { records, signedCatalogues, platform = hostPlatform() } = this.#options;
    for (const record of records.list()) {
      if (record.id !== id) continue;
      // The files of its platform, where it has some, or the driver itself.
      for (const packageName of [record.packageName, platformPackageName(record.packageName, platform)])
        if ((await signedCatalogues.revocationOf({ ...record, packageName })) !== undefined) return true;
    }
    return false;
  }

  /** The version that a roll-back brings: the one used before, else the newest that is older than the present one. */
  rollbackTarget(id: string): string | undefined {
    const { records, choices } = this.#options;
    const current = records.current(id);
    if (current === undefined) return undefined;
    // A version that was taken out of use, by a person or by a crash, isn't a target of a rollback.
    const refused = new Set(choices.refused(id).map(({ version }) => version));
    const previous = records.previous(id);
    if (previous !== undefined && previous.version !== current.version && !refused.has(previous.version)) return previous.version;
    return records
      .list()
      .filter(
        (record) => record.id === id && !refused.has(record.version) && semver.compareBuild(record.version, current.version) < 0,
      )
      .toSorted((a, b) => semver.compareBuild(b.version, a.version))[0]?.version;
  }

  /** Removes versions beyond the last three; never the current one, the one before it, a pinned one, or one that is in use. */
  async prune(id: string, isInUse: (version: string) => boolean): Promise<readonly string[]> {
    const { records, choices } = this.#options;
    const wanted = [records.current(id)?.version, records.previous(id)?.version, choices.pinned(id)];
    const needed = new Set(wanted.filter((version) => version !== undefined));
    const newestFirst = records
      .list()
      .filter((record) => record.id === id)
      .toReversed();
    for (const { version } of newestFirst) if (needed.size < MOST_VERSIONS) needed.add(version);
    const surplus = newestFirst.map(({ version }) => version).filter((version) => !needed.has(version) && !isInUse(version));
    for (const version of surplus) await this.remove(id, version);
    return surplus;
  }

  /** Forgets a version, then removes its folder: what is left when the host is killed between the two is swept at the next start. */
  async remove(id: string, version: string): Promise<void> {
    this.#options.records.remove(id, version, true);
    this.#verified.delete(keyOf({ id, version }));
    await this.#deleteFolder(id, version);
  }

  /**
   * Forgets a driver and what was chosen about it, then removes its folders: what is left when the host is killed is swept at the next start.
   *
   * @param letGo - ends what still uses the files
   */
  async removeDriver(id: string, letGo: () => Promise<void>): Promise<void> {
    const { records, choices } = this.#options;
    const versions = records.list().filter((record) => record.id === id);
    for (const { version } of versions) this.#verified.delete(keyOf({ id, version }));
    records.removeAll(id, () => choices.forget(id));
    await letGo();
    for (const { version } of versions) await this.#deleteFolder(id, version);
  }

  /** The files of an installed version as they were signed, without those of its platform. @throws HostError as {@link get} */
  async filesOf(id: string, version: string): Promise<PackageFiles> {
    const { folder } = await this.get(id, version);
    const text = `The installed driver "${id}" ${version}`;
    return (await readInstalledPackage(folder, text, this.#options.platform)).files;
  }

  /**
   * Called once at start, before anything is installed. Deletes staging folders, those of catalogues that were being verified, and the folders of
   * versions that the database records as removed; nothing else: a database that is new, restored or damaged says nothing about the folders that it does not list. Those are
   * adopted where their publisher is trusted, and otherwise kept. Forgets versions whose folder is gone.
   */
  async sweep(): Promise<void> {
    const { folders, records, logger } = this.#options;
    for (const folder of [folders.staging, folders.developer, folders.catalogues])
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    for (const { id, version } of records.removed()) {
      await this.#deleteFolder(id, version).catch((error: unknown) =>
        logger.warn(`the folder of ${id} ${version}, which was removed, could not be deleted: ${String(error)}`),
      );
    }
    // Where the folder cannot be read, no version is forgotten.
    const ids = await readdir(folders.drivers).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
    for (const id of ids) {
      if (id.startsWith('.')) continue;
      for (const version of await readdir(join(folders.drivers, id)).catch(() => [])) {
        if (records.get(id, version) === undefined) await this.#adopt(id, version);
      }
      // Only where it is empty.
      await rmdir(join(folders.drivers, id)).catch(() => undefined);
    }
    for (const { id, version } of records.list()) {
      const isGone = await readdir(folders.version(id, version)).then(() => false, isMissing);
      if (!isGone) continue;
      logger.warn(`forgot ${id} ${version}, whose folder is gone`);
      records.remove(id, version);
    }
  }

  /** Lists a version that is on disk and not in the database, after the checks of an installation except the trial load. Never throws. */
  async #adopt(id: string, version: string): Promise<void> {
    const { folders, records, trust, policy, logger } = this.#options;
    const text = `The driver folder ${id}/${version}`;
    try {
      const folder = folders.version(id, version);
      if (!(await lstat(folder)).isDirectory()) return;
      const { packageJson, signature } = await readInstalledPackage(folder, text, this.#options.platform);
      const { manifest } = packageJson;
      if (manifest.id !== id || packageJson.version !== version)
        throw new HostError('PACKAGE_INVALID', `${text} holds another driver.`);
      const publisher = await trust.trusted(signature);
      await policy.assertDriver(id);
      await policy.assertPublisher(signature.keyId, publisher.origin, publisher.name);
      records.adopt({
        id,
        version,
        packageName: packageJson.name,
        registryUrl: undefined,
        // Only the archive has it; the signature covers every file. An update from a registry downloads the archive again.
        integrity: '',
        keyId: signature.keyId,
        publisherId: publisher.id,
        publisherName: publisher.name,
        publisherOrigin: recordedOrigin(publisher.origin),
        installedAt: new Date().toISOString(),
      });
      logger.warn(`adopted ${id} ${version}, which is on disk and was not in the database`);
    } catch (error) {
      logger.warn(
        `kept the folder of ${id} ${version}, which is not in the database and is not used: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }

  /** Deletes the folder of a version that the database records as removed. */
  async #deleteFolder(id: string, version: string): Promise<void> {
    const { records, folders } = this.#options;
    // Installed again meanwhile.
    if (records.get(id, version) === undefined) {
      await rm(folders.version(id, version), { recursive: true, force: true, maxRetries: 5 });
      await rmdir(join(folders.drivers, id)).catch(() => undefined);
    }
    records.folderGone(id, version);
  }

  async #load(record: DriverRecord): Promise<InstalledDriver> {
    // Asked each time: a key may be revoked while the host runs.
    this.#options.trust.assertNotRevoked(record.keyId, `The driver "${record.id}" ${record.version}`);
    const revoked = await this.#options.signedCatalogues.revocationOf(record);
    if (revoked !== undefined) throw revoked;
    await this.#options.policy.assertDriver(record.id);
    await this.#options.policy.assertPublisher(record.keyId, record.publisherOrigin, record.publisherName);
    const key = keyOf(record);
    let verified = this.#verified.get(key);
    if (verified === undefined) {
      verified = this.#verify(record);
      this.#verified.set(key, verified);
      verified.catch(() => this.#verified.delete(key));
    }
    const driver = await verified;
    await this.#assertPlatformFilesNotRevoked(driver, record);
    return this.#granted(driver);
  }

  /** A registry may take the files of one platform out of use and leave the driver. */
  async #assertPlatformFilesNotRevoked({ manifest }: InstalledDriver, record: DriverRecord): Promise<void> {
    if (manifest.platforms === undefined) return;
    const packageName = platformPackageName(record.packageName, this.#options.platform ?? hostPlatform());
    const revoked = await this.#options.signedCatalogues.revocationOf({ ...record, packageName });
    if (revoked !== undefined) throw revoked;
  }

  /** With what it may be started with, asked each time as well: what a person has allowed can be taken back. */
  async #granted(driver: InstalledDriver): Promise<InstalledDriver> {
    const allowedGrants = await this.#options.widerGrants.assertAllowed(driver);
    return allowedGrants.length === 0 ? driver : { ...driver, allowedGrants };
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
      verified = await readInstalledPackage(folder, text, this.#options.platform);
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
    const fault = compatibilityFault(`"${id}" ${version}`, manifest, this.#options);
    if (fault !== undefined) throw notCompatible(fault);
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

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function folderInfo({ id, packageName, version, addedAt, folder }: DeveloperFolder): InstalledDriverInfo {
  const publisher = developerPublisher(folder);
  return { id, packageName, version, current: true, installedAt: addedAt, publisher, developerFolder: folder };
}

function keyOf({ id, version }: { readonly id: string; readonly version: string }): string {
  return `${id}@${version}`;
}
