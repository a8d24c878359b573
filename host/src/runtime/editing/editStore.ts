import type { TableRef } from '@tabularium/sdk';
import type { SaveProblem } from '../../common/editing.ts';
import { HOST_SENTENCES, hostSentence } from '../../common/hostSentences.ts';
import type { Step, StoredRow } from './stagedContent.ts';
import { rowContentSchema, storedProblemSchema, stepChangesSchema } from './stagedContent.ts';
import { storageFailure } from '../errors/storageFailure.ts';
import { Database } from '../storage/database.ts';
import type { Inject } from '../container/inject.ts';

/** A table of a connection. */
export interface EditedTableRef {
  readonly connectionId: string;
  readonly table: TableRef;
}

/** The changes of the journal by one step of staging or saving: all of it, or nothing. */
export interface JournalEntry {
  readonly rows?: readonly StoredRow[];
  readonly goneRows?: readonly string[];
  /** Rows that leave the stage, and whose steps are taken out later, once for all of them. */
  readonly savedRows?: readonly string[];
  readonly steps?: readonly Step[];
  readonly goneSteps?: readonly number[];
}

const INTERRUPTED: SaveProblem = {
  outcome: 'unknown',
  message: HOST_SENTENCES.saveInterrupted,
  sentence: hostSentence('saveInterrupted'),
};

/** The values of the column `sending`. */
const STAGED = 0;
const SENDING = 1;
/** No longer staged; steps of undo still name it. */
const SAVED = 2;

/** The journal of staged changes, in the home's database. */
export class EditStore {
  static readonly inject: Inject<typeof EditStore> = [Database];

  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
    // One host owns a home, so whatever is marked as being sent was sent by a host that is gone.
    database.connection
      .prepare(`UPDATE edit_rows SET sending = ${STAGED}, problem = ? WHERE sending = ${SENDING}`)
      .run(JSON.stringify(INTERRUPTED));
  }

  /** The tables with staged changes, of one connection or of all. */
  tables(connectionId: string | undefined): readonly EditedTableRef[] {
    return this.#database.connection
      .prepare(
        `SELECT DISTINCT connection_id, table_key FROM edit_rows WHERE sending <> ${SAVED} AND (? IS NULL OR connection_id = ?) ORDER BY 1, 2`,
      )
      .all(connectionId ?? null, connectionId ?? null)
      .map((row) => ({ connectionId: String(row['connection_id']), table: tableOfKey(String(row['table_key'])) }));
  }

  load({ connectionId, table }: EditedTableRef): {
    readonly rows: readonly StoredRow[];
    /** Rows that were saved, and that steps may still name. */
    readonly saved: readonly string[];
    readonly steps: readonly Step[];
  } {
    const where = [connectionId, tableKey(table)];
    const rows = this.#database.connection
      .prepare(
        `SELECT content, problem, sending FROM edit_rows WHERE connection_id = ? AND table_key = ? AND sending <> ${SAVED}`,
      )
      .all(...where)
      .map((row): StoredRow => {
        const problem = row['problem'] === null ? undefined : storedProblemSchema.parse(JSON.parse(String(row['problem'])));
        return {
          content: rowContentSchema.parse(JSON.parse(String(row['content']))),
          sending: row['sending'] === SENDING,
          ...(problem === undefined ? {} : { problem }),
        };
      });
    const saved = this.#database.connection
      .prepare(`SELECT row_id FROM edit_rows WHERE connection_id = ? AND table_key = ? AND sending = ${SAVED}`)
      .all(...where)
      .map((row) => String(row['row_id']));
    const steps = this.#database.connection
      .prepare('SELECT number, undone, changes FROM edit_steps WHERE connection_id = ? AND table_key = ? ORDER BY number')
      .all(...where)
      .map((row) => ({
        number: Number(row['number']),
        undone: row['undone'] === 1,
        changes: stepChangesSchema.parse(JSON.parse(String(row['changes']))),
      }));
    return { rows, saved, steps };
  }

  /**
   * @param durably - also a machine that loses its power does not lose it: for what a person did, and for what is about to be sent
   * @throws HostError `DISK_FULL` and others that a person can do something about; nothing is written then
   */
  write({ connectionId, table }: EditedTableRef, entry: JournalEntry, durably: boolean): void {
    const { connection } = this.#database;
    const key = tableKey(table);
    const putRow = connection.prepare(
      `INSERT INTO edit_rows (connection_id, table_key, row_id, content, problem, sending) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET content = excluded.content, problem = excluded.problem, sending = excluded.sending`,
    );
    const markSaved = connection.prepare(
      `UPDATE edit_rows SET sending = ${SAVED} WHERE connection_id = ? AND table_key = ? AND row_id = ?`,
    );
    const removeRow = connection.prepare('DELETE FROM edit_rows WHERE connection_id = ? AND table_key = ? AND row_id = ?');
    const putStep = connection.prepare(
      `INSERT INTO edit_steps (connection_id, table_key, number, undone, changes) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET undone = excluded.undone, changes = excluded.changes`,
    );
    const removeStep = connection.prepare('DELETE FROM edit_steps WHERE connection_id = ? AND table_key = ? AND number = ?');
    if (durably) connection.exec('PRAGMA synchronous = FULL');
    try {
      this.#database.transaction(() => {
        for (const rowId of entry.savedRows ?? []) markSaved.run(connectionId, key, rowId);
        for (const rowId of entry.goneRows ?? []) removeRow.run(connectionId, key, rowId);
        for (const { content, problem, sending } of entry.rows ?? []) {
          const problemText = problem === undefined ? null : JSON.stringify(problem);
          putRow.run(connectionId, key, content.id, JSON.stringify(content), problemText, sending ? SENDING : STAGED);
        }
        for (const number of entry.goneSteps ?? []) removeStep.run(connectionId, key, number);
        for (const { number, undone, changes } of entry.steps ?? []) {
          putStep.run(connectionId, key, number, undone ? 1 : 0, JSON.stringify(changes));
        }
      });
    } catch (error) {
      throw storageFailure(error) ?? error;
    } finally {
      if (durably) connection.exec('PRAGMA synchronous = NORMAL');
    }
  }
}

/** One text for one table. */
export function tableKey({ namespace, name }: TableRef): string {
  return JSON.stringify([...namespace, name]);
}

function tableOfKey(key: string): TableRef {
  const names = JSON.parse(key) as string[];
  return { namespace: names.slice(0, -1), name: names.at(-1) ?? '' };
}
