import type { IncomingMessage, ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { MemoryStore } from '../../../../tests/security/memoryStore.ts';
import type { ConnectionInput } from '../../common/connection.ts';
import { HostError } from '../../common/errors.ts';
import type { FormSignInStep, SignInStep } from '../../common/signInSteps.ts';
import { testBindings } from '../connections/bindings.test-helper.ts';
import { ConnectionSecrets } from '../connections/connectionSecrets.ts';
import { ConnectionService } from '../connections/connectionService.ts';
import { ConnectionStore } from '../connections/connectionStore.ts';
import { HeldSignIns } from '../connections/heldSignIns.ts';
import { TokenRevocations } from '../connections/tokenRevocations.ts';
import { manifestWith, serve } from '../drivers/broker/credentials/credentials.test-helper.ts';
import type { Credentials } from '../drivers/broker/credentials/credentials.test-helper.ts';
import { httpGrantFor } from '../drivers/broker/httpGrant.ts';
import { testSender } from '../drivers/broker/sealed.test-helper.ts';
import type { SendingDriver } from '../drivers/broker/serverDestination.ts';
import { silentLogger } from '../storage/logger.ts';
import { SavedChanges } from '../storage/savedChanges.ts';
import { Database } from '../storage/database.ts';
import { connectionGroupsMigration } from '../storage/migrations/connectionGroups.ts';
import { connectionsMigration } from '../storage/migrations/connections.ts';
import { readOnlyConnectionsMigration } from '../storage/migrations/readOnlyConnections.ts';
import { SignIns } from './signIns.ts';

/** Of a call that is never cancelled. */
export const NEVER = new AbortController().signal;

interface BenchOptions {
  /** Replaces the provider's answer to a revocation. */
  readonly onRevocation?: (response: ServerResponse) => void;
  /** The provider gives tokens only when this resolves. */
  readonly tokensAfter?: Promise<void>;
  readonly heldTime?: number;
  /** The field of the client's secret. */
  readonly clientSecret?: string;
}

/** Sign-ins of a saved connection at a provider on this computer. */
export async function signInBench({ onRevocation, tokensAfter, heldTime, clientSecret }: BenchOptions = {}) {
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
  const database = new Database(':memory:', [connectionsMigration, connectionGroupsMigration, readOnlyConnectionsMigration]);
  onTestFinished(() => database[Symbol.dispose]());
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
  let isDriverGone = false;
  const service = new ConnectionService({
    store: connections,
    secrets,
    held,
    revocations,
    readingTime: 50,
    manifests: {
      manifestOf: () => (isDriverGone ? Promise.reject(new HostError('DRIVER_UNKNOWN')) : Promise.resolve(driver.manifest)),
      senderOf: () => (isDriverGone ? Promise.reject(new HostError('DRIVER_UNKNOWN')) : Promise.resolve(driver)),
    },
    installed: { current: () => Promise.resolve(driver as never) },
    database,
    stagedTables: () => 0,
  });
  /** The header that a session sends. */
  const authorization = async (from = driver, of = id): Promise<string> => {
    const connection = connections.get(of);
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
    service,
    /** The catalogue has the driver no more. */
    loseDriver: () => (isDriverGone = true),
    signIn,
    signForm,
    authorization,
    driver,
    changes,
  };
}

/** Saves a form, as a service does that stores nothing. */
export const save = (held: HeldSignIns, input: ConnectionInput, driver: SendingDriver) =>
  held.save(input, driver, async (stored) => stored);

/** The person's browser comes back from the provider. */
export async function comeBack(address: string): Promise<void> {
  const { searchParams } = new URL(address);
  await fetch(`${searchParams.get('redirect_uri')}?state=${searchParams.get('state')}&code=good`);
}

/** See {@link signInBench}. */
export type Bench = Awaited<ReturnType<typeof signInBench>>;

/** Makes the next write of a store wait. */
export function holdNext(store: MemoryStore): { readonly begun: Promise<void>; readonly end: () => void } {
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

/** Whether a step sends the person to a page. */
export const isBrowser = (step: unknown): step is Extract<FormSignInStep, { readonly step: 'browser' }> =>
  typeof step === 'object' && step !== null && 'step' in step && step.step === 'browser';

/** The last step of a form's sign-in that ended. */
export function heldIn(steps: readonly FormSignInStep[]): Extract<FormSignInStep, { readonly step: 'held' }> {
  const last = steps.at(-1);
  if (last?.step !== 'held') throw new Error('The sign-in did not end.');
  return last;
}
