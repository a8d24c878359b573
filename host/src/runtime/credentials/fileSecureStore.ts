import { constants } from 'node:fs';
import type { Stats } from 'node:fs';
import { lstat, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { HostError } from '../../common/errors.ts';
import { hostSentence } from '../../common/hostSentences.ts';
import type { HostSentence } from '../../common/hostSentences.ts';
import { storageFailure } from '../errors/storageFailure.ts';
import { writeDurably } from '../storage/durableFile.ts';
import { LARGEST_SEALED_BYTES, SealError, seal, sealingKeys, unseal } from './sealedFile.ts';
import type { SealingKeys } from './sealedFile.ts';
import type { SecureStore, SecureStoreState } from './secureStore.ts';

export interface FileSecureStoreOptions {
  /** The data directory, which this process owns (see `acquireHomeLock`): so two hosts never write the file. */
  readonly homeFolder: string;
  /** The name of the file there. */
  readonly file: string;
  /** Reads the passphrase. @throws HostError `SECURE_STORE_UNAVAILABLE` */
  readonly key: () => Promise<Buffer>;
}

const NAME = 'the encrypted secrets file';
const OPEN_TO_OTHERS = 0o077;
const MAY_BE_ANOTHERS =
  'Other users may have read or replaced it: change the passwords and keys in it if you share this computer.';
/** On Windows the folder inherits the access rights of the user's profile. */
const CHECKS_ACCESS = process.platform !== 'win32';
/** A named pipe would wait for its writer, and a link leads to a file that somebody else may choose. */
const READING = constants.O_RDONLY | (CHECKS_ACCESS ? constants.O_NONBLOCK | constants.O_NOFOLLOW : 0);

/**
 * Secrets in an encrypted file of the data directory, where its administrator chose that. Every call reads the file, so that one that was
 * restored or changed while the host runs is never overwritten from memory; a file that doesn't open is never written.
 */
export class FileSecureStore implements SecureStore {
  readonly #path: string;
  readonly #key: () => Promise<Buffer>;
  /** Of the last file that was opened. Deriving them takes half a second. */
  #keys: SealingKeys | undefined;
  /** Of a passphrase that didn't open it, so that asking again costs nothing until the passphrase changes. */
  #refusedKeys: { readonly passphrase: Buffer; readonly keys: SealingKeys } | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor({ homeFolder, file, key }: FileSecureStoreOptions) {
    this.#path = join(homeFolder, file);
    this.#key = key;
  }

  /** Makes the empty file. @throws HostError `SECURE_STORE_UNAVAILABLE`, `DISK_FULL`, `HOME_READ_ONLY` */
  create(): Promise<void> {
    return this.#oneAfterTheOther(async () => {
      this.#keys = await sealingKeys(await this.#key());
      await this.#write(new Map(), this.#keys);
    });
  }

  /** Deletes the file, after its entries are elsewhere. */
  async remove(): Promise<void> {
    await rm(this.#path, { force: true });
  }

  async state(): Promise<SecureStoreState> {
    try {
      await this.#oneAfterTheOther(() => this.#read());
      return { available: true, name: NAME };
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
      const { sentence } = error;
      const { advice } = error.details;
      return {
        available: false,
        name: NAME,
        reason: error.message,
        ...(advice === undefined ? {} : { advice }),
        ...(sentence === undefined ? {} : { sentence }),
      };
    }
  }

  /** The names of all entries. @throws HostError `SECURE_STORE_UNAVAILABLE` */
  async accounts(): Promise<readonly string[]> {
    return [...(await this.#oneAfterTheOther(() => this.#read())).entries.keys()];
  }

  async get(account: string): Promise<string | undefined> {
    return (await this.#oneAfterTheOther(() => this.#read())).entries.get(account);
  }

  async set(account: string, secret: string): Promise<void> {
    await this.#change((entries) => void entries.set(account, secret));
  }

  async delete(account: string): Promise<void> {
    await this.#change((entries) => entries.delete(account));
  }

  #change(change: (entries: Map<string, string>) => boolean | void): Promise<void> {
    return this.#oneAfterTheOther(async () => {
      const { entries, keys } = await this.#read();
      if (change(entries) !== false) await this.#write(entries, keys);
    });
  }

  async #read(): Promise<{ readonly entries: Map<string, string>; readonly keys: SealingKeys }> {
    const text = await this.#text();
    try {
      const found = await unseal(text, (salt) => this.#keysFor(salt));
      this.#keys = found.keys;
      this.#refusedKeys = undefined;
      return found;
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      throw this.#refused(error.fault);
    }
  }

  async #keysFor(salt: Buffer): Promise<SealingKeys> {
    if (this.#keys?.salt.equals(salt) === true) return this.#keys;
    const passphrase = await this.#key();
    const refused = this.#refusedKeys;
    if (refused?.keys.salt.equals(salt) === true && refused.passphrase.equals(passphrase)) return refused.keys;
    const keys = await sealingKeys(passphrase, salt);
    this.#refusedKeys = { passphrase, keys };
    return keys;
  }

  async #text(): Promise<string> {
    try {
      await this.#requireOwnFolder();
      const handle = await open(this.#path, READING);
      try {
        // Of what was opened, and not of what has its name now.
        const entry = await handle.stat();
        if (!entry.isFile() || entry.size > LARGEST_SEALED_BYTES) throw this.#refused('damaged');
        this.#requireOwnFile(entry);
        return await handle.readFile('utf8');
      } finally {
        await handle.close();
      }
    } catch (error) {
      if (error instanceof HostError) throw error;
      const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
      if (reason === 'ELOOP' || reason === 'EMLINK')
        throw this.#unavailable(hostSentence('secretsFileLink', { file: this.#path }), MAY_BE_ANOTHERS);
      throw this.#unavailable(
        hostSentence('secretsFileUnreadable', { file: this.#path, reason }),
        'Make it readable, or restore it from a copy: backups of Tabularium leave it out.',
      );
    }
  }

  /** A user who may rename the entries of the folder may put another file there, however closed the file itself is. */
  async #requireOwnFolder(): Promise<void> {
    if (!CHECKS_ACCESS) return;
    const folder = dirname(this.#path);
    const entry = await lstat(folder);
    if (entry.uid !== process.getuid?.())
      throw this.#unavailable(hostSentence('secretsFolderForeign', { folder }), 'Run the host as the user that it belongs to.');
    if ((entry.mode & OPEN_TO_OTHERS) !== 0)
      throw this.#unavailable(hostSentence('secretsFolderOpen', { folder }), MAY_BE_ANOTHERS);
  }

  #requireOwnFile(entry: Stats): void {
    if (!CHECKS_ACCESS) return;
    const file = this.#path;
    if (entry.uid !== process.getuid?.())
      throw this.#unavailable(
        hostSentence('secretsFileForeign', { file }),
        'Make it yours with chown, or restore your own from a copy.',
      );
    if ((entry.mode & OPEN_TO_OTHERS) !== 0) throw this.#unavailable(hostSentence('secretsFileOpen', { file }), MAY_BE_ANOTHERS);
  }

  async #write(entries: ReadonlyMap<string, string>, keys: SealingKeys): Promise<void> {
    const text = seal(entries, keys);
    if (Buffer.byteLength(text) > LARGEST_SEALED_BYTES)
      throw new HostError('INVALID_REQUEST', 'The credential is longer than the encrypted secrets file can hold.', {
        details: { advice: 'Name an environment variable that holds it.' },
      });
    try {
      await writeDurably(this.#path, text);
    } catch (cause) {
      const subject = `${this.#path} could not be written, and is as it was.`;
      throw storageFailure(cause, subject) ?? new HostError('SECURE_STORE_UNAVAILABLE', subject, { cause });
    }
  }

  #refused(fault: SealError['fault']): HostError {
    const file = this.#path;
    switch (fault) {
      case 'wrongKey':
        return this.#unavailable(hostSentence('secretsKeyWrong', { file }), 'Give the host the key that the file was made with.');
      case 'newer':
        return this.#unavailable(
          hostSentence('secretsFileNewer', { file }),
          'Start the newer version, or restore an older file.',
        );
      case 'damaged':
        return this.#unavailable(
          hostSentence('secretsFileDamaged', { file }),
          'Restore it from a copy: backups of Tabularium leave it out.',
        );
    }
  }

  #unavailable(sentence: HostSentence, advice: string): HostError {
    return new HostError('SECURE_STORE_UNAVAILABLE', sentence, {
      details: { advice: `${advice} Nothing was changed. "tabularium doctor" says whether it works again.` },
    });
  }

  #oneAfterTheOther<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }
}
