import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MemoryStore } from '../../../../tests/security/memoryStore.ts';
import type { SignInStep } from '../../common/signInSteps.ts';
import { testBindings } from '../connections/bindings.test-helper.ts';
import { ConnectionSecrets } from '../connections/connectionSecrets.ts';
import { ConnectionStore } from '../connections/connectionStore.ts';
import { manifestWith, serve } from '../drivers/broker/credentials/credentials.test-helper.ts';
import type { Credentials } from '../drivers/broker/credentials/credentials.test-helper.ts';
import { httpGrantFor } from '../drivers/broker/httpGrant.ts';
import { testSender } from '../drivers/broker/sealed.test-helper.ts';
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
  const provider = await serve((request, response) => {
    if (request.url === '/revoke') return void response.end();
    count += 1;
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        access_token: `M4RKED-access-${count}`,
        token_type: 'Bearer',
        expires_in: 3_600,
        refresh_token: `M4RKED-refresh-${count}`,
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
  const secrets = new ConnectionSecrets(store, {}, testBindings());
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
  const signIn = async (between: () => void = () => undefined): Promise<readonly SignInStep[]> => {
    const steps: SignInStep[] = [];
    for await (const step of signIns.signIn(id, undefined, NEVER)) {
      steps.push(step);
      if (step.step !== 'browser') continue;
      const { searchParams } = new URL(step.address);
      between();
      await fetch(`${searchParams.get('redirect_uri')}?state=${searchParams.get('state')}&code=good`);
    }
    return steps;
  };
  return { id, provider, store, connections, signIns, signIn, authorization, driver };
}

describe('SignIns', () => {
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
