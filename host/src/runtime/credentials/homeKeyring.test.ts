import { describe, expect, it } from 'vitest';
import { MemoryStore } from '../../../../tests/security/memoryStore.ts';
import { HomeKeyring } from './homeKeyring.ts';

const identity = (name: string, ...originals: string[]) => Promise.resolve({ name, originals });

describe('HomeKeyring', () => {
  it('changes and deletes nothing of the original of a copy', async () => {
    const keyring = new MemoryStore();
    const original = new HomeKeyring(keyring, () => identity('home-a'));
    const copy = new HomeKeyring(keyring, () => identity('home-b', 'home-a'));
    await original.set('shop/key', 'first');
    expect(await copy.get('shop/key')).toBe('first');
    expect([await copy.getOwn('shop/key'), await original.getOwn('shop/key')]).toEqual([undefined, 'first']);
    await copy.delete('shop/key');
    expect(await original.get('shop/key')).toBe('first');
    await copy.set('shop/key', 'second');
    expect([await copy.get('shop/key'), await original.get('shop/key')]).toEqual(['second', 'first']);
    await copy.delete('shop/key');
    expect([...keyring.values.keys()]).toEqual(['home-a/shop/key']);
    expect(await new HomeKeyring(keyring, () => identity('home-c')).get('shop/key')).toBeUndefined();
  });

  it('reads entries without a name of a home, where its home is older than such names', async () => {
    const keyring = new MemoryStore();
    await keyring.set('shop/key', 'older');
    const home = new HomeKeyring(keyring, () => identity('home-a', ''));
    expect(await home.get('shop/key')).toBe('older');
    await home.set('shop/key', 'newer');
    expect(await home.get('shop/key')).toBe('newer');
  });

  it('asks for the identity again where it could not be read', async () => {
    const keyring = new MemoryStore();
    let isFull = true;
    const home = new HomeKeyring(keyring, () => (isFull ? Promise.reject(new Error('full')) : identity('home-a')));
    await expect(home.set('shop/key', 'x')).rejects.toThrow('full');
    isFull = false;
    await home.set('shop/key', 'x');
    expect([...keyring.values.keys()]).toEqual(['home-a/shop/key']);
  });
});
