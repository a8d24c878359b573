import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MemoryStore } from '../../../../tests/security/memoryStore.ts';
import { connectionInputSchema } from '../../common/connection.ts';
import type { ConnectionInput } from '../../common/connection.ts';
import type { FormSignInStep, SignInStep } from '../../common/signInSteps.ts';
import { testBindings } from '../connections/bindings.test-helper.ts';
import { ConnectionSecrets } from '../connections/connectionSecrets.ts';
import { ConnectionStore } from '../connections/connectionStore.ts';
import { HeldSignIns } from '../connections/heldSignIns.ts';
import { manifestWith, serve } from '../drivers/broker/credentials/credentials.test-helper.ts';
import type { Credentials } from '../drivers/broker/credentials/credentials.test-helper.ts';
import { httpGrantFor } from '../drivers/broker/httpGrant.ts';
import { testSender } from '../drivers/broker/sealed.test-helper.ts';
import { SignedInTokens } from '../credentials/signedInTokens.ts';
import { SavedChanges } from '../storage/savedChanges.ts';
import { Database } from '../storage/database.ts';
import { connectionGroupsMigration } from '../storage/migrations/connectionGroups.ts';
import { connectionsMigration } from '../storage/migrations/connections.ts';
import { readOnlyConnectionsMigration } from '../storage/migrations/readOnlyConnections.ts';
import { SignIns } from './signIns.ts';

const NEVER = new AbortController().signal;
let database: Database;
beforeEach(
  () => (database = new Database(':memory:', [connectionsMigration, connectionGroupsMigration, readOnlyConnectionsMigration])),
);
afterEach(() => database[Symbol.dispose]());

async function signInBench() {
  let count = 0;
  let isOver = false;
  const provider = await serve((request, response) => {
    if (request.url === '/revoke') return void response.end();
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
  });
  const at = (path: string) => ({ value: `http://127.0.0.1:${provider.port}${path}` });
  const credentials: Credentials = [
    {
      scheme: 'oauth2',
      grant: 'signIn',
      field: 'key',
      clientId: { value: 'tabularium' },
      tokenUrl: at('/token'),
      authorizationUrl: at('/authorize'),
      revocationUrl: at('/revoke'),
    },
  ];
  const driver = testSender(manifestWith(credentials));
  const store = new MemoryStore();
  const held = new HeldSignIns();
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
      const { searchParams } = new URL(step.address);
      between();
      await fetch(`${searchParams.get('redirect_uri')}?state=${searchParams.get('state')}&code=good`);
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
    signIns,
    signIn,
    signForm,
    authorization,
    driver,
    changes,
  };
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
    const stored = await held.redeemed(input, driver);
    expect(stored.secrets['key']).toEqual({ kind: 'store', value: 'M4RKED-refresh-2' });
    expect(held.adopted(input).get('key')).toMatchObject({ account: 'ada@example.org' });
    await expect(held.redeemed(input, driver)).rejects.toMatchObject({ code: 'INVALID_REQUEST', details: { field: 'key' } });
    expect(provider.requests).toHaveLength(2);
  });

  it('refuses a ticket that was never given, and one of another provider', async () => {
    const { driver, secrets, held, signForm } = await signInBench();
    const { ticket } = heldIn(await signForm(form()));
    const input = { ...form(), secrets: secret(ticket) };
    const elsewhere = structuredClone(driver.manifest);
    Object.assign(elsewhere.permissions.http?.credentials[0] ?? {}, { tokenUrl: { value: 'https://evil.example/token' } });
    const evil = { ...driver, manifest: elsewhere };
    await expect(held.redeemed(input, evil)).rejects.toThrow('another provider');
    await expect(secrets.resolveInput(undefined, input, evil)).rejects.toThrow('another provider');
    const guessed = { ...form(), secrets: secret('00000000-0000-4000-8000-000000000000') };
    await expect(held.redeemed(guessed, driver)).rejects.toThrow('no longer there');
  });

  it('revokes the sign-in of a form that is closed without saving, once', async () => {
    const { provider, signIns, signForm } = await signInBench();
    const { ticket } = heldIn(await signForm(form()));
    expect(await signIns.dropHeld(ticket, NEVER)).toEqual({ wasSignedIn: true, revoked: true });
    expect(provider.requests.at(-1)?.body).toContain('token=M4RKED-refresh-1');
    expect(await signIns.dropHeld(ticket, NEVER)).toEqual({ wasSignedIn: false, revoked: false });
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
    await expect(held.redeemed({ ...form(), secrets: secret(ticket) }, driver)).rejects.toThrow('no longer there');
    // One whose provider is away gives way all the same.
    held.hold(other);
    expect(held.drop(others[0] ?? '')).toBeUndefined();
    expect(held.drop(others[1] ?? '')).toBeDefined();
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
    const { id, store, connections, signIn } = await signInBench();
    const change = (): void => {
      const { id: _id, createdAt: _created, updatedAt: _updated, ...rest } = connections.get(id);
      connections.update(id, { ...rest, settings: { port: 2 } });
    };
    await expect(signIn(change)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    expect(store.values.size).toBe(0);
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
