import { createHash, createPrivateKey, sign } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { keyIdOf } from '@tabularium/sdk/package';
import type { SigningKey } from '@tabularium/sdk/package';
import { Key, Metadata, MetadataKind, MetaFile, Root, Signature, Snapshot, TargetFile, Targets, Timestamp } from '@tufjs/models';
import { z } from 'zod';
import { writeWhole } from './catalogueKeys.ts';
import type { CatalogueKeys } from './catalogueKeys.ts';

/** The version of the TUF specification that the files follow. */
const SPEC = '1.0.31';
const DAY = 24 * 60 * 60_000;

/** How long each role's signature counts, in milliseconds. What has passed half of it is signed again. */
export const LIFETIMES = { root: 365 * DAY, targets: 90 * DAY, snapshot: 7 * DAY, timestamp: DAY } as const;
export type CatalogueLifetimes = Readonly<Record<keyof typeof LIFETIMES, number>>;

/** One published version: the archive as it is downloaded. */
export interface CatalogueTarget {
  readonly packageName: string;
  readonly version: string;
  /** `sha512-…`, as registries announce it. */
  readonly integrity: string;
  /** Bytes of the archive. */
  readonly length: number;
}

const revocationsSchema = z.object({
  versions: z.array(z.object({ package: z.string(), version: z.string(), reason: z.string() })),
  keys: z.array(z.object({ keyId: z.string(), reason: z.string() })),
});
/** Versions and publishers' keys that hosts must not use any more, each with the reason that people read. */
export type CatalogueRevocations = z.output<typeof revocationsSchema>;

export interface SignedCatalogueOptions {
  /** Where the metadata is kept, as it is served. */
  readonly folder: string;
  readonly keys: CatalogueKeys;
  readonly lifetimes?: Partial<CatalogueLifetimes>;
  readonly now?: () => number;
}

interface Versions {
  root: number;
  targets: number;
  snapshot: number;
  timestamp: number;
}

/**
 * A registry's signed catalogue in the format of The Update Framework (TUF 1.0, consistent snapshots): `N.root.json`, `N.targets.json`,
 * `N.snapshot.json` and `timestamp.json`. Every change is written before the timestamp that points to it.
 */
export class SignedCatalogue {
  readonly #options: SignedCatalogueOptions;
  readonly #lifetimes: CatalogueLifetimes;
  readonly #files = new Map<string, string>();
  readonly #versions: Versions = { root: 0, targets: 0, snapshot: 0, timestamp: 0 };
  readonly #expires: Versions = { root: 0, targets: 0, snapshot: 0, timestamp: 0 };
  #targets = new Map<string, TargetFile>();
  #revocations: CatalogueRevocations = { versions: [], keys: [] };
  #keys: CatalogueKeys;
  #queue: Promise<void> = Promise.resolve();

  private constructor(options: SignedCatalogueOptions) {
    this.#options = options;
    this.#keys = options.keys;
    this.#lifetimes = { ...LIFETIMES, ...options.lifetimes };
  }

  /** Reads the catalogue of a folder, makes one where there is none, and signs what is missing or half expired. */
  static async open(options: SignedCatalogueOptions): Promise<SignedCatalogue> {
    const catalogue = new SignedCatalogue(options);
    await catalogue.#read();
    await catalogue.refresh();
    return catalogue;
  }

  /** The text of a metadata file as it is served, such as `timestamp.json`; undefined for any other name. */
  file(name: string): string | undefined {
    return this.#files.get(name);
  }

  /** The first root: what hosts are given to trust. */
  get firstRoot(): string {
    const root = this.#files.get('1.root.json');
    if (root === undefined) throw new Error('The catalogue has no first root.');
    return root;
  }

  /** SHA-256 of the first root's bytes, hexadecimal: what an operator publishes for people to compare. */
  get fingerprint(): string {
    return createHash('sha256').update(this.firstRoot).digest('hex');
  }

  get revocations(): CatalogueRevocations {
    return this.#revocations;
  }

  has(packageName: string, version: string): boolean {
    return this.#targets.has(targetPath(packageName, version));
  }

  /** Lists archives, beside those that are listed already. */
  add(targets: readonly CatalogueTarget[]): Promise<void> {
    return this.#inTurn(async () => {
      for (const target of targets) {
        const path = targetPath(target.packageName, target.version);
        const sha512 = Buffer.from(target.integrity.replace(/^sha512-/, ''), 'base64').toString('hex');
        this.#targets.set(path, new TargetFile({ path, length: target.length, hashes: { sha512 } }));
      }
      await this.#sign(['targets', 'snapshot', 'timestamp']);
    });
  }

  /** Takes versions or publishers' keys out of use on every host, or (with `undo`) lets them be used again. */
  revoke(change: Partial<CatalogueRevocations>, undo = false): Promise<void> {
    return this.#inTurn(async () => {
      const { versions = [], keys = [] } = change;
      const otherVersions = this.#revocations.versions.filter(
        (known) => !versions.some((other) => other.package === known.package && other.version === known.version),
      );
      const otherKeys = this.#revocations.keys.filter((known) => !keys.some(({ keyId }) => keyId === known.keyId));
      this.#revocations = undo
        ? { versions: otherVersions, keys: otherKeys }
        : { versions: [...otherVersions, ...versions], keys: [...otherKeys, ...keys] };
      await this.#sign(['targets', 'snapshot', 'timestamp']);
    });
  }

  /** Signs the timestamp again, and everything else that is missing or has passed half of its lifetime. */
  refresh(): Promise<void> {
    return this.#inTurn(async () => {
      const now = this.#now();
      const isDue = (role: keyof Versions): boolean =>
        this.#versions[role] === 0 || this.#expires[role] - now < this.#lifetimes[role] / 2;
      if (isDue('root')) await this.#signRoot(this.#keys);
      const targets = isDue('targets');
      await this.#sign([
        ...(targets ? (['targets'] as const) : []),
        ...(targets || isDue('snapshot') ? (['snapshot'] as const) : []),
        'timestamp',
      ]);
    });
  }

  /** Replaces keys: the new root is signed by the old root key and by the new one. */
  rotate(keys: CatalogueKeys): Promise<void> {
    return this.#inTurn(async () => {
      await this.#signRoot(keys);
      await this.#sign(['targets', 'snapshot', 'timestamp']);
    });
  }

  async #signRoot(keys: CatalogueKeys): Promise<void> {
    const version = this.#versions.root + 1;
    const root = new Root({ specVersion: SPEC, version, expires: this.#expiry('root'), consistentSnapshot: true });
    for (const role of ['root', 'targets', 'snapshot', 'timestamp'] as const) root.addKey(await tufKey(keys[role]), role);
    const signers = this.#keys.root.publicKey === keys.root.publicKey ? [keys.root] : [this.#keys.root, keys.root];
    await this.#write(`${version}.root.json`, new Metadata(root), signers);
    this.#keys = keys;
    this.#versions.root = version;
  }

  async #sign(roles: readonly ('targets' | 'snapshot' | 'timestamp')[]): Promise<void> {
    const keys = this.#keys;
    if (roles.includes('targets')) {
      this.#versions.targets += 1;
      const targets = new Targets({
        specVersion: SPEC,
        version: this.#versions.targets,
        expires: this.#expiry('targets'),
        unrecognizedFields: { tabularium: { formatVersion: 1, revoked: this.#revocations } },
      });
      for (const target of this.#targets.values()) targets.addTarget(target);
      await this.#write(`${this.#versions.targets}.targets.json`, new Metadata(targets), [keys.targets]);
    }
    if (roles.includes('snapshot')) {
      this.#versions.snapshot += 1;
      const meta = { 'targets.json': this.#meta(`${this.#versions.targets}.targets.json`, this.#versions.targets) };
      const snapshot = new Snapshot({
        specVersion: SPEC,
        version: this.#versions.snapshot,
        expires: this.#expiry('snapshot'),
        meta,
      });
      await this.#write(`${this.#versions.snapshot}.snapshot.json`, new Metadata(snapshot), [keys.snapshot]);
    }
    this.#versions.timestamp += 1;
    const timestamp = new Timestamp({
      specVersion: SPEC,
      version: this.#versions.timestamp,
      expires: this.#expiry('timestamp'),
      snapshotMeta: this.#meta(`${this.#versions.snapshot}.snapshot.json`, this.#versions.snapshot),
    });
    await this.#write('timestamp.json', new Metadata(timestamp), [keys.timestamp]);
  }

  #meta(name: string, version: number): MetaFile {
    const bytes = Buffer.from(this.#files.get(name) ?? '');
    return new MetaFile({ version, length: bytes.length, hashes: { sha512: createHash('sha512').update(bytes).digest('hex') } });
  }

  #now(): number {
    return this.#options.now?.() ?? Date.now();
  }

  #expiry(role: keyof Versions): string {
    const at = this.#now() + this.#lifetimes[role];
    this.#expires[role] = at;
    return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
  }

  async #write(
    name: string,
    metadata: Metadata<Root | Targets | Snapshot | Timestamp>,
    signers: readonly SigningKey[],
  ): Promise<void> {
    for (const signer of signers) {
      const keyID = await keyIdOf(signer.publicKey);
      const privateKey = createPrivateKey({ key: Buffer.from(signer.privateKey, 'base64'), format: 'der', type: 'pkcs8' });
      metadata.sign((bytes) => new Signature({ keyID, sig: sign(null, bytes, privateKey).toString('hex') }));
    }
    const text = JSON.stringify(metadata.toJSON());
    // Public, and often served by another account.
    await writeWhole(join(this.#options.folder, name), text, 0o644);
    this.#files.set(name, text);
  }

  async #read(): Promise<void> {
    const { folder } = this.#options;
    const text = async (name: string): Promise<string | undefined> => {
      const found = await readFile(join(folder, name), 'utf8').catch((error: unknown) => {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
        throw error;
      });
      if (found !== undefined) this.#files.set(name, found);
      return found;
    };
    for (let version = 1; ; version += 1) {
      const found = await text(`${version}.root.json`);
      if (found === undefined) break;
      const { signed } = Metadata.fromJSON(MetadataKind.Root, jsonOf(found));
      this.#versions.root = version;
      this.#expires.root = Date.parse(signed.expires);
    }
    const stamp = await text('timestamp.json');
    if (stamp === undefined) return;
    const timestamp = Metadata.fromJSON(MetadataKind.Timestamp, jsonOf(stamp)).signed;
    const snapshotText = await text(`${timestamp.snapshotMeta.version}.snapshot.json`);
    const snapshot = Metadata.fromJSON(MetadataKind.Snapshot, jsonOf(snapshotText ?? '')).signed;
    const targetsVersion = snapshot.meta['targets.json']?.version ?? 0;
    const targetsText = await text(`${targetsVersion}.targets.json`);
    const targets = Metadata.fromJSON(MetadataKind.Targets, jsonOf(targetsText ?? '')).signed;
    Object.assign(this.#versions, { targets: targets.version, snapshot: snapshot.version, timestamp: timestamp.version });
    Object.assign(this.#expires, { targets: Date.parse(targets.expires), snapshot: Date.parse(snapshot.expires) });
    this.#targets = new Map(Object.entries(targets.targets));
    const own = z.object({ tabularium: z.object({ revoked: revocationsSchema }) }).safeParse(targets.unrecognizedFields);
    if (own.success) this.#revocations = own.data.tabularium.revoked;
  }

  /** One change at a time: versions count up without gaps. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#queue.then(work);
    this.#queue = turn.catch(() => undefined);
    return turn;
  }
}

const jsonSchema = z.record(z.string(), z.json());

/** @throws SyntaxError, ZodError for what is not a JSON object */
function jsonOf(text: string): z.output<typeof jsonSchema> {
  return jsonSchema.parse(JSON.parse(text));
}

/** How the catalogue names an archive. */
function targetPath(packageName: string, version: string): string {
  return `${packageName}/${version}.tgz`;
}

async function tufKey(key: SigningKey): Promise<Key> {
  const keyVal = { public: Buffer.from(key.publicKey, 'base64').toString('hex') };
  return new Key({ keyID: await keyIdOf(key.publicKey), keyType: 'ed25519', scheme: 'ed25519', keyVal });
}
