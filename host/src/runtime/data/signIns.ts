import { DriverError } from '@tabularium/sdk';
import { isSignIn } from '@tabularium/sdk/manifest';
import type { SignInCredential } from '@tabularium/sdk/manifest';
import type { SavedConnection } from '../../common/connection.ts';
import { HostError } from '../../common/errors.ts';
import { progressStream } from '../../common/progressStream.ts';
import type { SignedOut, SignInStep, SignInWay } from '../../common/signInSteps.ts';
import { usedCredentials } from '../../common/usedCredentials.ts';
import { ConnectionSecrets } from '../connections/connectionSecrets.ts';
import { ConnectionStore } from '../connections/connectionStore.ts';
import type { Inject } from '../container/inject.ts';
import { isSameReach } from '../credentials/secretReach.ts';
import type { SecureStore } from '../credentials/secureStore.ts';
import { SECURE_STORE } from '../credentials/secureStore.ts';
import type { SignInClient } from '../drivers/broker/credentials/signInClient.ts';
import type { SendingDriver } from '../drivers/broker/serverDestination.ts';
import { secretReach } from '../drivers/broker/serverDestination.ts';
import { DRIVER_SOURCE, Sessions } from './sessions.ts';
import type { SessionDrivers } from './sessions.ts';

/** The services of {@link SignIns}. */
export interface SignInsParts {
  readonly connections: ConnectionStore;
  readonly secrets: ConnectionSecrets;
  readonly drivers: SessionDrivers;
  readonly sessions: Pick<Sessions, 'close'>;
  readonly store: Pick<SecureStore, 'state'>;
}

/** Signs a person in at the provider of a connection, and out again. Only a person asks for it: in the window, or on the command line. */
export class SignIns {
  static readonly inject: Inject<typeof SignIns> = {
    connections: ConnectionStore,
    secrets: ConnectionSecrets,
    drivers: DRIVER_SOURCE,
    sessions: Sessions,
    store: SECURE_STORE,
  };

  readonly #parts: SignInsParts;
  /** By connection. */
  readonly #running = new Map<string, AbortController>();

  constructor(parts: SignInsParts) {
    this.#parts = parts;
  }

  /**
   * Signs in. A second sign-in for a connection cancels the first.
   *
   * @throws HostError `CONNECTION_UNKNOWN`, `INVALID_REQUEST`, `SECRET_NOT_CONFIRMED`, `SECURE_STORE_UNAVAILABLE`, by the iteration
   * @throws DriverError of the provider, by the iteration
   */
  signIn(connectionId: string, way: SignInWay | undefined, signal: AbortSignal): AsyncGenerator<SignInStep> {
    const over = new AbortController();
    return this.#cancelledWithReader(
      progressStream<SignInStep>(async (notify) => {
        this.#running.get(connectionId)?.abort(new DriverError('CANCELLED', 'Another sign-in for this connection has begun.'));
        this.#running.set(connectionId, over);
        try {
          await this.#signIn(connectionId, way, AbortSignal.any([signal, over.signal]), notify);
        } finally {
          if (this.#running.get(connectionId) === over) this.#running.delete(connectionId);
        }
      }),
      over,
    );
  }

  /** Forgets the refresh token, and revokes it where the driver names an address for that. */
  async signOut(connectionId: string, signal: AbortSignal): Promise<SignedOut> {
    const { secrets, sessions, connections } = this.#parts;
    this.#running.get(connectionId)?.abort(new DriverError('CANCELLED', 'The connection was signed out.'));
    const { connection, driver, credential } = await this.#credentialOf(connectionId, signal);
    const { field } = credential;
    let revoked = false;
    let wasSignedIn = connection.secrets[field] !== undefined;
    try {
      const sealed = await secrets.resolve(connection, driver);
      const reach = secretReach(driver, connection.settings, field);
      const tokens = reach === undefined ? undefined : sealed.openTokens(field, reach);
      wasSignedIn ||= tokens !== undefined;
      if (tokens !== undefined) {
        const { revokeToken } = await import('../drivers/broker/credentials/signInClient.ts');
        revoked = await revokeToken(await this.#clientOf(connection, driver, credential), tokens.refreshToken, signal);
      }
    } catch {
      // A token that can't be used now, because its destination has changed or its store is locked, is forgotten all the same.
    }
    await sessions.close(connectionId);
    const saved = connections.get(connectionId);
    const references = await secrets.apply(connectionId, saved.secrets, { [field]: { kind: 'remove' } }, () => undefined);
    const { id: _id, createdAt: _created, updatedAt: _updated, ...rest } = saved;
    connections.update(connectionId, { ...rest, secrets: references }, 'updated');
    return { wasSignedIn, revoked };
  }

  async #signIn(
    connectionId: string,
    way: SignInWay | undefined,
    signal: AbortSignal,
    notify: (step: SignInStep) => void,
  ): Promise<void> {
    const { connections, secrets, sessions, store } = this.#parts;
    const { connection, driver, credential } = await this.#credentialOf(connectionId, signal);
    const { field } = credential;
    const reach = secretReach(driver, connection.settings, field);
    const client = await this.#clientOf(connection, driver, credential);
    const refreshToken = await this.#refreshToken(client, way, signal, notify);
    const saved = connections.get(connectionId);
    const current = await this.#parts.drivers.ensureInstalled(saved.driver, { signal });
    const now = secretReach(current, saved.settings, field);
    if (reach === undefined || now === undefined || !isSameReach(reach, now))
      throw new HostError('INVALID_REQUEST', `"${saved.name}" was changed while you signed in.`, {
        details: { advice: 'Sign in again.' },
      });
    signal.throwIfAborted();
    const kind = (await store.state()).available ? ('store' as const) : ('session' as const);
    const bindTo = () => ({ reach, publisherName: driver.publisher?.name ?? '' });
    const references = await secrets.apply(connectionId, saved.secrets, { [field]: { kind, value: refreshToken } }, bindTo);
    const { id: _id, createdAt: _created, updatedAt: _updated, ...rest } = saved;
    connections.update(connectionId, { ...rest, secrets: references }, 'updated');
    await sessions.close(connectionId);
    notify({ step: 'signedIn', storedIn: kind });
  }

  async #refreshToken(
    client: SignInClient,
    way: SignInWay | undefined,
    signal: AbortSignal,
    notify: (step: SignInStep) => void,
  ): Promise<string> {
    const { authorizationUrl, deviceUrl } = client;
    if (authorizationUrl !== undefined && way !== 'device') {
      const { codeSignIn } = await import('../drivers/broker/credentials/codeSignIn.ts');
      return codeSignIn({ ...client, authorizationUrl }, (address) => notify({ step: 'browser', address }), signal);
    }
    if (deviceUrl !== undefined && way !== 'browser') {
      const { deviceSignIn } = await import('../drivers/broker/credentials/deviceSignIn.ts');
      return deviceSignIn({ ...client, deviceUrl }, (code) => notify({ step: 'device', ...code }), signal);
    }
    const missing = way === 'device' ? 'with a code' : 'in a browser';
    throw new HostError('INVALID_REQUEST', `The driver of this connection has no sign-in ${missing}.`, {
      details: { advice: way === 'device' ? 'Sign in with a browser.' : 'Sign in with a code.' },
    });
  }

  async #credentialOf(
    connectionId: string,
    signal: AbortSignal,
  ): Promise<{ connection: SavedConnection; driver: SendingDriver; credential: SignInCredential }> {
    const connection = this.#parts.connections.get(connectionId);
    const driver = await this.#parts.drivers.ensureInstalled(connection.driver, { signal });
    const credential = usedCredentials(driver.manifest, connection.settings).find(isSignIn);
    if (credential === undefined)
      throw new HostError('INVALID_REQUEST', `"${connection.name}" doesn't sign in at a provider.`, {
        details: { advice: 'Edit the connection and enter its credentials, or choose another way to sign in there.' },
      });
    return { connection, driver, credential };
  }

  /** The client secret is opened for its own reach; an old refresh token isn't needed to get a new one. */
  async #clientOf(connection: SavedConnection, driver: SendingDriver, credential: SignInCredential): Promise<SignInClient> {
    const { [credential.field]: _replaced, ...others } = connection.secrets;
    const sealed = await this.#parts.secrets.resolve({ ...connection, secrets: others }, driver);
    const { signInClientOf } = await import('../drivers/broker/credentials/signInClientOf.ts');
    return signInClientOf(driver, connection.settings, credential, (field) => {
      const reach = secretReach(driver, connection.settings, field);
      return reach === undefined ? undefined : sealed.open(field, reach);
    });
  }

  /** A person who closes the dialog or stops the command cancels the sign-in. */
  async *#cancelledWithReader(steps: AsyncGenerator<SignInStep>, over: AbortController): AsyncGenerator<SignInStep> {
    try {
      yield* steps;
    } finally {
      over.abort(new DriverError('CANCELLED', 'The sign-in was cancelled.'));
    }
  }
}
