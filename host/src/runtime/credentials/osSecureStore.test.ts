import { describe, expect, it } from 'vitest';
import { OsSecureStore } from './osSecureStore.ts';
import type { KeyringEntry, OpenEntry } from './osSecureStore.ts';

/** A keyring in memory that behaves as the package does. */
function fakeKeyring(): { open: OpenEntry; stored: Map<string, string> } {
  const stored = new Map<string, string>();
  return {
    stored,
    open: (service, account): KeyringEntry => {
      const key = `${service}/${account}`;
      return {
        getPassword: async () => stored.get(key) ?? null,
        setPassword: async (password) => void stored.set(key, password),
        deleteCredential: async () => stored.delete(key),
      };
    },
  };
}

const without: OpenEntry = () => {
  throw new Error('Platform failure: DBus error: set your DBUS_SESSION_BUS_ADDRESS');
};

describe('OsSecureStore', () => {
  it('keeps, gives back and forgets, under the name of the application', async () => {
    const keyring = fakeKeyring();
    const store = new OsSecureStore({ open: async () => keyring.open, platform: 'linux' });
    expect(await store.state()).toEqual({ available: true, name: 'the Secret Service' });
    expect(await store.get('c/field')).toBeUndefined();
    await store.set('c/field', 'hunter2');
    expect([...keyring.stored]).toEqual([['Tabularium/c/field', 'hunter2']]);
    expect(await store.get('c/field')).toBe('hunter2');
    await store.delete('c/field');
    await store.delete('c/field');
    expect(await store.get('c/field')).toBeUndefined();
  });

  it('says what to install where a Linux session has none, and keeps nothing', async () => {
    const store = new OsSecureStore({ open: async () => without, platform: 'linux' });
    const state = await store.state();
    expect(state).toMatchObject({ available: false, name: 'the Secret Service' });
    expect(state.available ? '' : state.reason).toMatch(/gnome-keyring or KWallet/);
    for (const call of [store.get('a'), store.set('a', 'hunter2'), store.delete('a')]) {
      await expect(call).rejects.toMatchObject({
        code: 'SECURE_STORE_UNAVAILABLE',
        message: expect.stringContaining('no Secret Service') as string,
      });
    }
  });

  it('finds a store that comes up while the host runs', async () => {
    const keyring = fakeKeyring();
    let up = false;
    const store = new OsSecureStore({
      open: async () => {
        if (!up) throw new Error('the native part cannot be loaded');
        return keyring.open;
      },
      platform: 'darwin',
    });
    expect(await store.state()).toMatchObject({ available: false, reason: 'The Keychain cannot be reached from this session.' });
    up = true;
    expect(await store.state()).toMatchObject({ available: true });
  });

  it('never repeats what it was given, whatever the store says', async () => {
    const open: OpenEntry = () => ({
      getPassword: async () => null,
      setPassword: async (password) => Promise.reject(new Error(`cannot keep ${password}`)),
      deleteCredential: async () => false,
    });
    const store = new OsSecureStore({ open: async () => open, platform: 'linux' });
    const error: unknown = await store.set('a', 'hunter2').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'SECURE_STORE_UNAVAILABLE', message: expect.stringContaining('denied') as string });
    expect(error).toBeInstanceOf(Error);
    expect(`${(error as Error).stack} ${String((error as Error).cause)}`).not.toContain('hunter2');
  });

  it('takes a store that waits for its password as there, and says so when it stays shut', async () => {
    const timeout = (): Promise<never> => Promise.reject(new DOMException('The operation timed out.', 'TimeoutError'));
    const open: OpenEntry = () => ({ getPassword: timeout, setPassword: timeout, deleteCredential: timeout });
    const store = new OsSecureStore({ open: async () => open, platform: 'linux' });
    expect(await store.state()).toMatchObject({ available: true });
    await expect(store.get('a')).rejects.toMatchObject({ message: expect.stringContaining('unlocked') as string });
  });

  it('refuses what the Windows store would refuse, with a sentence', async () => {
    const keyring = fakeKeyring();
    const store = new OsSecureStore({ open: async () => keyring.open, platform: 'win32' });
    await expect(store.set('a', 'x'.repeat(1_281))).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    await store.set('a', 'x'.repeat(1_280));
    expect(keyring.stored.size).toBe(1);
  });
});
