import { DriverError, isDriverError } from '@tabularium/sdk';
import { faultTexts } from '../fault.ts';
import { readInside, readOn, rollBack } from '../pgDatabase.ts';
import type { PgDatabase } from '../pgDatabase.ts';
import type { CatalogueReader } from '../sql/judge.ts';
import { arrayOf } from '../sql/arrayOf.ts';
import { isFilledByQuery } from '../sql/creationEffect.ts';
import { isWord } from '../sql/isWord.ts';
import type { Verdict } from '../sql/verdict.ts';
import type { PgAnswer, PgStep, TextRow } from '../wire/batch.ts';
import { savepoint } from '../wire/savepoint.ts';
import type { Link } from '../wire/link.ts';
import { hasNoPlace } from './hasNoPlace.ts';
import { isSameMoment } from './isSameMoment.ts';
import type { JudgementMemory } from './judgementMemory.ts';
import { locksOf, MOST_LOCKED, reachedBy, TOO_MANY_TABLES } from './reached.ts';
import type { Reach } from './reached.ts';

/** Passes over one statement. Each locks what the one before has found. */
const MOST_PASSES = 8;

/**
 * Judges in the transaction in which a statement will run, with the tables locked that it reaches: else somebody could change one in a transaction that is still open. The judge would see the table as it was, and the
 * statement would wait and then run what the other transaction has made of it.
 *
 * @param link - the transaction on it gets the locks
 * @param judge - asks by the reader; called again until it has seen nothing that wasn't locked before
 * @param beginning - steps that begin the transaction, where it isn't open
 * @param memory - the last judgement of the same thing, and the place of this one
 */
export async function judgedLocked<T>(
  link: Link,
  database: PgDatabase,
  reach: Reach,
  judge: (reader: LockedReader) => Promise<T>,
  signal: AbortSignal,
  beginning: readonly PgStep[] = [],
  memory?: JudgementMemory<T>,
): Promise<T> {
  const last = memory?.last;
  if (last !== undefined && (await takenAgain(link, last, beginning, signal)) !== undefined) return last.judged;
  const isBegun = last !== undefined && link.transaction === 'open';
  const reader = new LockedReader(link, database, reach, isBegun ? [] : beginning);
  const judged = await reader.judged(judge, signal);
  const { moment, locks } = reader;
  if (memory !== undefined && moment !== undefined && moment !== '') memory.last = { moment, locks, judged };
  return judged;
}

/**
 * Takes the locks of a judgement again.
 *
 * @returns the transactions that are at their end now; undefined where the judgement doesn't hold any more. Where that is because what it locks is there no more, nothing is open then.
 */
export async function takenAgain(
  link: Link,
  { locks, moment, harmless }: NonNullable<JudgementMemory<unknown>['last']>,
  beginning: readonly PgStep[],
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const now = (await link.batch([...beginning, ...locks, MOMENT], signal)).at(-1)?.rows[0]?.[0] ?? '';
    return isSameMoment(moment, now, harmless) ? now : undefined;
  } catch (error) {
    if (!isDriverError(error) || error.details.status?.startsWith('42') !== true) throw error;
    await link.settled();
    await rollBack(link);
    return undefined;
  }
}

/** The reach of a statement by its words. */
export function reachByWords({ targets = [], tokens, acts }: Verdict): Reach {
  const names = targets.flatMap((ref) => ref?.name ?? []);
  const changesRows = tokens.some(({ kind, text }) => kind === 'word' && ['UPDATE', 'DELETE', 'MERGE'].includes(text));
  return { targets: arrayOf(names), changesRows, refreshes: acts === 'refresh' };
}

/**
 * Whether a statement is judged in the transaction in which it runs. What defines something needs the strongest lock of that, and two that had the weakest before would wait for each other.
 */
export function staysLocked({ alone, isQuery, acts, tokens, control }: Verdict): boolean {
  if (alone || control === true) return false;
  // A table that is locked already is the one that was judged.
  if (isQuery || acts === 'change' || acts === 'refresh' || isWord(tokens[0], 'TRUNCATE')) return true;
  // A new table is filled by the query behind AS.
  const fills = tokens.slice(1, 4).some((token) => isWord(token, 'TABLE', 'MATERIALIZED')) && isFilledByQuery(tokens);
  return acts === 'calls' && (!isWord(tokens[0], 'CREATE', 'ALTER') || fills);
}

/** Answers questions about a statement, after it has locked what the questions name. */
export class LockedReader implements CatalogueReader {
  readonly prefix: readonly string[];
  readonly path: readonly string[];
  /** Steps that have to come before anything else. */
  #beginning: readonly PgStep[];
  /** All locks that were taken. */
  locks: readonly PgStep[] = [];
  /** The transactions that were at their end before the first answer of the last pass; empty where the transaction of the questions doesn't see that. */
  moment: string | undefined;
  readonly #link: Link;
  readonly #database: PgDatabase;
  readonly #reach: Reach;
  /** Arrays of the server's with the names that were asked about. */
  readonly #names = new Set<string>();
  readonly #locked = new Set<string>();
  readonly #lockedNames = new Set<string>();
  /** Those of which it isn't known yet that they could be locked. */
  #lastTaken: readonly TextRow[] = [];
  #isTooWide = false;
  #hasAsked = false;
  #isSettled = true;
  /** Whether another connection can answer in place of the transaction, which has done nothing yet. */
  #isBare: boolean;

  constructor(link: Link, database: PgDatabase, reach: Reach, beginning: readonly PgStep[]) {
    this.#beginning = beginning;
    this.#link = link;
    this.#database = database;
    this.#reach = reach;
    this.#isBare = reach.hasNoChanges === true;
    this.prefix = database.prefix;
    this.path = database.path;
  }

  /** Whether a table is locked, as far as so many can be and as far as this pass can say. One that another kind of thing has taken the name of isn't, and neither is one of the server itself. */
  hasLocked(schema: string, name: string): boolean {
    return this.#isTooWide || !this.#isSettled || this.#lockedNames.has(JSON.stringify([schema, name]));
  }

  /** Judges, until nothing was seen that wasn't locked before. The transaction is open then. */
  async judged<T>(judge: (reader: LockedReader) => Promise<T>, signal: AbortSignal): Promise<T> {
    for (let pass = 0; pass < MOST_PASSES; pass += 1) {
      this.#hasAsked = false;
      this.#isSettled = true;
      this.moment = undefined;
      const judged = await judge(this);
      signal.throwIfAborted();
      if (!this.#isSettled) continue;
      if (this.#beginning.length > 0) await this.#link.batch(this.#beginning, signal);
      this.#beginning = [];
      return judged;
    }
    throw keepsChanging();
  }

  async read(steps: readonly PgStep[], signal: AbortSignal): Promise<readonly PgAnswer[]> {
    const known = this.#names.size;
    for (const names of namesIn(steps)) this.#names.add(names);
    const locks = this.#names.size === known ? [] : this.#toTake((await this.#ask([this.#question()], signal, []))[0]);
    if (locks.length > 0 && this.#hasAsked) this.#isSettled = false;
    this.#hasAsked = true;
    const answers = await this.#ask([...steps, this.#question()], signal, locks);
    // The last word is that of the catalogue as it is with the locks: a view may be another one since.
    const more = this.#toTake(answers.at(-1));
    if (more.length > 0) {
      this.#isSettled = false;
      await this.#unlessGone(async () => await this.#link.batch(inPart(more), signal));
    }
    const own = answers.slice(0, -1);
    return this.#isTooWide
      ? own.map((answer, index) => (namesIn(steps.slice(index, index + 1)).length > 0 ? TOO_WIDE : answer))
      : own;
  }

  #question(): PgStep {
    return reachedBy(this.#names, this.#reach);
  }

  /** The locks of what an answer to {@link reachedBy} has and isn't locked yet. */
  #toTake(answer: PgAnswer | undefined): readonly PgStep[] {
    const all = answer?.rows ?? [];
    this.#isTooWide ||= all.length > MOST_LOCKED;
    if (this.#isTooWide) return [];
    const rows = all.filter((row) => !this.#locked.has(JSON.stringify(row)));
    for (const row of rows) {
      this.#locked.add(JSON.stringify(row));
      this.#lockedNames.add(JSON.stringify(row.slice(1, 3)));
    }
    const locks = locksOf(rows);
    this.locks = [...this.locks, ...locks];
    this.#lastTaken = rows;
    return locks;
  }

  /**
   * Takes locks, unless something of them is gone since it was found. Then what was taken last is asked for and locked again.
   *
   * @returns undefined where something was gone
   */
  async #unlessGone<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      const done = await work();
      this.#lastTaken = [];
      return done;
    } catch (error) {
      if (this.#lastTaken.length === 0 || !isDriverError(error) || !GONE.has(error.details.status ?? '')) throw error;
      await this.#link.settled();
      await this.#link.batch(PART.back, AbortSignal.timeout(BACK_MILLISECONDS));
      for (const row of this.#lastTaken) {
        this.#locked.delete(JSON.stringify(row));
        this.#lockedNames.delete(JSON.stringify(row.slice(1, 3)));
      }
      this.locks = this.locks.slice(0, -locksOf(this.#lastTaken).length);
      this.#lastTaken = [];
      this.#isSettled = false;
      return undefined;
    }
  }

  /**
   * Asks in the transaction itself, with its own changes, or on another connection: where the transaction has no changes, such a one has the questions planned already; and one sees the catalogue as it is where the
   * transaction sees it as it was when it began.
   */
  async #ask(steps: readonly PgStep[], signal: AbortSignal, locks: readonly PgStep[]): Promise<readonly PgAnswer[]> {
    const isBare = this.#isBare;
    const first = [...this.#beginning, ...inPart(locks)];
    this.#beginning = [];
    const questions = [PLACE, ...(isBare ? [] : steps)];
    const answers = await this.#unlessGone(async () => await readInside(this.#link, questions, signal, first));
    if (answers === undefined) return await this.#ask(steps, signal, []);
    const [place, ...own] = answers;
    const [level, path, moment] = place?.rows[0] ?? [];
    this.moment ??= level === 'read committed' ? (moment ?? '') : '';
    if (level === 'read committed' && !isBare) return own;
    const see = { text: `SELECT pg_catalog.set_config('tabularium.path', $1, true)`, values: [path ?? ''] };
    const now = await this.#askElsewhere([see, ...steps], signal);
    if (now === undefined) return await this.#ask(steps, signal, []);
    return isBare ? now : steps.map(({ name }, index) => both(name, own[index] ?? NONE, now[index] ?? NONE));
  }

  /** @returns undefined where the server has no place for another connection, and the transaction itself can be asked as well */
  async #askElsewhere(steps: readonly PgStep[], signal: AbortSignal): Promise<readonly PgAnswer[] | undefined> {
    try {
      const [, ...answers] = await this.#database.links.useAtOnce(signal, (other) => readOn(other, steps, signal, []));
      return answers;
    } catch (error) {
      if (!this.#isBare || !hasNoPlace(error)) throw error;
      this.#isBare = false;
      return undefined;
    }
  }
}

const PART = savepoint('locks');
const BACK_MILLISECONDS = 5_000;
/** SQLSTATEs where a table or its schema is there no more, or is something else. */
const GONE: ReadonlySet<string> = new Set(['42P01', '3F000', '42809']);

/** Locks that can be given back without what came before them. */
function inPart(locks: readonly PgStep[]): readonly PgStep[] {
  return locks.length === 0 ? [] : [PART.set, ...locks, PART.release];
}

const PLACE: PgStep = {
  text: `SELECT pg_catalog.current_setting('transaction_isolation'), pg_catalog.current_setting('tabularium.path'), pg_catalog.pg_current_snapshot()`,
};
/** The transactions that are at their end now. */
export const MOMENT: PgStep = { text: 'SELECT pg_catalog.pg_current_snapshot()' };
const NONE: PgAnswer = { fields: [], rows: [], tag: '' };
/** In place of what a statement calls. */
const TOO_WIDE: PgAnswer = { ...NONE, rows: [[TOO_MANY_TABLES, null, null, null]] };

/** The findings of two answers together. */
function both(name: string | undefined, own: PgAnswer, now: PgAnswer): PgAnswer {
  const [one, other] = [own.rows[0], now.rows[0]];
  if (name !== 'sideEffects' || one === undefined || other === undefined) return { ...own, rows: [...own.rows, ...now.rows] };
  const [schema, table, kind, rules, triggers] = one;
  const lists = [triggers, other[4]].flatMap((list) => JSON.parse(list ?? '[]') as unknown[]);
  const row = [schema ?? null, table ?? null, other[2] === 'v' ? 'v' : (kind ?? null), other[3] === 't' ? 't' : (rules ?? null)];
  return { ...own, rows: [[...row, lists.length === 0 ? null : JSON.stringify(lists)]] };
}

/** The names that questions ask about, as arrays of the server's. */
function namesIn(steps: readonly PgStep[]): readonly string[] {
  return steps.flatMap(({ name, values = [] }) => {
    const at = name === undefined ? undefined : NAMES_AT[name];
    if (at !== undefined) return values[at] ?? [];
    return name === 'callsOfReading' ? [arrayOf(values.slice(...TABLE_AT).map((value) => value ?? ''))] : [];
  });
}

/** Where the question about a table has its schema and its name. */
const TABLE_AT = [7, 9] as const;

/** Where questions have all identifiers of a text. */
const NAMES_AT: Readonly<Record<string, number>> = { calls: 1, callsOfRefresh: 1, callsOfChange: 0 };

function keepsChanging(): DriverError {
  return new DriverError(
    'CONFLICT',
    'What the statement reaches was changed again and again while it was looked at. Nothing was run.',
    {
      details: { advice: 'Try again.', texts: faultTexts('lock.keepsChanging', {}, 'lock.keepsChanging.advice') },
    },
  );
}
