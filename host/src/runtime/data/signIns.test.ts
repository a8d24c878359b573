import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MemoryStore } from '../../../../tests/security/memoryStore.ts';
import { connectionInputSchema } from '../../common/connection.ts';
import type { ConnectionInput } from '../../common/connection.ts';
import type { FormSignInStep, SignInStep } from '../../common/signInSteps.ts';
import { testBindings } from '../connections/bindings.test-helper.ts';
import { ConnectionSecrets } from '../connections/connectionSecrets.ts';
import { ConnectionStore } from '../connections/connectionStore.ts';
import { HeldSignIns } from '../connections/heldSignIns.ts';
import { TokenRevocations } from '../connections/tokenRevocations.ts';
import { manifestWith, serve } from '../drivers/broker/credentials/credentials.test-helper.ts';
import type { Credentials } from '../drivers/broker/credentials/credentials.test-helper.ts';
import { httpGrantFor } from '../drivers/broker/httpGrant.ts';
import { testSender } from '../drivers/broker/sealed.test-helper.ts';
import type { SendingDriver } from '../drivers/broker/serverDestination.ts';
import { SignedInTokens } from '../credentials/signedInTokens.ts';
import { silentLogger } from '../storage/logger.ts';
import { SavedChanges } from '../storage/savedChanges.ts';
import { Database } from '../storage/database.ts';
import { connectionGroupsMigration } from '../storage/migrations/connectionGroups.ts';
import { connectionsMigration } from '../storage/migrations/connections.ts';
import { readOnlyConnectionsMigration } from '../storage/migrations/readOnlyConnections.ts';
import { OpenConnections } from './openConnections.ts';
import { SignIns } from './signIns.ts';

const NEVER = new AbortController().signal;
let database: Database;
beforeEach(
  () => (database = new Database(':memory:', [connectionsMigration, connectionGroupsMigration, readOnlyConnectionsMigration])),
);
afterEach(() => database[Symbol.dispose]());

interface BenchOptions {
  /** Replaces the provider's answer to a revocation. */
  readonly onRevocation?: (response: ServerResponse) => void;
  /** The provider gives tokens only when this resolves. */
  readonly tokensAfter?: Promise<void>;
  readonly heldTime?: number;
  /** The field of the client's secret. */
  readonly clientSecret?: string;
}

async function signInBench({ onRevocation, tokensAfter, heldTime, clientSecret }: BenchOptions = {}) {
  let count = 0;
  let isOver = false;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.url === '/revoke') return onRevocation === undefined ? void response.end() : onRevocation(response);
    if (request.url === '/device')
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          device_code: 'd',
          user_code: 'ABCD-EFGH',
          verification_uri: 'https://login.example/device',
          expires_in: 600,
        }),
      );
    await tokensAfter;
    if (isOver) return void response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_grant"}');
    count += 1;
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        access_token: `M4RKED-access-${count}`,
        token_type: 'Bearer',
        expires_in: 3_600,
        refresh_token: `M4RKED-refresh-${count}`,
        refresh_token_expires_in: 86_400,
        id_token: `x.${Buffer.from('{"preferred_username":"ada@example.org"}').toString('base64url')}.x`,
      }),
    );
  };
  const provider = await serve((request, response) => void answer(request, response));
  const at = (path: string) => ({ value: `http://127.0.0.1:${provider.port}${path}` });
  const credentials: Credentials = [
    {
      scheme: 'oauth2',
      grant: 'signIn',
      field: 'key',
      clientId: { value: 'tabularium' },
      ...(clientSecret === undefined ? {} : { clientSecret }),
      tokenUrl: at('/token'),
      authorizationUrl: at('/authorize'),
      deviceUrl: at('/device'),
      revocationUrl: at('/revoke'),
    },
  ];
  const driver = testSender(manifestWith(credentials));
  const store = new MemoryStore();
  const warnings: string[] = [];
  const revocations = new TokenRevocations({ ...silentLogger, warn: (message) => void warnings.push(message) });
  const held = new HeldSignIns(revocations, heldTime);
  const saved = new SavedChanges();
  const secrets = new ConnectionSecrets(store, {}, testBindings(), held, saved);
  const connections = new ConnectionStore(database);
  const { id } = connections.create({
    name: 'Shop',
    driver: driver.id,
    settings: { port: 1 },
    secrets: {},
    access: { externalClients: 'readOnly', aiPolicy: 'askEachTime' },
    color: 'blue',
  });
  const signIns = new SignIns({
    connections,
    secrets,
    held,
    revocations,
    manifests: { senderOf: () => Promise.resolve(driver) },
    drivers: { ensureInstalled: () => Promise.resolve(driver as never) },
    sessions: { close: () => Promise.resolve() },
    store,
  });
  /** The header that a session sends. */
  const authorization = async (from = driver): Promise<string> => {
    const connection = connections.get(id);
    const grant = await httpGrantFor(from, connection.settings, await secrets.resolve(connection, from), () =>
      Promise.reject(new Error('no files')),
    );
    const headers = new Map<string, string>();
    await grant.addCredentials({ method: 'GET', origin: grant.origin, path: '/', headers, body: 'none' }, NEVER);
    return headers.get('authorization') ?? '';
  };
  /** Signs in as a person whose browser comes back. */
  const followed = async <Step extends { readonly step: string }>(
    all: AsyncGenerator<Step | { readonly step: 'browser'; readonly address: string }>,
    between: () => void = () => undefined,
  ): Promise<readonly (Step | { readonly step: 'browser'; readonly address: string })[]> => {
    const steps: (Step | { readonly step: 'browser'; readonly address: string })[] = [];
    for await (const step of all) {
      steps.push(step);
      if (!('address' in step)) continue;
      between();
      await comeBack(step.address);
    }
    return steps;
  };
  const signIn = (between?: () => void) => followed<SignInStep>(signIns.signIn(id, undefined, NEVER), between);
  const signForm = (input: ConnectionInput) => followed<FormSignInStep>(signIns.signInForm({ input }, NEVER));
  /** How often windows were asked to look again. */
  const changes = {
    count: () => revisions.connections,
  };
  let revisions = { application: 0, connections: 0, drivers: 0 };
  const note = saved.note.bind(saved);
  saved.note = (what) => {
    revisions = { ...revisions, [what]: revisions[what] + 1 };
    note(what);
  };
  return {
    id,
    provider: Object.assign(provider, { end: () => (isOver = true) }),
    store,
    connections,
    secrets,
    held,
    revocations,
    warnings,
    /** The tokens that the provider was asked to revoke. */
    revoked: () =>
      provider.requests.flatMap(({ body }) => {
        const parameters = new URLSearchParams(body);
        return parameters.get('token_type_hint') === null ? [] : [parameters.get('token')];
      }),
    signIns,
    signIn,
    signForm,
    authorization,
    driver,
    changes,
  };
}

/** Saves a form, as a service does that stores nothing. */
const save = (held: HeldSignIns, input: ConnectionInput, driver: SendingDriver) =>
  held.save(input, driver, async (stored) => stored);

/** The person's browser comes back from the provider. */
async function comeBack(address: string): Promise<void> {
  const { searchParams } = new URL(address);
  await fetch(`${searchParams.get('redirect_uri')}?state=${searchParams.get('state')}&code=good`);
}

type Bench = Awaited<ReturnType<typeof signInBench>>;

/** Makes the next write of a store wait. */
function holdNext(store: MemoryStore): { readonly begun: Promise<void>; readonly end: () => void } {
  const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const set = store.set.bind(store);
  store.set = async (account, secret) => {
    store.set = set;
    begun.resolve();
    await end.promise;
    await set(account, secret);
  };
  return { begun: begun.promise, end: () => end.resolve() };
}

const isBrowser = (step: unknown): step is Extract<FormSignInStep, { readonly step: 'browser' }> =>
  typeof step === 'object' && step !== null && 'step' in step && step.step === 'browser';

function heldIn(steps: readonly FormSignInStep[]): Extract<FormSignInStep, { readonly step: 'held' }> {
  const last = steps.at(-1);
  if (last?.step !== 'held') throw new Error('The sign-in did not end.');
  return last;
}

describe('signing in for a form that is not saved', () => {
  const form = (settings = { port: 1 }) => connectionInputSchema.parse({ name: 'New', driver: 'search', settings });
  const secret = (ticket: string) => ({ key: { kind: 'signedIn' as const, ticket, keepIn: 'store' as const } });

  it('gives the window a ticket; the token stays in the host until the form is saved with it', async () => {
    const { store, driver, provider, secrets, held, signForm } = await signInBench();
    const steps = await signForm(form());
    expect(JSON.stringify(steps)).not.toContain('M4RKED');
    expect(store.values.size).toBe(0);
    const { ticket } = heldIn(steps);
    const input = { ...form(), secrets: secret(ticket) };
    // A test of the form spends the refresh token: what came for it is what is saved.
    const sealed = await secrets.resolveInput(undefined, input, driver);
    const grant = await httpGrantFor(driver, input.settings, sealed, () => Promise.reject(new Error('no files')));
    const headers = new Map<string, string>();
    await grant.addCredentials({ method: 'GET', origin: grant.origin, path: '/', headers, body: 'none' }, NEVER);
    expect(headers.get('authorization')).toBe('Bearer M4RKED-access-2');
    expect(secrets.redact('M4RKED-access-2')).not.toContain('M4RKED');
    const { saved, facts } = await held.save(input, driver, async (stored) => stored);
    expect(saved.secrets['key']).toEqual({ kind: 'store', value: 'M4RKED-refresh-2' });
    expect(facts.get('key')).toMatchObject({ account: 'ada@example.org' });
    await expect(save(held, input, driver)).rejects.toMatchObject({ code: 'INVALID_REQUEST', details: { field: 'key' } });
    expect(provider.requests).toHaveLength(2);
  });

  it('refuses a ticket that was never given, and one of another provider', async () => {
    const { driver, secrets, held, signForm } = await signInBench();
    const { ticket } = heldIn(await signForm(form()));
    const input = { ...form(), secrets: secret(ticket) };
    const elsewhere = structuredClone(driver.manifest);
    Object.assign(elsewhere.permissions.http?.credentials[0] ?? {}, { tokenUrl: { value: 'https://evil.example/token' } });
    const evil = { ...driver, manifest: elsewhere };
    await expect(save(held, input, evil)).rejects.toThrow('another provider');
    await expect(secrets.resolveInput(undefined, input, evil)).rejects.toThrow('another provider');
    const guessed = { ...form(), secrets: secret('00000000-0000-4000-8000-000000000000') };
    await expect(save(held, guessed, driver)).rejects.toThrow('no longer there');
  });

  it('revokes the sign-in of a form that is closed without saving, once', async () => {
    const { provider, signIns, signForm } = await signInBench();
    const { ticket } = heldIn(await signForm(form()));
    expect(await signIns.dropHeld(ticket)).toEqual({ wasSignedIn: true, revoked: true });
    expect(provider.requests.at(-1)?.body).toContain('token=M4RKED-refresh-1');
    expect(await signIns.dropHeld(ticket)).toEqual({ wasSignedIn: false, revoked: false });
  });

  it('gives way as the oldest of many, and is revoked then', async () => {
    const { provider, held, signForm, driver } = await signInBench();
    const { ticket } = heldIn(await signForm(form()));
    const other = {
      field: 'key',
      tokens: new SignedInTokens('other'),
      place: '',
      facts: {},
      revoke: () => Promise.reject(new Error('away')),
    };
    const others = Array.from({ length: 31 }, () => held.hold(other));
    expect(provider.requests.map(({ body }) => body).join()).not.toContain('token=M4RKED-refresh-1&');
    held.hold(other);
    await expect.poll(() => provider.requests.at(-1)?.body).toContain('token=M4RKED-refresh-1');
    await expect(save(held, { ...form(), secrets: secret(ticket) }, driver)).rejects.toThrow('no longer there');
    // One whose provider is away gives way all the same.
    held.hold(other);
    expect(await held.drop(others[0] ?? '')).toMatchObject({ wasSignedIn: false });
    expect(await held.drop(others[1] ?? '')).toMatchObject({ wasSignedIn: true });
  });

  it('is revoked when nothing used it for a time, as after a crash of its window', async () => {
    const { revoked, held, signForm, driver } = await signInBench({ heldTime: 50 });
    const { ticket } = heldIn(await signForm(form()));
    await expect.poll(revoked).toEqual(['M4RKED-refresh-1']);
    await expect(save(held, { ...form(), secrets: secret(ticket) }, driver)).rejects.toThrow('no longer there');
  });

  it('is revoked when the host stops, which waits for that', async () => {
    const { revoked, held, revocations, signForm } = await signInBench({
      onRevocation: (response) => void setTimeout(() => response.end(), 100),
    });
    await signForm(form());
    held[Symbol.dispose]();
    await revocations[Symbol.asyncDispose]();
    expect(revoked()).toEqual(['M4RKED-refresh-1']);
  });

  it('is revoked when its window is gone before it has the ticket', async () => {
    const { revoked, held, signIns } = await signInBench();
    const hold = vi.spyOn(held, 'hold');
    const steps = signIns.signInForm({ input: form() }, NEVER);
    const first: IteratorResult<FormSignInStep, unknown> = await steps.next();
    await comeBack(isBrowser(first.value) ? first.value.address : '');
    await expect.poll(() => hold.mock.results).toHaveLength(1);
    expect(revoked()).toEqual([]);
    await steps.return(undefined);
    await expect.poll(revoked).toEqual(['M4RKED-refresh-1']);
  });

  it('is not revoked by closing the form while it is saved; it is where saving fails', async () => {
    const { revoked, held, signIns, signForm, driver } = await signInBench();
    const { ticket } = heldIn(await signForm(form()));
    const input = { ...form(), secrets: secret(ticket) };
    const dropped = await held.save(input, driver, () => signIns.dropHeld(ticket));
    expect(dropped.saved).toEqual({ wasSignedIn: true, revoked: false });
    expect(revoked()).toEqual([]);

    const second = heldIn(await signForm(form())).ticket;
    const failing = held.save({ ...form(), secrets: secret(second) }, driver, async () => {
      await signIns.dropHeld(second);
      throw new Error('the disk is full');
    });
    await expect(failing).rejects.toThrow('the disk is full');
    await expect.poll(revoked).toEqual(['M4RKED-refresh-2']);
  });

  it('stays for another try where saving fails', async () => {
    const { revoked, held, signForm, driver } = await signInBench();
    const { ticket } = heldIn(await signForm(form()));
    const input = { ...form(), secrets: secret(ticket) };
    await expect(held.save(input, driver, () => Promise.reject(new Error('locked')))).rejects.toThrow('locked');
    expect((await save(held, input, driver)).saved.secrets['key']).toMatchObject({ value: 'M4RKED-refresh-1' });
    expect(revoked()).toEqual([]);
  });

  it('writes down that a provider could not be asked to revoke it, and fails nothing', async () => {
    const { signIns, signForm, warnings } = await signInBench({
      onRevocation: (response) => void response.writeHead(503).end('M4RKED'),
    });
    const { ticket } = heldIn(await signForm(form()));
    expect(await signIns.dropHeld(ticket)).toEqual({ wasSignedIn: true, revoked: false });
    expect(warnings).toEqual([expect.stringContaining('could not be revoked at its provider')]);
    expect(warnings.join('')).not.toContain('M4RKED');
  });

  it('ends with the window that reads its steps, and holds nothing then', async () => {
    const { provider, signIns } = await signInBench();
    const steps = signIns.signInForm({ input: form() }, NEVER);
    const first: IteratorResult<FormSignInStep, unknown> = await steps.next();
    const sent = isBrowser(first.value) ? first.value.address : '';
    expect(signIns.sendsTo(sent)).toBe(true);
    expect(signIns.sendsTo(`${sent}&more=1`)).toBe(false);
    await steps.return(undefined);
    await expect.poll(() => signIns.sendsTo(sent)).toBe(false);
    const address = new URL(isBrowser(first.value) ? first.value.address : '');
    await expect(fetch(address.searchParams.get('redirect_uri') ?? '')).rejects.toThrow();
    expect(provider.requests).toEqual([]);
  });
});

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
    expect(await signedOut).toEqual({ wasSignedIn: true, revoked: true });
    expect([connections.get(id).secrets, store.values.size]).toEqual([{}, 0]);
    expect(revoked()).toEqual(['M4RKED-refresh-1']);
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
