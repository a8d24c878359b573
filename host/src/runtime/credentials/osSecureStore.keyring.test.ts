import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { OsSecureStore } from './osSecureStore.ts';

describe('OsSecureStore with a real Secret Service', () => {
  it('keeps a secret beyond the object that kept it, and forgets it', async () => {
    const account = `test/${randomUUID()}`;
    const secret = 'pässwörd "\n\u0000 🔑';
    const store = new OsSecureStore();
    expect(await store.state()).toEqual({ available: true, name: 'the Secret Service' });
    expect(await store.get(account)).toBeUndefined();
    await store.set(account, 'first');
    await store.set(account, secret);
    expect(await new OsSecureStore().get(account)).toBe(secret);
    expect(await new OsSecureStore({ service: 'Another' }).get(account)).toBeUndefined();
    await store.delete(account);
    expect(await store.get(account)).toBeUndefined();
    await store.delete(account);
  });
});
