import { createHash } from 'node:crypto';
import { mkdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { integrityOf, PLATFORM_FOLDER, PLATFORMS_FOLDER, readDriverPackageJson } from '@tabularium/sdk/package';
import type { HashedFile, PackageFiles } from '@tabularium/sdk/package';
import { HostError } from '../../../common/errors.ts';
import { copyPlatformFiles, hashPlatformFiles } from '../packages/copyPlatformFiles.ts';
import { hostPlatform } from '../packages/hostPlatform.ts';
import type { InstalledDriver } from '../packages/installedDriver.ts';
import { StagingFolder } from '../packages/stagingFolder.ts';
import { writePackage } from '../packages/writePackage.ts';
import { refuseInDataDirectory } from '../../storage/dataDirectory.ts';
import { readSourceFolder } from '../packages/packageFolder.ts';
import type { DriverFolders } from '../packages/driverFolders.ts';
import { compatibilityFault } from '../registry/compatibilityFault.ts';
import { notCompatible } from '../registry/notCompatible.ts';
import { folderOwner, refuseForeignFolder } from './refuseForeignFolder.ts';
import { DATABASE_CONNECTION } from '../../storage/database.ts';
import { DRIVER_FOLDERS } from '../packages/driverFolders.ts';
import { DriverPolicy } from '../policy/driverPolicy.ts';
import type { Inject } from '../../container/inject.ts';

/** An unsigned driver that a person loads from a folder of their own. */
export interface DeveloperFolder {
  readonly id: string;
  readonly folder: string;
  readonly packageName: string;
  /** As it was last loaded. */
  readonly version: string;
  readonly addedAt: string;
}

/**
 * The folders that unsigned drivers are loaded from, each in place of the installed driver of its type. Its version says so wherever it
 * is shown: `1.2.0+folder.1a2b3c4d`, with a mark of the content, so that a driver that was rebuilt gets a process of its own.
 *
 * What runs is a copy of package.json and the folder of the entry: a driver's process reads its whole folder, and a source folder holds
 * much that is none of its business.
 */
export class DeveloperFolders {
  static readonly inject: Inject<typeof DeveloperFolders> = {
    folders: DRIVER_FOLDERS,
    connection: DATABASE_CONNECTION,
    policy: DriverPolicy,
  };

  readonly #folders: DriverFolders;
  readonly #connection: DatabaseSync;
  readonly #policy: DriverPolicy;
  readonly #contract: string | undefined;
  readonly #platform: string | undefined;

  constructor(options: {
    readonly folders: DriverFolders;
    readonly connection: DatabaseSync;
    readonly policy: DriverPolicy;
    readonly contract?: string;
    /** Default: the platform of this host. */
    readonly platform?: string;
  }) {
    this.#folders = options.folders;
    this.#connection = options.connection;
    this.#policy = options.policy;
    this.#contract = options.contract;
    this.#platform = options.platform;
  }

  list(): readonly DeveloperFolder[] {
    return this.#connection
      .prepare('SELECT driver_id, folder, package_name, version, added_at FROM developer_folders ORDER BY driver_id')
      .all()
      .map((row) => ({
        id: String(row['driver_id']),
        folder: String(row['folder']),
        packageName: String(row['package_name']),
        version: String(row['version']),
        addedAt: String(row['added_at']),
      }));
  }

  find(id: string): DeveloperFolder | undefined {
    return this.list().find((entry) => entry.id === id);
  }

  /**
   * Reads a driver from a folder, without remembering it.
   *
   * @throws HostError `PACKAGE_INVALID`, `DRIVER_NOT_COMPATIBLE`, `POLICY_FORBIDS`, `INVALID_REQUEST`
   */
  async read(path: string): Promise<InstalledDriver> {
    await this.#policy.assertDeveloperFolders();
    const folder = await realpath(path).catch((cause: unknown) => {
      throw new HostError('INVALID_REQUEST', `The folder ${path} does not exist or cannot be read.`, { cause });
    });
    // A driver could be handed to itself there: its copies and those of others, which the next sweep removes.
    refuseInDataDirectory(folder, dirname(this.#folders.drivers));
    const files = await readSourceFolder(folder);
    await refuseForeignFolder(folder, files.keys(), await folderOwner());
    const json = files.get('package.json');
    if (json === undefined) throw invalid(`${folder} has no package.json.`);
    const read = readDriverPackageJson(json);
    if (!read.ok)
      throw read.newer ? new HostError('DRIVER_NOT_COMPATIBLE', read.problems.join(' ')) : invalid(read.problems.join(' '));
    const { name, version, entry, manifest } = read.packageJson;
    if (!files.has(entry)) throw invalid(`The entry "${entry}" is missing in ${folder}. Build the driver first.`);
    await this.#policy.assertDriver(manifest.id);
    const fault = compatibilityFault(folder, manifest, { contract: this.#contract, platform: this.#platform });
    if (fault !== undefined) throw notCompatible(fault);
    const platform = manifest.platforms === undefined ? undefined : await this.#platformFiles(folder);
    const mark = await markOf(files, platform?.files);
    return {
      id: manifest.id,
      packageName: name,
      version: `${version}+folder.${mark}`,
      folder: await this.#copy(manifest.id, mark, files, platform),
      entry,
      manifest,
      publisher: developerPublisher(folder),
      installedAt: this.find(manifest.id)?.addedAt ?? new Date().toISOString(),
    };
  }

  /** The files of this platform, which every platform has at the same place in the copy. */
  async #platformFiles(folder: string): Promise<PlatformFolder> {
    const below = `${PLATFORMS_FOLDER}/${this.#platform ?? hostPlatform()}`;
    const files = await hashPlatformFiles(join(folder, below)).catch((cause: unknown) => {
      if (cause instanceof HostError) throw cause;
      throw new HostError('PACKAGE_INVALID', `${folder} has no folder "${below}" that can be read.`, {
        cause,
        details: { advice: 'Put the files of this platform there.' },
      });
    });
    await refuseForeignFolder(
      folder,
      Array.from(files.keys(), (path) => `${below}/${path}`),
      await folderOwner(),
    );
    return { folder: join(folder, below), files };
  }

  /** The copy is swept at the next start, with everything in `drivers/` that has no record. */
  async #copy(id: string, mark: string, files: PackageFiles, platform: PlatformFolder | undefined): Promise<string> {
    const target = join(this.#folders.developer, id, mark);
    const there = await stat(target).catch(() => undefined);
    if (there === undefined) {
      await using staging = await StagingFolder.create(this.#folders.staging);
      const staged = join(staging.path, 'package');
      await writePackage(staged, files);
      if (platform !== undefined) await copyPlatformFiles(platform.folder, platform.files, join(staged, PLATFORM_FOLDER));
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      await rename(staged, target).catch(async (error: unknown) => {
        // Two loaded the same at once; the other one's copy is as good.
        if ((await stat(target).catch(() => undefined)) === undefined) throw error;
        await rm(staged, { recursive: true, force: true });
      });
    }
    return realpath(target);
  }

  /** The driver of a type as its folder has it now; undefined when no folder was chosen for it. @throws HostError as {@link read} */
  async load(id: string): Promise<InstalledDriver | undefined> {
    const known = this.find(id);
    if (known === undefined) return undefined;
    const driver = await this.read(known.folder);
    if (driver.id !== id) throw invalid(`${known.folder} now holds the driver "${driver.id}", not "${id}".`);
    if (driver.version !== known.version) this.remember(driver, known.folder);
    return driver;
  }

  /** @param folder - the one that was chosen, not its copy */
  remember(driver: InstalledDriver, folder: string): void {
    this.#connection
      .prepare(
        `INSERT INTO developer_folders (driver_id, folder, package_name, version, added_at) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (driver_id) DO UPDATE SET folder = excluded.folder, package_name = excluded.package_name, version = excluded.version`,
      )
      .run(driver.id, folder, driver.packageName, driver.version, driver.installedAt);
  }

  remove(id: string): void {
    this.#connection.prepare('DELETE FROM developer_folders WHERE driver_id = ?').run(id);
  }
}

/** The files of a platform in a developer's folder. */
interface PlatformFolder {
  readonly folder: string;
  readonly files: ReadonlyMap<string, HashedFile>;
}

/** In the place of a publisher: the folder isn't signed. */
export function developerPublisher(folder: string): InstalledDriver['publisher'] {
  return { id: 'developer-folder', name: `unsigned, from ${folder}`, fingerprint: '', origin: 'developerFolder' };
}

async function markOf(files: PackageFiles, platform: ReadonlyMap<string, HashedFile> = new Map()): Promise<string> {
  const hash = createHash('sha256');
  for (const [path, bytes] of [...files].sort(([a], [b]) => (a < b ? -1 : 1)))
    hash.update(`${path}\n${await integrityOf(bytes)}\n`);
  for (const [path, { integrity }] of [...platform].sort(([a], [b]) => (a < b ? -1 : 1)))
    hash.update(`${PLATFORM_FOLDER}/${path}\n${integrity}\n`);
  return hash.digest('hex').slice(0, 8);
}

function invalid(message: string): HostError {
  return new HostError('PACKAGE_INVALID', message, { details: { advice: 'Choose the folder of a driver that has been built.' } });
}
