import { describe, expect, it } from 'vitest';
import { MemoryStore } from '../../../../tests/security/memoryStore.ts';
import { LONGEST_WINDOWS_ENTRY, SplitSecureStore } from './splitSecureStore.ts';
import { OsSecureStore } from './osSecureStore.ts';
import type { OpenEntry } from './osSecureStore.ts';

const LONGEST = 100;
const token = (mark: string, length: number): string => mark.repeat(length).slice(0, length);

/** A store that ends the host at the write or deletion of a number; 0 for the first one. */
class EndingStore extends MemoryStore {
  changes = 0;
  endAt = Infinity;

  override async set(account: string, secret: string): Promise<void> {
    if (secret.length > LONGEST) throw new Error('too long');
    this.#count();
    await super.set(account, secret);
  }

  override async delete(account: string): Promise<void> {
    this.#count();
    await super.delete(account);
  }

  #count(): void {
    if (this.changes >= this.endAt) throw new Error('the host ended');
    this.changes += 1;
  }
}

describe('SplitSecureStore', () => {
  it.each([1, 99, 100, 101, 200, 201, 3_456])(
    'gives back %i characters, and leaves nothing when they are deleted',
    async (length) => {
      const entries = new EndingStore();
      const store = new SplitSecureStore(entries, LONGEST);
      await store.set('c/field', token('abc', length));
      expect(await new SplitSecureStore(entries, LONGEST).get('c/field')).toBe(token('abc', length));
      await store.delete('c/field');
      expect([...entries.values]).toEqual([]);
      expect(await store.get('c/field')).toBeUndefined();
    },
  );

  it('keeps a short secret in one entry, as versions before did, and one that looks like a list of parts as it is', async () => {
    const entries = new EndingStore();
    const store = new SplitSecureStore(entries, LONGEST);
    await store.set('a', 'hunter2');
    expect([...entries.values]).toEqual([['a', 'hunter2']]);
    const forged = `tabularium-parts-1:a:1:${'0'.repeat(64)}`;
    await store.set('a', forged);
    expect(await store.get('a')).toBe(forged);
  });

  it('splits no character', async () => {
    const entries = new EndingStore();
    const store = new SplitSecureStore(entries, LONGEST);
    const secret = `x${'😀'.repeat(150)}`;
    await store.set('a', secret);
    expect(await store.get('a')).toBe(secret);
    for (const value of entries.values.values()) expect(value.isWellFormed()).toBe(true);
  });

  it.each([
    [token('old', 450), token('new', 250)],
    [token('old', 250), token('new', 450)],
    ['old', token('new', 450)],
    [token('old', 450), 'new'],
  ])('has the old secret or the new one, wherever the host ends, and no part of others later (%#)', async (before, after) => {
    for (let endAt = 0; ; endAt += 1) {
      const entries = new EndingStore();
      await new SplitSecureStore(entries, LONGEST).set('a', before);
      entries.endAt = entries.changes + endAt;
      const isWhole = await new SplitSecureStore(entries, LONGEST).set('a', after).then(
        () => entries.changes < entries.endAt,
        () => false,
      );
      entries.endAt = Infinity;
      const restarted = new SplitSecureStore(entries, LONGEST);
      expect([before, after]).toContain(await restarted.get('a'));
      await restarted.set('a', after);
      expect(entries.values.size).toBe(after.length <= LONGEST ? 1 : 1 + Math.ceil(after.length / LONGEST));
      await restarted.set('a', token('x', 150));
      expect(await restarted.get('a')).toBe(token('x', 150));
      await restarted.delete('a');
      expect([...entries.values]).toEqual([]);
      if (isWhole) break;
    }
  });

  it('mixes no two secrets that are stored at the same time', async () => {
    const store = new SplitSecureStore(new EndingStore(), LONGEST);
    const [one, other] = [token('1', 950), token('2', 450)];
    const read = Array.from({ length: 5 }, async () => {
      await Promise.all([store.set('a', one), store.set('a', other)]);
      return store.get('a');
    });
    for (const value of await Promise.all(read)) expect([one, other]).toContain(value);
  });

  it('has none where another program changed or deleted a part', async () => {
    const entries = new EndingStore();
    const store = new SplitSecureStore(entries, LONGEST);
    await store.set('a', token('abc', 250));
    entries.values.set('a/a2', 'other');
    expect(await store.get('a')).toBeUndefined();
    await store.set('a', token('abc', 250));
    entries.values.delete('a/b3');
    expect(await store.get('a')).toBeUndefined();
  });

  it('rejects a secret that is too long for all parts', async () => {
    const entries = new EndingStore();
    const store = new SplitSecureStore(entries, LONGEST);
    await store.set('a', 'old');
    await expect(store.set('a', token('x', 64 * LONGEST + 1))).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining('longer than memory can keep') as string,
    });
    expect(await store.get('a')).toBe('old');
  });

  it('has entries that the Windows Credential Manager takes', async () => {
    const stored = new Map<string, string>();
    const open: OpenEntry = (_service, account) => ({
      getPassword: async () => stored.get(account) ?? null,
      setPassword: async (password) => void stored.set(account, password),
      deleteCredential: async () => stored.delete(account),
    });
    const windows = new OsSecureStore({ open: async () => open, platform: 'win32' });
    const store = new SplitSecureStore(windows);
    await store.set('home/c/field', token('ü😀', 64 * 1_024));
    expect(await store.get('home/c/field')).toBe(token('ü😀', 64 * 1_024));
    for (const value of stored.values()) expect(value.length).toBeLessThanOrEqual(LONGEST_WINDOWS_ENTRY);
    await store.delete('home/c/field');
    expect(stored.size).toBe(0);
  });
});
