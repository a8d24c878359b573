import { constants } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
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
      const handle = await open(this.#path, constants.O_RDONLY | (process.platform === 'win32' ? 0 : constants.O_NONBLOCK));
      try {
        const entry = await handle.stat();
        if (!entry.isFile() || entry.size > LARGEST_SEALED_BYTES) throw this.#refused('damaged');
        return await handle.readFile('utf8');
      } finally {
        await handle.close();
      }
    } catch (error) {
      if (error instanceof HostError) throw error;
      const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
      throw this.#unavailable(
        hostSentence('secretsFileUnreadable', { file: this.#path, reason }),
        'Make it readable, or restore it from a copy: backups of Tabularium leave it out.',
      );
    }
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
