import { createHash } from 'node:crypto';
import { HostError } from '../../common/errors.ts';
import type { SecureStore, SecureStoreState } from './secureStore.ts';

/** Characters of one entry: the Windows Credential Manager holds 2,560 bytes of UTF-16. */
export const LONGEST_WINDOWS_ENTRY = 1_280;
/** More than the largest answer of a token server. */
const MOST_PARTS = 64;
/** The entry of a secret in parts: which of two sets of parts, their number, and the digest of the whole. */
const HEAD = /^tabularium-parts-1:([ab]):(\d{1,2}):([0-9a-f]{64})$/;
const HEAD_START = 'tabularium-parts-';

const SETS = ['a', 'b'] as const;
type PartSet = (typeof SETS)[number];

interface Head {
  readonly set: PartSet;
  readonly count: number;
  readonly digest: string;
}

/**
 * Keeps long secrets in a store of short entries: in numbered parts beside an entry that names them. New parts are written beside those in use, and the
 * one write of that entry takes the new ones into use: a host that ends in between has the old secret or the new one. The parts of a host that ended are
 * overwritten or deleted by the next change.
 */
export class SplitSecureStore implements SecureStore {
  readonly #store: SecureStore;
  readonly #longest: number;
  /** By account: its calls take turns, so that none reads parts of which one is being replaced. */
  readonly #turns = new Map<string, Promise<unknown>>();

  /** @param longest - characters of one entry, in units of UTF-16 */
  constructor(store: SecureStore, longest: number = LONGEST_WINDOWS_ENTRY) {
    this.#store = store;
    this.#longest = longest;
  }

  state(): Promise<SecureStoreState> {
    return this.#store.state();
  }

  async get(account: string): Promise<string | undefined> {
    return this.#inTurn(account, async () => {
      const entry = await this.#store.get(account);
      const head = headOf(entry);
      // One of a later version can't be read: it is as good as gone.
      if (head === undefined) return entry?.startsWith(HEAD_START) === true ? undefined : entry;
      const parts: string[] = [];
      for (let number = 1; number <= head.count; number += 1)
        parts.push((await this.#store.get(partAccount(account, head.set, number))) ?? '');
      const secret = parts.join('');
      // Else another program deleted or changed a part: it is as good as gone, and a person is asked for it.
      return digestOf(secret) === head.digest ? secret : undefined;
    });
  }

  /** @throws HostError `INVALID_REQUEST` for one that is too long in parts, too; `SECURE_STORE_UNAVAILABLE` */
  async set(account: string, secret: string): Promise<void> {
    await this.#inTurn(account, async () => {
      const isShort = secret.length <= this.#longest && !secret.startsWith(HEAD_START);
      const before = headOf(await this.#store.get(account))?.set;
      const now = isShort ? undefined : before === 'a' ? 'b' : 'a';
      if (now === undefined) await this.#store.set(account, secret);
      else await this.#setParts(account, secret, now);
      // The secret is stored. Parts that can't be deleted now are deleted with the next change.
      for (const set of SETS) if (set !== now) await this.#deleteParts(account, set).catch(() => undefined);
    });
  }

  async delete(account: string): Promise<void> {
    await this.#inTurn(account, async () => {
      await this.#store.delete(account);
      for (const set of SETS) await this.#deleteParts(account, set);
    });
  }

  async #setParts(account: string, secret: string, set: PartSet): Promise<void> {
    const parts = partsOf(secret, this.#longest);
    if (parts.length > MOST_PARTS) {
      const state = await this.#store.state();
      throw new HostError('INVALID_REQUEST', `The credential is longer than ${state.name} can keep.`, {
        details: { advice: 'Name an environment variable that holds it.' },
      });
    }
    await this.#deleteParts(account, set);
    for (const [index, part] of parts.entries()) await this.#store.set(partAccount(account, set, index + 1), part);
    await this.#store.set(account, `${HEAD_START}1:${set}:${parts.length}:${digestOf(secret)}`);
  }

  /** All that are there, the last one first, so that those of a host that ends in the middle are found again. */
  async #deleteParts(account: string, set: PartSet): Promise<void> {
    let count = 0;
    while (count < MOST_PARTS && (await this.#store.get(partAccount(account, set, count + 1))) !== undefined) count += 1;
    for (let number = count; number > 0; number -= 1) await this.#store.delete(partAccount(account, set, number));
  }

  #inTurn<Result>(account: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#turns.get(account) ?? Promise.resolve();
    const mine = before.then(work, work);
    const settled = mine.then(
      () => undefined,
      () => undefined,
    );
    this.#turns.set(account, settled);
    void settled.then(() => {
      if (this.#turns.get(account) === settled) this.#turns.delete(account);
    });
    return mine;
  }
}

function headOf(entry: string | undefined): Head | undefined {
  const found = entry === undefined ? null : HEAD.exec(entry);
  if (found === null) return undefined;
  const [, set, count, digest = ''] = found;
  return { set: set === 'b' ? 'b' : 'a', count: Number(count), digest };
}

function partAccount(account: string, set: PartSet, number: number): string {
  return `${account}/${set}${number}`;
}

function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Pieces of a text, none of which splits a character of two units. */
function partsOf(text: string, longest: number): readonly string[] {
  const parts: string[] = [];
  for (let start = 0; start < text.length;) {
    const cut = start + longest;
    const isSplit = cut < text.length && /[\ud800-\udbff]/.test(text[cut - 1] ?? '');
    const end = isSplit ? cut - 1 : cut;
    parts.push(text.slice(start, end));
    start = end;
  }
  return parts;
}
