import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { collectDriver, collectPlatforms, packPackage, signPackage } from '@tabularium/sdk/cli';
import type { PackedDriver } from '@tabularium/sdk/cli';
import { REGISTRY_FILE_FORMAT } from '@tabularium/sdk/package';
import type { PackageFiles, Publisher, RegistryFile, SigningKey } from '@tabularium/sdk/package';
import semver from 'semver';
import { publishAuthorPackage } from './authorPackages.ts';
import { loadCatalogueKeys } from './catalogue/catalogueKeys.ts';
import { SignedCatalogue } from './catalogue/signedCatalogue.ts';
import { storedArchives } from './catalogue/storedArchives.ts';
import { publishedVersions, publishPackage } from './publish.ts';
import { findRunningRegistry, removeRegistryFile, writeRegistryFile } from './registryFile.ts';
import { loadSigningKey } from './signingKey.ts';
import { acquireStateLock } from './stateLock.ts';
import { startVerdaccio } from './verdaccioServer.ts';

/** The publisher that signs the packages of the local registry. */
export const LOCAL_PUBLISHER: Publisher = { id: 'local-registry', name: 'Local driver registry' };

/** The platform packages of a driver, unsigned, by platform. */
type PlatformPackages = ReadonlyMap<string, PackageFiles>;

/** The outcome of publishing. */
export interface Published {
  readonly name: string;
  readonly version: string;
  /** False when the registry had exactly this already. */
  readonly changed: boolean;
}

/** A running local registry. */
export interface RunningRegistry {
  readonly url: string;
  readonly publisher: Publisher & { readonly publicKey: string };
  /** Kept by the registry alone; tests sign with it. */
  readonly signingKey: SigningKey;
  readonly registryJsonPath: string;
  readonly storageFolder: string;
  /** Its signed catalogue for the hosts: the archives that it offers, and the revoked ones. */
  readonly catalogue: SignedCatalogue;
  /**
   * Signs and publishes a driver: a folder, or its files. Unchanged content keeps its version; content that changed at an unchanged
   * version becomes the next free patch version, so that development needs no version numbers. Platform packages come first, at the same version.
   */
  publish(driver: string | PackageFiles, platforms?: PlatformPackages): Promise<Published>;
  /** Publishes a package as it is, signed or not. */
  publishPacked(packed: PackedDriver): Promise<void>;
  /**
   * Publishes a package that authors install, such as the SDK, from its folder. Hosts take it for no driver.
   *
   * @returns whether anything was published
   */
  publishForAuthors(folder: string): Promise<boolean>;
  close(): Promise<void>;
}

export interface RegistryOptions {
  readonly stateFolder: string;
  /** Default: a free one. */
  readonly port?: number | undefined;
  readonly log?: ((line: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The timestamp of the catalogue counts for a day, and is signed again long before that. */
const SIGN_AGAIN_MILLISECONDS = 60 * 60_000;

/** The files with another version in package.json. */
function atVersion(files: PackageFiles, version: string): PackageFiles {
  const json = JSON.parse(new TextDecoder().decode(files.get('package.json'))) as Record<string, unknown>;
  return new Map(files).set('package.json', new TextEncoder().encode(`${JSON.stringify({ ...json, version }, null, 2)}\n`));
}

function namedIn(files: PackageFiles): { readonly name: string; readonly version: string } {
  return JSON.parse(new TextDecoder().decode(files.get('package.json'))) as { readonly name: string; readonly version: string };
}

function nextVersion(version: string): string {
  const next = semver.inc(version, semver.prerelease(version) === null ? 'patch' : 'prerelease');
  if (next === null) throw new Error(`${version} isn't a version.`);
  return next;
}

/** The newest version that was published from `declared`: itself, or patches of it made here. */
function newestOfLine(published: Iterable<string>, declared: string): string | undefined {
  const versions = new Set(published);
  let newest: string | undefined;
  for (let version = declared; versions.has(version); version = nextVersion(version)) newest = version;
  return newest;
}

/** Starts the registry on its state folder and says where it is in `registry.json` there. One process owns a state folder. */
export async function startRegistry(options: RegistryOptions): Promise<RunningRegistry> {
  const { stateFolder } = options;
  await mkdir(stateFolder, { recursive: true, mode: 0o700 });
  const registryJsonPath = join(stateFolder, 'registry.json');
  const lock = await acquireStateLock(stateFolder);
  const running = await findRunningRegistry(registryJsonPath);
  if (lock === undefined || running !== undefined) {
    lock?.[Symbol.dispose]();
    const which = running === undefined ? 'it is just starting' : `${running.url}, process ${running.pid}`;
    throw new Error(
      `A local registry already runs on ${stateFolder}: ${which}. Use it, end it, or name another folder with --state.`,
    );
  }
  try {
    return await startLocked(options, registryJsonPath, lock);
  } catch (error) {
    lock[Symbol.dispose]();
    throw error;
  }
}

async function startLocked(options: RegistryOptions, registryJsonPath: string, lock: Disposable): Promise<RunningRegistry> {
  const { stateFolder, signal, log = () => undefined } = options;
  const storageFolder = join(stateFolder, 'storage');
  const keys = await loadCatalogueKeys(join(stateFolder, 'catalogue-keys.json'));
  const catalogue = await SignedCatalogue.open({ folder: join(stateFolder, 'catalogue'), keys });
  // Archives of a registry that had no signed catalogue yet.
  const unlisted = (await storedArchives(storageFolder)).filter(
    ({ packageName, version }) => !catalogue.has(packageName, version),
  );
  if (unlisted.length > 0) await catalogue.add(unlisted);
  const [signingKey, server] = await Promise.all([
    loadSigningKey(stateFolder),
    startVerdaccio({ stateFolder, port: options.port ?? 0, signal, catalogueFile: (name) => catalogue.file(name) }),
  ]);
  const publisher = { ...LOCAL_PUBLISHER, publicKey: signingKey.publicKey };
  const own: RegistryFile = {
    formatVersion: REGISTRY_FILE_FORMAT,
    url: server.url,
    publisher,
    catalogueRoot: catalogue.firstRoot,
    pid: process.pid,
  };
  try {
    await writeRegistryFile(registryJsonPath, own);
  } catch (error) {
    await server.close();
    throw error;
  }

  const pack = async (files: PackageFiles): Promise<PackedDriver> =>
    packPackage(await signPackage(files, LOCAL_PUBLISHER, signingKey));

  // A package first, then the catalogue that lists it: hosts never see a listed version that is missing.
  const release = async (packed: PackedDriver): Promise<void> => {
    await publishPackage(server, packed, signal);
    const { name: packageName, version } = packed.packageJson;
    await catalogue.add([{ packageName, version, integrity: packed.integrity, length: packed.tarball.length }]);
  };
  const renewal = setInterval(() => {
    catalogue.refresh().catch((error: unknown) => log(`the signed catalogue was not signed again: ${String(error)}`));
  }, SIGN_AGAIN_MILLISECONDS).unref();

  const publish = async (driver: string | PackageFiles, given: PlatformPackages = new Map()): Promise<Published> => {
    const files = typeof driver === 'string' ? await collectDriver(driver) : driver;
    const platforms = typeof driver === 'string' ? await collectPlatforms(driver, files) : given;
    // The driver itself last: hosts never see it without its platform packages.
    const packedAt = async (version: string | undefined): Promise<readonly [...PackedDriver[], PackedDriver]> => {
      const at = (content: PackageFiles): PackageFiles => (version === undefined ? content : atVersion(content, version));
      const parts: PackedDriver[] = [];
      for (const content of platforms.values()) parts.push(await pack(at(content)));
      return [...parts, await pack(at(files))];
    };
    const declaredPackages = await packedAt(undefined);
    const names = declaredPackages.map(({ packageJson }) => packageJson.name);
    const { name, version: declared } = namedIn(files);
    const published = await Promise.all(names.map((one) => publishedVersions(server.url, one, signal)));
    const releaseAll = async (packages: readonly PackedDriver[]): Promise<void> => {
      for (const one of packages) await release(one);
    };
    // A run that broke off may have left platform packages of a version that the driver itself does not have.
    const newest = newestOfLine(
      published.flatMap((versions) => [...versions.keys()]),
      declared,
    );
    if (newest === undefined) {
      await releaseAll(declaredPackages);
      log(`published ${name}@${declared}`);
      return { name, version: declared, changed: true };
    }
    const same = await packedAt(newest);
    if (same.every(({ integrity }, index) => integrity === published[index]?.get(newest)))
      return { name, version: newest, changed: false };
    const version = nextVersion(newest);
    await releaseAll(await packedAt(version));
    log(`published ${name}@${version}: the content changed and package.json still says ${declared}`);
    return { name, version, changed: true };
  };

  let closing: Promise<void> | undefined;
  return {
    url: server.url,
    publisher,
    signingKey,
    registryJsonPath,
    storageFolder,
    catalogue,
    publish,
    publishPacked: release,
    publishForAuthors: async (folder) => {
      const changed = await publishAuthorPackage(server, folder, signal);
      if (changed) log(`published ${folder} for authors of drivers`);
      return changed;
    },
    close: () => {
      clearInterval(renewal);
      return (closing ??= removeRegistryFile(registryJsonPath, own)
        .then(() => server.close())
        .finally(() => lock[Symbol.dispose]()));
    },
  };
}
