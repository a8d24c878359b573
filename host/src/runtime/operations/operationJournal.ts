import type { DatabaseSync } from 'node:sqlite';
import type { OperationCall } from '@tabularium/sdk';
import { operationCallSchema } from '@tabularium/sdk/protocol';
import { operationRunSchema } from '../../common/operations.ts';
import type { OperationRun } from '../../common/operations.ts';
import type { Inject } from '../container/inject.ts';
import { DATABASE_CONNECTION } from '../storage/database.ts';
import { loggerOf } from '../storage/logger.ts';
import type { Logger } from '../storage/logger.ts';

/** A run with everything that continues it or takes it back. */
export interface JournalledRun {
  readonly run: OperationRun;
  readonly call: OperationCall;
  readonly basis: string;
  readonly checkpoint?: string;
  readonly undo?: OperationCall;
}

/** The runs of operations in the home's database: the next host finds there what this one did not end. */
export class OperationJournal {
  static readonly inject: Inject<typeof OperationJournal> = [DATABASE_CONNECTION, loggerOf('operations')];

  readonly #connection: DatabaseSync;
  readonly #logger: Pick<Logger, 'warn'>;

  constructor(connection: DatabaseSync, logger: Pick<Logger, 'warn'>) {
    this.#connection = connection;
    this.#logger = logger;
  }

  /** @throws an error of the database: what could not be found again is not begun */
  add({ run, call, basis }: JournalledRun): void {
    this.#connection
      .prepare('INSERT INTO operation_runs (id, connection_id, run, call, basis) VALUES (?, ?, ?, ?, ?)')
      .run(run.id, run.connectionId, JSON.stringify(run), JSON.stringify(call), basis);
  }

  /** @throws an error of the database: a run without a place to continue from is ended */
  reach(run: OperationRun, checkpoint: string): void {
    this.#connection
      .prepare('UPDATE operation_runs SET run = ?, checkpoint = ? WHERE id = ?')
      .run(JSON.stringify(run), checkpoint, run.id);
  }

  /** Where it cannot be written, such as on a full disk, the next host takes it for interrupted. */
  end({ run, checkpoint, undo }: Pick<JournalledRun, 'run' | 'checkpoint' | 'undo'>): void {
    try {
      this.#connection
        .prepare('UPDATE operation_runs SET run = ?, checkpoint = ?, undo = ? WHERE id = ?')
        .run(JSON.stringify(run), checkpoint ?? null, undo === undefined ? null : JSON.stringify(undo), run.id);
    } catch (error) {
      this.#logger.warn(`the end of the operation ${run.id} was not recorded: ${String(error)}`);
    }
  }

  remove(id: string): void {
    this.#connection.prepare('DELETE FROM operation_runs WHERE id = ?').run(id);
  }

  /** Oldest first. */
  list(): readonly JournalledRun[] {
    const rows = this.#connection.prepare('SELECT * FROM operation_runs ORDER BY rowid').all();
    return rows.flatMap((row): JournalledRun[] => {
      try {
        const { checkpoint, undo } = row;
        return [
          {
            run: operationRunSchema.parse(JSON.parse(String(row['run']))),
            call: operationCallSchema.parse(JSON.parse(String(row['call']))),
            basis: String(row['basis']),
            ...(typeof checkpoint === 'string' ? { checkpoint } : {}),
            ...(typeof undo === 'string' ? { undo: operationCallSchema.parse(JSON.parse(undo)) } : {}),
          },
        ];
      } catch (error) {
        this.#logger.warn(`the record of the operation ${String(row['id'])} cannot be read: ${String(error)}`);
        return [];
      }
    });
  }
}
