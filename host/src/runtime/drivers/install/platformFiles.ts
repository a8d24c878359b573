import { rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { PLATFORM_FOLDER, PLATFORM_LIMITS, platformPackageName } from '@tabularium/sdk/package';
import type { InstallProgress } from '../../../common/drivers.ts';
import { HostError } from '../../../common/errors.ts';
import { hostSentence } from '../../../common/hostSentences.ts';
import { packedArchiveName } from '../packages/packedArchiveName.ts';
import { extractPlatformFiles } from '../packages/extractPlatformFiles.ts';
import type { PlatformArchive } from '../packages/extractPlatformFiles.ts';
import { hostPlatform } from '../packages/hostPlatform.ts';
import { verifyPlatformFiles } from '../packages/verifyPlatformFiles.ts';
import { unlistedFault } from '../registry/offeredVersions.ts';
import { FileSink } from '../registry/archiveSink.ts';
import { RegistryClient } from '../registry/registryClient.ts';
import { RegistryNetwork } from '../registry/registryNetwork.ts';
import { SignedCatalogues } from '../registry/signedCatalogues.ts';
import { announcedSha512, downloadArchive } from '../registry/tarballDownload.ts';
import type { RegistrySource } from '../trust/registrySource.ts';
import type { Inject } from '../../container/inject.ts';

/** Where the files of a platform come from: the registry or the file that the driver itself came from. */
export type PlatformSource =
  | { readonly registry: RegistrySource }
  | {
      /** The driver's own archive. */
      readonly file: string;
      /** Its name for messages. */
      readonly name: string;
      readonly hasPlatformFiles: boolean;
      /** The folder of the file that the person named, where there is one: the platform package may be beside it. */
      readonly beside: string | undefined;
    };

/** A driver whose own package has been verified. */
export interface PlatformRequest {
  readonly packageName: string;
  readonly version: string;
  readonly keyId: string;
  readonly source: PlatformSource;
  /** A staging folder that is removed afterwards. */
  readonly staging: string;
  /** The driver's folder there. */
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly notify: (progress: InstallProgress) => void;
}

/** Progress of a download is reported at most this often. */
const BYTES_BETWEEN_STEPS = 1024 * 1024;

export interface PlatformFilesOptions {
  readonly client: RegistryClient;
  readonly network: RegistryNetwork;
  readonly signedCatalogues: SignedCatalogues;
  /** Default: the platform of this host. */
  readonly platform?: string;
}

/** Brings the files of this platform into the folder of a driver that is being installed. */
export class PlatformFiles {
  static readonly inject: Inject<typeof PlatformFiles> = {
    client: RegistryClient,
    network: RegistryNetwork,
    signedCatalogues: SignedCatalogues,
  };

  readonly #options: PlatformFilesOptions;

  constructor(options: PlatformFilesOptions) {
    this.#options = options;
  }

  /** The platform of this host. */
  get platform(): string {
    return this.#options.platform ?? hostPlatform();
  }

  /**
   * Fetches, verifies and places them in the folder `platform` of the driver.
   *
   * @throws HostError any `PACKAGE_…` code, `DRIVER_REVOKED`, `CATALOGUE_INVALID`, `REGISTRY_UNREACHABLE`, `DISK_FULL`, `CANCELLED`
   */
  async place(request: PlatformRequest): Promise<void> {
    const { packageName, version, keyId, source, staging, folder, signal, notify } = request;
    const name = platformPackageName(packageName, this.platform);
    const packageText = `${name} ${version}`;
    const archive =
      'registry' in source ? await this.#download(request, source.registry, name) : await besideOf(source, name, version);
    const revoked = await this.#options.signedCatalogues.revocationOf({
      packageName: name,
      version,
      keyId,
      registryUrl: 'registry' in source ? source.registry.url : undefined,
    });
    if (revoked !== undefined) throw revoked;
    notify({ step: 'verifying', version });
    // Into a place of its own: no path of the archive can reach the files of the driver.
    const target = join(folder, PLATFORM_FOLDER);
    await extractPlatformFiles(archive, target, { packageText, signal });
    await verifyPlatformFiles(target, { packageName, version, keyId }, this.platform);
    if (archive.file.startsWith(staging) && 'registry' in source) await rm(archive.file, { force: true });
  }

  async #download(
    { version, staging, signal, notify }: PlatformRequest,
    registry: RegistrySource,
    name: string,
  ): Promise<PlatformArchive> {
    const packageText = `${name} ${version}`;
    const { client, network, signedCatalogues } = this.#options;
    const found = await client.archiveOf(registry, name, version, signal);
    if (found === undefined)
      throw new HostError(
        'PLATFORM_FILES_MISSING',
        hostSentence('platformAbsent', { package: packageText, place: registry.name }),
      );
    const state = await signedCatalogues.known(registry.id);
    const unlisted = unlistedFault(registry, name, [found], version, state);
    if (unlisted !== undefined) throw unlisted;
    notify({ step: 'downloading', version, receivedBytes: 0 });
    let reported = 0;
    const file = await downloadArchive(
      {
        url: found.dist.tarball,
        integrity: announcedSha512(found.dist.integrity, packageText),
        registry,
        network,
        packageText,
        signal,
        onBytes: (receivedBytes, totalBytes) => {
          if (receivedBytes !== totalBytes && receivedBytes - reported < BYTES_BETWEEN_STEPS) return;
          reported = receivedBytes;
          notify({ step: 'downloading', version, receivedBytes, ...(totalBytes === undefined ? {} : { totalBytes }) });
        },
      },
      () => new FileSink(join(staging, 'platform.tgz')),
    );
    return { file, form: 'package' };
  }
}

/** The platform package in a file: in the same one, or in the one beside it that `pack` writes. */
async function besideOf(
  source: Exclude<PlatformSource, { readonly registry: RegistrySource }>,
  name: string,
  version: string,
): Promise<PlatformArchive> {
  if (source.hasPlatformFiles) return { file: source.file, form: 'bundle' };
  const archiveName = packedArchiveName(name, version);
  const file = source.beside === undefined ? undefined : join(source.beside, archiveName);
  const found = file === undefined ? undefined : await stat(file).catch(() => undefined);
  if (file === undefined || found?.isFile() !== true)
    throw new HostError(
      'PLATFORM_FILES_MISSING',
      hostSentence('platformAbsentInFile', { file: source.name, package: `${name} ${version}`, beside: archiveName }),
    );
  if (found.size > PLATFORM_LIMITS.archiveBytes)
    throw new HostError('PACKAGE_INVALID', `${basename(file)} has more than ${PLATFORM_LIMITS.archiveBytes} bytes.`);
  return { file: join(dirname(file), archiveName), form: 'package' };
}
