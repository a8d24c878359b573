import { isDriverError } from '@tabularium/sdk';
import type { Session, TableDescription, TableRef } from '@tabularium/sdk';
import type { Manifest } from '@tabularium/sdk/manifest';
import type { SavedConnection, SettingsValues } from '../../common/connection.ts';
import type { InstallProgress } from '../../common/drivers.ts';
import { HostError } from '../../common/errors.ts';
import type { OpeningStep } from '../../common/opening.ts';
import type { SealedSecrets } from '../credentials/sealedSecrets.ts';
import { isForeignCredential } from '../drivers/broker/foreignCredentialError.ts';
import type { HttpBroker } from '../drivers/broker/httpBroker.ts';
import type { InstalledDriver } from '../drivers/packages/installedDriver.ts';
import type { Logger } from '../storage/logger.ts';
import { requireWritable } from '../connections/readOnlyMode.ts';
import { readOnlyWall } from './readOnlyWall.ts';
import { ReopeningPauses } from './reopeningPauses.ts';
import { SharedTask } from '../../common/sharedTask.ts';
import { ConnectionSecrets } from '../connections/connectionSecrets.ts';
import { ConnectionStore } from '../connections/connectionStore.ts';
import { loggerOf } from '../storage/logger.ts';
import { WiderGrants } from '../drivers/policy/widerGrants.ts';
import { from } from '../container/inject.ts';
import type { Inject } from '../container/inject.ts';
import { token } from '../container/inject.ts';

export const DRIVER_SOURCE = token<SessionDrivers>('DRIVER_SOURCE');
/** Opens the sessions that are shared. */
export const DRIVER_CONNECTOR = token<DriverConnector>('DRIVER_CONNECTOR');

/** A session as those see it who use it. */
export interface SharedSession extends Session {
  /** The way to its origin: `node` is the host and port of the node that answers, undefined where there is only one. */
  readonly http?: Pick<HttpBroker, 'request'> & Partial<Pick<HttpBroker, 'node'>>;
}

/** A session in a driver's process, as far as this service needs it. */
export interface ConnectedSession extends SharedSession {
  /** Calls back once when the session is gone without having been closed. */
  onClosed(listener: (reason: Error) => void): void;
}

/** Gives the driver of a type, installing it where it is missing. */
export interface SessionDrivers {
  ensureInstalled(
    driver: string,
    options: { signal: AbortSignal; onProgress?: (progress: InstallProgress) => void },
  ): Promise<InstalledDriver>;
}

/** Opens a session in a driver's process. */
export interface DriverConnector {
  connect(request: {
    driver: InstalledDriver;
    settings: SettingsValues;
    secrets: SealedSecrets;
    signal: AbortSignal;
    /** Reaches only this further node, by its place from 0. */
    node?: number;
  }): Promise<ConnectedSession>;
}

/** An open connection, for the length of one piece of work. */
export interface OpenSession {
  readonly connection: SavedConnection;
  readonly manifest: Manifest;
  readonly driverVersion: string;
  readonly session: SharedSession;
  /** Aborts when the session is closed or lost; the reason of a loss is its error. */
  readonly ended?: AbortSignal;
}

/** Options of {@link Sessions.use}. */
export interface UseOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (step: OpeningStep) => void;
}

/** How a driver's process is lost by its own fault; a server that is gone is none of it. */
const CRASHES: readonly string[] = ['DRIVER_CRASHED', 'DRIVER_FAULT'];

interface Entry {
  /** As it is now: its name may change while its session is opened. */
  connection: SavedConnection;
  readonly opening: SharedTask<OpenSession, OpeningStep>;
  open?: OpenSession;
  readonly structures: Map<string, TableDescription>;
  readonly ended: AbortController;
}

/**
 * The open connections: at most one session for each, opened when first used and shared by window, command line and clients. A session
 * whose driver crashed is opened again by the next use, after a pause that grows with each crash; one whose connection was changed or
 * removed is closed.
 */
export class Sessions implements AsyncDisposable {
  static readonly inject: Inject<typeof Sessions> = {
    connections: ConnectionStore,
    secrets: ConnectionSecrets,
    drivers: DRIVER_SOURCE,
    connector: DRIVER_CONNECTOR,
    logger: loggerOf('sessions'),
    assertPermitted: from([WiderGrants], (grants) => (manifest: Manifest) => grants.assertPermitted(manifest)),
  };

  readonly #connections: ConnectionStore;
  readonly #secrets: ConnectionSecrets;
  readonly #drivers: SessionDrivers;
  readonly #connector: DriverConnector;
  readonly #logger: Logger;
  readonly #assertPermitted: (manifest: Manifest) => Promise<void>;
  readonly #entries = new Map<string, Entry>();
  readonly #closing = new Set<Promise<void>>();
  readonly #reopening: ReopeningPauses;
  #ended = false;

  constructor(services: {
    connections: ConnectionStore;
    secrets: ConnectionSecrets;
    drivers: SessionDrivers;
    connector: DriverConnector;
    logger: Logger;
    /**
     * Says whether a driver that left the sandbox may still be used: an administrator's policy counts for what is open, too. Default: it may.
     *
     * @throws HostError `POLICY_FORBIDS`
     */
    assertPermitted?: (manifest: Manifest) => Promise<void>;
    /** Default: {@link REOPENING_PAUSES}. */
    reopeningPauses?: readonly number[];
  }) {
    this.#connections = services.connections;
    this.#secrets = services.secrets;
    this.#drivers = services.drivers;
    this.#connector = services.connector;
    this.#logger = services.logger;
    this.#assertPermitted = services.assertPermitted ?? (() => Promise.resolve());
    this.#reopening = new ReopeningPauses(services.reopeningPauses);
    services.connections.onChange((change) => {
      if (change.kind === 'listed') return this.#relabel(change.connection);
      if (change.kind !== 'created') void this.close(change.connection.id);
      // The change may have removed the cause of the crash.
      this.#reopening.forget(change.connection.id);
    });
  }

  /**
   * Does a piece of work with an open session, opening it first where needed. Uses that come while it is opening wait for that opening.
   *
   * @throws HostError `CONNECTION_UNKNOWN`, `SECRET_MISSING`, `SECRET_NOT_CONFIRMED`, what installing and connecting throw, and what `work` throws
   */
  async use<T>(connectionId: string, work: (open: OpenSession) => Promise<T>, options: UseOptions): Promise<T> {
    options.signal.throwIfAborted();
    if (this.#ended) throw new HostError('CANCELLED', 'The host is stopping.');
    const entry = this.#entries.get(connectionId) ?? this.#begin(connectionId);
    const opened = await entry.opening.join(options.signal, options.onProgress);
    const open = entry.open ?? opened;
    if (open.manifest.permissions.unconfined !== undefined) await this.#requirePermitted(open);
    return work(open);
  }

  async #requirePermitted(open: OpenSession): Promise<void> {
    try {
      await this.#assertPermitted(open.manifest);
    } catch (error) {
      const { id } = open.connection;
      if (this.#entries.get(id)?.open === open) await this.close(id);
      throw error;
    }
  }

  /** A table's structure, from the cache of the open session unless it is to be read again. */
  async describe(connectionId: string, table: TableRef, reload: boolean, options: UseOptions): Promise<TableDescription> {
    return this.use(
      connectionId,
      async ({ session }) => {
        const structures = this.#entries.get(connectionId)?.structures;
        const key = JSON.stringify([...table.namespace, table.name]);
        const cached = structures?.get(key);
        if (cached !== undefined && !reload) return cached;
        const description = await session.describeTable(table, { signal: options.signal });
        structures?.set(key, description);
        return description;
      },
      options,
    );
  }

  /** Forgets the cached structure of a connection's tables: an operation changed a whole table, perhaps under another name. */
  forgetStructures(connectionId: string): void {
    this.#entries.get(connectionId)?.structures.clear();
  }

  /** Whether a connection is open now. */
  state(connectionId: string): 'closed' | 'opening' | 'open' {
    const entry = this.#entries.get(connectionId);
    return entry === undefined ? 'closed' : entry.open === undefined ? 'opening' : 'open';
  }

  /** A session stays, and so does one that is opening, with the new record. */
  #relabel(connection: SavedConnection): void {
    const entry = this.#entries.get(connection.id);
    if (entry === undefined) return;
    entry.connection = connection;
    if (entry.open !== undefined) entry.open = { ...entry.open, connection };
  }

  /** Every connection that is open now. */
  openSessions(): readonly OpenSession[] {
    return [...this.#entries.values()].flatMap(({ open }) => (open === undefined ? [] : [open]));
  }

  /** Closes a session, or gives up opening it; does nothing when there is none. */
  async close(connectionId: string): Promise<void> {
    const entry = this.#entries.get(connectionId);
    if (entry === undefined) return;
    this.#entries.delete(connectionId);
    const closing = this.#end(entry);
    this.#closing.add(closing);
    await closing.finally(() => this.#closing.delete(closing));
  }

  /** Closes every session of a driver, those that are just opening among them. */
  async closeDriver(driver: string): Promise<void> {
    const ids = [...this.#entries].flatMap(([id, entry]) => (entry.connection.driver === driver ? [id] : []));
    await Promise.all(ids.map((id) => this.close(id)));
  }

  /** Closes every session; nothing opens any more. */
  async closeAll(): Promise<void> {
    this.#ended = true;
    await Promise.all([...this.#entries.keys()].map((id) => this.close(id)));
    await Promise.all(this.#closing);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.closeAll();
  }

  async #end(entry: Entry): Promise<void> {
    entry.opening.cancel();
    entry.ended.abort();
    if (entry.open !== undefined)
      await entry.open.session.close().catch((error: unknown) => this.#logger.warn(`closing a session: ${String(error)}`));
  }

  #begin(connectionId: string): Entry {
    const connection = this.#connections.get(connectionId);
    const entry: Entry = {
      connection,
      opening: new SharedTask((signal, notify) => this.#open(connection, entry, signal, notify)),
      structures: new Map(),
      ended: new AbortController(),
    };
    this.#entries.set(connectionId, entry);
    entry.opening.onFailure(() => this.#drop(connectionId, entry));
    return entry;
  }

  #drop(connectionId: string, entry: Entry): void {
    if (this.#entries.get(connectionId) === entry) this.#entries.delete(connectionId);
  }

  async #open(
    connection: SavedConnection,
    entry: Entry,
    signal: AbortSignal,
    notify: (step: OpeningStep) => void,
  ): Promise<OpenSession> {
    await this.#reopening.wait(connection.id, signal);
    const { driver, session } = await this.#connect(connection, signal, notify).catch((error: unknown) => {
      this.#judge(connection.id, error);
      // A new version crashed at once, and the one before is in use again: the person who waits need not know how to try again.
      if (error instanceof HostError && error.code === 'DRIVER_ROLLED_BACK') return this.#connect(connection, signal, notify);
      throw error;
    });
    const open: OpenSession = {
      connection: entry.connection,
      manifest: driver.manifest,
      driverVersion: driver.version,
      session,
      ended: entry.ended.signal,
    };
    if (this.#entries.get(connection.id) !== entry) {
      await session.close();
      throw new HostError('CANCELLED');
    }
    entry.open = open;
    session.onClosed((reason) => {
      this.#logger.warn(`the session of the connection ${connection.id} ended: ${reason.message}`);
      this.#judge(connection.id, reason);
      if (isDriverError(reason) && CRASHES.includes(reason.code)) this.#reopening.crashed(connection.id);
      entry.ended.abort(reason);
      this.#drop(connection.id, entry);
    });
    return open;
  }

  /** A driver that sends credentials where they don't belong reaches nothing more before a person has confirmed its origins. */
  #judge(connectionId: string, reason: unknown): void {
    if (isForeignCredential(reason)) this.#secrets.origins.distrust(connectionId);
  }

  async #connect(
    connection: SavedConnection,
    signal: AbortSignal,
    notify: (step: OpeningStep) => void,
  ): Promise<{ driver: InstalledDriver; session: ConnectedSession }> {
    const driver = await this.#drivers.ensureInstalled(connection.driver, {
      signal,
      onProgress: (install) => notify({ step: 'installing', install }),
    });
    notify({ step: 'connecting', manifest: driver.manifest });
    const secrets = await this.#secrets.resolve(connection, driver);
    signal.throwIfAborted();
    const session = await this.#connector.connect({ driver, settings: connection.settings, secrets, signal });
    // The mode as it is when a call is made: it may be turned on while the session is open.
    const wall = readOnlyWall(session, (effect) => requireWritable(this.#connections.get(connection.id), effect));
    return { driver, session: wall };
  }
}
