import type { DatabaseSync } from 'node:sqlite';
import { DATABASE_CONNECTION } from '../../storage/database.ts';
import type { Inject } from '../../container/inject.ts';

/** A version that was taken out of use, and why. */
export interface RefusedVersion {
  readonly version: string;
  readonly reason: string;
  /** Whether it crashed; else a person rolled it back. */
  readonly crashed: boolean;
}

/** People's choices about drivers, in the home's database. */
export class DriverChoices {
  static readonly inject: Inject<typeof DriverChoices> = [DATABASE_CONNECTION];

  readonly #connection: DatabaseSync;

  constructor(connection: DatabaseSync) {
    this.#connection = connection;
  }

  isDisabled(id: string): boolean {
    // Anything but a clear "no" is disabled: a damaged value runs no driver.
    return (this.#row(id)?.['disabled'] ?? 0) !== 0;
  }

  setDisabled(id: string, disabled: boolean): void {
    this.#connection
      .prepare(
        'INSERT INTO driver_choices (driver_id, disabled) VALUES (?, ?) ON CONFLICT (driver_id) DO UPDATE SET disabled = excluded.disabled',
      )
      .run(id, disabled ? 1 : 0);
  }

  /** The version that a person has pinned. */
  pinned(id: string): string | undefined {
    const pinned = this.#row(id)?.['pinned'];
    return typeof pinned === 'string' ? pinned : undefined;
  }

  setPinned(id: string, version: string | undefined): void {
    this.#connection
      .prepare(
        'INSERT INTO driver_choices (driver_id, pinned) VALUES (?, ?) ON CONFLICT (driver_id) DO UPDATE SET pinned = excluded.pinned',
      )
      .run(id, version ?? null);
  }

  refused(id: string): readonly RefusedVersion[] {
    return this.#connection
      .prepare('SELECT version, reason, crashed FROM refused_versions WHERE driver_id = ? ORDER BY refused_at')
      .all(id)
      .map((row) => ({ version: String(row['version']), reason: String(row['reason']), crashed: row['crashed'] === 1 }));
  }

  refuse(id: string, version: string, reason: string, crashed: boolean): void {
    this.#connection
      .prepare(
        `INSERT INTO refused_versions (driver_id, version, reason, crashed, refused_at) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (driver_id, version) DO UPDATE SET reason = excluded.reason, crashed = excluded.crashed`,
      )
      .run(id, version, reason, crashed ? 1 : 0, new Date().toISOString());
  }

  /** A person asked for this very version: what was held against it is over, and a pin moves with it. */
  chose(id: string, version: string): void {
    this.forgive(id, version);
    if (this.pinned(id) !== undefined) this.setPinned(id, version);
  }

  /** Forgets why a version was taken out of use. */
  forgive(id: string, version: string): void {
    this.#connection.prepare('DELETE FROM refused_versions WHERE driver_id = ? AND version = ?').run(id, version);
  }

  /** The driver is gone, and so is what was chosen about it. */
  forget(id: string): void {
    this.#connection.prepare('DELETE FROM driver_choices WHERE driver_id = ?').run(id);
    this.#connection.prepare('DELETE FROM refused_versions WHERE driver_id = ?').run(id);
  }

  #row(id: string): Record<string, unknown> | undefined {
    return this.#connection.prepare('SELECT disabled, pinned FROM driver_choices WHERE driver_id = ?').get(id);
  }
}
