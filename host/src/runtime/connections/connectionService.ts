import { setTimeout as delay } from 'node:timers/promises';
import type { ConnectionInput, SavedConnection, StoredInput } from '../../common/connection.ts';
import { connectionInputSchema, storedInputSchema } from '../../common/connection.ts';
import { HostError } from '../../common/errors.ts';
import { keepsSession } from '../../common/keepsSession.ts';
import { serverPermissionOf } from '../../common/serverPermission.ts';
import { tunnelOf, tunnelUrl } from '../../common/tunnelOf.ts';
import { checkSettings } from '../../common/formValues.ts';
import { DriverError } from '@tabularium/sdk';
import type { Manifest, SignInCredential } from '@tabularium/sdk/manifest';
import type { SecretQuestion } from '../../common/secretQuestion.ts';
import type { SendingDriver } from '../drivers/broker/serverDestination.ts';
import { bindNew } from './heldSecret.ts';
import type { BindTo } from './heldSecret.ts';
import { ConnectionSecrets } from './connectionSecrets.ts';
import { ConnectionStore } from './connectionStore.ts';
import { HeldSignIns } from './heldSignIns.ts';
import type { HeldSignIn } from './heldSignIns.ts';
import { savedSignIn, signInsOf } from './savedSignIn.ts';
import { TokenRevocations } from './tokenRevocations.ts';
import type { Revoke } from './tokenRevocations.ts';
import { Database } from '../storage/database.ts';
import { DriverProcesses } from '../drivers/processes/driverProcesses.ts';
import { InstalledDrivers } from '../drivers/versions/installedDrivers.ts';
import { from } from '../container/inject.ts';
import type { Inject } from '../container/inject.ts';
import { token } from '../container/inject.ts';

export const MANIFESTS = token<ManifestSource>('MANIFESTS');
export const STAGED_EDITS = token<StagedEdits>('STAGED_EDITS');

/** The manifest of a database type, as the catalogue has it, whether its driver is installed or not. */
export interface ManifestSource {
  /** @throws HostError `DRIVER_UNKNOWN` */
  manifestOf(driver: string): Promise<Manifest>;
  /** The driver that a connection of this type would send its secrets with, as far as it is known. @throws HostError `DRIVER_UNKNOWN` */
  senderOf(driver: string): Promise<SendingDriver>;
}

/** Which tables of a connection have staged changes. */
export interface StagedEdits {
  tables(connectionId: string): readonly unknown[];
}

/** A sample's connection. */
export interface OfferedSample {
  readonly connection: SavedConnection;
  /** Whether this start has saved it. */
  readonly isNew: boolean;
}

/** See `readingTime`. A keyring may be waiting for its password. */
const READING_TIME = 5_000;

/** Saving, changing and removing connections: the form is checked against the manifest, and secrets go where they are to be kept. */
export class ConnectionService {
  static readonly inject: Inject<typeof ConnectionService> = {
    store: ConnectionStore,
    secrets: ConnectionSecrets,
    held: HeldSignIns,
    revocations: TokenRevocations,
    manifests: MANIFESTS,
    installed: InstalledDrivers,
    database: Database,
    stagedTables: from([STAGED_EDITS], (edits) => (connectionId: string) => edits.tables(connectionId).length),
    assertFiles: from(
      [DriverProcesses],
      (processes) => (manifest: Manifest, files: Readonly<Record<string, string>>) =>
        processes.assertFilesAllowed(manifest, files),
    ),
  };

  readonly #store: ConnectionStore;
  readonly #secrets: ConnectionSecrets;
  readonly #held: HeldSignIns;
  readonly #revocations: TokenRevocations;
  readonly #readingTime: number;
  readonly #manifests: ManifestSource;
  readonly #installed: Pick<InstalledDrivers, 'current'>;
  readonly #database: Database;
  readonly #stagedTables: (connectionId: string) => number;
  readonly #assertFiles: ((manifest: Manifest, files: Readonly<Record<string, string>>) => Promise<void>) | undefined;

  constructor(services: {
    store: ConnectionStore;
    secrets: ConnectionSecrets;
    held?: HeldSignIns;
    revocations?: TokenRevocations;
    /** Milliseconds that reading a sign-in to revoke it may delay what forgets it. */
    readingTime?: number;
    manifests: ManifestSource;
    installed: Pick<InstalledDrivers, 'current'>;
    database: Database;
    /** How many tables of a connection have staged changes. */
    stagedTables: (connectionId: string) => number;
    /** Throws a DriverError with the field in its details for a file that no driver may open. */
    assertFiles?: (manifest: Manifest, files: Readonly<Record<string, string>>) => Promise<void>;
  }) {
    this.#store = services.store;
    this.#secrets = services.secrets;
    this.#revocations = services.revocations ?? new TokenRevocations();
    this.#readingTime = services.readingTime ?? READING_TIME;
    this.#held = services.held ?? new HeldSignIns(this.#revocations);
    this.#manifests = services.manifests;
    this.#installed = services.installed;
    this.#database = services.database;
    this.#stagedTables = services.stagedTables;
    this.#assertFiles = services.assertFiles;
  }

  /** @throws HostError `INVALID_REQUEST` (the field at fault in `details.field`), `CONNECTION_NAME_TAKEN`, `SECURE_STORE_UNAVAILABLE`, `DRIVER_UNKNOWN` */
  async create(value: ConnectionInput): Promise<SavedConnection> {
    const input = connectionInputSchema.parse(value);
    await this.check(input, {});
    const driver = await this.#manifests.senderOf(input.driver);
    return this.#held.save(input, driver, async (stored, signIns) => {
      const saved = await this.#created(stored, bindNew(stored, driver));
      this.#adoptSignIns(saved.id, signIns);
      this.#secrets.origins.record(saved.id, driver, input.settings);
      return saved;
    });
  }

  async #created(input: StoredInput, bindTo: BindTo): Promise<SavedConnection> {
    const connection = this.#store.create({ ...record(input), secrets: {} });
    return this.#store.inTurn(connection.id, async () => {
      try {
        return await this.#storeSecrets(connection.id, input, bindTo);
      } catch (error) {
        // A value that was stored before the store failed must not stay behind without a connection.
        await this.#secrets.forgetAll(connection.id, Object.keys(input.secrets));
        this.#store.remove(connection.id);
        throw error;
      }
    });
  }

  /**
   * The same errors as {@link create}, `CONNECTION_UNKNOWN`, and `SECRET_NOT_CONFIRMED` where a credential that is kept would go elsewhere. An open
   * session stays while {@link keepsSession} says so; else it is closed, and the next use connects with what is saved now.
   *
   * @param code - of the question that a person has answered with yes
   */
  async update(id: string, value: ConnectionInput, code?: string): Promise<SavedConnection> {
    const input = connectionInputSchema.parse(value);
    return this.#store.inTurn(id, async () => {
      const before = this.#store.get(id);
      const manifest = await this.check(input, before.secrets);
      this.#requireSameTarget(manifest, before, input);
      const driver = await this.#manifests.senderOf(input.driver);
      return this.#held.save(input, driver, async (stored, signIns) => {
        const saved = await this.#update(before, stored, this.#secrets.planUpdate(before, stored, driver, code));
        this.#adoptSignIns(id, signIns);
        this.#secrets.origins.recordEdit(before, driver, input.settings);
        return saved;
      });
    });
  }

  /** Only in the connection's turn, in which it was read. */
  async #update(before: SavedConnection, input: StoredInput, bindTo: BindTo): Promise<SavedConnection> {
    const { id } = before;
    const forgotten = Object.entries(input.secrets).flatMap(([field, { kind }]) => (kind === 'remove' ? [field] : []));
    const revocations = await this.#revocationsOf(before, forgotten);
    // Before any secret is replaced: what was kept must survive an update that is refused.
    this.#store.requireFreeName(input.name, id);
    if (bindTo !== UNBOUND)
      await this.#secrets.rebind(before, input.secrets, bindTo, await this.#manifests.manifestOf(input.driver));
    const secrets = await this.#secrets.apply(id, before.secrets, input.secrets, bindTo);
    const saved = this.#store.update(id, { ...record(input), secrets }, keepsSession(before, input) ? 'listed' : 'updated');
    this.#revoke(revocations);
    return saved;
  }

  /**
   * Saves a connection like another one. Its credentials come along only where that is asked for: each is then kept for the copy too, in the same
   * place. A sign-in stays with its connection: a provider that sees two programs spend one refresh token takes it for stolen and ends both.
   *
   * @throws HostError `CONNECTION_UNKNOWN`, `CONNECTION_NAME_TAKEN`, `SECURE_STORE_UNAVAILABLE`
   */
  async duplicate(id: string, name: string, withSecrets: boolean): Promise<SavedConnection> {
    const { id: _id, createdAt: _created, updatedAt: _updated, secrets, ...rest } = this.#store.get(id);
    const copy = this.#store.create({ ...rest, name, secrets: {} });
    this.#secrets.origins.copy(id, copy.id);
    if (!withSecrets) return copy;
    return this.#store.inTurn(copy.id, async () => {
      try {
        const ofSignIns = await this.#signInFields({ id, secrets, driver: rest.driver });
        const copied = Object.fromEntries(Object.entries(secrets).filter(([field]) => !ofSignIns.has(field)));
        const references = await this.#secrets.copy(id, copy.id, copied);
        return this.#store.updateSecrets(copy.id, () => references);
      } catch (error) {
        await this.#secrets.forgetAll(copy.id, Object.keys(secrets));
        this.#store.remove(copy.id);
        throw error;
      }
    });
  }

  /** Without a manifest, what its credentials were entered for says it: a connection can be copied although its driver is gone. */
  async #signInFields(connection: Pick<SavedConnection, 'id' | 'secrets' | 'driver'>): Promise<ReadonlySet<string>> {
    try {
      const manifest = await this.#manifests.manifestOf(connection.driver);
      return new Set(signInsOf({ manifest }).map(({ field }) => field));
    } catch (error) {
      if (error instanceof HostError && error.code === 'DRIVER_UNKNOWN') return this.#secrets.boundToSignIn(connection);
      throw error;
    }
  }

  /** Gives a connection another name. Nothing else changes: an open session stays open. @throws HostError `CONNECTION_UNKNOWN`, `CONNECTION_NAME_TAKEN` */
  rename(id: string, name: string): SavedConnection {
    const { id: _id, createdAt: _created, updatedAt: _updated, ...connection } = this.#store.get(id);
    return this.#store.update(id, { ...connection, name }, 'listed');
  }

  /** Puts connections into a group, or into none. @throws HostError `CONNECTION_UNKNOWN` */
  group(ids: readonly string[], group: string | undefined): readonly SavedConnection[] {
    return this.#database.transaction(() =>
      ids.map((id) => {
        const { id: _id, createdAt: _created, updatedAt: _updated, ...connection } = this.#store.get(id);
        return this.#store.update(id, { ...connection, group }, 'listed');
      }),
    );
  }

  /**
   * Saves a connection from a file, whose form has been checked. Credentials that are not in its file are asked for when it is opened. One
   * that takes the place of another keeps its credentials only while it leads to the same server, as safely as before: a file must not send them elsewhere, nor let
   * somebody between the two read them. An environment variable that the file names is bound to nothing: a person confirms its first use.
   *
   * @throws HostError `CONNECTION_NAME_TAKEN`, `INVALID_REQUEST` while changes are staged for another server
   */
  async importOne(value: StoredInput, replaced: SavedConnection | undefined): Promise<SavedConnection> {
    const input = storedInputSchema.parse(value);
    if (replaced === undefined) {
      const { id } = this.#store.create({ ...record(input), secrets: {} });
      return this.#store.inTurn(id, () => this.#storeSecrets(id, input, UNBOUND));
    }
    return this.#store.inTurn(replaced.id, () => this.#replace(this.#store.get(replaced.id), input));
  }

  async #replace(replaced: SavedConnection, input: StoredInput): Promise<SavedConnection> {
    const manifest = await this.#manifests.manifestOf(input.driver);
    this.#requireSameTarget(manifest, replaced, input);
    this.#secrets.origins.forget(replaced.id);
    if (isSameTarget(manifest, replaced, input) && isSameProtection(manifest, replaced, input))
      return this.#update(replaced, input, UNBOUND);
    const forgotten = Object.fromEntries(Object.keys(replaced.secrets).map((field) => [field, { kind: 'remove' as const }]));
    return this.#update(replaced, { ...input, secrets: { ...forgotten, ...input.secrets } }, UNBOUND);
  }

  /**
   * The question before its secrets are used; undefined: none. It compares with the driver that is installed, allowed and
   * verified now, never with a catalogue.
   *
   * @throws HostError `CONNECTION_UNKNOWN`, and errors that keep the driver from being used
   */
  async secretQuestion(id: string): Promise<SecretQuestion | undefined> {
    const connection = this.#store.get(id);
    return this.#secrets.question(connection, await this.#installed.current(connection.driver));
  }

  /** A person has answered that question with yes. @param code - of the question that they read */
  async confirmSecrets(id: string, code: string): Promise<void> {
    const connection = this.#store.get(id);
    await this.#secrets.confirm(connection, await this.#installed.current(connection.driver), code);
  }

  /** Also one that can't be read. Its sign-in is revoked where the driver names an address for that. @throws HostError `CONNECTION_UNKNOWN` */
  async remove(id: string): Promise<void> {
    await this.#store.inTurn(id, async () => {
      const unreadable = this.#store.unreadable().find((one) => one.id === id);
      if (unreadable !== undefined) {
        this.#store.removeUnreadable(id);
        await this.#secrets.forget({ id, secrets: unreadable.secrets ?? {} });
        return;
      }
      const connection = this.#store.get(id);
      const revocations = await this.#revocationsOf(connection, Object.keys(connection.secrets));
      await this.#secrets.forget(this.#store.remove(id));
      this.#revoke(revocations);
    });
  }

  /** How to end the sign-ins of fields that are about to be forgotten. A catalogue or store that doesn't answer in time delays nothing. */
  async #revocationsOf(connection: SavedConnection, fields: readonly string[]): Promise<readonly Revoke[]> {
    const isHeld = ({ field }: SignInCredential): boolean => fields.includes(field) && connection.secrets[field] !== undefined;
    const found = async (): Promise<readonly Revoke[]> => {
      const driver = await this.#manifests.senderOf(connection.driver);
      const signIns = signInsOf(driver)
        .filter(isHeld)
        .map((credential) => savedSignIn(this.#secrets, connection, driver, credential));
      return (await Promise.all(signIns)).flatMap(({ revoke }) => (revoke === undefined ? [] : [revoke]));
    };
    if (fields.length === 0) return [];
    const over = new AbortController();
    const late = delay(this.#readingTime, [], { signal: over.signal });
    // Without a manifest there is no address to revoke at.
    const revocations = await Promise.race([found(), late]).catch(() => []);
    over.abort();
    return revocations;
  }

  /** Not awaited: what was forgotten is gone, whether its provider answers or not. */
  #revoke(revocations: readonly Revoke[]): void {
    for (const revoke of revocations) void this.#revocations.run(revoke);
  }

  /**
   * Saves a connection that a start of the application brings along, once: it is brought up to date at later starts (a sample server's port
   * changes), and stays away when a person has removed it.
   *
   * @returns undefined when a person has removed it
   */
  async offerSample(value: StoredInput): Promise<OfferedSample | undefined> {
    const input = storedInputSchema.parse(value);
    const preference = `sample:${input.driver}`;
    const row = this.#database.connection.prepare('SELECT value FROM preferences WHERE name = ?').get(preference);
    if (row === undefined) {
      const connection = await this.create({ ...input, name: this.freeName(input.name) });
      this.#database.connection.prepare('INSERT INTO preferences (name, value) VALUES (?, ?)').run(preference, connection.id);
      return { connection, isNew: true };
    }
    const id = this.#store.findById(String(row['value']))?.id;
    if (id === undefined) return undefined;
    return this.#store.inTurn(id, async () => ({ connection: await this.#offerAgain(this.#store.get(id), input), isNew: false }));
  }

  /** The same sample server, which may be at another port: what is staged for it stays meant for it. */
  async #offerAgain(saved: SavedConnection, input: StoredInput): Promise<SavedConnection> {
    await this.check(input, saved.secrets);
    const offered: StoredInput = {
      ...input,
      name: saved.name,
      access: saved.access,
      color: saved.color,
      group: saved.group,
      settings: { ...saved.settings, ...input.settings },
    };
    // The sample's own key, for the sample's own server, both from this start.
    const driver = await this.#manifests.senderOf(input.driver);
    const bindTo = bindNew(offered, driver);
    this.#secrets.origins.record(saved.id, driver, offered.settings);
    return this.#update(saved, offered, (field) => (input.secrets[field] === undefined ? undefined : bindTo(field)));
  }

  /**
   * Checks a form.
   *
   * @throws HostError `INVALID_REQUEST` naming the first field at fault
   */
  async check(input: ConnectionInput, saved: SavedConnection['secrets']): Promise<Manifest> {
    const manifest = await this.#manifests.manifestOf(input.driver);
    const stored = Object.keys(saved).filter((field) => input.secrets[field]?.kind !== 'remove');
    const given = Object.entries(input.secrets).filter(([, secret]) => secret.kind !== 'remove');
    const problem = checkSettings(manifest, input.settings, new Set([...stored, ...given.map(([field]) => field)]))[0];
    if (problem !== undefined) throw new HostError('INVALID_REQUEST', problem.sentence, { details: { field: problem.field } });
    const chosen = Object.entries(input.settings).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    try {
      await this.#assertFiles?.(manifest, Object.fromEntries(chosen));
    } catch (error) {
      if (!(error instanceof DriverError)) throw error;
      throw new HostError('INVALID_REQUEST', error.message, { details: { field: error.details.field }, cause: error });
    }
    return manifest;
  }

  /** Changes that were staged from the rows of one server must never be saved to another. */
  #requireSameTarget(manifest: Manifest, before: SavedConnection, input: ConnectionInput): void {
    if (isSameTarget(manifest, before, input) || this.#stagedTables(before.id) === 0) return;
    throw new HostError('INVALID_REQUEST', `"${before.name}" has staged changes for its current server.`, {
      details: { advice: 'Save or discard them first, or make another connection for the other server.' },
    });
  }

  /** The name, or the name with the first number that makes it free: a connection that a person made is never taken over. */
  freeName(name: string): string {
    for (let number = 1; ; number += 1) {
      const candidate = number === 1 ? name : `${name} ${number}`;
      if (this.#store.isFreeName(candidate)) return candidate;
    }
  }

  /** The sign-ins of a form are those of a saved connection now. */
  #adoptSignIns(id: string, signIns: readonly HeldSignIn[]): void {
    for (const { field, tokens, facts } of signIns) this.#secrets.signIns.adopt(id, field, tokens, facts);
  }

  /** Of a new connection. A name that it was given meanwhile stays. */
  async #storeSecrets(id: string, input: StoredInput, bindTo: BindTo): Promise<SavedConnection> {
    const secrets = await this.#secrets.apply(id, {}, input.secrets, bindTo);
    return this.#store.updateSecrets(id, () => secrets);
  }
}

/** Binds nothing: a person is asked before the first use. */
const UNBOUND: BindTo = () => undefined;

function record(input: StoredInput | ConnectionInput): Omit<SavedConnection, 'id' | 'createdAt' | 'updatedAt' | 'secrets'> {
  return {
    name: input.name,
    driver: input.driver,
    settings: input.settings,
    access: input.access,
    color: input.color,
    group: input.group,
  };
}

function isSameTarget(manifest: Manifest, before: SavedConnection, input: ConnectionInput): boolean {
  const fields = targetFields(manifest);
  // "localhost" behind another SSH server is another server.
  const [was, is] = [before, input].map(({ settings }) => tunnelOf(manifest, settings));
  const isSameWay = was === undefined || is === undefined ? was === is : tunnelUrl(was) === tunnelUrl(is);
  return before.driver === input.driver && isSameWay && fields.every((field) => before.settings[field] === input.settings[field]);
}

/** Whether the server is made sure of in the same way. */
function isSameProtection(manifest: Manifest, before: SavedConnection, input: ConnectionInput): boolean {
  const tls = serverPermissionOf(manifest)?.tls;
  if (tls === undefined) return true;
  const { mode, skipVerification, certificateAuthorityFile, clientCertificateFile, clientKeyFile } = tls;
  const fields = [mode.field, skipVerification, certificateAuthorityFile, clientCertificateFile, clientKeyFile];
  return fields.every((field) => field === undefined || before.settings[field] === input.settings[field]);
}

/** The fields that say which database a connection reaches. */
function targetFields(manifest: Manifest): readonly string[] {
  const { origin } = serverPermissionOf(manifest) ?? {};
  const server = origin === undefined ? [] : [origin.host.field, origin.port.field, origin.scheme.field];
  return [...server, ...manifest.permissions.files.map(({ field }) => field)];
}
