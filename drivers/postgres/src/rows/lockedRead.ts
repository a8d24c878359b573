import { DriverError } from '@tabularium/sdk';
import { END_READ, forms } from '../catalogue/readSettings.ts';
import type { PgColumn, PgTable } from '../catalogue/pgTable.ts';
import { noTable } from '../catalogue/readTable.ts';
import { isSystemSchema } from '../catalogue/systemSchema.ts';
import { faultTexts } from '../fault.ts';
import { asTheTableIs, requireSameTypes } from '../locks/changedTable.ts';
import { judgedLocked } from '../locks/lockedReader.ts';
import type { LockedReader } from '../locks/lockedReader.ts';
import { PlannedStatements } from '../locks/plannedStatements.ts';
import { READS } from '../locks/reached.ts';
import type { JudgementMemory } from '../locks/judgementMemory.ts';
import { shown } from '../names.ts';
import { rollBack } from '../pgDatabase.ts';
import type { PgDatabase } from '../pgDatabase.ts';
import { callsOfReading, foundIn } from '../sql/judge.ts';
import type { PgAnswer, PgStep } from '../wire/batch.ts';
import type { Link } from '../wire/link.ts';
import { judgeRaw } from './rawCondition.ts';

/** Statements that read the rows of one table. */
export interface TableRead {
  readonly table: PgTable;
  /** A condition of a person's. */
  readonly raw?: string | undefined;
  readonly steps: readonly PgStep[];
  /** The columns of the last answer, undefined for those that are computed: where one comes in another type, the table is another one. */
  readonly columns?: readonly (PgColumn | undefined)[];
  /** Settings of the transaction, which hold for waiting, too. */
  readonly limits?: readonly PgStep[];
}

const BEGIN: PgStep = { text: 'BEGIN TRANSACTION ISOLATION LEVEL READ COMMITTED READ ONLY' };

/**
 * The answers of statements that read rows, in a transaction in which reading the table calls what its description says.
 *
 * @throws DriverError `STRUCTURE_CHANGED` where the table is another one than the statements were made for
 */
export async function readLocked(database: PgDatabase, read: TableRead, signal: AbortSignal): Promise<readonly PgAnswer[]> {
  const { table } = read;
  const { ref } = table.description;
  try {
    const answers = await database.patiently(ref, signal, (limit) => readOnce(database, read, limit, signal));
    const last = answers.at(-1);
    if (read.columns !== undefined && last !== undefined) await requireSameTypes(database, table, last, read.columns, signal);
    return answers;
  } catch (error) {
    throw await asTheTableIs(database, table, error, signal);
  }
}

async function readOnce(database: PgDatabase, read: TableRead, limit: PgStep, signal: AbortSignal): Promise<readonly PgAnswer[]> {
  const { steps, limits = [] } = read;
  return await database.links.use(signal, async (link) => {
    try {
      const run = await judgedRead(link, database, read, [BEGIN, limit, ...limits], signal, database.lastRead(read.table));
      const answers = await link.batch([...run, ...END_READ], signal);
      return answers.slice(run.length - steps.length, run.length);
    } catch (error) {
      await rollBack(link);
      throw error;
    }
  });
}

/**
 * Begins the transaction of a read, locks what it reaches, and judges it there.
 *
 * @returns the steps that read, behind settings of the transaction
 * @throws DriverError `STRUCTURE_CHANGED` where it may call more than the description of the table says, `NOT_FOUND` where the table is there no more, and what {@link judgeRaw} throws
 */
export async function judgedRead(
  link: Link,
  database: PgDatabase,
  { table, raw = '', steps }: Pick<TableRead, 'table' | 'raw' | 'steps'>,
  beginning: readonly PgStep[],
  signal: AbortSignal,
  memory?: JudgementMemory<void>,
): Promise<readonly PgStep[]> {
  const agreed = database.agreedCalls(table);
  const settings = [forms(database.facts.path)];
  const judge = async (reader: LockedReader): Promise<void> => {
    const answers = await reader.read([callsOfReading(table.schema, table.name, database.path)], signal);
    if (!isSystemSchema(table.schema) && !reader.hasLocked(table.schema, table.name)) {
      // In its place may be a type or an index, which can't be locked, and a view when that is gone. The server says why, where it is in a schema that may not be used.
      await link.batch([{ text: `SELECT FROM ONLY ${table.sql}`, isOnlyParsed: true }], signal);
      throw noTable(table.description.ref);
    }
    const more = (await foundIn(reader, answers, signal)).filter((call) => !agreed.includes(call));
    if (more.length > 0) throw callsMore(table, more.slice(0, 3).join('; ').slice(0, 300));
    await judgeRaw(reader, raw, table, signal);
  };
  if (raw.trim() === '') {
    await judgedLocked(link, database, READS, judge, signal, beginning, memory);
    return [...settings, ...steps];
  }
  // A condition may name anything.
  const planning = new PlannedStatements(link, database, { reach: READS, judge, beginning });
  await planning.judged(signal);
  return [...settings, ...(await planning.plan(steps, settings, signal))];
}

function callsMore({ description: { ref } }: PgTable, calls: string): DriverError {
  const name = shown(ref);
  return new DriverError(
    'STRUCTURE_CHANGED',
    `Reading “${name}” does more now than when it was described: ${calls}. Nothing was read.`,
    {
      details: { advice: 'Reload the table.', texts: faultTexts('read.doesMore', { name, calls }, 'read.doesMore.advice') },
    },
  );
}
