import { describe, expect, it } from 'vitest';
import { EnvironmentSecureStore, secretVariable } from './environmentSecureStore.ts';
import { tryStore } from './tryStore.ts';

describe('EnvironmentSecureStore', () => {
  const account = '3f0e2c9a-7b1c-4b6e/apiKey';
  const store = new EnvironmentSecureStore({ TABULARIUM_SECRET_3F0E2C9A_7B1C_4B6E_APIKEY: 'value', OTHER: 'x' });

  it('reads the variable of an account, and takes an empty one for none', async () => {
    expect(secretVariable(account)).toBe('TABULARIUM_SECRET_3F0E2C9A_7B1C_4B6E_APIKEY');
    expect(await store.get(account)).toBe('value');
    expect(await store.get('other')).toBeUndefined();
    expect(await new EnvironmentSecureStore({ TABULARIUM_SECRET_A_B: '' }).get('a/b')).toBeUndefined();
  });

  it('saves nothing, says which variable to set, and forgets nothing', async () => {
    await expect(store.set(account)).rejects.toMatchObject({
      code: 'SECURE_STORE_UNAVAILABLE',
      details: { advice: expect.stringContaining('TABULARIUM_SECRET_3F0E2C9A_7B1C_4B6E_APIKEY') as string },
    });
    await store.delete();
    expect(await store.get(account)).toBe('value');
    expect(await tryStore(store)).toMatchObject({ available: false, reason: expect.stringMatching(/environment/) as string });
  });
});
