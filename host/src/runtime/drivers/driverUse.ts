import { isDriverError } from '@tabularium/sdk';
import { HostError } from '../../common/errors.ts';
import type { Logger } from '../storage/logger.ts';
import type { ConnectedSession, DriverConnector } from '../data/sessions.ts';
import type { InstalledDriver } from './packages/installedDriver.ts';
import { DriverChoices } from './versions/driverChoices.ts';
import { DriverRecords } from './packages/driverRecords.ts';
import { GrantingConnector } from './driverConnector.ts';
import { InstalledDrivers } from './versions/installedDrivers.ts';
import { loggerOf } from '../storage/logger.ts';
import type { Inject } from '../container/inject.ts';

/** A new version whose session has lived this long has proven itself. */
const PROBATION_MILLISECONDS = 60_000;
/** How a driver fails by its own fault; a server that refuses is none of it. */
const OWN_FAULTS: readonly string[] = ['DRIVER_CRASHED', 'DRIVER_FAULT'];

type ConnectRequest = Parameters<DriverConnector['connect']>[0];

export interface DriverUseOptions {
  readonly connector: DriverConnector;
  readonly installed: InstalledDrivers;
  readonly records: DriverRecords;
  readonly choices: DriverChoices;
  readonly logger: Logger;
  /** Default: a minute. */
  readonly probationMilliseconds?: number;
}

/**
 * Tracks which version each open session uses, and watches versions that are new: one that crashes before it has proven itself is taken
 * out of use, and the version before is used again.
 */
export class DriverUse implements DriverConnector {
  static readonly inject: Inject<typeof DriverUse> = {
    connector: GrantingConnector,
    installed: InstalledDrivers,
    records: DriverRecords,
    choices: DriverChoices,
    logger: loggerOf('drivers'),
  };

  readonly #options: DriverUseOptions;
  /** How many sessions use a version. */
  readonly #open = new Map<string, number>();

  constructor(options: DriverUseOptions) {
    this.#options = options;
  }

  /** Whether a session uses this version. */
  isInUse(id: string, version: string): boolean {
    return (this.#open.get(keyOf(id, version)) ?? 0) > 0;
  }

  /**
   * Opens a session.
   *
   * @throws HostError `DRIVER_ROLLED_BACK` when a new version crashed and the version before is in use again, and what connecting throws
   */
  async connect(request: ConnectRequest): Promise<ConnectedSession> {
    const { driver } = request;
    let session: ConnectedSession;
    try {
      session = await this.#options.connector.connect(request);
    } catch (error) {
      const rolledBack = this.#judge(driver, error);
      throw rolledBack ?? error;
    }
    return this.#watched(driver, session);
  }

  #watched(driver: InstalledDriver, session: ConnectedSession): ConnectedSession {
    const key = keyOf(driver.id, driver.version);
    this.#open.set(key, (this.#open.get(key) ?? 0) + 1);
    const timer = setTimeout(
      () => this.#options.records.setProven(driver.id, driver.version),
      this.#options.probationMilliseconds ?? PROBATION_MILLISECONDS,
    ).unref();
    let over = false;
    const end = (): boolean => {
      if (over) return false;
      over = true;
      clearTimeout(timer);
      this.#open.set(key, (this.#open.get(key) ?? 1) - 1);
      return true;
    };
    session.onClosed((reason) => {
      if (end()) this.#judge(driver, reason);
    });
    // The session stays the object that it is: its other members need it as it was made.
    const close = session.close.bind(session);
    return Object.assign(session, {
      close: async (): Promise<void> => {
        const served = end();
        await close();
        if (served) this.#options.records.setProven(driver.id, driver.version);
      },
    });
  }

  /** @returns the error to report when the driver was rolled back */
  #judge(driver: InstalledDriver, error: unknown): HostError | undefined {
    const { records, installed, choices, logger } = this.#options;
    if (!isDriverError(error) || !OWN_FAULTS.includes(error.code)) return undefined;
    const record = records.get(driver.id, driver.version);
    // A developer's folder has no record, an old version has proven itself, and what is not current any more needs no rolling back.
    if (record === undefined || record.proven || !record.current) return undefined;
    const target = installed.rollbackTarget(driver.id);
    if (target === undefined) return undefined;
    records.setCurrent(driver.id, target, () => {
      choices.refuse(driver.id, driver.version, error.message, true);
      if (choices.pinned(driver.id) === driver.version) choices.setPinned(driver.id, undefined);
    });
    const message = `The driver "${driver.id}" ${driver.version} crashed when it was first used, so version ${target} is in use again. ${error.message}`;
    logger.warn(message);
    return new HostError('DRIVER_ROLLED_BACK', message, { cause: error });
  }
}

function keyOf(id: string, version: string): string {
  return `${id}@${version}`;
}
