import { randomUUID } from 'node:crypto';
import { lstat, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { ConsentGrant } from '@tabularium/sdk/manifest';
import { packPackageFiles, PLATFORM_FOLDER, PLATFORM_LIMITS } from '@tabularium/sdk/package';
import semver from 'semver';
import type {
  CatalogueEntry,
  DriverDetails,
  DriverOverview,
  DriversOverview,
  InstalledDriverInfo,
  InstalledVersion,
  InstallProgress,
  PublisherInfo,
  PublisherKey,
} from '../../../common/drivers.ts';
import type { DowngradeConsent } from '../../../common/driversApi.ts';
import { HostError } from '../../../common/errors.ts';
import type { HostSentence, TextOrigin } from '../../../common/hostSentences.ts';
import { englishOf, hostSentence } from '../../../common/hostSentences.ts';
import type { RefusedVersion } from '../versions/driverChoices.ts';
import type { OpenSession } from '../../data/sessions.ts';
import { refuseInDataDirectory } from '../../storage/dataDirectory.ts';
import { storageFailure } from '../../errors/storageFailure.ts';
import { sourceAddress } from '../../../common/sourceAddress.ts';
import { progressStream } from '../../../common/progressStream.ts';
import { bundleStream } from '../packages/bundleStream.ts';
import { folderSizes } from '../packages/folderSizes.ts';
import { readOwnFiles } from '../packages/readInstalledPackage.ts';
import { DeveloperFolders } from '../versions/developerFolders.ts';
import { DriverCatalogue } from '../catalogue/driverCatalogue.ts';
import { DriverChoices } from '../versions/driverChoices.ts';
import { DriverInstaller } from './driverInstaller.ts';
import { DriverPolicy } from '../policy/driverPolicy.ts';
import { DriverProcesses } from '../processes/driverProcesses.ts';
import type { InstalledDriver } from '../packages/installedDriver.ts';
import { HOME } from '../../storage/home.ts';
import { InstalledDrivers } from '../versions/installedDrivers.ts';
import { PublisherTrust } from '../trust/publisherTrust.ts';
import { RegistryNetwork } from '../registry/registryNetwork.ts';
import { Sessions } from '../../data/sessions.ts';
import { WiderGrants } from '../policy/widerGrants.ts';
import { renameWritten } from '../../storage/renameWritten.ts';
import { NotAFile, openRegularFile } from '../../storage/regularFile.ts';
import { from } from '../../container/inject.ts';
import type { Inject } from '../../container/inject.ts';

/** Bytes of a readme or a changelog. */
const LONGEST_TEXT = 400_000;

export interface DriverManagementOptions {
  readonly catalogue: DriverCatalogue;
  readonly installer: DriverInstaller;
  readonly installed: InstalledDrivers;
  readonly choices: DriverChoices;
  readonly trust: PublisherTrust;
  readonly policy: DriverPolicy;
  readonly widerGrants: WiderGrants;
  readonly developerFolders: DeveloperFolders;
  readonly network: RegistryNetwork;
  readonly trialLoader: Pick<DriverProcesses, 'tryOut'>;
  /** The data directory, absolute. */
  readonly home: string;
  readonly sessions: Pick<Sessions, 'openSessions' | 'close' | 'closeDriver'>;
  readonly processes: {
    stopDriver(id: string, version: string): Promise<void>;
    /** Whether the kernel confines drivers; without it nothing is said. */
    kernelWall?(): Promise<{ readonly present: true } | { readonly present: false; readonly reason: HostSentence }>;
  };
}

/** A driver as an archive for another machine. */
export interface DriverArchive {
  readonly name: string;
  /** Piece by piece where the files of a platform are in it, because they are large. */
  readonly content: Uint8Array<ArrayBuffer> | AsyncGenerator<Uint8Array>;
}

/** Operations on drivers beside installing them: look, update, pin, roll back, disable, remove, carry to another machine, trust. */
export class DriverManagement {
  static readonly inject: Inject<typeof DriverManagement> = {
    home: from([HOME], ({ folder }) => folder),
    catalogue: DriverCatalogue,
    installer: DriverInstaller,
    installed: InstalledDrivers,
    choices: DriverChoices,
    trust: PublisherTrust,
    policy: DriverPolicy,
    widerGrants: WiderGrants,
    developerFolders: DeveloperFolders,
    network: RegistryNetwork,
    trialLoader: DriverProcesses,
    sessions: Sessions,
    processes: DriverProcesses,
  };

  readonly #options: DriverManagementOptions;

  constructor(options: DriverManagementOptions) {
    this.#options = options;
  }

  /** Every driver that is installed or offered. Sends no request. */
  async overview(): Promise<DriversOverview> {
    const { catalogue, policy, network } = this.#options;
    const { entries, refreshedAt, problem, problemOrigin } = await catalogue.list();
    const policySentences = await policy.sentences();
    return {
      drivers: entries.map((entry) => this.#describe(entry)),
      ...(refreshedAt === undefined ? {} : { refreshedAt }),
      ...(problem === undefined ? {} : { problem }),
      ...(problemOrigin === undefined ? {} : { problemOrigin }),
      offline: await network.isOffline().catch(() => true),
      policy: policySentences.map(englishOf),
      policySentences,
      ...(await this.#kernelSandboxMissing()),
    };
  }

  async #kernelSandboxMissing(): Promise<Pick<DriversOverview, 'kernelSandboxMissing' | 'kernelSandboxSentence'>> {
    // Where the program is missing, a driver's start says so.
    const wall = await this.#options.processes.kernelWall?.().catch(() => undefined);
    return wall?.present === false ? { kernelSandboxMissing: englishOf(wall.reason), kernelSandboxSentence: wall.reason } : {};
  }

  /** The facts about one driver beyond its line. @throws HostError `DRIVER_UNKNOWN` */
  async details(id: string): Promise<DriverDetails> {
    const { catalogue, installed } = this.#options;
    const entry = await catalogue.entry(id);
    if (entry === undefined) throw new HostError('DRIVER_UNKNOWN', `No registry has a driver for the database type "${id}".`);
    const offered = await catalogue.offered(id);
    // The version that would be installed.
    const next = offered?.versions.find(({ version }) => version === entry.availableVersion) ?? offered?.versions[0];
    const current = await installed.current(id).catch(() => undefined);
    const files = current === undefined ? undefined : await readOwnFiles(current.folder).catch(() => undefined);
    const own = textOf(files?.get('README.md'));
    const readme = own ?? offered?.readme;
    const changelog = textOf(files?.get('CHANGELOG.md'));
    const source = files === undefined ? next?.source : sourceAddress(repositoryIn(files.get('package.json')));
    const size =
      current === undefined || files === undefined
        ? next?.size
        : [...files.values()].reduce((total, bytes) => total + bytes.length, await platformBytes(current));
    const isClaimed = files === undefined && size !== undefined;
    const author = next?.author;
    return {
      id,
      ...(author === undefined ? {} : { author }),
      ...(readme === undefined ? {} : { readme }),
      ...(changelog === undefined ? {} : { changelog }),
      ...(source === undefined ? {} : { source }),
      ...(size === undefined ? {} : { size }),
      ...(isClaimed ? { sizeClaimed: { withPlatformFiles: entry.manifest.platforms !== undefined } } : {}),
      ...(await this.#kernelSandboxMissing()),
      offered: (offered?.versions ?? []).map(({ version, contract, reason, reasonOrigin }) => ({
        version,
        contract,
        ...(reason === undefined ? {} : { reason }),
        ...(reasonOrigin === undefined ? {} : { reasonOrigin }),
      })),
    };
  }

  /**
   * Brings one driver to the newest version that can run. New sessions use it; open ones keep theirs.
   *
   * @throws HostError `INVALID_REQUEST` for a pinned driver, `DRIVER_NOT_INSTALLED`, and what installing throws
   */
  update(id: string, signal: AbortSignal): AsyncIterable<InstallProgress> {
    return progressStream<InstallProgress>(async (notify) => {
      const { installer, choices } = this.#options;
      this.#requireInstalled(id);
      const pinned = choices.pinned(id);
      if (pinned !== undefined) {
        throw new HostError('INVALID_REQUEST', `The driver "${id}" is pinned to version ${pinned}.`, {
          details: { advice: 'Unpin it first.' },
        });
      }
      await installer.install(id, { signal, onProgress: notify, keepNewer: true });
    });
  }

  /** The drivers that an update of all would bring to another version. */
  async updatable(): Promise<readonly string[]> {
    return (await this.overview()).drivers.filter(({ updateOffered }) => updateOffered).map(({ id }) => id);
  }

  /**
   * Goes back to the version used before. No update installs the abandoned version automatically.
   *
   * @throws HostError `DRIVER_NOT_INSTALLED`, `PACKAGE_NOT_FOUND` when there is no other version, and what loading it throws
   */
  async rollback(id: string): Promise<InstalledDriverInfo> {
    const { installed, choices } = this.#options;
    const current = this.#requireInstalled(id);
    const target = installed.rollbackTarget(id);
    if (target === undefined) {
      throw new HostError('PACKAGE_NOT_FOUND', `No other version of the driver "${id}" is installed.`, {
        details: { advice: 'Install a version by its number.' },
      });
    }
    await installed.setCurrent(id, target, () => {
      choices.refuse(id, current.version, englishOf(hostSentence('versionRefusedByPerson')), false);
      choices.chose(id, target);
    });
    return this.#info(id);
  }

  /** Stays with a version, installing it where it is missing. @throws HostError `DRIVER_DOWNGRADE`, and as installing does */
  async pin(
    id: string,
    version: string | undefined,
    signal: AbortSignal,
    allowDowngrade?: DowngradeConsent,
  ): Promise<InstalledDriverInfo> {
    const { installed, installer, choices } = this.#options;
    const wanted = version ?? this.#requireInstalled(id).version;
    if (installed.integrityOf(id, wanted) === undefined) await installer.install(id, { version: wanted, signal, allowDowngrade });
    installed.assertNotOlder(await installed.get(id, wanted), allowDowngrade);
    await installed.setCurrent(id, wanted, () => {
      choices.setPinned(id, wanted);
      choices.chose(id, wanted);
    });
    return this.#info(id);
  }

  unpin(id: string): void {
    this.#options.choices.setPinned(id, undefined);
  }

  /** Switches a driver off: its sessions end, and none begins until it is switched on again. @throws HostError `DRIVER_NOT_INSTALLED` */
  async disable(id: string): Promise<void> {
    this.#requireInstalled(id);
    this.#options.choices.setDisabled(id, true);
    await this.#end(id);
  }

  /** Switches a driver on, after the checks that every load has. @throws HostError what loading throws; it stays off then */
  async enable(id: string): Promise<void> {
    const { choices, installed } = this.#options;
    this.#requireInstalled(id);
    choices.setDisabled(id, false);
    await installed.current(id).catch((error: unknown) => {
      choices.setDisabled(id, true);
      throw error;
    });
  }

  /** Removes a driver with all its versions. Its connections stay; opening one installs it again. @throws HostError `DRIVER_NOT_INSTALLED` */
  async remove(id: string): Promise<void> {
    const { installed, developerFolders, widerGrants } = this.#options;
    this.#requireInstalled(id);
    const versions = this.#versionsOf(id);
    developerFolders.remove(id);
    widerGrants.withdraw(id);
    await installed.removeDriver(id, () => this.#end(id, versions));
  }

  /** Closes the sessions that still use another version than new ones would; the next use of each opens it with the new version. */
  async applyToOpen(id: string): Promise<void> {
    const current = this.#options.installed.currentInfo(id)?.version;
    for (const { connection, driverVersion } of this.#sessionsOf(id))
      if (driverVersion !== current) await this.#options.sessions.close(connection.id);
  }

  /** Installs an archive that a person has. @throws HostError as {@link DriverInstaller.installFile} */
  async installArchive(
    archive: Uint8Array | AsyncIterable<Uint8Array>,
    name: string,
    signal: AbortSignal,
    allowDowngrade?: DowngradeConsent,
  ): Promise<InstalledDriverInfo> {
    const driver = await this.#options.installer.installFile(archive, name, { signal, allowDowngrade });
    return this.#info(driver.id);
  }

  /** As {@link installArchive}, from a file on this machine. @throws HostError `INVALID_REQUEST` for a file that cannot be read */
  async installFile(path: string, signal: AbortSignal, allowDowngrade?: DowngradeConsent): Promise<InstalledDriverInfo> {
    // Also no pipe of a shell: the archive is read more than once.
    const file = await openRegularFile(path).catch((cause: unknown) => {
      const sentence = cause instanceof NotAFile ? cause.message : `The file ${path} does not exist or cannot be read.`;
      throw new HostError('INVALID_REQUEST', sentence, { cause });
    });
    await file.close();
    const driver = await this.#options.installer.installFile({ path }, basename(path), { signal, allowDowngrade });
    return this.#info(driver.id);
  }

  /** An installed version as the archive that another machine installs. Its signature is in it. @throws HostError as loading does */
  async bundle(id: string, version?: string): Promise<DriverArchive> {
    const current = this.#requireInstalled(id);
    if (version === undefined && current.developerFolder !== undefined) {
      throw new HostError('PACKAGE_UNSIGNED', `The driver "${id}" is loaded from a folder, so it has no signature.`, {
        details: { advice: 'Sign and pack it with the tools of the SDK.' },
      });
    }
    const wanted = version ?? current.version;
    const { installed } = this.#options;
    const { folder, manifest } = await installed.get(id, wanted);
    const files = await installed.filesOf(id, wanted);
    const content = manifest.platforms === undefined ? await packPackageFiles(files) : bundleStream(folder, files);
    return { name: `${id}-${wanted}.tgz`, content };
  }

  /**
   * Writes {@link bundle} into a file, whole or not at all. A link stays: with `overwrite` the file that it leads to is replaced.
   *
   * @throws HostError `FILE_EXISTS` for a file that may not be replaced; `INVALID_REQUEST`, `FILE_UNWRITABLE`, `DISK_FULL` and others when it cannot be written
   */
  async bundleTo(
    id: string,
    version: string | undefined,
    path: string,
    overwrite = false,
  ): Promise<{ readonly file: string; readonly bytes: number }> {
    const { name, content } = await this.bundle(id, version);
    const isFolder = (await stat(path).catch(() => undefined))?.isDirectory() === true;
    const file = isFolder ? join(path, name) : path;
    refuseInDataDirectory(file, this.#options.home);
    const place = overwrite ? await realpath(file).catch(() => file) : file;
    const there = await lstat(place).catch(() => undefined);
    const taken = (): HostError => new HostError('FILE_EXISTS', `${file} exists.`);
    if (there !== undefined && !overwrite) throw taken();
    if (there?.isFile() === false) throw new HostError('INVALID_REQUEST', `The file ${file} cannot be written: it isn't a file.`);
    const temporary = `${place}.${randomUUID()}.part`;
    try {
      await writeFile(temporary, content, { flag: 'wx' });
      const { size: bytes } = await stat(temporary);
      await renameWritten(temporary, place, overwrite);
      return { file, bytes };
    } catch (cause) {
      await rm(temporary, { force: true });
      if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST') throw taken();
      const subject = `The file ${file} cannot be written.`;
      throw storageFailure(cause, subject, dirname(file)) ?? new HostError('INVALID_REQUEST', subject, { cause });
    }
  }

  /** Loads an unsigned driver from a developer's folder from now on. @throws HostError `PACKAGE_INVALID`, `PACKAGE_FAILED_TRIAL`, `POLICY_FORBIDS` */
  async loadFolder(folder: string, signal: AbortSignal): Promise<InstalledDriverInfo> {
    const { developerFolders, trialLoader, widerGrants } = this.#options;
    const read = await developerFolders.read(folder);
    const driver = { ...read, allowedGrants: await widerGrants.assertAllowed(read) };
    await trialLoader.tryOut(driver, signal).catch((cause: unknown) => {
      if (signal.aborted) throw new HostError('CANCELLED', undefined, { cause });
      const why = cause instanceof Error ? ` ${cause.message}` : '';
      throw new HostError('PACKAGE_FAILED_TRIAL', `The driver in ${folder} did not start.${why}`, {
        cause,
        details: { advice: 'Fix the driver and load the folder again.' },
      });
    });
    if (signal.aborted) throw new HostError('CANCELLED');
    developerFolders.remember(driver, folder);
    return this.#info(driver.id);
  }

  /** Forgets a developer's folder: the installed driver is used again, if there is one. */
  async forgetFolder(id: string): Promise<void> {
    const versions = this.#versionsOf(id);
    this.#options.developerFolders.remove(id);
    await this.#end(id, versions);
  }

  keys(): Promise<readonly PublisherKey[]> {
    return this.#options.trust.keys();
  }

  /** Trusts a key that was asked about, or one that was revoked. @throws HostError `INVALID_REQUEST` */
  async trustKey(keyId: string, shown?: { readonly id: string; readonly name: string }): Promise<PublisherInfo> {
    const { trust } = this.#options;
    const known = (await trust.keys()).find((key) => key.keyId === keyId);
    if (known === undefined || known.origin === 'thirdParty') return trust.trustKey(keyId, shown);
    // The local registry's key counts for what comes from there. Somebody was asked about a file that it signed, and said yes to that.
    if (known.revokedAt === undefined && known.origin === 'localRegistry' && trust.wasAsked(keyId))
      return trust.trustKey(keyId, shown);
    trust.restore(keyId);
    const { id, name, fingerprint, origin } = known;
    return { id, name, fingerprint, origin };
  }

  /** Nothing signed by this key is installed or loaded from now on; sessions of its drivers end. */
  async revokeKey(keyId: string): Promise<void> {
    const { trust, installed } = this.#options;
    const key = (await trust.keys()).find((candidate) => candidate.keyId === keyId);
    trust.revoke(keyId);
    const affected = installed.list().filter(({ publisher }) => publisher.fingerprint === key?.fingerprint);
    for (const id of new Set(affected.map((driver) => driver.id))) await this.#end(id);
  }

  /** A person lets a driver leave the sandbox as it asked to. @throws HostError `INVALID_REQUEST` for what it did not ask for */
  allowGrants(id: string, grants: readonly ConsentGrant[], askedBy?: string): void {
    this.#options.widerGrants.allow(id, grants, askedBy);
  }

  /** Takes that back: its sessions end, and it doesn't start again until a person has allowed it again. @returns what was taken back */
  async withdrawGrants(id: string): Promise<readonly ConsentGrant[]> {
    const withdrawn = this.#options.widerGrants.withdraw(id);
    await this.#end(id);
    return withdrawn;
  }

  /** Ends what runs of versions that a registry has revoked. */
  async endRevoked(): Promise<void> {
    const { installed } = this.#options;
    for (const id of new Set(installed.list().map((driver) => driver.id))) {
      if (await installed.isRevoked(id)) await this.#end(id);
    }
  }

  #describe(entry: CatalogueEntry): DriverOverview {
    const { installed, choices } = this.#options;
    const { id } = entry;
    const sessions = this.#sessionsOf(id);
    const refused = choices.refused(id);
    const versions = installed
      .list()
      .filter((driver) => driver.id === id)
      .map(({ version, current, installedAt, publisher }): InstalledVersion => {
        const refusal = refused.find((other) => other.version === version);
        return {
          version,
          current,
          installedAt,
          publisher,
          usedBy: sessions.filter(({ driverVersion }) => driverVersion === version).map(({ connection }) => connection.name),
          ...(refusal === undefined ? {} : { refusedBecause: refusal.reason, refusedBecauseOrigin: originOfRefusal(refusal) }),
        };
      })
      .toSorted((a, b) => semver.compareBuild(b.version, a.version));
    const pinned = choices.pinned(id);
    const disabled = choices.isDisabled(id);
    const rollbackTo = entry.developerFolder === undefined ? installed.rollbackTarget(id) : undefined;
    const isRefused = refused.some(({ version }) => version === entry.availableVersion);
    const crash = refused.find(({ version, crashed }) => crashed && version === entry.availableVersion);
    const rolledBack =
      crash === undefined
        ? undefined
        : hostSentence('versionRolledBack', { reason: crash.reason, version: entry.installedVersion ?? '' });
    const fault = disabled
      ? {}
      : entry.installedVersion !== undefined && entry.state === 'cannotRun'
        ? faultOf(entry)
        : rolledBack === undefined
          ? {}
          : { fault: englishOf(rolledBack), faultOrigin: { sentence: rolledBack } };
    return {
      ...entry,
      versions,
      disabled,
      allowedGrants: this.#options.widerGrants.allowed(id),
      ...(pinned === undefined ? {} : { pinned }),
      ...(rollbackTo === undefined ? {} : { rollbackTo }),
      updateOffered: entry.state === 'updateAvailable' && pinned === undefined && !disabled && !isRefused,
      ...fault,
      oldSessions: sessions
        .filter(({ driverVersion }) => driverVersion !== entry.installedVersion)
        .map(({ connection }) => connection.name),
    };
  }

  #requireInstalled(id: string): InstalledDriverInfo {
    const info = this.#options.installed.currentInfo(id);
    if (info === undefined) throw new HostError('DRIVER_NOT_INSTALLED', `The driver "${id}" is not installed.`);
    return info;
  }

  #info(id: string): InstalledDriverInfo {
    return this.#requireInstalled(id);
  }

  #sessionsOf(id: string): readonly OpenSession[] {
    return this.#options.sessions.openSessions().filter(({ connection }) => connection.driver === id);
  }

  #versionsOf(id: string): readonly string[] {
    return this.#options.installed
      .list()
      .filter((driver) => driver.id === id)
      .map(({ version }) => version);
  }

  /** Ends what a driver runs: its sessions, those that are just opening among them, and its processes. */
  async #end(id: string, versions = this.#versionsOf(id)): Promise<void> {
    const { sessions, processes } = this.#options;
    await sessions.closeDriver(id);
    for (const version of versions) await processes.stopDriver(id, version);
  }
}

function faultOf({ reason, reasonOrigin }: CatalogueEntry): Pick<DriverOverview, 'fault' | 'faultOrigin'> {
  return {
    ...(reason === undefined ? {} : { fault: reason }),
    ...(reasonOrigin === undefined ? {} : { faultOrigin: reasonOrigin }),
  };
}

function originOfRefusal({ crashed }: RefusedVersion): TextOrigin {
  return crashed ? { code: 'DRIVER_CRASHED' } : { sentence: hostSentence('versionRefusedByPerson') };
}

/** A text of a package. A longer one is cut: it is read, not searched. */
function textOf(bytes: Uint8Array | undefined): string | undefined {
  return bytes === undefined ? undefined : new TextDecoder().decode(bytes.subarray(0, LONGEST_TEXT));
}

/** Bytes of the files of a driver's platform. */
async function platformBytes({ folder, manifest }: InstalledDriver): Promise<number> {
  if (manifest.platforms === undefined) return 0;
  const sizes = await folderSizes(join(folder, PLATFORM_FOLDER), '', PLATFORM_LIMITS).catch(() => new Map<string, number>());
  return [...sizes.values()].reduce((total, size) => total + size, 0);
}

function repositoryIn(packageJson: Uint8Array | undefined): unknown {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(packageJson));
    return typeof value === 'object' && value !== null && 'repository' in value ? value.repository : undefined;
  } catch {
    return undefined;
  }
}
