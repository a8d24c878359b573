import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { connectionInputSchema } from '../../common/connection.ts';
import type { SignInStep } from '../../common/signInSteps.ts';
import { NEVER, comeBack, holdNext, isBrowser, signInBench } from './signIns.test-helper.ts';
import type { Bench } from './signIns.test-helper.ts';
import { OpenConnections } from './openConnections.ts';

describe('SignIns', () => {
  it('says as whom, until when, and that the provider ended it, to every window', async () => {
    const { id, provider, signIns, signIn, authorization, changes } = await signInBench();
    expect(await signIns.state(id)).toEqual({ is: 'out' });
    const steps = await signIn();
    expect(steps.at(-1)).toMatchObject({ step: 'signedIn', account: 'ada@example.org' });
    expect(await signIns.state(id)).toMatchObject({ is: 'in', storedIn: 'store', account: 'ada@example.org' });
    expect((await signIns.state(id))?.until).toBeGreaterThan(Date.now());
    provider.end();
    const noted = changes.count();
    await expect(authorization()).rejects.toThrow('has expired or was revoked');
    expect(changes.count()).toBe(noted + 1);
    expect(await signIns.state(id)).toMatchObject({ is: 'ended', account: 'ada@example.org' });
    await signIns.signOut(id, NEVER);
    expect(await signIns.state(id)).toEqual({ is: 'out' });
  });

  it('stores the refresh token with its reach; sessions share one refresh, and what it rotates to is stored', async () => {
    const { id, provider, store, connections, signIn, authorization } = await signInBench();
    const steps = await signIn();
    expect(steps.map(({ step }) => step)).toEqual(['browser', 'signedIn']);
    expect(JSON.stringify([steps, connections.get(id)])).not.toContain('M4RKED');
    expect(store.values.get(`${id}/key`)).toMatch(/^tabularium-secret-1:[0-9a-f]{64}:M4RKED-refresh-1$/);
    const sent = await Promise.all([authorization(), authorization(), authorization()]);
    expect(new Set(sent)).toEqual(new Set(['Bearer M4RKED-access-2']));
    expect(provider.requests).toHaveLength(2);
    expect(store.values.get(`${id}/key`)).toMatch(/:M4RKED-refresh-2$/);
  });

  it('sends nothing with a driver whose provider has another address, before a person has confirmed it', async () => {
    const { provider, signIn, authorization, driver } = await signInBench();
    await signIn();
    const elsewhere = structuredClone(driver.manifest);
    const [credential] = elsewhere.permissions.http?.credentials ?? [];
    Object.assign(credential ?? {}, { revocationUrl: { value: 'https://evil.example/revoke' } });
    await expect(authorization({ ...driver, manifest: elsewhere })).rejects.toMatchObject({ code: 'SECRET_NOT_CONFIRMED' });
    expect(provider.requests).toHaveLength(1);
  });

  it('needs no other secret than that of the client, to sign in or out', async () => {
    const { id, connections, signIns, signIn, revoked } = await signInBench();
    connections.updateSecrets(id, () => ({ token: { kind: 'session' } }));
    expect((await signIn()).at(-1)).toMatchObject({ step: 'signedIn' });
    expect(await signIns.signOut(id, NEVER)).toEqual({ wasSignedIn: true, revoked: true });
    expect(revoked()).toEqual(['M4RKED-refresh-1']);
    expect(connections.get(id).secrets).toEqual({ token: { kind: 'session' } });
  });

  it('signs in with a client secret that was entered to open the connection, which asked for the sign-in', async () => {
    const { id, connections, secrets, signIn, authorization } = await signInBench({ clientSecret: 'token' });
    connections.updateSecrets(id, () => ({ token: { kind: 'session' } }));
    const opening = new OpenConnections({ connections, secrets, sessions: { use: () => authorization() } as never });
    const open = async (entered: Readonly<Record<string, string>>): Promise<void> => {
      await Array.fromAsync(opening.open(id, entered, NEVER));
    };
    await expect(open({ token: 'x' })).rejects.toMatchObject({ code: 'CREDENTIALS_MISSING', details: { field: 'key' } });
    expect((await signIn()).at(-1)).toMatchObject({ step: 'signedIn' });
  });

  it('says who has to sign in before anybody has, and after a sign-out, which revokes the token', async () => {
    const { id, provider, store, connections, signIns, signIn, authorization } = await signInBench();
    await expect(authorization()).rejects.toMatchObject({ code: 'CREDENTIALS_MISSING' });
    await signIn();
    expect(await signIns.signOut(id, NEVER)).toEqual({ wasSignedIn: true, revoked: true });
    expect(provider.requests.at(-1)?.body).toContain('token=M4RKED-refresh-1');
    expect(store.values.size).toBe(0);
    expect(connections.get(id).secrets).toEqual({});
    await expect(authorization()).rejects.toMatchObject({ code: 'CREDENTIALS_MISSING' });
  });

  it('stores nothing when the connection was changed meanwhile', async () => {
    const { id, store, connections, revoked, signIn } = await signInBench();
    const change = (): void => {
      const { id: _id, createdAt: _created, updatedAt: _updated, ...rest } = connections.get(id);
      connections.update(id, { ...rest, settings: { port: 2 } });
    };
    await expect(signIn(change)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    expect(store.values.size).toBe(0);
    await expect.poll(revoked).toEqual(['M4RKED-refresh-1']);
  });

  it('keeps a name, group and access that were changed while the token was being stored', async () => {
    const { id, store, connections, signIn } = await signInBench();
    const storing = holdNext(store);
    const steps = signIn();
    await storing.begun;
    const { id: _id, createdAt: _created, updatedAt: _updated, ...rest } = connections.get(id);
    const access = { externalClients: 'blocked', aiPolicy: 'never' } as const;
    connections.update(id, { ...rest, name: 'Renamed', group: 'Work', access }, 'listed');
    storing.end();
    await steps;
    expect(connections.get(id)).toMatchObject({ name: 'Renamed', group: 'Work', access, secrets: { key: { kind: 'store' } } });
  });

  it('is undone by a sign-out that comes while the token is being stored', async () => {
    const { id, store, connections, revoked, signIns, signIn } = await signInBench();
    const storing = holdNext(store);
    const steps = signIn();
    await storing.begun;
    const signedOut = signIns.signOut(id, NEVER);
    storing.end();
    await steps.catch(() => undefined);
    expect(await signedOut).toEqual({ wasSignedIn: false, revoked: false });
    expect([connections.get(id).secrets, store.values.size]).toEqual([{}, 0]);
    await expect.poll(revoked).toEqual(['M4RKED-refresh-1']);
  });

  it('is undone when the person cancels while the token is being stored; the one before stays', async () => {
    const { id, store, connections, revoked, signIns, signIn, authorization } = await signInBench();
    const cancelledOne = async (): Promise<void> => {
      const storing = holdNext(store);
      const cancel = new AbortController();
      const steps = Array.fromAsync(signIns.signIn(id, undefined, cancel.signal), async (step) => {
        if ('address' in step) await comeBack(step.address);
      });
      await storing.begun;
      cancel.abort(new Error('cancelled'));
      storing.end();
      await expect(steps).rejects.toThrow('cancelled');
    };
    await cancelledOne();
    expect([connections.get(id).secrets, store.values.size]).toEqual([{}, 0]);
    await expect.poll(revoked).toEqual(['M4RKED-refresh-1']);

    await signIn();
    await cancelledOne();
    expect(store.values.get(`${id}/key`)).toMatch(/:M4RKED-refresh-2$/);
    await expect.poll(revoked).toEqual(['M4RKED-refresh-1', 'M4RKED-refresh-3']);
    expect(await authorization()).toBe('Bearer M4RKED-access-4');
    expect(store.values.get(`${id}/key`)).toMatch(/:M4RKED-refresh-4$/);
  });

  it.each([
    ['the person cancels', (_bench: Bench, steps: AsyncGenerator<SignInStep>) => steps.return(undefined)],
    ['another sign-in begins', (bench: Bench) => bench.signIns.signIn(bench.id, undefined, NEVER).next()],
    ['the connection is signed out', (bench: Bench) => bench.signIns.signOut(bench.id, NEVER)],
    ['the host stops', (bench: Bench) => bench.signIns[Symbol.asyncDispose]()],
  ])('revokes the tokens that come when %s', async (_when, cancel) => {
    const tokens = Promise.withResolvers<void>();
    const bench = await signInBench({ tokensAfter: tokens.promise });
    const steps = bench.signIns.signIn(bench.id, undefined, NEVER);
    const first: IteratorResult<SignInStep, unknown> = await steps.next();
    await comeBack(isBrowser(first.value) ? first.value.address : '');
    await expect.poll(() => bench.provider.requests).toHaveLength(1);
    const cancelled = cancel(bench, steps);
    tokens.resolve();
    await cancelled;
    await expect.poll(bench.revoked).toEqual(['M4RKED-refresh-1']);
    expect([bench.connections.get(bench.id).secrets, bench.store.values.size]).toEqual([{}, 0]);
    await bench.signIns[Symbol.asyncDispose]();
  });

  it('revokes tokens that could not be stored', async () => {
    const { id, store, connections, revoked, signIn } = await signInBench();
    store.set = () => Promise.reject(new Error('locked'));
    await expect(signIn()).rejects.toThrow('locked');
    await expect.poll(revoked).toEqual(['M4RKED-refresh-1']);
    expect(connections.get(id).secrets).toEqual({});
  });

  it('that is cancelled leaves the refresh token that a session was getting meanwhile', async () => {
    const { id, store, provider, signIns, signIn, authorization } = await signInBench();
    await signIn();
    const refreshing = holdNext(store);
    const refreshed = authorization();
    await refreshing.begun;
    const storing = holdNext(store);
    const cancel = new AbortController();
    const steps = Array.fromAsync(signIns.signIn(id, undefined, cancel.signal), async (step) => {
      if ('address' in step) await comeBack(step.address);
    });
    steps.catch(() => undefined);
    await expect.poll(() => provider.requests).toHaveLength(3);
    await delay(50);
    refreshing.end();
    await storing.begun;
    await refreshed;
    cancel.abort(new Error('cancelled'));
    storing.end();
    await expect(steps).rejects.toThrow('cancelled');
    expect(store.values.get(`${id}/key`)).toMatch(/:M4RKED-refresh-2$/);
  });

  it('sends people to an address as long as one of the sign-ins that show it runs', async () => {
    const { id, signIns } = await signInBench();
    const form = connectionInputSchema.parse({ name: 'New', driver: 'search', settings: { port: 1 } });
    const cancel = new AbortController();
    const first = signIns.signIn(id, 'device', cancel.signal);
    const second = signIns.signInForm({ input: form, way: 'device' }, NEVER);
    await Promise.all([first.next(), second.next()]);
    const address = 'https://login.example/device';
    const ended = first.next();
    cancel.abort(new Error('stopped'));
    await expect(ended).rejects.toThrow('stopped');
    expect(signIns.sendsTo(address)).toBe(true);
    await second.return(undefined);
    await expect.poll(() => signIns.sendsTo(address)).toBe(false);
  });

  it('is cancelled by a second one for the same connection', async () => {
    const { id, signIns } = await signInBench();
    const first = signIns.signIn(id, undefined, NEVER);
    await first.next();
    const ended = first.next().catch((error: unknown) => error);
    const second = signIns.signIn(id, undefined, NEVER);
    await second.next();
    expect(await ended).toMatchObject({ code: 'CANCELLED' });
    await second.return(undefined);
  });
});

describe('the sign-in of a data directory that was copied', () => {
  /** The store of the copy: it can read an entry of its original, and has none of its own. */
  const copied = async (): Promise<Bench> => {
    const bench = await signInBench();
    await bench.signIn();
    bench.secrets.signIns.drop(bench.id, 'key');
    Object.assign(bench.store, { getOwn: async () => undefined });
    return bench;
  };

  it('stays with the original: the copy spends and revokes nothing, and asks for its own', async () => {
    const { id, provider, revoked, store, signIns, signIn, authorization, changes } = await copied();
    const noted = changes.count();
    await expect(authorization()).rejects.toMatchObject({ code: 'CREDENTIALS_MISSING' });
    await expect(authorization()).rejects.toMatchObject({ code: 'CREDENTIALS_MISSING' });
    expect(changes.count()).toBe(noted + 1);
    expect(await signIns.state(id)).toEqual({ is: 'out' });
    expect(provider.requests).toHaveLength(1);
    Object.assign(store, { getOwn: undefined });
    await signIn();
    expect(await signIns.state(id)).toMatchObject({ is: 'in' });
    expect(await authorization()).toBe('Bearer M4RKED-access-3');
    expect(revoked()).toEqual([]);
  });

  it('is not revoked when the copy signs out or removes its connection', async () => {
    const { id, revoked, signIns } = await copied();
    expect(await signIns.signOut(id, NEVER)).toMatchObject({ revoked: false });
    const other = await copied();
    await other.service.remove(other.id);
    await other.revocations[Symbol.asyncDispose]();
    expect([revoked(), other.revoked()]).toEqual([[], []]);
  });

  it('becomes no entry of the copy by a confirmation of where credentials go', async () => {
    const { id, driver, secrets, connections, store } = await copied();
    const writes: string[] = [];
    const set = store.set.bind(store);
    store.set = async (account, value) => {
      writes.push(account);
      await set(account, value);
    };
    const elsewhere = structuredClone(driver.manifest);
    Object.assign(elsewhere.permissions.http?.credentials[0] ?? {}, { tokenUrl: { value: 'https://other.example/token' } });
    const changed = { ...driver, manifest: elsewhere };
    const question = await secrets.question(connections.get(id), changed);
    await secrets.confirm(connections.get(id), changed, question?.code ?? '');
    expect(writes).toEqual([]);
  });
});

describe('a connection whose driver the catalogue does not have', () => {
  it('is copied with its credentials, but without its sign-in', async () => {
    const { id, service, connections, store, signIn, loseDriver } = await signInBench();
    await service.update(
      id,
      connectionInputSchema.parse({
        name: 'Shop',
        driver: 'search',
        settings: { port: 1 },
        secrets: { token: { kind: 'store', value: 'hunter2' } },
      }),
    );
    await signIn();
    loseDriver();
    const copy = await service.duplicate(id, 'Copy', true);
    expect(connections.get(copy.id).secrets).toEqual({ token: { kind: 'store' } });
    expect(store.values.get(`${copy.id}/token`)).toContain('hunter2');
    expect([...store.values.keys()].filter((account) => account.startsWith(copy.id))).toHaveLength(1);
  });

  it('is removed, although nothing says where to revoke its sign-in', async () => {
    const { id, service, connections, store, signIn, loseDriver } = await signInBench();
    await signIn();
    loseDriver();
    await service.remove(id);
    expect([connections.list(), store.values.size]).toEqual([[], 0]);
  });
});

describe('a connection whose sign-in is forgotten', () => {
  const forgotten: readonly (readonly [string, (bench: Bench) => Promise<unknown>])[] = [
    ['the connection is removed', ({ service, id }) => service.remove(id)],
    [
      'an imported one for another server takes its place',
      ({ service, connections, id }) => {
        const imported = connectionInputSchema.parse({ name: 'Shop', driver: 'search', settings: { port: 2 } });
        return service.importOne({ ...imported, secrets: {} }, connections.get(id));
      },
    ],
    [
      'its form removes it',
      ({ service, id }) =>
        service.update(
          id,
          connectionInputSchema.parse({
            name: 'Shop',
            driver: 'search',
            settings: { port: 1 },
            secrets: { key: { kind: 'remove' } },
          }),
        ),
    ],
  ];

  it.each(forgotten)('is revoked at its provider when %s', async (_when, forget) => {
    const bench = await signInBench();
    await bench.signIn();
    await forget(bench);
    await expect.poll(bench.revoked).toEqual(['M4RKED-refresh-1']);
    expect(bench.store.values.size).toBe(0);
  });

  it.each(forgotten)('does not wait for a provider that does not answer when %s', async (_when, forget) => {
    const bench = await signInBench({ onRevocation: () => undefined });
    await bench.signIn();
    await forget(bench);
    await expect.poll(bench.revoked).toHaveLength(1);
    expect(bench.store.values.size).toBe(0);
    // It runs still, and the end of the host waits for it in bounds.
    await bench.revocations[Symbol.asyncDispose]();
  });

  it.each([
    ['is locked', () => Promise.reject(new Error('locked'))],
    ['never answers', () => new Promise<never>(() => undefined)],
  ])('is removed with its connection where the store of its token %s', async (_how, get) => {
    const bench = await signInBench();
    await bench.signIn();
    bench.secrets.signIns.drop(bench.id, 'key');
    bench.store.get = get;
    await bench.service.remove(bench.id);
    expect(bench.connections.list()).toEqual([]);
    expect(bench.store.values.size).toBe(0);
  });

  it('is not revoked when the connection is changed and keeps it', async () => {
    const bench = await signInBench();
    await bench.signIn();
    await bench.service.update(
      bench.id,
      connectionInputSchema.parse({ name: 'Renamed', driver: 'search', settings: { port: 1 } }),
    );
    expect(await bench.authorization()).toBe('Bearer M4RKED-access-2');
    expect(bench.revoked()).toEqual([]);
  });
});
