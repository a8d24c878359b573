import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { oneTimeRedirect } from './oneTimeRedirect.ts';

const ADDRESS = 'https://login.example/authorize?state=M4RKED&scope=a%20b';
const ask = async (url: string, options: RequestInit = {}): Promise<readonly [number, string | null]> => {
  const { status, headers } = await fetch(url, { redirect: 'manual', ...options });
  return [status, headers.get('location')];
};

describe('oneTimeRedirect', () => {
  it('leads to the address once, and says nothing of it', async () => {
    const url = await oneTimeRedirect(ADDRESS);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}$/);
    expect(await ask(url)).toEqual([303, ADDRESS]);
    expect(await ask(url).catch(() => 'closed')).not.toEqual([303, ADDRESS]);
  });

  it('answers no other path, method or name', async () => {
    const url = await oneTimeRedirect(ADDRESS);
    expect(await ask(new URL('/', url).href)).toEqual([404, null]);
    expect(await ask(`${url}?more=1`)).toEqual([404, null]);
    expect(await ask(url, { method: 'POST' })).toEqual([404, null]);
    const rebound = Promise.withResolvers<number | undefined>();
    request(url, { headers: { host: 'evil.example' } }, (response) => rebound.resolve(response.resume().statusCode)).end();
    expect(await rebound.promise).toBe(404);
    expect(await ask(url)).toEqual([303, ADDRESS]);
  });

  it('refuses a program of another user, who can read the arguments of a browser, and waits on', async () => {
    let isOwn = false;
    const url = await oneTimeRedirect(ADDRESS, { isOwn: async () => isOwn });
    expect(await ask(url)).toEqual([403, null]);
    isOwn = true;
    expect(await ask(url)).toEqual([303, ADDRESS]);
  });

  it('ends when no browser comes', async () => {
    const url = await oneTimeRedirect(ADDRESS, { patience: 20 });
    await expect.poll(() => ask(url).catch(() => 'closed')).toBe('closed');
  });
});
