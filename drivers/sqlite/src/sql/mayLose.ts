import type { SqliteDatabase } from '../database.ts';
import { lossesIn } from './judgeIn.ts';

/** Whether triggers or foreign keys may delete or replace other rows, or write what this driver cannot judge. */
export function mayLose(database: SqliteDatabase, sql: string): boolean {
  const losses = lossesIn(database, sql);
  return losses === undefined || losses.loses || losses.writesVirtual;
}
