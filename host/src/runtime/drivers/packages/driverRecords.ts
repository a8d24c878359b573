import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { DATABASE_CONNECTION } from '../../storage/database.ts';
import { SavedChanges } from '../../storage/savedChanges.ts';
import type { Inject } from '../../container/inject.ts';

const recordSchema = z.object({
  driver_id: z.string(),
  version: z.string(),
  package_name: z.string(),
  registry_url: z.string().nullable(),
  integrity: z.string(),
  key_id: z.string(),
  publisher_id: z.string(),
  publisher_name: z.string(),
  publisher_origin: z.enum(['firstParty', 'localRegistry', 'thirdParty']),
  installed_at: z.string(),
  current: z.number(),
  proven: z.number(),
});

/** The record of an installed version. */
export interface DriverRecord {
  readonly id: string;
  readonly version: string;
  readonly packageName: string;
  /** Where it came from; undefined for a file. */
  readonly registryUrl: string | undefined;
  /** Of the archive. */
  readonly integrity: string;
  /** The key that signed it. */
  readonly keyId: string;
  readonly publisherId: string;
  readonly publisherName: string;
  readonly publisherOrigin: 'firstParty' | 'localRegistry' | 'thirdParty';
  readonly installedAt: string;
  /** Whether new sessions use this version. */
  readonly current: boolean;
  /** Whether it has served a session without crashing. */
  readonly proven: boolean;
}

function toRecord(row: unknown): DriverRecord {
  const read = recordSchema.parse(row);
  return {
    id: read.driver_id,
    version: read.version,
    packageName: read.package_name,
    registryUrl: read.registry_url ?? undefined,
    integrity: read.integrity,
    keyId: read.key_id,
    publisherId: read.publisher_id,
    publisherName: read.publisher_name,
    publisherOrigin: read.publisher_origin,
    installedAt: read.installed_at,
    current: read.current === 1,
    proven: read.proven === 1,
  };
}

const SELECT = `SELECT v.*, c.version IS NOT NULL AS current FROM driver_versions v
  LEFT JOIN current_drivers c ON c.driver_id = v.driver_id AND c.version = v.version`;

/** The installed versions in the home's database. */
export class DriverRecords {
  static readonly inject: Inject<typeof DriverRecords> = [DATABASE_CONNECTION, SavedChanges];

  readonly #connection: DatabaseSync;
  readonly #changes: SavedChanges;

  constructor(connection: DatabaseSync, changes: SavedChanges = new SavedChanges()) {
    this.#connection = connection;
    this.#changes = changes;
  }

  /** By driver, oldest installation first. */
  list(): readonly DriverRecord[] {
    return this.#connection.prepare(`${SELECT} ORDER BY v.driver_id, v.installed_at, v.version`).all().map(toRecord);
  }

  get(id: string, version: string): DriverRecord | undefined {
    const row = this.#connection.prepare(`${SELECT} WHERE v.driver_id = ? AND v.version = ?`).get(id, version);
    return row === undefined ? undefined : toRecord(row);
  }

  current(id: string): DriverRecord | undefined {
    const row = this.#connection.prepare(`${SELECT} WHERE c.driver_id = ?`).get(id);
    return row === undefined ? undefined : toRecord(row);
  }

  /** Remembers a version and makes it current, with what else is decided thereby: all of it or nothing. */
  add(record: Omit<DriverRecord, 'current' | 'proven'>, also: () => void = () => undefined): void {
    this.#inTransaction(() => {
      also();
      this.#insert(record);
      this.#point(record.id, record.version);
    });
  }

  /** Remembers a version that was found on disk. It becomes current where the driver has no current version. */
  adopt(record: Omit<DriverRecord, 'current' | 'proven'>): void {
    this.#inTransaction(() => {
      this.#insert(record);
      if (this.current(record.id) === undefined) this.#point(record.id, record.version);
    });
  }

  /** Makes an installed version the one that new sessions use, with what else is decided thereby: all of it or nothing. */
  setCurrent(id: string, version: string, also: () => void = () => undefined): void {
    this.#inTransaction(() => {
      also();
      this.#point(id, version);
    });
  }

  /** The version that new sessions used before the current one, if it is still installed. */
  previous(id: string): DriverRecord | undefined {
    const row = this.#connection.prepare('SELECT previous FROM current_drivers WHERE driver_id = ?').get(id);
    return typeof row?.['previous'] === 'string' ? this.get(id, row['previous']) : undefined;
  }

  /** A session of this version went well. */
  setProven(id: string, version: string): void {
    this.#connection.prepare('UPDATE driver_versions SET proven = 1 WHERE driver_id = ? AND version = ?').run(id, version);
  }

  /**
   * Forgets a version. If it was current, the one installed last before it becomes current.
   *
   * @param folderRemains - records that its folder is to be deleted, for a start after a crash
   */
  remove(id: string, version: string, folderRemains = false): void {
    this.#inTransaction(() => {
      if (folderRemains) this.markFolder(id, version);
      this.#connection.prepare('DELETE FROM current_drivers WHERE driver_id = ? AND version = ?').run(id, version);
      this.#connection.prepare('DELETE FROM driver_versions WHERE driver_id = ? AND version = ?').run(id, version);
      if (this.current(id) !== undefined) return;
      const before = this.list().findLast((record) => record.id === id);
      if (before !== undefined) this.#point(id, before.version);
    });
  }

  /** Forgets every version of a driver, with what else is known of it: all of it or nothing. Their folders are recorded as to be deleted. */
  removeAll(id: string, also: () => void = () => undefined): void {
    this.#inTransaction(() => {
      for (const record of this.list()) if (record.id === id) this.markFolder(id, record.version);
      this.#connection.prepare('DELETE FROM current_drivers WHERE driver_id = ?').run(id);
      this.#connection.prepare('DELETE FROM driver_versions WHERE driver_id = ?').run(id);
      also();
    });
  }

  /** Versions whose folders are to be deleted: they were removed, or their installation has not ended. */
  removed(): readonly { readonly id: string; readonly version: string }[] {
    return this.#connection
      .prepare('SELECT driver_id, version FROM removed_driver_versions')
      .all()
      .map((row) => ({ id: String(row['driver_id']), version: String(row['version']) }));
  }

  /** Has the next start delete the folder of a version, unless the version is recorded as installed by then. */
  markFolder(id: string, version: string): void {
    this.#connection.prepare('INSERT OR IGNORE INTO removed_driver_versions (driver_id, version) VALUES (?, ?)').run(id, version);
  }

  /** The folder of a removed version is gone, or is not to be deleted any more. */
  folderGone(id: string, version: string): void {
    this.#connection.prepare('DELETE FROM removed_driver_versions WHERE driver_id = ? AND version = ?').run(id, version);
  }

  #insert(record: Omit<DriverRecord, 'current' | 'proven'>): void {
    this.folderGone(record.id, record.version);
    this.#connection
      .prepare(
        `INSERT INTO driver_versions (driver_id, version, package_name, registry_url, integrity, key_id, publisher_id,
             publisher_name, publisher_origin, installed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT (driver_id, version) DO UPDATE SET package_name = excluded.package_name, registry_url = excluded.registry_url,
             integrity = excluded.integrity, key_id = excluded.key_id, publisher_id = excluded.publisher_id,
             publisher_name = excluded.publisher_name, publisher_origin = excluded.publisher_origin,
             installed_at = excluded.installed_at, proven = 0`,
      )
      .run(
        record.id,
        record.version,
        record.packageName,
        record.registryUrl ?? null,
        record.integrity,
        record.keyId,
        record.publisherId,
        record.publisherName,
        record.publisherOrigin,
        record.installedAt,
      );
  }

  #point(id: string, version: string): void {
    this.#connection
      .prepare(
        `INSERT INTO current_drivers (driver_id, version) VALUES (?, ?) ON CONFLICT (driver_id) DO UPDATE SET
           previous = CASE WHEN version = excluded.version THEN previous ELSE version END, version = excluded.version`,
      )
      .run(id, version);
  }

  #inTransaction(work: () => void): void {
    this.#connection.exec('BEGIN IMMEDIATE');
    try {
      work();
      this.#connection.exec('COMMIT');
    } catch (error) {
      // SQLite has already rolled back after some errors, a full disk among them.
      if (this.#connection.isTransaction) this.#connection.exec('ROLLBACK');
      throw error;
    }
    this.#changes.note('drivers');
  }
}
