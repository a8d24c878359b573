import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { visibleText } from '@tabularium/sdk';
import { CATALOGUE_PATH, fingerprintOf } from '@tabularium/sdk/package';
import { loadPart } from '../../errors/loadPart.ts';
import { HOST_ERRORS, HostError } from '../../../common/errors.ts';
import type { Logger } from '../../storage/logger.ts';
import { LOCAL_REGISTRY_ID } from '../trust/registrySource.ts';
import type { RegistrySource } from '../trust/registrySource.ts';
import type { LocalRegistry } from '../trust/localRegistry.ts';
import type { DriverRecord } from '../packages/driverRecords.ts';
import { catalogueFingerprint, readCatalogue } from './catalogueContent.ts';
import type { CatalogueContent } from './catalogueContent.ts';
import type { CatalogueFetcher } from './catalogueFetcher.ts';
import { METADATA_ROLES } from './trustedMetadata.ts';
import type { TrustedMetadata } from './trustedMetadata.ts';
import { DRIVER_FOLDERS } from '../packages/driverFolders.ts';
import { StagingFolder } from '../packages/stagingFolder.ts';
import { storageFailure, storageFailureCode } from '../../errors/storageFailure.ts';
import { LOCAL_REGISTRY } from '../trust/localRegistry.ts';
import { loggerOf } from '../../storage/logger.ts';
import { RegistryNetwork } from './registryNetwork.ts';
import { TrustedMetadataFiles } from './trustedMetadata.ts';
import type { Inject } from '../../container/inject.ts';
import { from, token } from '../../container/inject.ts';

/** Called after a registry has revoked something. */
export const ON_REVOCATION = token<() => void>('ON_REVOCATION');

/** Sizes in bytes. The client's work grows with the square of the list, so 128 KiB (about 650 archives) keep it below 100 ms. */
const LIMITS = {
  maxRootRotations: 32,
  maxDelegations: 0,
  rootMaxLength: 32 * 1024,
  timestampMaxLength: 8 * 1024,
  snapshotMaxLength: 32 * 1024,
  targetsMaxLength: 128 * 1024,
};

/** The state of a registry's signed catalogue: never seen, or as it was last verified. */
export type CatalogueState =
  | { readonly kind: 'unsigned' }
  | { readonly kind: 'signed'; readonly fingerprint: string; readonly content: CatalogueContent | undefined };

export interface SignedCataloguesOptions {
  readonly files: TrustedMetadataFiles;
  /** Where the TUF client writes: on the disk of the data directory. */
  readonly folder: string;
  readonly network: RegistryNetwork;
  readonly localRegistry: () => Promise<LocalRegistry | undefined>;
  readonly logger: Logger;
  /** Called after a registry has revoked something. */
  readonly onRevocation?: () => void;
}

/**
 * The signed catalogues of registries (TUF): which archives a registry offers, and what it has revoked. A catalogue that is out of date, older than
 * one seen before, changed or missing stops installations from its registry, and nothing that is installed.
 */
export class SignedCatalogues implements AsyncDisposable {
  static readonly inject: Inject<typeof SignedCatalogues> = {
    files: TrustedMetadataFiles,
    folder: from([DRIVER_FOLDERS], ({ catalogues }) => catalogues),
    network: RegistryNetwork,
    localRegistry: LOCAL_REGISTRY,
    logger: loggerOf('drivers'),
    onRevocation: ON_REVOCATION,
  };

  readonly #options: SignedCataloguesOptions;
  readonly #states = new Map<string, CatalogueState>();
  readonly #problems = new Map<string, HostError>();
  #entries: Promise<readonly TrustedMetadata[]> | undefined;
  readonly #running = new Map<string, Promise<CatalogueState>>();
  readonly #closing = new AbortController();

  constructor(options: SignedCataloguesOptions) {
    this.#options = options;
  }

  /**
   * Asks a registry for its catalogue and verifies it. `CANCELLED` also when the host stops.
   *
   * @throws HostError `CATALOGUE_EXPIRED`, `CATALOGUE_INVALID`, `REGISTRY_UNREACHABLE`, `ADDRESS_NOT_ALLOWED`, `CANCELLED`; `DISK_FULL` and others of
   *   the file system, after which the state is the one from before
   */
  async refresh(registry: RegistrySource, signal: AbortSignal): Promise<CatalogueState> {
    let running = this.#running.get(registry.id);
    if (running === undefined) {
      // Not the first caller's signal: others wait for the same answer, and it is bounded in time.
      running = this.#refresh(registry).finally(() => this.#running.delete(registry.id));
      this.#running.set(registry.id, running);
      running.catch(() => undefined);
    }
    return untilAborted(running, signal);
  }

  /** As it was last verified, without asking the registry. @throws HostError `CATALOGUE_INVALID` for a file of the host's own that is damaged */
  async known(registryId: string): Promise<CatalogueState> {
    const state = this.#states.get(registryId);
    if (state !== undefined) return state;
    const read = this.#readable(await this.#options.files.get(registryId));
    this.#states.set(registryId, read);
    return read;
  }

  /** A list that can't be read offers and revokes nothing until the registry is asked again; the drivers that are installed work. */
  #readable(trusted: TrustedMetadata | undefined): CatalogueState {
    try {
      return stateOf(trusted);
    } catch (error) {
      if (trusted === undefined) throw error;
      this.#options.logger.warn(`The stored catalogue of the registry ${trusted.registryUrl} is damaged: ${String(error)}`);
      return { kind: 'signed', fingerprint: trusted.fingerprint, content: undefined };
    }
  }

  /** The error of the last request to the registry; undefined when it succeeded. */
  problem(registryId: string): HostError | undefined {
    return this.#problems.get(registryId);
  }

  /**
   * Trusts the catalogue whose fingerprint a person has compared, before the registry is used for the first time, or again after it was removed:
   * only then can another catalogue take the place of the one that was seen.
   *
   * @throws HostError `CATALOGUE_INVALID` when the registry has another one or none
   */
  async adopt(registry: RegistrySource, fingerprint: string, signal: AbortSignal): Promise<void> {
    const known = await this.known(registry.id);
    if (known.kind === 'signed' && known.fingerprint === fingerprint) return;
    const isHeld = known.kind === 'signed' && (await this.#options.files.get(registry.id))?.removed !== true;
    const firstRoot = isHeld ? undefined : await this.#firstRoot(registry, signal);
    const actual = isHeld ? known.fingerprint : firstRoot && catalogueFingerprint(firstRoot);
    if (actual !== fingerprint) {
      const what = actual === undefined ? 'has no signed catalogue' : `has the catalogue ${fingerprintOf(actual)}`;
      throw invalid(registry, `It ${what}, and not ${fingerprintOf(fingerprint)}.`);
    }
    if (firstRoot === undefined) return;
    const entry = { registryId: registry.id, registryUrl: registry.url, fingerprint, files: { root: firstRoot } };
    await this.#put(entry);
    this.#states.set(registry.id, stateOf(entry));
  }

  /**
   * A person removed the registry. What was verified is kept: drivers that came from there stay revoked, and a registry that is added again
   * cannot go back to an older catalogue.
   */
  async retire(registryId: string): Promise<void> {
    const { files } = this.#options;
    this.#problems.delete(registryId);
    const entry = await files.get(registryId).catch(() => undefined);
    if (entry !== undefined) {
      await this.#put({ ...entry, removed: true });
      return;
    }
    // Nothing, or nothing that can be read.
    await files.remove(registryId);
    this.#entries = undefined;
    this.#states.delete(registryId);
  }

  /**
   * Why an installed version, or a file, must not be used: the registry that it came from has revoked it, or for a file any registry has.
   *
   * @returns undefined when none has
   */
  async revocationOf(
    driver: Pick<DriverRecord, 'packageName' | 'version' | 'keyId' | 'registryUrl'> & { readonly publisherOrigin?: string },
  ): Promise<HostError | undefined> {
    // Asked each time that a driver is loaded, so the files are read once.
    for (const entry of await (this.#entries ??= this.#options.files.all())) {
      const { registryId, registryUrl } = entry;
      const isFromThere =
        (driver.registryUrl === undefined && entry.removed !== true) ||
        driver.registryUrl === registryUrl ||
        driver.registryUrl === registryId ||
        (registryId === LOCAL_REGISTRY_ID && driver.publisherOrigin === 'localRegistry');
      if (!isFromThere) continue;
      const state = await this.known(registryId);
      const found = state.kind === 'signed' ? revocation(state.content, driver) : undefined;
      if (found !== undefined) return revoked(driver, registryUrl, found);
    }
    return undefined;
  }

  /** Ends what is being asked, and waits until it has ended: after that the network and the folders are gone. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled(this.#running.values());
  }

  async #put(entry: TrustedMetadata): Promise<void> {
    await this.#options.files.put(entry);
    this.#entries = undefined;
  }

  async #refresh(registry: RegistrySource): Promise<CatalogueState> {
    const { times } = this.#options.network;
    const closing = this.#closing.signal;
    if (closing.aborted) throw new HostError('CANCELLED');
    const deadline = AbortSignal.timeout(times.document);
    try {
      const state = await this.#verified(registry, AbortSignal.any([deadline, closing]));
      this.#problems.delete(registry.id);
      return state;
    } catch (error) {
      // The host stops: nothing is wrong with the registry.
      if (closing.aborted) throw new HostError('CANCELLED', undefined, { cause: error });
      const reported = deadline.aborted
        ? invalid(registry, `It was not complete after ${times.document / 1_000} seconds.`)
        : error instanceof HostError
          ? error
          : (storageFailure(error) ?? invalid(registry, `${error instanceof Error ? error.message : String(error)}.`, error));
      this.#problems.set(registry.id, reported);
      this.#options.logger.warn(reported.message);
      throw reported;
    }
  }

  async #verified(registry: RegistrySource, signal: AbortSignal): Promise<CatalogueState> {
    const { files } = this.#options;
    const pinned = registry.id === LOCAL_REGISTRY_ID ? (await this.#options.localRegistry())?.catalogueRoot : undefined;
    let stored = await files.get(registry.id);
    // The file of the local registry is this person's own: another root there is another registry.
    if (pinned !== undefined && stored !== undefined && stored.fingerprint !== catalogueFingerprint(pinned)) stored = undefined;
    const known = stored !== undefined && isJson(stored.files.root) ? stored.files.root : pinned;
    const root = known ?? (await this.#firstRoot(registry, signal));
    // The first root is named by its hash, so it can be fetched again where the stored one is damaged.
    if (stored !== undefined && known === undefined && (root === undefined || catalogueFingerprint(root) !== stored.fingerprint))
      throw invalid(registry, `It no longer begins with ${fingerprintOf(stored.fingerprint)}, which was seen first.`);
    if (root === undefined) {
      const state = { kind: 'unsigned' as const };
      this.#states.set(registry.id, state);
      return state;
    }
    const before: TrustedMetadata = {
      registryId: registry.id,
      fingerprint: stored?.fingerprint ?? catalogueFingerprint(root),
      files: { ...stored?.files, root },
      registryUrl: registry.url,
    };
    const { after, error, isRootSigned } = await this.#update(registry, before, signal);
    // A first root that its own keys have not signed isn't a catalogue: remembering it would refuse the real one for ever.
    if (stored === undefined && error !== undefined && !isRootSigned) throw error;
    // The verified state counts even if a later file is faulty: a newer root or timestamp is not forgotten.
    if (stored === undefined || JSON.stringify(after) !== JSON.stringify(stored)) await this.#put(after);
    if (error !== undefined) throw error;
    const old = await this.known(registry.id);
    const state = stateOf(after);
    this.#states.set(registry.id, state);
    if (state.kind === 'signed' && revocationsOf(state) !== revocationsOf(old)) this.#options.onRevocation?.();
    return state;
  }

  /** Runs the TUF client on a folder of its own, which holds what was trusted before and then what is trusted now. */
  async #update(
    registry: RegistrySource,
    before: TrustedMetadata,
    signal: AbortSignal,
  ): Promise<{
    readonly after: TrustedMetadata;
    readonly error: HostError | undefined;
    /** Whether as many of the root's own keys have signed it as it demands. */
    readonly isRootSigned: boolean;
  }> {
    // Loaded when it is first needed: it takes 40 ms, and commands that install nothing do not need it.
    const [{ Updater }, { CatalogueFetcher: Fetcher }] = await loadPart(() =>
      Promise.all([import('tuf-js'), import('./catalogueFetcher.ts')]),
    );
    const fetcher = new Fetcher(registry, this.#options.network, signal);
    await using folder = await StagingFolder.create(this.#options.folder);
    for (const role of METADATA_ROLES) {
      const text = before.files[role];
      if (text !== undefined && isJson(text)) await writeFile(join(folder.path, `${role}.json`), text, { mode: 0o600 });
    }
    let error: HostError | undefined;
    let isRootSigned = false;
    try {
      const metadataBaseUrl = new URL(CATALOGUE_PATH, registry.url).href.replace(/\/$/, '');
      // The client checks the signatures of the root it starts from when it is made.
      const updater = new Updater({ metadataDir: folder.path, metadataBaseUrl, fetcher, config: LIMITS });
      isRootSigned = true;
      await updater.refresh();
    } catch (cause) {
      const unwritten = writeFailure(registry, cause);
      // The client empties a file before it writes: what the folder has now was not verified.
      if (unwritten !== undefined) throw unwritten;
      error = faultOf(registry, fetcher, cause);
    }
    const read = async (role: (typeof METADATA_ROLES)[number]): Promise<string | undefined> => {
      const text = await readFile(join(folder.path, `${role}.json`), 'utf8').catch(undefinedWhenMissing);
      return text !== undefined && isJson(text) ? text : before.files[role];
    };
    const [root = before.files.root, timestamp, snapshot, targets] = await Promise.all(METADATA_ROLES.map(read));
    let texts = { timestamp, snapshot, targets };
    try {
      contentOf(texts);
    } catch (cause) {
      error ??= invalid(registry, 'It is not a catalogue of drivers.', cause);
      // The list from before stays in force, with what it revokes.
      texts = { timestamp, snapshot: before.files.snapshot, targets: before.files.targets };
    }
    const known = Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined));
    return { after: { ...before, files: { root, ...known } }, error, isRootSigned };
  }

  /** The first root of a registry that was never seen to sign. @returns undefined when it has none */
  async #firstRoot(registry: RegistrySource, signal: AbortSignal): Promise<string | undefined> {
    const { CatalogueFetcher: Fetcher } = await loadPart(() => import('./catalogueFetcher.ts'));
    const fetcher = new Fetcher(registry, this.#options.network, signal);
    const url = new URL(`${CATALOGUE_PATH}1.root.json`, registry.url).href;
    const found = await fetcher.find(url, LIMITS.rootMaxLength).catch((error: unknown) => {
      if (error instanceof HostError || error instanceof RangeError) throw error;
      throw fetcher.unreachable(error);
    });
    return found?.toString('utf8');
  }
}

function contentOf(files: Partial<Record<(typeof METADATA_ROLES)[number], string | undefined>>): CatalogueContent | undefined {
  const { timestamp, snapshot, targets } = files;
  return timestamp === undefined || snapshot === undefined || targets === undefined
    ? undefined
    : readCatalogue({ timestamp, snapshot, targets });
}

function stateOf(trusted: TrustedMetadata | undefined): CatalogueState {
  if (trusted === undefined) return { kind: 'unsigned' };
  return { kind: 'signed', fingerprint: trusted.fingerprint, content: contentOf(trusted.files) };
}

function revocationsOf(state: CatalogueState): string {
  return JSON.stringify(state.kind === 'signed' ? (state.content?.revoked ?? null) : null);
}

function invalid(registry: RegistrySource, why: string, cause?: unknown): HostError {
  return new HostError(
    'CATALOGUE_INVALID',
    `The signed catalogue of the registry "${registry.name}" (${registry.url}) cannot be trusted. ${why}`,
    {
      cause,
    },
  );
}

/** Why the TUF client could not write a file. It has the error of the system in its text alone. */
function writeFailure(registry: RegistrySource, cause: unknown): HostError | undefined {
  const text = cause instanceof Error ? cause.message : String(cause);
  if (!text.includes('Failed to persist metadata')) return undefined;
  const code = /\bE[A-Z]{2,}\b(?=:)/.exec(text)?.[0];
  const subject = `The signed catalogue of the registry "${registry.name}" (${registry.url}) cannot be saved.`;
  const error = Object.assign(new Error(text, { cause }), code === undefined ? {} : { code });
  const failed = storageFailureCode(error);
  return failed === undefined
    ? new HostError('FILE_UNWRITABLE', subject, { cause })
    : new HostError(failed, `${subject} ${HOST_ERRORS[failed].sentence}`, { cause: error });
}

function undefinedWhenMissing(error: unknown): undefined {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The fault that the TUF client found, in words. It wraps its errors, so the text decides. */
function faultOf(registry: RegistrySource, fetcher: CatalogueFetcher, cause: unknown): HostError {
  const { failure } = fetcher;
  if (failure instanceof HostError) return failure;
  if (failure instanceof RangeError) return invalid(registry, `${failure.message}, more than it may have.`, cause);
  if (failure !== undefined) {
    const reported = fetcher.unreachable(failure);
    return reported instanceof HostError ? reported : invalid(registry, "It couldn't be read.", cause);
  }
  const text = cause instanceof Error ? cause.message : String(cause);
  if (/is expired/.test(text)) {
    return new HostError(
      'CATALOGUE_EXPIRED',
      `The signed catalogue of the registry "${registry.name}" (${registry.url}) is out of date (${text.replace(/^.*Error: /, '')}). The clock of this computer says ${new Date().toISOString().slice(0, 16)} UTC.`,
      { cause },
    );
  }
  if (/less than|Missing file|is equal/.test(text)) return invalid(registry, 'It is older than one that was seen before.', cause);
  if (/Failed to download/.test(text))
    return invalid(registry, 'The registry had one before, and a part of it is missing now.', cause);
  return invalid(registry, 'Its signatures, hashes or versions do not fit together.', cause);
}

interface Revocation {
  readonly what: 'version' | 'key';
  readonly reason: string;
}

function revocation(
  content: CatalogueContent | undefined,
  { packageName, version, keyId }: Pick<DriverRecord, 'packageName' | 'version' | 'keyId'>,
): Revocation | undefined {
  const ofVersion = content?.revoked.versions.find((other) => other.package === packageName && other.version === version);
  if (ofVersion !== undefined) return { what: 'version', reason: ofVersion.reason };
  const ofKey = content?.revoked.keys.find((other) => other.keyId === keyId);
  return ofKey === undefined ? undefined : { what: 'key', reason: ofKey.reason };
}

function revoked(
  { packageName, version, keyId }: Pick<DriverRecord, 'packageName' | 'version' | 'keyId'>,
  registryUrl: string,
  { what, reason }: Revocation,
): HostError {
  const subject =
    what === 'version' ? `${packageName} ${version}` : `the key ${fingerprintOf(keyId)}, which signed ${packageName} ${version}`;
  return new HostError('DRIVER_REVOKED', `The registry ${registryUrl} has revoked ${subject}. It says: ${visibleText(reason)}`);
}

async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) throw new HostError('CANCELLED');
  const aborted = Promise.withResolvers<never>();
  const stop = (): void => aborted.reject(new HostError('CANCELLED'));
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
