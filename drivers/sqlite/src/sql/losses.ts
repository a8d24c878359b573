import type { SqlRow } from '../database.ts';

/** The effect of SQLite's program for a statement on existing rows. */
export interface Losses {
  /** It deletes or replaces rows: directly, by a conflict clause of the schema, by a foreign key, or in a trigger, however deep. */
  readonly loses: boolean;
  /** It writes a virtual table: what its module makes of that is not in the program. */
  readonly writesVirtual: boolean;
}

/** Flag of the opcode Delete: the row is written again at once, as a part of an UPDATE. */
const IS_UPDATE = 0x04;
const OPCODE = 1;
const FIRST = 2;
const SECOND = 3;
/** The first opcode of each program. */
const BEGIN = 'Init';
/** Tables of the query's own, such as the queue of a recursive WITH: what is deleted there was never stored. */
const OWN_TABLES: ReadonlySet<unknown> = new Set(['OpenEphemeral', 'OpenAutoindex', 'OpenPseudo', 'OpenDup', 'SorterOpen']);
const LOSING: ReadonlySet<unknown> = new Set(['Clear', 'Destroy']);
const RELEVANT_OPCODES: ReadonlySet<unknown> = new Set([BEGIN, 'Delete', 'OpenWrite', 'VUpdate', ...OWN_TABLES, ...LOSING]);

/**
 * Reads the program of an INSERT, UPDATE or DELETE, as EXPLAIN lists it. SQLite itself has put everything into it that the statement sets
 * off: the programs of triggers and of foreign keys follow the statement's own. REPLACE deletes the row that is in the way; an UPDATE
 * deletes one as well, with a flag that says that it writes the row again.
 */
export function lossesOf(program: Iterable<SqlRow>): Losses {
  const programs: SqlRow[][] = [];
  let writesVirtual = false;
  // A long list of VALUES is a long program: only what counts here is kept of it.
  for (const row of program) {
    if (!RELEVANT_OPCODES.has(row[OPCODE])) continue;
    if (row[OPCODE] === BEGIN || programs.length === 0) programs.push([]);
    if (row[OPCODE] === 'VUpdate') writesVirtual = true;
    else programs.at(-1)?.push(row);
  }
  return { loses: programs.some(losesRows), writesVirtual };
}

/** Cursors are numbered within one program. */
function losesRows(program: readonly SqlRow[]): boolean {
  const cursorsOf = (opens: (opcode: unknown) => boolean): Set<number> =>
    new Set(program.filter((row) => opens(row[OPCODE])).map((row) => Number(row[FIRST])));
  const own = cursorsOf((opcode) => OWN_TABLES.has(opcode));
  const stored = cursorsOf((opcode) => opcode === 'OpenWrite');
  return program.some((row) => {
    if (LOSING.has(row[OPCODE])) return true;
    if (row[OPCODE] !== 'Delete' || (Number(row[SECOND]) & IS_UPDATE) !== 0) return false;
    const cursor = Number(row[FIRST]);
    return stored.has(cursor) || !own.has(cursor);
  });
}
