import type { Manifest } from '@tabularium/sdk/manifest';
import type {
  ConnectionInput,
  FormSecretInput,
  SavedConnection,
  SecretInput,
  SecretReference,
  SettingsValues,
  StoredInput,
} from '../../common/connection.ts';
import type { ChangedSecret, SecretQuestion, SecretReach } from '../../common/secretQuestion.ts';
import { HostError } from '../../common/errors.ts';
import { isTunnelField } from '../../common/tunnelFields.ts';
import { tunnelOf, tunnelSecretsOf } from '../../common/tunnelOf.ts';
import { SENT_BY_SIGN_IN } from '../../common/usedCredentials.ts';
import { openEnvelope, sealEnvelope } from '../credentials/secretEnvelope.ts';
import { isSameReach, reachDigest } from '../credentials/secretReach.ts';
import type { SignedInTokens } from '../credentials/signedInTokens.ts';
import { signInPlace } from '../drivers/broker/credentials/signInPlace.ts';
import { SavedChanges } from '../storage/savedChanges.ts';
import { HeldSignIns } from './heldSignIns.ts';
import { referredSecret } from './referredSecret.ts';
import type { ReferredSecret } from './referredSecret.ts';
import { ConnectionSignIns } from './connectionSignIns.ts';
import { copiedSecrets, isSealedIn } from './copiedSecrets.ts';
import { SealedSecrets } from '../credentials/sealedSecrets.ts';
import type { SecureStore } from '../credentials/secureStore.ts';
import {
  changeOf,
  changedSecret,
  isOwnEdit,
  isRefreshToken,
  isSameReference,
  missing,
  questionOf,
  reachIn,
  reachOrNothing,
  referenceTo,
  secretFields,
  staysAsItIs,
} from './heldSecret.ts';
import type { BindTo, HeldSecret } from './heldSecret.ts';
import { EnteredSecrets, accountOf } from './enteredSecrets.ts';
import { UsedSecrets } from './usedSecrets.ts';
import { askedPlaces } from './confirmedOrigins.ts';
import type { ConfirmedOrigins } from './confirmedOrigins.ts';
import { reachedOrigins } from './reachedOrigins.ts';
import type { ReachedOrigin } from './reachedOrigins.ts';
import { secretReach } from '../drivers/broker/serverDestination.ts';
import type { SendingDriver } from '../drivers/broker/serverDestination.ts';
import type { SecretBinding } from './secretBindings.ts';
import { SecretConfirmationError } from './secretConfirmation.ts';
import { ENVIRONMENT } from '../program/environment.ts';
import { SECURE_STORE } from '../credentials/secureStore.ts';
import { SecretBindings } from './secretBindings.ts';
import type { Inject } from '../container/inject.ts';
import { environmentVariable } from '../program/environmentVariable.ts';

const NO_ORIGINS = { newOrigins: [], newFiles: [], isDistrusted: false };

/** The digest of an entry that was approved for nothing yet. */
const UNAPPROVED = '0'.repeat(64);

/**
 * The values behind a connection's secret fields. Each is where its reference says: in the secure store, in this host's memory, or in an
 * environment variable. No value is ever written anywhere else, and each comes out sealed for the destination that a person approved.
 */
export class ConnectionSecrets {
  static readonly inject: Inject<typeof ConnectionSecrets> = [
    SECURE_STORE,
    ENVIRONMENT,
    SecretBindings,
    HeldSignIns,
    SavedChanges,
  ];

  readonly #store: SecureStore;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #bindings: SecretBindings;
  readonly #held: HeldSignIns;
  readonly #entered = new EnteredSecrets();
  readonly #used = new UsedSecrets();
  readonly #signIns: ConnectionSignIns;
  #revision = 0;

  constructor(
    store: SecureStore,
    environment: NodeJS.ProcessEnv,
    bindings: SecretBindings,
    held: HeldSignIns = new HeldSignIns(),
    changes: SavedChanges = new SavedChanges(),
  ) {
    this.#store = store;
    this.#environment = environment;
    this.#bindings = bindings;
    this.#held = held;
    this.#signIns = new ConnectionSignIns({ store, bindings, changes, entered: this.#entered, used: this.#used });
  }

  /**
   * Every secret value of a connection by field id, sealed for what was approved. A field without a value is left out unless the form requires it.
   *
   * @param only - reads these fields alone; others may be missing or unconfirmed
   * @throws HostError `SECRET_NOT_CONFIRMED` (a {@link SecretConfirmationError}) where one would go elsewhere than was approved
   * @throws HostError `SECRET_MISSING` naming the first field that should have a value and has none, in `details.field`
   */
  async resolve(connection: SavedConnection, driver: SendingDriver, only?: readonly string[]): Promise<SealedSecrets> {
    this.#bindFresh(connection, driver);
    const isRead = (field: string): boolean => only?.includes(field) !== false;
    const held = this.#heldBy(connection, driver, connection.settings).filter(({ field }) => isRead(field.id));
    const { values, changes } = await this.#values(connection.id, held);
    const { origins } = this.#bindings;
    const asked = only === undefined ? origins.question(connection, driver) : NO_ORIGINS;
    if (changes.length + askedPlaces(asked) > 0)
      throw new SecretConfirmationError(questionOf(connection, driver, changes, asked));
    if (only === undefined) origins.adopt(connection.id, driver, connection.settings);
    const reached = only === undefined ? reachedOrigins(driver, connection.settings) : [];
    const approved = new Map(held.map(({ field }) => [field.id, this.#bindings.get(connection.id, field.id)?.reach]));
    const { manifest } = driver;
    return this.#sealed(
      connection,
      manifest,
      connection.settings,
      connection.secrets,
      values,
      approved,
      reached,
      new Map(),
      isRead,
    );
  }

  /**
   * The question before the secrets of a connection are used; undefined when there is nothing to confirm.
   *
   * @throws HostError `SECURE_STORE_UNAVAILABLE`
   */
  async question(connection: SavedConnection, driver: SendingDriver): Promise<SecretQuestion | undefined> {
    const { changes } = await this.#values(connection.id, this.#heldBy(connection, driver, connection.settings));
    const asked = this.#bindings.origins.question(connection, driver);
    return changes.length + askedPlaces(asked) === 0 ? undefined : questionOf(connection, driver, changes, asked);
  }

  /**
   * Binds the secrets of a connection to what a person has just been shown.
   *
   * @param code - of the question that the person answered; an answer never covers what changed since
   * @throws HostError `INVALID_REQUEST` when there is nothing to confirm, or something else than was shown; `SECURE_STORE_UNAVAILABLE`
   */
  async confirm(connection: SavedConnection, driver: SendingDriver, code: string): Promise<void> {
    const question = await this.question(connection, driver);
    if (question === undefined) {
      throw new HostError('INVALID_REQUEST', `There is nothing to confirm for "${connection.name}".`, {
        details: { advice: 'Use the connection.' },
      });
    }
    if (question.code !== code) {
      throw new HostError(
        'INVALID_REQUEST',
        `The destination of the credentials of "${connection.name}" has changed since it was shown.`,
        {
          details: { advice: 'Compare old and new again.' },
        },
      );
    }
    for (const { field, now } of question.changes) {
      const binding = { reach: reachIn(now), publisherName: now.publisherName, from: now.from };
      await this.#bind(connection.id, field, binding, isRefreshToken(driver.manifest, field));
    }
    this.#bindings.origins.confirm(connection.id, question.newOrigins ?? [], question.newFiles);
  }

  /** The origins of connections that a person has entered or confirmed. */
  get origins(): ConfirmedOrigins {
    return this.#bindings.origins;
  }

  /**
   * Every secret value of a form that is not saved: what was entered, and where nothing was, what the saved connection has.
   *
   * @param code - of the question that a person has answered with yes, for this one use
   * @throws HostError `SECRET_NOT_CONFIRMED`, `SECRET_MISSING` as {@link resolve} does
   */
  async resolveInput(
    saved: SavedConnection | undefined,
    input: ConnectionInput,
    driver: SendingDriver,
    code?: string,
  ): Promise<SealedSecrets> {
    const unchanged = Object.fromEntries(
      Object.entries(saved?.secrets ?? {}).filter(([field]) => input.secrets[field] === undefined),
    );
    const held = saved === undefined ? [] : this.#heldBy({ ...saved, secrets: unchanged }, driver, input.settings);
    const stored = held.filter(({ field }) => input.secrets[field.id] === undefined);
    const { values, changes } = await this.#values(saved?.id ?? '', stored, code !== undefined);
    const approved = new Map<string, SecretReach | undefined>();
    const signedIn = new Map<string, SignedInTokens>();
    for (const { field } of stored) approved.set(field.id, this.#bindings.get(saved?.id ?? '', field.id)?.reach);
    for (const [field, entered] of Object.entries(input.secrets)) {
      if (entered.kind === 'remove') continue;
      const now = secretReach(driver, input.settings, field);
      if (entered.kind === 'signedIn') {
        const { tokens } = this.#held.open(entered.ticket, field, signInPlace(driver, input.settings, field));
        signedIn.set(field, tokens);
        values.set(field, tokens.refreshToken);
      } else {
        const value = entered.kind === 'environment' ? environmentVariable(this.#environment, entered.variable) : entered.value;
        if (value !== undefined) values.set(field, value);
      }
      approved.set(field, now);
      if (
        now !== undefined &&
        saved !== undefined &&
        !isOwnEdit(this.#bindings.get(saved.id, field), driver, saved.settings, field, now)
      ) {
        changes.push(changedSecret(this.#bindings.get(saved.id, field), driver, field, referenceTo(entered), now));
      }
    }
    const asked = this.#bindings.origins.formQuestion(saved, driver, input.settings);
    if (changes.length + askedPlaces(asked) > 0) {
      const question = questionOf(saved === undefined ? input : { id: saved.id, name: input.name }, driver, changes, asked);
      if (question.code !== code) throw new SecretConfirmationError(question);
      for (const { field, now } of changes) approved.set(field, reachIn(now));
    }
    return this.#sealed(
      { id: saved?.id ?? '', name: input.name },
      driver.manifest,
      input.settings,
      { ...unchanged, ...input.secrets },
      values,
      approved,
      reachedOrigins(driver, input.settings),
      signedIn,
    );
  }

  /** The fields of a connection whose values were entered for a sign-in at a provider, as far as can be said without its driver. */
  boundToSignIn({ id, secrets }: Pick<SavedConnection, 'id' | 'secrets'>): ReadonlySet<string> {
    const isBound = (field: string): boolean => this.#bindings.get(id, field)?.reach.sentAs.includes(SENT_BY_SIGN_IN) === true;
    return new Set(Object.keys(secrets).filter(isBound));
  }

  /** The sign-ins of connections. */
  get signIns(): ConnectionSignIns {
    return this.#signIns;
  }

  /**
   * The binding of a connection's secrets when it is saved like this. A person who enters a secret beside its destination has
   * answered; one who changes the destination alone is asked.
   *
   * @param code - of the question that a person has answered with yes
   * @throws HostError `SECRET_NOT_CONFIRMED`
   */
  planUpdate(saved: SavedConnection, input: StoredInput, driver: SendingDriver, code: string | undefined): BindTo {
    const bindings = new Map<string, SecretReach>();
    const changes: ChangedSecret[] = [];
    for (const field of secretFields(driver.manifest)) {
      const entered = input.secrets[field.id];
      const from = entered === undefined ? saved.secrets[field.id] : entered.kind === 'remove' ? undefined : referenceTo(entered);
      const now = from === undefined ? undefined : reachOrNothing(driver, input.settings, field.id);
      if (from === undefined || now === undefined) continue;
      const bound = this.#bindings.get(saved.id, field.id);
      const isApproved =
        entered === undefined
          ? staysAsItIs(bound, driver, saved.settings, field.id, now)
          : isOwnEdit(bound, driver, saved.settings, field.id, now);
      // A driver that is not installed now has not lost the publisher that was approved.
      const known = now.publisher === '' ? bound?.reach.publisher : undefined;
      if (entered !== undefined || !isApproved) bindings.set(field.id, { ...now, publisher: known ?? now.publisher });
      if (!isApproved) changes.push(changedSecret(bound, driver, field.id, from, now));
    }
    if (changes.length > 0) {
      const question = questionOf({ id: saved.id, name: input.name }, driver, changes);
      if (question.code !== code) throw new SecretConfirmationError(question);
    }
    return (field) => {
      const reach = bindings.get(field);
      return reach === undefined ? undefined : { reach, publisherName: driver.publisher?.name ?? '' };
    };
  }

  /** Binds secrets that stay where they are to what a person approved for them, before the connection is saved with it. */
  async rebind(
    saved: SavedConnection,
    inputs: Readonly<Record<string, SecretInput>>,
    bindTo: BindTo,
    manifest: Manifest,
  ): Promise<void> {
    for (const [field, from] of Object.entries(saved.secrets)) {
      const bound = inputs[field] === undefined ? bindTo(field) : undefined;
      if (bound !== undefined) await this.#bind(saved.id, field, { ...bound, from }, isRefreshToken(manifest, field));
    }
  }

  /** Another number after each change of a value in this run: values that were read under the same one are the present ones. */
  get revision(): number {
    return this.#revision;
  }

  /** Every value that a connection has now, to hide it in what others read. @throws HostError `SECURE_STORE_UNAVAILABLE` */
  async valuesToHide(connection: Pick<SavedConnection, 'id' | 'secrets'>): Promise<readonly string[]> {
    const entered = this.#entered.valuesOf(connection.id);
    const stored = await Promise.all(
      Object.entries(connection.secrets).map(
        async ([field, reference]) => (await this.#read(connection.id, field, reference))?.value,
      ),
    );
    return [...entered, ...stored].filter((value) => value !== undefined);
  }

  /**
   * Keeps new values where they are to be kept and forgets those that are to be removed. Nothing is kept when the secure store refuses.
   *
   * @param bindTo - what each new value is bound to
   * @param signal - when it is aborted while values are stored, those that were there before are stored again
   * @returns the references to save with the connection
   * @throws HostError `SECURE_STORE_UNAVAILABLE`; the signal's reason
   */
  async apply(
    connectionId: string,
    before: Readonly<Record<string, SecretReference>>,
    inputs: Readonly<Record<string, SecretInput>>,
    bindTo: BindTo,
    signal?: AbortSignal,
  ): Promise<Record<string, SecretReference>> {
    try {
      return await this.#applied(connectionId, before, Object.entries(inputs), bindTo, signal);
    } finally {
      // Last, so that values which were read meanwhile have an older number.
      this.#revision += 1;
    }
  }

  async #applied(
    connectionId: string,
    before: Readonly<Record<string, SecretReference>>,
    entries: readonly (readonly [string, SecretInput])[],
    bindTo: BindTo,
    signal: AbortSignal | undefined,
  ): Promise<Record<string, SecretReference>> {
    const after: Record<string, SecretReference> = { ...before };
    const replaced =
      signal === undefined ? new Map<string, string | undefined>() : await this.#entriesBefore(connectionId, entries);
    // Storing may be refused, forgetting is not worth failing for: so nothing is forgotten before everything is stored.
    for (const [field, input] of entries) {
      // A refresh that is in flight stores nothing any more.
      this.#signIns.drop(connectionId, field);
      if (input.kind !== 'store') continue;
      const bound = bindTo(field);
      const digest = bound === undefined ? UNAPPROVED : reachDigest(bound.reach);
      await this.#store.set(accountOf(connectionId, field), sealEnvelope(input.value, digest));
    }
    if (signal?.aborted === true) {
      for (const [account, entry] of replaced)
        await (entry === undefined ? this.#store.delete(account) : this.#store.set(account, entry));
      throw signal.reason;
    }
    for (const [field, input] of entries) {
      // A store that is locked keeps an entry to which nothing points any more.
      if (input.kind !== 'store' && before[field]?.kind === 'store')
        await this.#store.delete(accountOf(connectionId, field)).catch(() => undefined);
      this.#entered.drop(connectionId, field);
      this.#signIns.drop(connectionId, field);
      if (input.kind === 'session') this.#entered.keep(connectionId, field, input.value);
      if (input.kind === 'remove') {
        this.#signIns.forget(connectionId, field);
        delete after[field];
        this.#bindings.remove(connectionId, field);
        continue;
      }
      const from = referenceTo(input);
      after[field] = from;
      const bound = bindTo(field);
      // Without one, what was approved before stays to be compared with.
      if (bound !== undefined) this.#bindings.set(connectionId, field, { ...bound, from, sealed: true });
    }
    return after;
  }

  /** The entries that new values will take the place of, by account. A refresh that is in flight ends first: its entry is the one to go back to. */
  async #entriesBefore(
    connectionId: string,
    entries: readonly (readonly [string, SecretInput])[],
  ): Promise<Map<string, string | undefined>> {
    const before = new Map<string, string | undefined>();
    for (const [field, input] of entries) {
      if (input.kind !== 'store') continue;
      await this.#signIns.settled(connectionId, field);
      const account = accountOf(connectionId, field);
      before.set(account, await this.#entry(account, true));
    }
    return before;
  }

  /**
   * Keeps the values of one connection for another one too, each in the same kind of place. What is not there any more is left out.
   *
   * @returns the references to save with the other one
   * @throws HostError `SECURE_STORE_UNAVAILABLE`
   */
  async copy(
    from: string,
    to: string,
    references: Readonly<Record<string, SecretReference>>,
  ): Promise<Record<string, SecretReference>> {
    const { inputs, bindings } = await copiedSecrets(from, references, {
      store: this.#store,
      entered: this.#entered,
      bindings: this.#bindings,
    });
    return this.apply(to, {}, inputs, (field) => bindings.get(field));
  }

  /** A text for the host's log: without any secret value that was used in this run. Never for a client: what is hidden would confirm a guess. */
  redact(text: string): string {
    return this.#used.redact(text);
  }

  /** The secret values of a connection that were used in this run. */
  usedBy(connectionId: string): readonly string[] {
    return this.#used.of(connectionId);
  }

  /** Keeps a value in memory until the host stops, beside whatever the reference says; used when a person is asked for a missing one. */
  enterForSession(connectionId: string, field: string, value: string): void {
    this.#entered.enter(connectionId, field, value);
    this.#revision += 1;
  }

  /** The opening that values were entered for is over: they are bound to nothing later. */
  settleEntered(connectionId: string): void {
    this.#entered.settle(connectionId);
  }

  /** Forgets such a value again, because the server did not take it: the next opening asks again. */
  dropFromSession(connectionId: string, field: string): void {
    this.#signIns.drop(connectionId, field);
    this.#entered.drop(connectionId, field);
    this.#revision += 1;
  }

  /** Forgets the values of these fields wherever they are. */
  async forgetAll(connectionId: string, fields: readonly string[]): Promise<void> {
    for (const field of fields) {
      this.#entered.drop(connectionId, field);
      this.#signIns.forget(connectionId, field);
      this.#bindings.remove(connectionId, field);
      await this.#store.delete(accountOf(connectionId, field)).catch(() => undefined);
    }
    this.#revision += 1;
  }

  /** Forgets every secret of a connection that has been removed. A store that cannot be reached keeps its entry; nothing points to it any more. */
  async forget(connection: Pick<SavedConnection, 'id' | 'secrets'>): Promise<void> {
    this.#bindings.removeAll(connection.id);
    this.#used.release(connection.id);
    for (const [field, reference] of Object.entries(connection.secrets)) {
      this.#entered.drop(connection.id, field);
      this.#signIns.forget(connection.id, field);
      if (reference.kind === 'store') await this.#store.delete(accountOf(connection.id, field)).catch(() => undefined);
    }
    this.#revision += 1;
  }

  /** A value that a person has just entered to open a connection is bound to what is used now, where nothing was approved before. */
  #bindFresh(connection: SavedConnection, driver: SendingDriver): void {
    for (const field of secretFields(driver.manifest)) {
      const entered = this.#entered.get(connection.id, field.id);
      if (entered?.isFresh !== true) continue;
      const reach = secretReach(driver, connection.settings, field.id);
      if (reach === undefined || this.#bindings.get(connection.id, field.id) !== undefined) continue;
      const publisherName = driver.publisher?.name ?? '';
      this.#bindings.set(connection.id, field.id, { reach, publisherName, from: { kind: 'session' }, sealed: true });
    }
    this.settleEntered(connection.id);
  }

  /** The secret fields of a connection that have a value somewhere, and where each would go. Nothing is read to find out. */
  #heldBy(
    connection: Pick<SavedConnection, 'id' | 'secrets'>,
    driver: SendingDriver,
    settings: SettingsValues,
  ): readonly HeldSecret[] {
    return secretFields(driver.manifest).flatMap((field) => {
      const isEntered = this.#entered.get(connection.id, field.id) !== undefined;
      const from: SecretReference | undefined = isEntered ? { kind: 'session' } : connection.secrets[field.id];
      if (from === undefined) return [];
      const now = secretReach(driver, settings, field.id);
      const publisherName = driver.publisher?.name ?? '';
      const bound = this.#bindings.get(connection.id, field.id);
      return [{ field, from, now, bound, publisherName, isSignIn: isRefreshToken(driver.manifest, field.id) }];
    });
  }

  /**
   * The values, and which of them are not approved for where they would go. None is read while one of them is not.
   *
   * @param always - reads them also then: a person has answered, and the caller holds them to the answer
   */
  async #values(
    connectionId: string,
    held: readonly HeldSecret[],
    always = false,
  ): Promise<{ readonly values: Map<string, string>; readonly changes: ChangedSecret[] }> {
    const changes = held.flatMap((secret) => (this.#isApproved(connectionId, secret) ? [] : changeOf(secret, secret.bound)));
    const values = new Map<string, string>();
    if (changes.length > 0 && !always) return { values, changes };
    for (const secret of held) {
      const { field, from, now, bound, isSignIn: isToken } = secret;
      const found = await this.#read(connectionId, field.id, from, isToken);
      if (found === undefined) {
        if (isToken && from.kind === 'store') this.#signIns.noteMissing(connectionId, field.id);
        continue;
      }
      values.set(field.id, found.value);
      if (now === undefined || bound === undefined || changes.some((change) => change.field === field.id)) continue;
      if (!isSealedIn(this.#store, bound, found, from)) changes.push(...changeOf(secret, undefined));
      else if (bound.reach.publisher !== now.publisher || !bound.sealed) {
        const publisher = now.publisher === '' ? bound.reach.publisher : now.publisher;
        const binding = { reach: { ...bound.reach, publisher }, publisherName: secret.publisherName, from };
        await this.#bind(connectionId, field.id, binding, isToken);
      }
    }
    return { values, changes };
  }

  #isApproved(connectionId: string, { field, from, now, bound }: HeldSecret): boolean {
    if (now === undefined) return true;
    if (bound === undefined || !isSameReach(bound.reach, now)) return false;
    // The value that a person entered for this run counts, wherever the value was stored before.
    return this.#entered.get(connectionId, field.id) !== undefined || isSameReference(bound.from, from);
  }

  async #bind(connectionId: string, field: string, binding: Omit<SecretBinding, 'sealed'>, isToken: boolean): Promise<void> {
    const account = accountOf(connectionId, field);
    if (binding.from.kind === 'store' && this.#store.isReadOnly !== true) {
      const entry = await this.#entry(account, isToken);
      if (entry !== undefined)
        await this.#store.set(account, sealEnvelope(openEnvelope(entry).value, reachDigest(binding.reach)));
    }
    this.#bindings.set(connectionId, field, { ...binding, sealed: true });
  }

  #sealed(
    connection: { readonly id: string; readonly name: string },
    manifest: Manifest,
    settings: SettingsValues,
    references: Readonly<Record<string, SecretReference | FormSecretInput>>,
    values: ReadonlyMap<string, string>,
    approved: ReadonlyMap<string, SecretReach | undefined>,
    reached: readonly ReachedOrigin[],
    signedIn: ReadonlyMap<string, SignedInTokens> = new Map(),
    isRead: (field: string) => boolean = () => true,
  ): SealedSecrets {
    const ofTheWay: readonly string[] = tunnelSecretsOf(tunnelOf(manifest, settings));
    const sealed = secretFields(manifest).flatMap((field) => {
      if (!isRead(field.id)) return [];
      // One of another way, or of another sign-in, is kept for a return to it: nothing asks for it meanwhile.
      if (isTunnelField(field.id) && !ofTheWay.includes(field.id)) return [];
      const reference = references[field.id];
      const value = values.get(field.id);
      if (value !== undefined && value !== '') {
        const reach = approved.get(field.id);
        const isToken = isRefreshToken(manifest, field.id);
        const tokens = isToken
          ? (signedIn.get(field.id) ?? this.#signIns.tokensOf(connection.id, field.id, value, reach))
          : undefined;
        const place = { connectionId: connection.id, field: field.id, kind: isToken ? 'refresh' : 'value' } as const;
        this.#used.remember(place, value);
        // A value that was read while it was being replaced is the one before.
        if (tokens !== undefined) this.#used.remember(place, tokens.refreshToken);
        return [[field.id, { value, approved: reach, ...(tokens === undefined ? {} : { tokens }) }] as const];
      }
      // Where it is used, the grant says that the person has to sign in.
      if (isRefreshToken(manifest, field.id)) return [];
      if ((reference !== undefined && reference.kind !== 'remove') || field.required)
        throw missing(connection.name, field.id, field.label, reference, this.#store.isReadOnly === true);
      return [];
    });
    return new SealedSecrets(new Map(sealed), reached);
  }

  async #read(
    connectionId: string,
    field: string,
    reference: SecretReference,
    isToken = false,
  ): Promise<ReferredSecret | undefined> {
    const entered = this.#entered.get(connectionId, field);
    if (entered !== undefined) return { value: entered.value };
    const store = { get: (account: string) => this.#entry(account, isToken) };
    return referredSecret(reference, accountOf(connectionId, field), store, this.#environment);
  }

  /** @param isToken - it is a refresh token, which the original of this data directory may have another one of by now */
  #entry(account: string, isToken: boolean): Promise<string | undefined> {
    return isToken && this.#store.getOwn !== undefined ? this.#store.getOwn(account) : this.#store.get(account);
  }
}
