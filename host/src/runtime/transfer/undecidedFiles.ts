import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { transferInfoSchema } from '../../common/transfer.ts';
import type { Shape } from '../../common/shape.ts';
import { DATABASE_CONNECTION } from '../storage/database.ts';
import { loggerOf } from '../storage/logger.ts';
import type { Logger } from '../storage/logger.ts';
import type { Inject } from '../container/inject.ts';
import { partOf } from './partName.ts';

const undecidedFileSchema = z.object({
  info: transferInfoSchema,
  /** Replacing a file of the final name was agreed to. */
  overwrite: z.boolean(),
  state: z.object({ device: z.string(), inode: z.string(), born: z.string(), size: z.string(), modified: z.string() }),
});
/** An export that awaits a decision, and its file. */
export type UndecidedFile = Shape<typeof undecidedFileSchema>;

/**
 * The exports that await a person's decision, so that the next host asks again: the `.part` file of such an export is no longer one that a start
 * deletes ({@link UnfinishedFiles}).
 */
export class UndecidedFiles {
  static readonly inject: Inject<typeof UndecidedFiles> = [DATABASE_CONNECTION, loggerOf('exports')];

  readonly #connection: DatabaseSync;
  readonly #logger: Pick<Logger, 'warn'>;

  constructor(connection: DatabaseSync, logger: Pick<Logger, 'warn'>) {
    this.#connection = connection;
    this.#logger = logger;
  }

  /** Where it cannot be written, such as on a full disk, the file stays one that the next start deletes. */
  add(file: UndecidedFile): void {
    const path = partOf(file.info.file);
    this.#change(path, () => {
      this.#connection
        .prepare('INSERT OR REPLACE INTO undecided_files (path, record) VALUES (?, ?)')
        .run(path, JSON.stringify(file));
      this.#connection.prepare('DELETE FROM unfinished_files WHERE path = ?').run(path);
    });
  }

  /** It has its final name, or is gone or somebody else's. @param stays - the next start tries again to delete it */
  remove({ info, state }: UndecidedFile, stays = false): void {
    const path = partOf(info.file);
    this.#change(path, () => {
      this.#connection.prepare('DELETE FROM undecided_files WHERE path = ?').run(path);
      if (!stays) {
        this.#connection.prepare('DELETE FROM unfinished_files WHERE path = ?').run(path);
        return;
      }
      this.#connection
        .prepare('INSERT OR REPLACE INTO unfinished_files (path, device, inode, born) VALUES (?, ?, ?, ?)')
        .run(path, state.device, state.inode, state.born);
    });
  }

  /** Oldest first. */
  list(): readonly UndecidedFile[] {
    const rows = this.#connection.prepare('SELECT path, record FROM undecided_files ORDER BY rowid').all();
    return rows.flatMap((row) => {
      try {
        return [undecidedFileSchema.parse(JSON.parse(String(row['record'])))];
      } catch (error) {
        this.#logger.warn(`the record of the undecided file ${String(row['path'])} cannot be read: ${String(error)}`);
        return [];
      }
    });
  }

  /** All statements or none. */
  #change(path: string, run: () => void): void {
    try {
      this.#connection.exec('BEGIN IMMEDIATE');
      try {
        run();
        this.#connection.exec('COMMIT');
      } catch (error) {
        // SQLite has already rolled back after some errors, a full disk among them.
        if (this.#connection.isTransaction) this.#connection.exec('ROLLBACK');
        throw error;
      }
    } catch (error) {
      this.#logger.warn(`the undecided file ${path} was not recorded: ${String(error)}`);
    }
  }
}
