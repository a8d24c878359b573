import { setTimeout as delay } from 'node:timers/promises';
import { DriverError } from '@tabularium/sdk';
import { isSignIn } from '@tabularium/sdk/manifest';
import type { SignInCredential } from '@tabularium/sdk/manifest';
import type { ConnectionInput, SavedConnection, SettingsValues } from '../../common/connection.ts';
import { HostError } from '../../common/errors.ts';
import { progressStream } from '../../common/progressStream.ts';
import type { FormSignInStep, SignedOut, SignInForm, SignInState, SignInStep, SignInWay } from '../../common/signInSteps.ts';
import { usedCredentials } from '../../common/usedCredentials.ts';
import { ConnectionSecrets } from '../connections/connectionSecrets.ts';
import { ConnectionStore } from '../connections/connectionStore.ts';
import { HeldSignIns } from '../connections/heldSignIns.ts';
import { revocationOf, savedClient, savedSignIn, signInClient } from '../connections/savedSignIn.ts';
import { TokenRevocations } from '../connections/tokenRevocations.ts';
import type { Revoke } from '../connections/tokenRevocations.ts';
import type { Inject } from '../container/inject.ts';
import { isSameReach } from '../credentials/secretReach.ts';
import type { SecureStore } from '../credentials/secureStore.ts';
import { SECURE_STORE } from '../credentials/secureStore.ts';
import type { SealedSecrets } from '../credentials/sealedSecrets.ts';
import { SignedInTokens } from '../credentials/signedInTokens.ts';
import type { NewSignIn, SignInClient } from '../drivers/broker/credentials/signInClient.ts';
import { signInPlace } from '../drivers/broker/credentials/signInPlace.ts';
import type { SendingDriver } from '../drivers/broker/serverDestination.ts';
import { secretReach } from '../drivers/broker/serverDestination.ts';
import { MANIFESTS } from '../connections/connectionService.ts';
import type { ManifestSource } from '../connections/connectionService.ts';
import { DRIVER_SOURCE, Sessions } from './sessions.ts';
import type { SessionDrivers } from './sessions.ts';

/** A step that the person has to take. */
type SignInInstruction = Exclude<SignInStep, { readonly step: 'signedIn' }>;

/** The services of {@link SignIns}. */
export interface SignInsParts {
  readonly connections: ConnectionStore;
  readonly secrets: ConnectionSecrets;
  readonly held: HeldSignIns;
  readonly revocations: TokenRevocations;
  readonly drivers: SessionDrivers;
  readonly manifests: Pick<ManifestSource, 'senderOf'>;
  readonly sessions: Pick<Sessions, 'close'>;
  readonly store: Pick<SecureStore, 'state'>;
}

/** Milliseconds that a host which stops waits for the sign-ins that are being cancelled. */
const STOP_TIME = 3_000;

/** Signs a person in at the provider of a connection, and out again. Only a person asks for it: in the window, or on the command line. */
export class SignIns implements AsyncDisposable {
  static readonly inject: Inject<typeof SignIns> = {
    connections: ConnectionStore,
    secrets: ConnectionSecrets,
    held: HeldSignIns,
    revocations: TokenRevocations,
    drivers: DRIVER_SOURCE,
    manifests: MANIFESTS,
    sessions: Sessions,
    store: SECURE_STORE,
  };

  readonly #parts: SignInsParts;
  /** How many sign-ins show an address: that of a device code is the same for each of them. */
  readonly #shown = new Map<string, number>();
  /** By connection. */
  readonly #running = new Map<string, AbortController>();
  /** Every sign-in that runs, also for forms. */
  readonly #all = new Map<AbortController, Promise<void>>();

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
    return this.#steps<SignInStep>(over, async (notify) => {
      this.#running.get(connectionId)?.abort(new DriverError('CANCELLED', 'Another sign-in for this connection has begun.'));
      this.#running.set(connectionId, over);
      try {
        await this.#signIn(connectionId, way, AbortSignal.any([signal, over.signal]), notify);
      } finally {
        if (this.#running.get(connectionId) === over) this.#running.delete(connectionId);
      }
    });
  }

  /**
   * Signs in for a form that is not saved, or not saved as it is now. The host holds the refresh token until the form is saved with the ticket.
   *
   * @throws HostError `CONNECTION_UNKNOWN`, `INVALID_REQUEST`, `SECRET_NOT_CONFIRMED`, by the iteration
   * @throws DriverError of the provider, or `INVALID_INPUT` with the field at fault, by the iteration
   */
  signInForm({ input, connectionId, way }: SignInForm, signal: AbortSignal): AsyncGenerator<FormSignInStep> {
    const over = new AbortController();
    let held: string | undefined;
    return this.#steps<FormSignInStep>(
      over,
      async (notify) => {
        const both = AbortSignal.any([signal, over.signal]);
        const saved = connectionId === undefined ? undefined : this.#parts.connections.get(connectionId);
        const driver = await this.#parts.drivers.ensureInstalled(input.driver, { signal: both });
        const credential = signInOf(driver, input.settings, input.name);
        const { field } = credential;
        const sealed = await this.#clientSecretOf(saved, input, driver, credential);
        const client = await signInClient(driver, input.settings, credential, sealed);
        const { refreshToken, facts } = await this.#askPerson(client, way, both, notify);
        const place = signInPlace(driver, input.settings, field) ?? '';
        const { release, ...hooks } = this.#parts.secrets.signIns.hooksOfForm();
        hooks.seen(refreshToken, 'refresh');
        const tokens = new SignedInTokens(refreshToken, hooks);
        const revoke = revocationOf(client, tokens);
        held = this.#parts.held.hold({ field, tokens, place, facts, revoke, release });
        notify({ step: 'held', ticket: held, ...facts });
      },
      // A window that is gone has no form any more that could be saved with the ticket.
      () => {
        if (held !== undefined) void this.#parts.held.drop(held);
      },
    );
  }

  /** Forgets the sign-in of a form that was closed, or signed out, without being saved. It is revoked where the driver names an address for that. */
  async dropHeld(ticket: string): Promise<SignedOut> {
    return this.#parts.held.drop(ticket);
  }

  /** Whether a sign-in that runs now sends the person to this address. */
  sendsTo(address: string): boolean {
    return this.#shown.has(address);
  }

  /** The sign-in of a connection, as far as the host can say without asking the provider; undefined where its form doesn't sign in at a provider. */
  async state(connectionId: string): Promise<SignInState | undefined> {
    const connection = this.#parts.connections.get(connectionId);
    const driver = await this.#parts.manifests.senderOf(connection.driver);
    const credential = usedCredentials(driver.manifest, connection.settings).find(isSignIn);
    return credential === undefined ? undefined : this.#parts.secrets.signIns.stateOf(connection, credential.field);
  }

  /** Forgets the refresh token, and revokes it where the driver names an address for that. */
  async signOut(connectionId: string, signal: AbortSignal): Promise<SignedOut> {
    const { connections, revocations } = this.#parts;
    this.#running.get(connectionId)?.abort(new DriverError('CANCELLED', 'The connection was signed out.'));
    // A sign-in that is being stored is stored first, and then forgotten with the others.
    const { wasSignedIn, revoke } = await connections.inTurn(connectionId, () => this.#forgotten(connectionId, signal));
    return { wasSignedIn, revoked: revoke === undefined ? false : await revocations.run(revoke) };
  }

  /** Cancels the sign-ins that run. Tokens that a provider gives meanwhile are revoked. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const over of this.#all.keys()) over.abort(new DriverError('CANCELLED', 'Tabularium stops.'));
    const waiting = new AbortController();
    const late = delay(STOP_TIME, undefined, { signal: waiting.signal }).catch(() => undefined);
    await Promise.race([Promise.allSettled(this.#all.values()), late]);
    waiting.abort();
  }

  async #forgotten(
    connectionId: string,
    signal: AbortSignal,
  ): Promise<{ readonly wasSignedIn: boolean; readonly revoke: Revoke | undefined }> {
    const { secrets, sessions, connections } = this.#parts;
    const { connection, driver, credential } = await this.#credentialOf(connectionId, signal);
    const { field } = credential;
    const { tokens, revoke } = await savedSignIn(secrets, connection, driver, credential);
    await sessions.close(connectionId);
    const saved = connections.get(connectionId);
    await secrets.apply(connectionId, saved.secrets, { [field]: { kind: 'remove' } }, () => undefined);
    connections.updateSecrets(connectionId, ({ [field]: _forgotten, ...others }) => others);
    return { wasSignedIn: saved.secrets[field] !== undefined || tokens !== undefined, revoke };
  }

  async #signIn(
    connectionId: string,
    way: SignInWay | undefined,
    signal: AbortSignal,
    notify: (step: SignInStep) => void,
  ): Promise<void> {
    const { connections, sessions } = this.#parts;
    const { connection, driver, credential } = await this.#credentialOf(connectionId, signal);
    const client = await savedClient(this.#parts.secrets, connection, driver, credential);
    const signIn = await this.#askPerson(client, way, signal, notify);
    let storedIn: 'store' | 'session';
    try {
      storedIn = await connections.inTurn(connectionId, () => this.#stored(connection, driver, credential.field, signIn, signal));
    } catch (error) {
      this.#revokeUnused(client, signIn);
      throw error;
    }
    await sessions.close(connectionId);
    notify({ step: 'signedIn', storedIn, ...signIn.facts });
  }

  /**
   * Stores the refresh token of a connection that is as it was when the sign-in began, and writes nothing but its reference.
   *
   * @throws HostError `INVALID_REQUEST` for one that was changed meanwhile, `CONNECTION_UNKNOWN`, `SECURE_STORE_UNAVAILABLE`
   */
  async #stored(
    begun: SavedConnection,
    driver: SendingDriver,
    field: string,
    { refreshToken, facts }: NewSignIn,
    signal: AbortSignal,
  ): Promise<'store' | 'session'> {
    const { connections, secrets, store, drivers } = this.#parts;
    const { id } = begun;
    const kind = (await store.state()).available ? 'store' : 'session';
    const current = await drivers.ensureInstalled(begun.driver, { signal });
    // Changes of settings take turns, too: so nothing is changed from here until it is stored.
    const saved = connections.get(id);
    signal.throwIfAborted();
    const reach = secretReach(driver, begun.settings, field);
    if (reach === undefined || !isSamePlace(driver, begun, current, saved, field))
      throw new HostError('INVALID_REQUEST', `"${saved.name}" was changed while you signed in.`, {
        details: { advice: 'Sign in again.' },
      });
    const bindTo = () => ({ reach, publisherName: driver.publisher?.name ?? '' });
    const references = await secrets.apply(id, saved.secrets, { [field]: { kind, value: refreshToken } }, bindTo, signal);
    const reference = references[field];
    try {
      connections.updateSecrets(id, (now) => (reference === undefined ? now : { ...now, [field]: reference }));
    } catch (error) {
      // Nothing would point to it.
      await secrets.forgetAll(id, [field]);
      throw error;
    }
    secrets.signIns.note(id, field, facts);
    return kind;
  }

  async #askPerson(
    client: SignInClient,
    way: SignInWay | undefined,
    signal: AbortSignal,
    notify: (step: SignInInstruction) => void,
  ): Promise<NewSignIn> {
    const shown: string[] = [];
    const show: typeof notify = (step) => {
      const addresses = [
        step.address,
        ...(step.step === 'device' && step.completeAddress !== undefined ? [step.completeAddress] : []),
      ];
      shown.push(...addresses);
      for (const address of addresses) this.#shown.set(address, (this.#shown.get(address) ?? 0) + 1);
      notify(step);
    };
    try {
      const signIn = await this.#askAtProvider(client, way, signal, show);
      if (!signal.aborted) return signIn;
      this.#revokeUnused(client, signIn);
      throw signal.reason;
    } finally {
      for (const address of shown) {
        const others = (this.#shown.get(address) ?? 1) - 1;
        if (others > 0) this.#shown.set(address, others);
        else this.#shown.delete(address);
      }
    }
  }

  async #askAtProvider(
    client: SignInClient,
    way: SignInWay | undefined,
    signal: AbortSignal,
    notify: (step: SignInInstruction) => void,
  ): Promise<NewSignIn> {
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
    return { connection, driver, credential: signInOf(driver, connection.settings, connection.name) };
  }

  /** Of all that a form holds, signing in needs the client secret alone; undefined where the provider gives programs none. */
  async #clientSecretOf(
    saved: SavedConnection | undefined,
    input: ConnectionInput,
    driver: SendingDriver,
    { clientSecret }: SignInCredential,
  ): Promise<SealedSecrets | undefined> {
    if (clientSecret === undefined) return undefined;
    const only = <Value>(secrets: Readonly<Record<string, Value>>): Record<string, Value> =>
      Object.fromEntries(Object.entries(secrets).filter(([field]) => field === clientSecret));
    return this.#parts.secrets.resolveInput(
      saved === undefined ? undefined : { ...saved, secrets: only(saved.secrets) },
      { ...input, secrets: only(input.secrets) },
      driver,
    );
  }

  /** Not awaited: the caller reports why the tokens are not used. */
  #revokeUnused(client: SignInClient, { refreshToken }: NewSignIn): void {
    void this.#parts.revocations.run(revocationOf(client, new SignedInTokens(refreshToken)));
  }

  /**
   * The steps of a sign-in. A person who closes the dialog or stops the command cancels it.
   *
   * @param onLeft - called where the reader is gone before the last step was read
   */
  async *#steps<Step>(
    over: AbortController,
    work: (notify: (step: Step) => void) => Promise<void>,
    onLeft: () => void = () => undefined,
  ): AsyncGenerator<Step> {
    let isRead = false;
    try {
      yield* progressStream<Step>((notify) => {
        const running = work(notify).finally(() => this.#all.delete(over));
        this.#all.set(over, running);
        return running;
      });
      isRead = true;
    } finally {
      over.abort(new DriverError('CANCELLED', 'The sign-in was cancelled.'));
      if (!isRead) onLeft();
    }
  }
}

/** Whether a connection signs in at the same provider, as the same client, and sends what it gets to the same place. */
function isSamePlace(
  driver: SendingDriver,
  begun: SavedConnection,
  current: SendingDriver,
  saved: SavedConnection,
  field: string,
): boolean {
  if (begun.driver !== saved.driver) return false;
  const [before, now] = [secretReach(driver, begun.settings, field), secretReach(current, saved.settings, field)];
  return (
    before !== undefined &&
    now !== undefined &&
    isSameReach(before, now) &&
    signInPlace(driver, begun.settings, field) === signInPlace(current, saved.settings, field)
  );
}

/** @throws HostError `INVALID_REQUEST` where a form chooses another way to sign in */
function signInOf({ manifest }: SendingDriver, settings: SettingsValues, name: string): SignInCredential {
  const credential = usedCredentials(manifest, settings).find(isSignIn);
  if (credential !== undefined) return credential;
  throw new HostError('INVALID_REQUEST', `"${name}" doesn't sign in at a provider.`, {
    details: { advice: 'Edit the connection and enter its credentials, or choose another way to sign in there.' },
  });
}
