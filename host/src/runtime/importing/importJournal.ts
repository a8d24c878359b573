import type { DatabaseSync } from 'node:sqlite';
import { importFormatSchema, importInfoSchema, importSourceSchema } from '../../common/imports.ts';
import type { Shape } from '../../common/shape.ts';
import { z } from 'zod';
import type { Inject } from '../container/inject.ts';
import { DATABASE_CONNECTION } from '../storage/database.ts';
import { loggerOf } from '../storage/logger.ts';
import type { Logger } from '../storage/logger.ts';
import { resolvedFieldSchema } from './resolvedField.ts';

const placeSchema = z.object({ offset: z.number(), line: z.number(), isInList: z.boolean().optional() });

export const importRecordSchema = z.object({
  info: importInfoSchema,
  /** Of the connection when the import began: see `connectionTarget`. Absent: by an older host. */
  target: z.string().optional(),
  /** `TableDescription.identity` of the table that it writes into. Absent: the driver gives none, or by an older host. */
  identity: z.string().optional(),
  source: importSourceSchema,
  /** The file that it reads; of an upload or rejected rows, the one in the data directory. */
  path: z.string(),
  file: z.object({ device: z.string(), inode: z.string(), born: z.string(), size: z.string(), modified: z.string() }),
  /** Bytes of it that the runs have read, so that a file that was copied back is known again. Absent: none, or by an older host. */
  stretches: z.array(z.object({ from: z.number(), to: z.number(), sha256: z.string() })).optional(),
  format: importFormatSchema,
  /** csv: the names of the columns. */
  names: z.array(z.string()),
  fields: z.array(resolvedFieldSchema).optional(),
  /** Behind the last row with an outcome that is kept. */
  place: placeSchema,
  /** Bytes of the file of rejected rows up to there. */
  rejectedBytes: z.number(),
  /** The import made its table. The mark differs for another one of its name; absent where the driver has none. */
  made: z.object({ mark: z.string().optional() }).optional(),
  /** A copy: its rows are still to be read into the file. */
  unread: z.literal(true).optional(),
  /** Rows behind the place that may have been written. */
  sent: z.number(),
  /** Rows before the place that may have been written, and that a person chose to skip. Absent: none. */
  skipped: z.number().optional(),
});
/** An import as the next host finds it. */
export type ImportRecord = Shape<typeof importRecordSchema>;

/** The imports of this data directory, so that one that was interrupted by a crash continues where it was. */
export class ImportJournal {
  static readonly inject: Inject<typeof ImportJournal> = [DATABASE_CONNECTION, loggerOf('imports')];

  readonly #connection: DatabaseSync;
  readonly #logger: Pick<Logger, 'warn'>;

  constructor(connection: DatabaseSync, logger: Pick<Logger, 'warn'>) {
    this.#connection = connection;
    this.#logger = logger;
  }

  /** @throws Error where the database can't be written: rows that are sent without a record could be doubled */
  put(record: ImportRecord): void {
    this.#connection
      .prepare('INSERT INTO imports (id, record) VALUES (?1, ?2) ON CONFLICT (id) DO UPDATE SET record = ?2')
      .run(record.info.id, JSON.stringify(record));
  }

  remove(id: string): void {
    this.#connection.prepare('DELETE FROM imports WHERE id = ?').run(id);
  }

  /** Oldest first. */
  list(): readonly ImportRecord[] {
    return this.#connection
      .prepare('SELECT id, record FROM imports ORDER BY rowid')
      .all()
      .flatMap((row) => {
        try {
          return [importRecordSchema.parse(JSON.parse(String(row['record'])))];
        } catch (error) {
          this.#logger.warn(`the record of the import ${String(row['id'])} cannot be read: ${String(error)}`);
          return [];
        }
      });
  }
}
