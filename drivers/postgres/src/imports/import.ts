import { DriverError, isDriverError } from '@tabularium/sdk';
import type { ImportFacet, ImportProblem, ImportMode, WriteOutcome, ImportTarget, RowOutcome } from '@tabularium/sdk';
import { forms } from '../catalogue/readSettings.ts';
import { SYSTEM_CATALOGUE, unchangeable } from '../catalogue/reasons.ts';
import { refuseUnreadable } from '../catalogue/refuseUnreadable.ts';
import type { Fixed } from '../catalogue/reasons.ts';
import { faultTexts, messageTexts, rolledBack } from '../fault.ts';
import type { PgColumn, PgTable } from '../catalogue/pgTable.ts';
import { rollBack } from '../pgDatabase.ts';
import type { PgDatabase } from '../pgDatabase.ts';
import { arrayOf } from '../sql/arrayOf.ts';
import { catalogueTargets, foundCatalogue } from '../sql/catalogueTargets.ts';
import { Agreements } from '../locks/agreements.ts';
import { asTheTableIs } from '../locks/changedTable.ts';
import { BEGIN_WRITES, judgedWrites, mostOf } from '../locks/judgedWrites.ts';
import type { JudgedWrites, Writes } from '../locks/judgedWrites.ts';
import type { JudgementMemory } from '../locks/judgementMemory.ts';
import { isSameMoment } from '../locks/isSameMoment.ts';
import { MOMENT, takenAgain } from '../locks/lockedReader.ts';
import { OWN_TRANSACTIONS, ownTransactions } from '../locks/ownTransactions.ts';
import { judgeChanges } from '../sql/judge.ts';
import type { PgAnswer } from '../wire/batch.ts';
import type { Link } from '../wire/link.ts';
import { prevented } from '../edits/prevented.ts';
import { importedRow, valueExpression } from './importedRow.ts';
import type { ImportedRow } from './importedRow.ts';
import { LastParts } from './lastParts.ts';
import type { PartOfImport } from './lastParts.ts';
import { createTables } from './newTable.ts';

/** A few rows take as long one way as the other. */
const FEWEST_COPIED_ROWS = 20;

const TAKES_NONE: Readonly<Record<string, Fixed>> = {
  m: { reason: 'A materialized view stores the result of a query and takes no rows.', id: 'import.materialized' },
};

/** Rows are written by one statement for all that have the same columns; where it fails, by halves, until the rows at fault are alone. */
export function createImport(database: PgDatabase, changed: () => void): ImportFacet {
  const agreements = new Agreements();
  const lastParts = new LastParts();
  return {
    async form(ref, { signal }) {
      const table = await database.table(ref, signal);
      await refuseCatalogue(database, table, signal);
      const modes = await Promise.all(modesOf(table).map((mode) => judgedMode(database, table, mode, agreements, signal)));
      return { modes, language: 'sql', key: table.key.map(({ name }) => name) };
    },
    async check({ table: ref, mode }, rows, { signal }) {
      const table = await database.table(ref, signal);
      assertMode(table, mode);
      const lacking = lackingIn(table);
      return rows.flatMap((text, index) => {
        const row = importedRow(text, table);
        if (row.ready) return lacking(row.columns, index);
        const { ready: _ready, ...problem } = row;
        return [{ index, ...problem }];
      });
    },
    async splice({ table: ref, mode }, { signal }) {
      // Rows go by the protocol, which isn't JSON lines.
      assertMode(await database.table(ref, signal), mode);
      return undefined;
    },
    judge() {
      throw new DriverError('UNSUPPORTED', 'Nothing is spliced here.', { details: { texts: faultTexts('import.noAnswer') } });
    },
    async *write(target, rows, { signal }) {
      const outcomes =
        (await writtenAsBefore(database, target, rows, lastParts, signal)) ??
        (await writtenAnew(database, target, rows, lastParts, agreements, signal));
      changed();
      for (const outcome of outcomes) yield outcome;
    },
    tables: createTables(database, changed),
  };
}

/** Rows that leave out a column without a default that must have a value. A trigger may see to that. */
function lackingIn({ description }: PgTable): (columns: readonly PgColumn[], index: number) => ImportProblem[] {
  const hasTriggers = (description.triggers?.length ?? 0) > 0;
  const required = hasTriggers ? [] : description.columns.flatMap(({ name, required: needed }) => (needed === true ? name : []));
  return (columns, index) => {
    const missing = required.find((name) => !columns.some((column) => column.name === name));
    if (missing === undefined) return [];
    const message = `“${missing}” must have a value.`;
    return [{ index, message, texts: faultTexts('edit.required', { field: missing }), column: missing }];
  };
}

function refuse(table: PgTable): void {
  refuseUnreadable(table);
  const why = TAKES_NONE[table.relkind];
  if (why !== undefined) throw unchangeable(why);
  if (table.fixed === SYSTEM_CATALOGUE) throw unchangeable(SYSTEM_CATALOGUE);
}

/** Also where a view or a rule would pass the rows on to a catalogue. */
async function refuseCatalogue(database: PgDatabase, table: PgTable, signal: AbortSignal): Promise<void> {
  refuse(table);
  if (table.takesCopies) return;
  const target = { namespace: [table.schema], name: table.name };
  const [answer] = await database.read(catalogueTargets([target], []), signal);
  if (foundCatalogue(answer) !== undefined) throw unchangeable(SYSTEM_CATALOGUE);
}

/** With the effect of the statement that it sends: one that may do more than write its rows destroys. */
async function judgedMode(
  database: PgDatabase,
  table: PgTable,
  mode: ImportMode,
  agreements: Agreements,
  signal: AbortSignal,
): Promise<ImportMode> {
  const { texts, assigned } = writesOf(table, mode.id);
  const does = mostOf(await judgeChanges(database, texts, assigned, signal));
  for (const text of texts) agreements.say(text, does);
  return does.unknown === true ? { ...mode, effect: 'destructive' } : mode;
}

/** The statement of a mode with all columns, of which rows may have some. */
function writesOf(table: PgTable, mode: string): Writes {
  const columns = table.columns.filter(({ fixed }) => fixed === undefined);
  const isKey = new Set(table.key);
  const assigned = mode === 'upsert' ? columns.filter((column) => !isKey.has(column)).map(({ name }) => name) : [];
  return { texts: [importStatement(table, mode, columns)], assigned };
}

function modesOf(table: PgTable): readonly ImportMode[] {
  const effect = 'write';
  const create: ImportMode = {
    id: 'create',
    label: 'New rows only',
    help: 'A row whose key is there already is rejected, and nothing of it changes.',
    effect,
    repeated: 'reported',
    text: `INSERT INTO ${table.sql} (…) SELECT …`,
    texts: { label: { id: 'import.create.label' }, help: { id: 'import.create.help' } },
  };
  if (table.key.length === 0) return [create];
  const upsert: ImportMode = {
    id: 'upsert',
    label: 'New and changed rows',
    help: 'In a row whose key is there already, the columns that the imported row names get its values. Its other columns stay.',
    effect,
    repeated: 'same',
    text: `INSERT INTO ${table.sql} (…) SELECT … ON CONFLICT (${table.key.map(({ sql }) => sql).join(', ')}) DO UPDATE SET …`,
    texts: { label: { id: 'import.upsert.label' }, help: { id: 'import.upsert.help' } },
  };
  return [create, upsert];
}

function assertMode(table: PgTable, mode: string): void {
  refuse(table);
  if (!modesOf(table).some(({ id }) => id === mode))
    throw new DriverError('INVALID_INPUT', `There is no mode “${mode.slice(0, 60)}” for this table.`, {
      details: { field: 'mode', texts: faultTexts('import.noMode', { mode: mode.slice(0, 60) }) },
    });
}

/**
 * Writes rows as the last ones for this target were written, where nothing can have changed since.
 *
 * @returns undefined where something may have changed: nothing is written then
 */
async function writtenAsBefore(
  database: PgDatabase,
  target: ImportTarget,
  texts: readonly string[],
  lastParts: LastParts,
  signal: AbortSignal,
): Promise<readonly WriteOutcome[] | undefined> {
  const part = lastParts.take(target);
  if (part === undefined) return undefined;
  return await database.links.useToWrite(signal, async (link) => {
    try {
      const moment = await takenAgain(link, part.last, [BEGIN_WRITES], signal);
      if (moment !== undefined) {
        const last = { ...part.last, moment };
        return await written(link, database, { ...part, last }, target, texts, lastParts, signal);
      }
    } catch (error) {
      await rollBack(link);
      throw await asTheTableIs(database, part.table, error, signal);
    }
    await rollBack(link);
    return undefined;
  });
}

/** Writes rows after the table was read, and what they do was judged in their transaction. */
async function writtenAnew(
  database: PgDatabase,
  target: ImportTarget,
  texts: readonly string[],
  lastParts: LastParts,
  agreements: Agreements,
  signal: AbortSignal,
): Promise<readonly WriteOutcome[]> {
  const { mode } = target;
  const [before] = await database.read([MOMENT], signal);
  const table = await database.freshTable(target.table, signal);
  assertMode(table, mode);
  await refuseCatalogue(database, table, signal);
  return await database.links.useToWrite(signal, async (link) => {
    try {
      const memory: JudgementMemory<JudgedWrites> = {};
      const writes = { table, kinds: [writesOf(table, mode)], agreements, replaces: mode === 'upsert' };
      await judgedWrites(link, database, writes, signal, memory);
      // What is remembered has to be the table that was judged.
      const isOfJudged = isSameMoment(before?.rows[0]?.[0] ?? '', memory.last?.moment ?? '');
      const part = { table, last: isOfJudged ? memory.last : undefined };
      return await written(link, database, part, target, texts, lastParts, signal);
    } catch (error) {
      await rollBack(link);
      throw await asTheTableIs(database, table, error, signal);
    }
  });
}

/** Writes rows in the transaction that is open, and ends it. */
async function written(
  link: Link,
  database: PgDatabase,
  { table, last }: PartOfImport,
  target: ImportTarget,
  texts: readonly string[],
  lastParts: LastParts,
  signal: AbortSignal,
): Promise<readonly WriteOutcome[]> {
  const rows = importedRows(texts, table);
  const outcomes = rows.map((row): RowOutcome | undefined => {
    if (row.ready) return undefined;
    const { ready: _ready, ...problem } = row;
    return { outcome: 'rejected', ...problem };
  });
  // Constraints that are checked at the end of the transaction would fail for all rows together.
  await link.batch([forms(database.facts.path), { text: 'SET CONSTRAINTS ALL IMMEDIATE' }], signal);
  const harmless = new Set<number>();
  const wrote = (own: PgAnswer | undefined): void => ownTransactions(own).forEach((number) => harmless.add(number));
  for (const group of groupsOf(rows)) await writeGroup(link, table, target.mode, group, outcomes, wrote, signal);
  const { tag } = await link.run('COMMIT', [], signal);
  if (tag !== 'COMMIT') throw rolledBack();
  if (last !== undefined) lastParts.put(target, { table, last: { ...last, harmless } });
  return withRuns(outcomes);
}

function importedRows(texts: readonly string[], table: PgTable): readonly ImportedRow[] {
  let before: readonly PgColumn[] = [];
  return texts.map((text) => {
    const row = importedRow(text, table, before);
    if (row.ready) before = row.columns;
    return row;
  });
}

/** Rows without an outcome were written: those that follow one another have one together. */
function withRuns(outcomes: readonly (RowOutcome | undefined)[]): readonly WriteOutcome[] {
  const found: WriteOutcome[] = [];
  let rows = 0;
  const endRun = (): void => {
    if (rows > 0) found.push(rows === 1 ? { outcome: 'written' } : { outcome: 'written', rows });
    rows = 0;
  };
  for (const outcome of outcomes) {
    if (outcome === undefined) rows += 1;
    else {
      endRun();
      found.push(outcome);
    }
  }
  endRun();
  return found;
}

interface Group {
  /** As the first row names them. */
  readonly named: readonly PgColumn[];
  /** In the order of their names. */
  readonly columns: readonly PgColumn[];
  readonly rows: readonly GroupedRow[];
  /** Whether all rows have a line for COPY, its values in the order of {@link Group.named}. */
  readonly canBeCopied: boolean;
}

interface GroupedRow {
  readonly place: number;
  readonly text: string;
  readonly line: string | undefined;
}

/** Neighbours with the same columns: what a row doesn't name gets its default. */
function groupsOf(rows: readonly ImportedRow[]): readonly Group[] {
  const groups: (Group & { rows: GroupedRow[]; canBeCopied: boolean; readonly signature: string })[] = [];
  for (const [place, row] of rows.entries()) {
    if (!row.ready) continue;
    const { columns: named, text, line } = row;
    const last = groups.at(-1);
    if (last !== undefined && (last.named === named || isAlike(last.named, named))) {
      last.rows.push({ place, text, line });
      last.canBeCopied &&= line !== undefined;
      continue;
    }
    const columns = named.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const signature = JSON.stringify(columns.map(({ name }) => name));
    if (last?.signature === signature) {
      last.rows.push({ place, text, line });
      last.canBeCopied = false;
    } else groups.push({ named, columns, rows: [{ place, text, line }], canBeCopied: line !== undefined, signature });
  }
  return groups;
}

function isAlike(one: readonly PgColumn[], other: readonly PgColumn[]): boolean {
  return one.length === other.length && one.every((column, index) => column === other[index]);
}

function importStatement(table: PgTable, mode: string, columns: readonly PgColumn[]): string {
  const conflict = (): string => {
    const names = table.key.map(({ sql }) => sql).join(', ');
    const set = columns
      .filter((column) => !table.key.includes(column) && !column.isNumbered)
      .map(({ sql }) => `${sql} = excluded.${sql}`);
    return ` ON CONFLICT (${names}) DO ${set.length === 0 ? 'NOTHING' : `UPDATE SET ${set.join(', ')}`}`;
  };
  const tail = mode === 'upsert' ? conflict() : '';
  if (columns.length === 0) return `INSERT INTO ${table.sql} DEFAULT VALUES`;
  const values = columns.map((column) => valueExpression(column, table));
  // An export with its numbers is read back with them, as COPY and pg_dump do.
  const overriding = columns.some(({ isNumbered }) => isNumbered) ? ' OVERRIDING SYSTEM VALUE' : '';
  return `INSERT INTO ${table.sql} (${columns.map(({ sql }) => sql).join(', ')})${overriding} SELECT ${values.join(', ')} FROM pg_catalog.unnest($1::pg_catalog.json[]) WITH ORDINALITY AS r (v, place) ORDER BY r.place${tail}`;
}

/** @param wrote - called with the answer to {@link OWN_TRANSACTIONS} after each part of the transaction that was written */
async function writeGroup(
  link: Link,
  table: PgTable,
  mode: string,
  group: Group,
  outcomes: (RowOutcome | undefined)[],
  wrote: (own: PgAnswer | undefined) => void,
  signal: AbortSignal,
): Promise<void> {
  const { columns, rows } = group;
  const sql = importStatement(table, mode, columns);
  const values = (part: Group['rows']): readonly string[] =>
    columns.length === 0 ? [] : [arrayOf(part.map(({ text }) => text))];
  // With nothing to change, a row whose key is there already is as it was to be: the server does not count it.
  const countsAll = !sql.endsWith(' DO NOTHING');
  const write = async (part: Group['rows']): Promise<void> => {
    const fault = await faultOf(part);
    if (fault === undefined) {
      await link.run('RELEASE SAVEPOINT part', [], signal);
      return;
    }
    await link.run('ROLLBACK TO SAVEPOINT part', [], signal);
    if (!isOfRow(fault) && !(await isOfItsRows(fault))) throw fault;
    const [only] = part;
    if (part.length > 1) {
      const middle = Math.ceil(part.length / 2);
      await write(part.slice(0, middle));
      await write(part.slice(middle));
    } else if (only !== undefined) outcomes[only.place] = rejected(fault);
  };
  const faultOf = async (part: Group['rows']): Promise<DriverError | undefined> => {
    try {
      const steps = [{ text: 'SAVEPOINT part' }, { text: sql, values: values(part) }, OWN_TRANSACTIONS];
      const [, answer, own] = await link.batch(steps, signal);
      wrote(own);
      const isWhole = !countsAll || answer?.tag === `INSERT 0 ${part.length}`;
      return isWhole ? undefined : prevented('insert');
    } catch (error) {
      if (!isDriverError(error) || error.details.status === undefined) throw error;
      return error;
    }
  };
  /** Whether the statement works without rows: then a value of them, or a trigger or a policy that looked at one, has named what is missing or not allowed. */
  const isOfItsRows = async ({ details }: DriverError): Promise<boolean> => {
    if (columns.length === 0 || details.status?.startsWith('42') !== true) return false;
    try {
      await link.batch([{ text: 'SAVEPOINT part' }, { text: sql, values: values([]) }], signal);
      return true;
    } catch (error) {
      if (!isDriverError(error) || error.details.status === undefined) throw error;
      return false;
    } finally {
      await link.run('ROLLBACK TO SAVEPOINT part', [], signal);
    }
  };
  if (columns.length === 0) for (const row of rows) await write([row]);
  else if (await copied(link, table, mode, group, signal)) wrote((await link.batch([OWN_TRANSACTIONS], signal))[0]);
  else await write(rows);
}

/**
 * The rows by COPY, which takes a fraction of the time. It is only tried: where anything is wrong it leaves nothing behind, and what the
 * statement of {@link importStatement} says about each row counts.
 */
async function copied(
  link: Link,
  table: PgTable,
  mode: string,
  { named, rows, canBeCopied }: Group,
  signal: AbortSignal,
): Promise<boolean> {
  if (mode !== 'create' || !canBeCopied || !table.takesCopies || rows.length < FEWEST_COPIED_ROWS) return false;
  await link.run('SAVEPOINT copied', [], signal);
  try {
    const statement = `COPY ${table.sql} (${named.map(({ sql }) => sql).join(', ')}) FROM STDIN`;
    const tag = await link.copyIn(statement, Buffer.from(`${rows.map(({ line = '' }) => line).join('\n')}\n`), signal);
    if (tag === `COPY ${rows.length}`) return true;
  } catch (error) {
    if (!isDriverError(error) || error.details.status === undefined) throw error;
  }
  await link.run('ROLLBACK TO SAVEPOINT copied', [], signal);
  return false;
}

/** Whether an error is about values: the other rows can still be written. */
function isOfRow({ code, details }: DriverError): boolean {
  return (
    ['INVALID_INPUT', 'CONFLICT', 'TOO_LARGE', 'SERVER_ERROR'].includes(code) && !/^(?:5|XX|4[02])/.test(details.status ?? '')
  );
}

function rejected(error: DriverError): RowOutcome {
  const { field, status } = error.details;
  return {
    outcome: 'rejected',
    message: error.message,
    ...messageTexts(error),
    ...(field === undefined ? {} : { column: field }),
    ...(status === '23505' ? { present: true } : {}),
  };
}
