import { describe, expect, it } from 'vitest';
import { MOST_NEW_SECRETS, NewSecrets } from './newSecrets.ts';

const secret = { principalName: 'robot', connectionName: 'Sample', summary: 'Create an API key', text: '{"value":"k1"}' };

describe('NewSecrets', () => {
  it('shows nothing while no window watches', async () => {
    const secrets = new NewSecrets();
    expect(secrets.canShow()).toBe(false);
    const leaving = new AbortController();
    const watched = secrets.watch(leaving.signal);
    await watched.next();
    expect(secrets.canShow()).toBe(true);
    leaving.abort();
    await watched.next();
    expect(secrets.canShow()).toBe(false);
  });

  it('keeps an answer until it is dismissed, also for a window that opens later', async () => {
    const secrets = new NewSecrets(() => 0);
    const { signal } = new AbortController();
    secrets.show(secret);
    const [first] = (await secrets.watch(signal).next()).value ?? [];
    expect(first).toMatchObject({ ...secret, createdAt: '1970-01-01T00:00:00.000Z' });
    const watched = secrets.watch(signal);
    await watched.next();
    const next = watched.next();
    secrets.dismiss(first?.id ?? '');
    secrets.dismiss('gone');
    expect((await next).value).toEqual([]);
  });

  it('has room for a few only', async () => {
    const secrets = new NewSecrets();
    await secrets.watch(new AbortController().signal).next();
    for (let count = 0; count < MOST_NEW_SECRETS; count += 1) secrets.show(secret);
    expect(secrets.canShow()).toBe(false);
  });
});
