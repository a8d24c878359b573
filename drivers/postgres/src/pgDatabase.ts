import type { TableDescription, TableRef } from '@tabularium/sdk';
import { beginRead, END_READ, PLANNED_ONCE, SMALL, UNLOCK } from './catalogue/readSettings.ts';
import { SEE_PATH } from './catalogue/seenPath.ts';
import type { PgTable } from './catalogue/pgTable.ts';
import { readTable } from './catalogue/readTable.ts';
import { stopIfCancelled } from './fault.ts';
import { arrayOf } from './sql/arrayOf.ts';
import { lockedBy } from './locks/lockedBy.ts';
import { isLockTimeout, LockPatience } from './locks/lockPatience.ts';
import type { JudgementMemory } from './locks/judgementMemory.ts';
import { savepoint } from './wire/savepoint.ts';
import type { PgAnswer, PgStep } from './wire/batch.ts';
import type { Link } from './wire/link.ts';
import type { Links } from './wire/links.ts';
import type { PreparedStatements } from './wire/preparedStatements.ts';

/** A structure that was read just now needs not be read again for each page. */
const STRUCTURE_MILLISECONDS = 5_000;
const MOST_STRUCTURES = 200;
const MOST_DESCRIBED = 10_000;

/** Facts about the server that hold for a session. */
export interface ServerFacts {
  readonly version: string;
  /** Such as 180000. */
  readonly number: number;
  readonly user: string;
  readonly database: string;
  readonly isSuperuser: boolean;
  /** The schemas in which a name without one is looked for. */
  readonly path: readonly string[];
  readonly encoding: string;
  readonly isStandby: boolean;
  readonly mayCreateRoles: boolean;
}

/** A database as the parts of a session use it. */
export class PgDatabase {
  readonly links: Links;
  readonly facts: ServerFacts;
  /** The names before the schema in the path of each table: the database's own where a session has several, else none. */
  readonly prefix: readonly string[];
  /** The calls of reading tables, as their last descriptions said. */
  readonly #described = new Map<string, readonly string[]>();
  readonly #lastReads = new Map<string, JudgementMemory<void>>();
  readonly #patience = new LockPatience();
  readonly #tables = new Map<string, { readonly table: PgTable; readonly until: number }>();

  constructor(links: Links, facts: ServerFacts, prefix: readonly string[] = []) {
    this.links = links;
    this.facts = facts;
    this.prefix = prefix;
  }

  /** The schemas in which statements of the driver's own look for names. */
  get path(): readonly string[] {
    return this.facts.path;
  }

  /** The path of what is in a schema. */
  pathOf(schema: string): readonly string[] {
    return [...this.prefix, schema];
  }

  /** Answers of statements that only read, in one transaction and one round trip. */
  async read(steps: readonly PgStep[], signal: AbortSignal, path: readonly string[] = []): Promise<readonly PgAnswer[]> {
    return await this.links.use(signal, (link) => readOn(link, steps, signal, path));
  }

  /** As {@link read}, also while every connection of the session is in use. */
  async readAtOnce(step: PgStep, signal: AbortSignal): Promise<PgAnswer> {
    const [answer] = await this.links.useAtOnce(signal, (link) => readOn(link, [step], signal, []));
    return answer ?? { fields: [], rows: [], tag: '' };
  }

  /**
   * A read that may wait for a lock of another session. It waits for seconds, and leaves connections to others meanwhile.
   *
   * @param ref - what the read is about
   * @param attempt - called with the step that limits the wait, and again where that was too short
   * @throws DriverError `CONFLICT` that says who has locked it
   */
  async patiently<T>(ref: TableRef, signal: AbortSignal, attempt: (limit: PgStep) => Promise<T>): Promise<T> {
    try {
      return await this.#patience.patiently(JSON.stringify([ref.namespace, ref.name]), signal, attempt);
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      throw await lockedBy(ref, error, (steps) => this.links.useAtOnce(signal, (link) => readOn(link, steps, signal, [])));
    }
  }

  /** As {@link read}, and as {@link patiently}: for answers of functions that lock tables. */
  async readPatiently(ref: TableRef, steps: readonly PgStep[], signal: AbortSignal): Promise<readonly PgAnswer[]> {
    return await this.patiently(ref, signal, async (limit) => (await this.read([limit, ...steps], signal)).slice(1));
  }

  /** @throws DriverError `NOT_FOUND` */
  async table(ref: TableRef, signal: AbortSignal): Promise<PgTable> {
    stopIfCancelled(signal);
    const known = this.#tables.get(JSON.stringify(ref));
    if (known !== undefined && known.until > performance.now()) return known.table;
    return await this.freshTable(ref, signal);
  }

  /** As it is now. */
  async freshTable(ref: TableRef, signal: AbortSignal): Promise<PgTable> {
    const text = JSON.stringify(ref);
    this.#tables.delete(text);
    // The server locks a table to write out its expressions.
    const read = (steps: readonly PgStep[], own: AbortSignal): Promise<readonly PgAnswer[]> =>
      this.readPatiently(ref, steps, own);
    const table = await readTable({ prefix: this.prefix, path: this.path, read }, ref, signal);
    if (this.#tables.size >= MOST_STRUCTURES) this.#tables.clear();
    this.#tables.set(text, { table, until: performance.now() + STRUCTURE_MILLISECONDS });
    return table;
  }

  /** The description of a table, which is what the reader of its rows agrees to. */
  async describe(ref: TableRef, signal: AbortSignal): Promise<TableDescription> {
    const { description, readingCalls } = await this.freshTable(ref, signal);
    if (this.#described.size >= MOST_DESCRIBED) this.#described.clear();
    this.#described.set(JSON.stringify([ref.namespace, ref.name]), readingCalls);
    this.#lastReads.delete(JSON.stringify([ref.namespace, ref.name]));
    return description;
  }

  /** The calls of reading a table as it was described last; as it is known here where it never was. */
  agreedCalls({ description: { ref }, readingCalls }: PgTable): readonly string[] {
    return this.#described.get(JSON.stringify([ref.namespace, ref.name])) ?? readingCalls;
  }

  /** The place of the last judgement of reading a table. */
  lastRead({ description: { ref } }: PgTable): JudgementMemory<void> {
    const key = JSON.stringify([ref.namespace, ref.name]);
    const known = this.#lastReads.get(key) ?? {};
    if (this.#lastReads.size >= MOST_STRUCTURES) this.#lastReads.clear();
    this.#lastReads.set(key, known);
    return known;
  }

  /** After a statement that may have changed any of them. */
  forgetTables(): void {
    this.#tables.clear();
  }
}

/** As {@link PgDatabase.read}, with a connection that is at hand. */
export async function readOn(
  link: Link,
  steps: readonly PgStep[],
  signal: AbortSignal,
  path: readonly string[],
): Promise<readonly PgAnswer[]> {
  return await askedBy(link, steps, signal, async (all, prepared) => {
    const begin = [...beginRead(path), ...(prepared === undefined ? [] : [PLANNED_ONCE])];
    try {
      const answers = await link.batch([...begin, ...all, ...END_READ], signal, prepared);
      return answers.slice(begin.length, -END_READ.length);
    } catch (error) {
      await rollBack(link);
      throw error;
    }
  });
}

const QUESTION = savepoint('question');
/** Questions about the catalogue are answered whatever is set. */
const PLAIN: PgStep = {
  text: `SELECT pg_catalog.set_config('search_path', 'pg_catalog', true), pg_catalog.set_config('statement_timeout', '0', true)`,
};

/**
 * As {@link readOn}, in the transaction that is open on the connection. It is as it was, when the questions are answered.
 *
 * @param first - steps before the questions, which stay done. With one, an error fails the transaction.
 */
export async function readInside(
  link: Link,
  steps: readonly PgStep[],
  signal: AbortSignal,
  first: readonly PgStep[] = [],
): Promise<readonly PgAnswer[]> {
  let before = first;
  return await askedBy(link, steps, signal, async (all, prepared) => {
    const toTake = before;
    before = [];
    const begin = [QUESTION.set, SEE_PATH, PLAIN, SMALL, ...(prepared === undefined ? [] : [PLANNED_ONCE])];
    // Nothing is sent then, and there is nothing to undo.
    stopIfCancelled(signal);
    try {
      const answers = await link.batch([...toTake, ...begin, ...all, ...QUESTION.back], signal, prepared);
      const given = toTake.filter(({ isOnlyParsed }) => isOnlyParsed !== true).length + begin.length;
      return answers.slice(given, -QUESTION.back.length);
    } catch (error) {
      await link.settled();
      // Before the savepoint nothing of the transaction can be saved: a stop that comes so early fails it, and the caller goes back to before its questions.
      if (link.isOpen && toTake.length === 0)
        await link.batch(QUESTION.back, AbortSignal.timeout(ROLLBACK_MILLISECONDS)).catch(() => undefined);
      throw error;
    }
  });
}

/** @param ask - asks in a transaction, or in a part of one, that it ends; with the statements that have a name at the server, where they may be used */
async function askedBy(
  link: Link,
  steps: readonly PgStep[],
  signal: AbortSignal,
  ask: (steps: readonly PgStep[], prepared?: PreparedStatements) => Promise<readonly PgAnswer[]>,
): Promise<readonly PgAnswer[]> {
  const { prepared } = link;
  if (prepared === undefined || steps.every(({ name }) => name === undefined)) return await ask(steps);
  const there = steps.flatMap((step) => prepared.of(step) ?? []).filter(({ isThere }) => isThere);
  if (there.length > 0) {
    const check = { text: OWN_STATEMENTS, values: [arrayOf(there.map(({ name }) => name))] };
    try {
      const [found, ...answers] = await ask([check, ...steps], prepared);
      if (found?.rows[0]?.[0] === `${there.length}`) return answers;
    } catch (error) {
      if (!link.isOpen || signal.aborted || link.transaction === 'failed') throw error;
    }
    // The server has them no more, or others under their names.
    prepared.clear();
  }
  return await ask(steps, prepared);
}

/**
 * How many of these names are those of statements that this side has sent. A function of the database may drop one and PREPARE another under its name, which would give
 * answers of its own. $1: the names.
 */
const OWN_STATEMENTS = `SELECT pg_catalog.count(*) FROM pg_catalog.pg_prepared_statements WHERE name = ANY ($1::pg_catalog.text[]) AND NOT from_sql`;

/** Ends a transaction that failed; a connection on which even that fails is not used again. */
export async function rollBack(link: Link): Promise<void> {
  if (!link.isOpen) return;
  await link.batch([{ text: 'ROLLBACK' }, UNLOCK], AbortSignal.timeout(ROLLBACK_MILLISECONDS)).catch(() => link.destroy());
}

const ROLLBACK_MILLISECONDS = 5_000;
