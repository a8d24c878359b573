import { createHmac, timingSafeEqual } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { SavedConnection, SettingsValues } from '../../common/connection.ts';
import { fileAccessSchema, originPlaceSchema } from '../../common/secretQuestion.ts';
import type { FileAccess, NewFile, NewOrigin, OriginPlace } from '../../common/secretQuestion.ts';
import type { Shape } from '../../common/shape.ts';
import type { SendingDriver } from '../drivers/broker/serverDestination.ts';
import { isConfirmedAccess, reachedFiles } from './reachedFiles.ts';
import type { ReachedFile } from './reachedFiles.ts';
import { FIRST_ORIGIN, isConfirmedPlace, reachedOrigins } from './reachedOrigins.ts';
import type { ReachedOrigin } from './reachedOrigins.ts';

const recordSchema = z.strictObject({
  version: z.literal(1),
  origins: z.array(z.strictObject({ id: z.string(), place: originPlaceSchema })),
  /** The driver's files. Absent: an older version has written the record. */
  files: z.array(z.strictObject({ field: z.string(), access: fileAccessSchema })).optional(),
  /** The driver misbehaved: a person is asked before it reaches anything again. */
  isDistrusted: z.literal(true).optional(),
});
type OriginRecord = Omit<Shape<typeof recordSchema>, 'version'>;

interface ConfirmedFile {
  readonly field: string;
  readonly access: FileAccess;
}

/** How many origins and files there are to ask about. */
export function askedPlaces({ newOrigins, newFiles }: OriginQuestion): number {
  return newOrigins.length + newFiles.length;
}

const NOTHING_TO_ASK: OriginQuestion = { newOrigins: [], newFiles: [], isDistrusted: false };

/** The question before a driver reaches origins and files; without any there is nothing to ask. */
export interface OriginQuestion {
  readonly newOrigins: readonly NewOrigin[];
  readonly newFiles: readonly NewFile[];
  readonly isDistrusted: boolean;
}

/**
 * The origins and files of each connection that a person has entered in a form whose driver declared them, or has confirmed since. A driver's update may
 * give a field of the form another meaning: the value alone doesn't say that a person has sent the driver there, or let it change the file. Records are authenticated as those of
 * secrets are; one that was changed doesn't count.
 */
export class ConfirmedOrigins {
  readonly #connection: DatabaseSync;
  readonly #key: Uint8Array;

  constructor(connection: DatabaseSync, key: Uint8Array) {
    this.#connection = connection;
    this.#key = key;
  }

  /** A person has filled in the whole form. */
  record(connectionId: string, driver: SendingDriver, settings: SettingsValues): void {
    this.#set(connectionId, everythingOf(driver, settings));
  }

  /** A person has changed the form of a saved connection. */
  recordEdit(saved: SavedConnection, driver: SendingDriver, settings: SettingsValues): void {
    this.#set(saved.id, this.#edited(saved, driver, settings));
  }

  /** A connection without a record is in use with a driver that declares nothing to ask about: later versions are compared with that. */
  adopt(connectionId: string, driver: SendingDriver, settings: SettingsValues): void {
    const record = this.#get(connectionId);
    if (record?.files !== undefined) return;
    try {
      const all = everythingOf(driver, settings);
      this.#set(connectionId, record === undefined ? all : { ...record, files: all.files });
    } catch {
      // A disk that is full keeps no connection from opening. The next opening tries again.
    }
  }

  /** The question before a driver is used with a saved connection. */
  question({ id, settings }: Pick<SavedConnection, 'id' | 'settings'>, driver: SendingDriver): OriginQuestion {
    return questionOf(this.#get(id), driver, settings);
  }

  /** The question before a form is tried. A person who has entered an address in it has answered. */
  formQuestion(saved: SavedConnection | undefined, driver: SendingDriver, settings: SettingsValues): OriginQuestion {
    if (saved === undefined) return NOTHING_TO_ASK;
    return questionOf(this.#edited(saved, driver, settings), driver, settings);
  }

  /** A person has confirmed exactly these. */
  confirm(connectionId: string, newOrigins: readonly NewOrigin[], newFiles: readonly NewFile[] = []): void {
    if (newOrigins.length + newFiles.length === 0) return;
    const record = this.#get(connectionId);
    const origins = (record?.origins ?? []).filter(({ id }) => newOrigins.every((one) => one.id !== id));
    const files = record?.files?.filter(({ field }) => newFiles.every((one) => one.field !== field));
    this.#set(connectionId, {
      origins: [...origins, ...newOrigins.map(({ id, now }) => ({ id, place: now }))],
      ...(files === undefined ? {} : { files: [...files, ...newFiles.map(({ field, now }) => ({ field, access: now }))] }),
    });
  }

  /** The driver misbehaved with this connection: nothing of it counts until a person has confirmed it again. */
  distrust(connectionId: string): void {
    this.#set(connectionId, { origins: [], files: [], isDistrusted: true });
  }

  copy(from: string, to: string): void {
    const record = this.#get(from);
    if (record !== undefined) this.#set(to, record);
  }

  /** A file has replaced the form. Misbehaviour of the driver stays on record. */
  forget(connectionId: string): void {
    if (this.#get(connectionId)?.isDistrusted !== true) this.remove(connectionId);
  }

  remove(connectionId: string): void {
    this.#connection.prepare('DELETE FROM confirmed_origins WHERE connection_id = ?').run(connectionId);
  }

  /** The record after an edit: what was confirmed stays so, and what leads elsewhere is confirmed where a person has entered its host. */
  #edited(saved: SavedConnection, driver: SendingDriver, settings: SettingsValues): OriginRecord {
    const record = this.#get(saved.id);
    const now = reachedOrigins(driver, settings);
    if (record?.isDistrusted === true) return record;
    if (driver.id !== saved.driver || (record === undefined && !hasFurther(now))) return everythingOf(driver, settings);
    const before = questionOf(record, driver, saved.settings);
    const asked = new Set(before.newOrigins.map(({ id }) => id));
    const wasThere = new Set(reachedOrigins(driver, saved.settings).map(({ id }) => id));
    const isConfirmed = ({ id, fields }: ReachedOrigin): boolean =>
      (wasThere.has(id) && !asked.has(id)) || fields.some((field) => saved.settings[field] !== settings[field]);
    return {
      origins: now.flatMap((origin) => {
        if (isConfirmed(origin)) return asConfirmed([origin]);
        const entered = record?.origins.find(({ id }) => id === origin.id);
        return entered === undefined ? [] : [entered];
      }),
      // A person who chooses a file in the form sees what the driver of now does with it.
      files: reachedFiles(driver, settings).flatMap(({ field, path, now: access }) => {
        const isAsked = before.newFiles.some((file) => file.field === field);
        if (!isAsked || saved.settings[field] !== path) return [{ field, access }];
        return record?.files?.filter((file) => file.field === field) ?? [];
      }),
    };
  }

  #get(connectionId: string): OriginRecord | undefined {
    const row = this.#connection.prepare('SELECT record, mac FROM confirmed_origins WHERE connection_id = ?').get(connectionId);
    if (row === undefined) return undefined;
    const record = String(row['record']);
    const expected = this.#mac(connectionId, record);
    const found = Buffer.from(String(row['mac']), 'hex');
    if (found.length !== expected.length || !timingSafeEqual(found, expected)) return undefined;
    const parsed = recordSchema.safeParse(JSON.parse(record));
    if (!parsed.success) return undefined;
    const { version: _version, ...read } = parsed.data;
    return read;
  }

  #set(connectionId: string, value: OriginRecord): void {
    const record = JSON.stringify(recordSchema.parse({ version: 1, ...value }));
    this.#connection
      .prepare('INSERT OR REPLACE INTO confirmed_origins (connection_id, record, mac) VALUES (?, ?, ?)')
      .run(connectionId, record, this.#mac(connectionId, record).toString('hex'));
  }

  #mac(connectionId: string, record: string): Buffer {
    return createHmac('sha256', this.#key)
      .update(JSON.stringify(['tabularium confirmed origins 1', connectionId, record]))
      .digest();
  }
}

function asConfirmed(origins: readonly ReachedOrigin[]): { id: string; place: OriginPlace }[] {
  // A fixed address is a permission of the driver: a person is asked about each one.
  return origins.filter(({ fields }) => fields.length > 0).map(({ id, place }) => ({ id, place }));
}

/** A record of all that a driver reaches. */
function everythingOf(
  driver: SendingDriver,
  settings: SettingsValues,
): OriginRecord & { readonly files: readonly ConfirmedFile[] } {
  const files = reachedFiles(driver, settings).map(({ field, now: access }) => ({ field, access }));
  return { origins: asConfirmed(reachedOrigins(driver, settings)), files };
}

function hasFurther(origins: readonly ReachedOrigin[]): boolean {
  return origins.some(({ id }) => id !== FIRST_ORIGIN);
}

/** Without a record (an import, a data directory of an older version) a driver with one origin is asked about nothing: a person sees it in the form. */
function questionOf(record: OriginRecord | undefined, driver: SendingDriver, settings: SettingsValues): OriginQuestion {
  const isDistrusted = record?.isDistrusted === true;
  const origins = reachedOrigins(driver, settings);
  const newFiles = newFilesOf(record?.files, reachedFiles(driver, settings));
  if (record === undefined && !hasFurther(origins)) return { newOrigins: [], newFiles, isDistrusted };
  const newOrigins = origins.flatMap(({ id, label, reason, place, fields }): readonly NewOrigin[] => {
    if (fields.length === 0 && !isDistrusted) return [];
    const before = record?.origins.find((one) => one.id === id)?.place;
    if (before !== undefined && isConfirmedPlace(before, place)) return [];
    return [{ id, label, reason, ...(before === undefined ? {} : { before }), now: place }];
  });
  return { newOrigins, newFiles, isDistrusted };
}

/** Without a record of files, those that the driver has got so far stay as they are. */
function newFilesOf(confirmed: readonly ConfirmedFile[] | undefined, files: readonly ReachedFile[]): readonly NewFile[] {
  if (confirmed === undefined) return [];
  return files.flatMap((file): readonly NewFile[] => {
    const before = confirmed.find(({ field }) => field === file.field)?.access;
    if (isConfirmedAccess(before, file.now)) return [];
    return [{ ...file, ...(before === undefined ? {} : { before }) }];
  });
}
