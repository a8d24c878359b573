import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { createSigningKey, keyIdOf } from '../../package/keys.ts';
import type { Publisher, SigningKey } from '../../package/keys.ts';
import { CliError, systemCodeOf } from '../cliError.ts';
import { kindOfEntry, regularFileText } from '../package/regularFileContent.ts';
import { checkedKey, decryptKey, encryptKey, readKeyFile, writeKeyFile } from './keyFile.ts';
import type { KeyFacts } from './keyFile.ts';
import type { SystemStore } from './systemStore.ts';

const EXTENSION = '.key';

/** A key as it is listed. */
export interface KnownKey extends KeyFacts {
  /** SHA-256 of the public key, hexadecimal. */
  readonly keyId: string;
  readonly file: string;
}

/** Where keys are kept unless `TABULARIUM_DRIVER_KEYS` says otherwise: beside the settings of other programs, never in a project. */
export function keyFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform, user = homedir()): string {
  const chosen = env['TABULARIUM_DRIVER_KEYS'];
  if (chosen !== undefined && chosen !== '') return resolve(chosen);
  if (platform === 'darwin') return join(user, 'Library', 'Application Support', 'tabularium-driver', 'keys');
  if (platform === 'win32') return join(env['APPDATA'] ?? join(user, 'AppData', 'Roaming'), 'tabularium-driver', 'keys');
  const config = env['XDG_CONFIG_HOME'];
  return join(config !== undefined && isAbsolute(config) ? config : join(user, '.config'), 'tabularium-driver', 'keys');
}

/** The keys of one person. The private parts are encrypted in their files, or in the operating system's store. */
export class KeyStore {
  readonly folder: string;
  readonly #system: () => Promise<SystemStore>;

  constructor(folder: string, system: () => Promise<SystemStore>) {
    this.folder = folder;
    this.#system = system;
  }

  async list(): Promise<readonly KnownKey[]> {
    const names = await readdir(this.folder).catch(() => []);
    const keys = await Promise.all(
      names
        .filter((name) => name.endsWith(EXTENSION))
        .sort()
        .map((name) => this.#read(join(this.folder, name))),
    );
    return keys.flatMap((key) => (key === undefined ? [] : [key.known]));
  }

  /**
   * Makes a key.
   *
   * @param passphrase - asked for only when the key is kept in a file
   * @throws CliError `KEY_EXISTS`, `STORE_UNAVAILABLE`
   */
  async create(publisher: Publisher, keptIn: KeyFacts['keptIn'], passphrase: () => Promise<string>): Promise<KnownKey> {
    const file = this.#fileOf(publisher.id);
    if ((await this.list()).some((key) => key.publisher.id === publisher.id)) throw exists(publisher.id, file);
    const key = await createSigningKey();
    const facts: KeyFacts = { publisher, publicKey: key.publicKey, createdAt: new Date().toISOString(), keptIn };
    const keyId = await keyIdOf(key.publicKey);
    let encrypted: string | undefined;
    if (keptIn === 'file') encrypted = encryptKey(key, await passphrase());
    else await (await this.#system()).set(keyId, key.privateKey);
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    await writePrivately(file, writeKeyFile(facts, encrypted));
    return { ...facts, keyId, file };
  }

  /**
   * Finds a key by its publisher's id or its file; without either, the only one that there is.
   *
   * @throws CliError `KEY_NOT_FOUND`
   */
  async find(wanted: string | undefined): Promise<KnownKey> {
    const known = await this.list();
    if (wanted === undefined) {
      const [only] = known;
      if (only !== undefined && known.length === 1) return only;
      throw known.length === 0
        ? new CliError('KEY_NOT_FOUND', `There is no key in ${this.folder}.`, 'Make one: tabularium-driver keys create.')
        : new CliError(
            'KEY_NOT_FOUND',
            `There are several keys: ${known.map(({ publisher }) => publisher.id).join(', ')}.`,
            'Say which one with --key ID.',
          );
    }
    const found = known.find(({ publisher }) => publisher.id === wanted) ?? (await this.#read(resolve(wanted)))?.known;
    if (found !== undefined) return found;
    const kind = await stat(resolve(wanted)).then(kindOfEntry, () => undefined);
    // Also a pipe of a shell: a key file is read again when the key is opened, and a pipe only once.
    if (kind !== undefined)
      throw new CliError('KEY_UNREADABLE', `${resolve(wanted)} is ${kind}, not a file.`, 'Name the file of a key.');
    throw new CliError(
      'KEY_NOT_FOUND',
      `There is no key "${wanted}", neither in ${this.folder} nor as a file.`,
      'tabularium-driver keys list shows those that there are.',
    );
  }

  /** Opens a key. @throws CliError `KEY_UNREADABLE`, `STORE_UNAVAILABLE` */
  async open(key: KnownKey, passphrase: () => Promise<string>): Promise<SigningKey> {
    if (key.keptIn === 'system') {
      const secret = await (await this.#system()).get(key.keyId);
      if (secret !== undefined) return checkedKey(secret, key);
      throw new CliError(
        'KEY_NOT_FOUND',
        `The operating system's store has no key of "${key.publisher.id}" any more.`,
        'Bring it back from a copy (keys export made one), or make a new key and publish its fingerprint.',
      );
    }
    const encrypted = (await this.#read(key.file))?.encrypted;
    if (encrypted === undefined)
      throw new CliError('KEY_UNREADABLE', `${key.file} is no longer a key file.`, 'Bring it back from a copy.');
    return decryptKey(encrypted, await passphrase(), key);
  }

  /**
   * Writes a key into a file that another machine can sign with, encrypted. A key that is kept in a file keeps its passphrase.
   *
   * @throws CliError `KEY_EXISTS` when there is such a file
   */
  async export(key: KnownKey, file: string, newPassphrase: () => Promise<string>): Promise<void> {
    let encrypted = (await this.#read(key.file))?.encrypted;
    if (encrypted === undefined) {
      const opened = await this.open(key, () => Promise.reject(new TypeError('a stored key has no passphrase')));
      encrypted = encryptKey(opened, await newPassphrase());
    }
    await writePrivately(file, writeKeyFile({ ...key, keptIn: 'file' }, encrypted));
  }

  #fileOf(id: string): string {
    return join(this.folder, `${id}${EXTENSION}`);
  }

  async #read(file: string): Promise<{ readonly known: KnownKey; readonly encrypted: string | undefined } | undefined> {
    const text = await regularFileText(file).catch(() => undefined);
    const read = text === undefined ? undefined : readKeyFile(text);
    if (read === undefined) return undefined;
    return { known: { ...read.facts, keyId: await keyIdOf(read.facts.publicKey), file }, encrypted: read.encrypted };
  }
}

/** Written beside and linked into place: never half, never over another key, and readable to its owner alone from its first byte. */
async function writePrivately(file: string, text: string): Promise<void> {
  const temporary = `${file}.${randomUUID()}`;
  try {
    await writeFile(temporary, text, { mode: 0o600, flag: 'wx' });
    // Opening it so takes the name, or fails; the rename then puts the content there.
    await writeFile(file, '', { mode: 0o600, flag: 'wx' });
    await rename(temporary, file);
  } catch (cause) {
    if (systemCodeOf(cause) === 'EEXIST') throw exists(undefined, file);
    throw new CliError(
      'PROJECT_INVALID',
      `The file ${file} cannot be written (${systemCodeOf(cause) ?? 'no reason given'}).`,
      'Check the permissions of its folder, or choose another place.',
      { cause },
    );
  } finally {
    await rm(temporary, { force: true });
  }
}

function exists(id: string | undefined, file: string): CliError {
  const what = id === undefined ? `The file ${file} exists already.` : `There is a key of "${id}" already: ${file}.`;
  return new CliError('KEY_EXISTS', what, 'A key is never overwritten, because users trust the old one. Choose another name.');
}
