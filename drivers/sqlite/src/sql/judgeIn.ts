import { isDriverError } from '@tabularium/sdk';
import type { SqliteDatabase } from '../database.ts';
import { judge } from './classify.ts';
import type { Judged } from './classify.ts';
import { lossesOf } from './losses.ts';
import type { Losses } from './losses.ts';

/**
 * The effect of one statement in one database: by its words, and by the program that SQLite makes of it with the tables, triggers and
 * foreign keys that are there now. The worse of the two counts.
 *
 * @throws DriverError as {@link judge} does
 */
export function judgeIn(database: SqliteDatabase, text: string): Judged {
  const judged = judge(text);
  if (!judged.changesRows || judged.effect === 'destructive') return judged;
  const losses = lossesIn(database, judged.text);
  // It cannot run now. It may later: a statement before it in the same text may create its table.
  if (losses === undefined) return { ...judged, unknown: true };
  if (losses.loses) return { ...judged, effect: 'destructive', summary: `${judged.summary} (deletes or replaces other rows)` };
  return losses.writesVirtual ? { ...judged, unknown: true } : judged;
}

/** Undefined for a statement that SQLite cannot prepare. */
export function lossesIn(database: SqliteDatabase, sql: string): Losses | undefined {
  try {
    return lossesOf(database.program(sql));
  } catch (error) {
    if (isDriverError(error)) return undefined;
    throw error;
  }
}
