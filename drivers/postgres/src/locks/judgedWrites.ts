import type { PermittedStatement } from '@tabularium/sdk';
import type { PgTable } from '../catalogue/pgTable.ts';
import { requirePermitted } from '../console/requirePermitted.ts';
import { readOn } from '../pgDatabase.ts';
import type { PgDatabase } from '../pgDatabase.ts';
import { arrayOf } from '../sql/arrayOf.ts';
import { judgeChanges } from '../sql/judge.ts';
import type { CatalogueReader, Judged } from '../sql/judge.ts';
import type { Link } from '../wire/link.ts';
import type { Agreements } from './agreements.ts';
import type { JudgementMemory } from './judgementMemory.ts';
import { judgedLocked } from './lockedReader.ts';
import { hasNoPlace } from './hasNoPlace.ts';

/** Statements of one kind that write rows. */
export interface Writes {
  readonly texts: readonly string[];
  /** The columns that get values where rows are there already; undefined where that may be any. */
  readonly assigned: readonly string[] | undefined;
}

/** All statements of one transaction. */
interface AllWrites {
  readonly table: PgTable;
  readonly kinds: readonly Writes[];
  /** Has the things that were said of the statements before. */
  readonly agreements: Agreements;
  /** Whether rows that are there may be changed or deleted. */
  readonly replaces: boolean;
}

/** Begins the transaction of changes. */
export const BEGIN_WRITES = { text: 'BEGIN TRANSACTION ISOLATION LEVEL READ COMMITTED READ WRITE' };

/** The most that a caller agrees to, where changes were judged like this. */
export function mostOf(judged: Judged | undefined): PermittedStatement {
  return { effect: judged?.effect ?? 'write', ...(judged?.unknown === true ? { unknown: true } : {}) };
}

/** The effect of each kind of statement; undefined where nothing is known of it but that it writes. */
export type JudgedWrites = readonly (Judged | undefined)[];

/**
 * Begins the transaction of changes, locks what they reach, and judges them there.
 *
 * @param memory - the place of this judgement
 * @throws DriverError `CONFLICT` where one does more than was said of it
 */
export async function judgedWrites(
  link: Link,
  database: PgDatabase,
  { table, kinds, agreements, replaces }: AllWrites,
  signal: AbortSignal,
  memory?: JudgementMemory<JudgedWrites>,
): Promise<void> {
  const judgeAll = async (reader: CatalogueReader): Promise<JudgedWrites> => {
    const all: (Judged | undefined)[] = [];
    for (const { texts, assigned } of kinds) all.push(await judgeChanges(reader, texts, assigned, signal));
    return all;
  };
  // An answer that another caller gets while this one waits is agreed to by that one alone.
  const agreed = new Map(kinds.flatMap(({ texts }) => texts.map((text) => [text, agreements.of(text)] as const)));
  // Where nothing was said of one, it does what it does now, before anything is waited for.
  const before = [...agreed.values()].includes(undefined) ? await judgeAll(readerBefore(link, database)) : [];
  const reach = {
    targets: arrayOf([table.name]),
    changesRows: replaces,
    refreshes: false,
    hasNoChanges: database.links.hasAnother,
  };
  const now = await judgedLocked(link, database, reach, judgeAll, signal, [BEGIN_WRITES], memory);
  for (const [index, { texts }] of kinds.entries()) {
    const judged = now[index];
    if (judged === undefined) continue;
    for (const text of texts) requirePermitted(judged, agreed.get(text) ?? mostOf(before[index]));
  }
}

/** Answers questions before the transaction begins: on a connection that has them planned, or on this one where there is no place for another. */
function readerBefore(link: Link, database: PgDatabase): CatalogueReader {
  return {
    prefix: database.prefix,
    path: database.path,
    read: async (steps, signal) =>
      await database.read(steps, signal).catch(async (error: unknown) => {
        if (!hasNoPlace(error)) throw error;
        return await readOn(link, steps, signal, []);
      }),
  };
}
