import { DriverError } from '@tabularium/sdk';
import type {
  ConsoleContext,
  ConsoleSession,
  ExplainFacet,
  ExplainOptions,
  PermittedStatement,
  RunOptions,
  SessionEvent,
  SessionRunOptions,
  StatementClassification,
  StatementParameter,
  StatementPlan,
} from '@tabularium/sdk';
import { cutText } from '../cutText.ts';
import { kindOf } from '../catalogue/types.ts';
import { createExplain, explainText, judgedPlan, judgedText, plannedText, planKey } from '../explain/explain.ts';
import { planOf } from '../explain/planOf.ts';
import { connectionClosed, faultTexts, isFatal, postgresError, rolledBack, stopIfCancelled } from '../fault.ts';
import { fromStart, withOffset, withOffsetMoved } from '../faultPlace.ts';
import type { SentText } from '../faultPlace.ts';
import { SMALL } from '../catalogue/readSettings.ts';
import { SEE_PATH } from '../catalogue/seenPath.ts';
import { rollBack } from '../pgDatabase.ts';
import type { PgDatabase } from '../pgDatabase.ts';
import { placedStatement, withConnectAdvice } from '../sql/connectLine.ts';
import { arrayOf } from '../sql/arrayOf.ts';
import { Agreements } from '../locks/agreements.ts';
import { reachByWords, staysLocked } from '../locks/lockedReader.ts';
import { PlannedStatements } from '../locks/plannedStatements.ts';
import { judge, judgeVerdict } from '../sql/judge.ts';
import type { Judged } from '../sql/judge.ts';
import { verdictOf } from '../sql/verdict.ts';
import type { Verdict } from '../sql/verdict.ts';
import type { SqlToken } from '../sql/tokens.ts';
import type { PgAnswer, PgStep } from '../wire/batch.ts';
import { SESSION_FORMS } from '../wire/link.ts';
import type { Link } from '../wire/link.ts';
import { leftOutMessage } from '../wire/noticeBuffer.ts';
import { savepoint } from '../wire/savepoint.ts';
import { PIN_PATH } from '../catalogue/pinnedPath.ts';
import { inDatabase } from './inDatabase.ts';
import { requirePermitted } from './requirePermitted.ts';
import { withSchemaAdvice } from './withSchemaAdvice.ts';
import { affected, streamedRows, withPlace } from './result.ts';
import { rolledBackInstead, sessionEnded, staysHere, transactionFailed } from './sessionFaults.ts';

const ASIDE = savepoint('aside');
const BEGIN: PgStep = { text: 'BEGIN' };
const ROLLBACK: PgStep = { text: 'ROLLBACK' };
const MILLISECONDS = 10_000;

/** Questions about a statement are answered whatever the person has set. */
const PLAIN: PgStep = {
  text: `SELECT pg_catalog.set_config('search_path', 'pg_catalog', true), pg_catalog.set_config('statement_timeout', '0', true)`,
};

const CONTEXT: PgStep = {
  text: `SELECT pg_catalog.current_schema(), current_user, pg_catalog.array_to_json(pg_catalog.current_schemas(true))`,
};

/** Statements that change neither the role nor the path. A question after one would begin the snapshot of the transaction, whose level can't be set then. */
const KEEPS_CONTEXT: ReadonlySet<string> = new Set(['BEGIN', 'START', 'SAVEPOINT', 'RELEASE', 'SHOW']);
const ENDS_TRANSACTION: ReadonlySet<string> = new Set(['COMMIT', 'END', 'ROLLBACK', 'ABORT']);

/** The context as it was seen last, and the schemas in which names are looked for. */
interface Place {
  readonly namespace?: readonly string[];
  readonly role: string;
  readonly path: readonly string[];
}

/** The database that a session is in. */
interface SessionPlace {
  readonly database: PgDatabase;
  /** To be called after a statement that may have changed tables or rows. */
  readonly changed: () => void;
}

/** The databases that a session can move to. */
interface OtherDatabases {
  get(name: string, signal: AbortSignal): Promise<SessionPlace>;
}

/** One conversation of a person with the server, on a connection of its own. */
export class PgConsoleSession implements ConsoleSession {
  readonly #others: OtherDatabases | undefined;
  /** Of plans. */
  readonly #agreements = new Agreements();
  #at: SessionPlace;
  #link: Link;
  /** Where it was, while it moves to another database: with its locks and temporary tables. */
  #left: { readonly at: SessionPlace; readonly link: Link } | undefined;
  #isClosed = false;
  #place: Place;
  #isBusy = false;
  /** Whether a call is in progress whose changes may stay although its answer is lost, or was when the connection was lost. */
  #isWriting = false;

  private constructor(at: SessionPlace, link: Link, others: OtherDatabases | undefined) {
    this.#at = at;
    this.#link = link;
    this.#others = others;
    this.#place = placeOfNew(at);
  }

  /** @param others - those that a statement may name; absent where the session stays in its database */
  static async open(at: SessionPlace, signal: AbortSignal, others?: OtherDatabases): Promise<PgConsoleSession> {
    const { links } = at.database;
    const link = await links.openOwn(signal);
    const session = new PgConsoleSession(at, link, others);
    try {
      await session.#look(AbortSignal.any([signal, AbortSignal.timeout(MILLISECONDS)]));
      return session;
    } catch (error) {
      await links.closeOwn(link);
      throw error;
    }
  }

  /** @throws DriverError `CONNECTION_LOST` */
  get context(): ConsoleContext {
    if (!this.#link.isOpen) throw sessionEnded(this.#link.lost, this.#isWriting);
    return this.#now();
  }

  #now(): ConsoleContext {
    const { namespace, role } = this.#place;
    return { ...(namespace === undefined ? {} : { namespace }), role, transaction: this.#link.transaction };
  }

  async classify(statement: string, { signal }: { readonly signal: AbortSignal }): Promise<StatementClassification> {
    return await this.#alone(signal, async () => {
      const { sql, start, name, other } = await this.#placed(statement, signal);
      if (sql === '' && name !== undefined) return { effect: 'read', tables: [], summary: `Connect to the database ${name}` };
      const judged = await fromStart(start, async () =>
        other === undefined ? await this.#judge(sql, signal) : await judge(other.database, sql, signal, 'session'),
      );
      const { text: _text, alone: _alone, isQuery: _isQuery, ...classified } = judged;
      return this.#named(classified, other);
    });
  }

  async *run(
    statement: string,
    { maxRows, permitted, signal, parameters = [] }: SessionRunOptions,
  ): AsyncGenerator<SessionEvent, void, undefined> {
    this.#begin(signal);
    const before = JSON.stringify(this.#now());
    let from = 0;
    try {
      const { sql, start, name, other } = await this.#placed(statement, signal);
      from = start;
      if (other !== undefined) {
        await this.#move(other, signal);
        yield { type: 'context', context: this.#now() };
      }
      if (sql !== '' || name === undefined) yield* this.#run(sql, { maxRows, permitted, parameters, signal });
      else yield { type: 'done', truncated: false, milliseconds: 0, status: `Connected to ${name}`.slice(0, 100) };
    } catch (error) {
      if (JSON.stringify(this.#now()) !== before && this.#link.isOpen) yield { type: 'context', context: this.#now() };
      throw await withSchemaAdvice(withOffsetMoved(this.#faultOf(error, signal, statement), from), this.#at.database);
    } finally {
      this.#rest();
    }
  }

  readonly explain: ExplainFacet = {
    classify: async (statement, options) =>
      await this.#alone(options.signal, async () => {
        const { sql, start, other } = await this.#placed(statement, options.signal);
        return await fromStart(start, async () => {
          if (other !== undefined)
            return this.#named(await createExplain(other.database, this.#agreements).classify(sql, options), other);
          const { text: _text, alone: _alone, isQuery: _isQuery, ...classified } = await this.#judgePlan(sql, options);
          this.#agreements.say(planKey(sql, options), classified);
          return this.#named(classified);
        });
      }),
    explain: async (statement, options) =>
      await this.#alone(options.signal, async () => {
        const { sql, start, other } = await this.#placed(statement, options.signal);
        return await fromStart(start, async () =>
          other === undefined
            ? await this.#explain(sql, options)
            : await createExplain(other.database, this.#agreements).explain(sql, options),
        );
      }),
  };

  async parameters(statement: string, { signal }: { readonly signal: AbortSignal }): Promise<readonly StatementParameter[]> {
    return await this.#alone(signal, async () => {
      const { sql, start, name, other } = await this.#placed(statement, signal);
      if (sql === '' && name !== undefined) return [];
      return await fromStart(start, async () => await this.#parameters(sql, other, signal));
    });
  }

  async endTransaction(way: 'commit' | 'rollBack', { signal }: { readonly signal: AbortSignal }): Promise<ConsoleContext> {
    return await this.#alone(signal, async () => {
      const { transaction } = this.#link;
      if (transaction === 'none') return this.context;
      this.#isWriting = way === 'commit';
      let tag;
      try {
        ({ tag } = await this.#link.run(way === 'commit' ? 'COMMIT' : 'ROLLBACK', [], signal));
      } finally {
        // Also where the server refused the commit: then it has rolled back, settings of the transaction among the rest.
        await this.#link.settled();
        this.#at.changed();
        await this.#look().catch(() => undefined);
      }
      if (way === 'commit' && tag === 'ROLLBACK') throw rolledBackInstead();
      return this.context;
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const places = [{ at: this.#at, link: this.#link }, ...(this.#left === undefined ? [] : [this.#left])];
    await Promise.all(places.map(({ at, link }) => at.database.links.closeOwn(link)));
  }

  /**
   * A statement without the line that names its database.
   *
   * @returns `start`: where that is in the text; `other` where that isn't the one which the session is in
   * @throws DriverError `CONFLICT` where a transaction keeps the session in its database
   */
  async #placed(
    statement: string,
    signal: AbortSignal,
  ): Promise<{ readonly sql: string; readonly start: number; readonly name?: string; readonly other?: SessionPlace }> {
    if (this.#others === undefined) return { sql: statement, start: 0 };
    const { database: name, sql, start } = placedStatement(statement);
    if (name === undefined) return { sql, start };
    const here = this.#at.database.facts.database;
    if (name === here) return { sql, start, name };
    if (this.#link.transaction !== 'none') throw staysHere(name, here);
    return { sql, start, name, other: await this.#others.get(name, signal) };
  }

  /** With the database in which the statement would run, where there are several. */
  #named(classified: StatementClassification, { database } = this.#at): StatementClassification {
    return this.#others === undefined ? classified : inDatabase(classified, database.facts.database);
  }

  /** Continues in another database, on another connection: what the session has set and created stays behind, as in psql. */
  async #move(to: SessionPlace, signal: AbortSignal): Promise<void> {
    const link = await to.database.links.openOwn(signal);
    if (this.#isClosed) {
      await to.database.links.closeOwn(link);
      throw connectionClosed();
    }
    const [at, before, place] = [this.#at, this.#link, this.#place];
    [this.#at, this.#link, this.#place] = [to, link, placeOfNew(to)];
    this.#left = { at, link: before };
    try {
      await this.#look(AbortSignal.any([signal, AbortSignal.timeout(MILLISECONDS)]));
    } catch (error) {
      [this.#at, this.#link, this.#place] = [at, before, place];
      await to.database.links.closeOwn(link);
      throw error;
    } finally {
      this.#left = undefined;
    }
    await at.database.links.closeOwn(before);
  }

  async *#run(
    statement: string,
    {
      maxRows,
      permitted,
      parameters,
      signal,
    }: Required<Omit<SessionRunOptions, 'whole' | 'permitted' | 'timeLimit'>> & Pick<RunOptions, 'permitted'>,
  ): AsyncGenerator<SessionEvent, void, undefined> {
    const verdict = verdictOf(statement, 'session');
    const before = this.#now();
    const [first = ''] = verdict.tokens.map((token) => token.text);
    const isInside = staysLocked(verdict) && before.transaction !== 'failed';
    const wasOpen = before.transaction === 'open';
    const planning = isInside ? this.#planning(verdict, statement, permitted, signal) : undefined;
    const judged = await (planning === undefined
      ? this.#judgeVerdict(verdict, statement, signal)
      : this.#judgedInside(planning, signal));
    requirePermitted(judged, permitted);
    const { text, effect } = judged;
    const began = performance.now();
    if (before.transaction === 'failed' && !ENDS_TRANSACTION.has(first)) throw transactionFailed();
    const isBare = effect !== 'read' || verdict.control === true || first === 'SHOW';
    // A statement that only reads runs where the server keeps it from writing: in a transaction of its own, or in a part of the one that is open.
    const readOnly: PgStep = { text: 'SET TRANSACTION READ ONLY' };
    const settings = isBare ? [] : [readOnly];
    const own: PgStep = { text, values: parameters };
    this.#link.notices.begin();
    this.#isWriting = effect !== 'read';
    const commits = isBare && isInside && !wasOpen;
    let isGuarded = isInside || !isBare;
    let hasFailed = false;
    let beginsNext: boolean;
    try {
      const { encoding } = this.#at.database.facts;
      const sent = { text, start: verdict.start, encoding };
      const steps =
        planning === undefined ? [own] : await withPlace(planning.plan([own], settings, signal), statement, sent, signal);
      const begin = planning !== undefined || isBare ? [] : [wasOpen ? ASIDE.set : BEGIN, ...settings];
      // The locks of the judge stay with the transaction of a change.
      const stays = isBare && planning !== undefined && wasOpen;
      isGuarded &&= !stays;
      const stream = this.#link.stream([...begin, ...(stays ? [ASIDE.release] : []), ...steps], maxRows, effect !== 'read');
      const rows = yield* streamedRows<SessionEvent>(stream, statement, sent, signal, () => this.#notices());
      if (isGuarded && !commits) {
        isGuarded = false;
        await this.#goBack(wasOpen);
      }
      // Triggers and checks that are deferred until the end of the transaction act now.
      if (commits && (await this.#link.run('COMMIT', [], signal)).tag === 'ROLLBACK') throw rolledBack();
      const { tag, isCut } = stream.state;
      if ((first === 'COMMIT' || first === 'END') && tag === 'ROLLBACK') throw rolledBackInstead();
      const affectedRows = effect === 'read' ? undefined : affected(tag);
      yield* this.#notices();
      yield* this.#lastNotices();
      yield {
        type: 'done',
        truncated: isCut,
        milliseconds: Math.max(0, Math.round((performance.now() - began) * 10) / 10),
        ...(affectedRows === undefined ? {} : { affectedRows }),
        ...(tag === '' || rows ? {} : { status: cutText(tag, 100) }),
      };
    } catch (error) {
      hasFailed = !signal.aborted;
      if (hasFailed) {
        yield* this.#notices();
        yield* this.#lastNotices();
      }
      throw error;
    } finally {
      await this.#link.settled();
      // A read that fails at the server in an open transaction fails the transaction, as it does everywhere. One that a person stops doesn't.
      if (
        isGuarded &&
        this.#link.isOpen &&
        this.#link.transaction !== 'none' &&
        !(wasOpen && hasFailed && this.#link.transaction === 'failed')
      )
        await this.#goBack(wasOpen);
      if (isBare && effect !== 'read') this.#at.changed();
      beginsNext = before.transaction !== 'none' && this.#beginsAnother(verdict);
      const keeps = KEEPS_CONTEXT.has(first) || verdict.keepsPlace === true || beginsNext;
      if (isBare && !keeps) await this.#look().catch(() => undefined);
    }
    if (beginsNext) yield { type: 'context', context: this.#now(), beginsNext };
    else if (JSON.stringify(this.#now()) !== JSON.stringify(before)) yield { type: 'context', context: this.#now() };
  }

  /** Whether it has ended a transaction and begun the next one, of which the level can still be set. */
  #beginsAnother({ tokens }: Verdict): boolean {
    const words = tokens.map(({ text }) => text);
    return ENDS_TRANSACTION.has(words[0] ?? '') && this.#link.transaction === 'open' && words.includes('CHAIN');
  }

  *#notices(): Generator<SessionEvent, void, undefined> {
    for (const { label: _label, ...notice } of this.#link.notices.take()) yield { type: 'notice', ...notice };
  }

  /** The last messages of many, where a procedure says how it ended. */
  *#lastNotices(): Generator<SessionEvent, void, undefined> {
    const { leftOut, last } = this.#link.notices.takeLast();
    if (leftOut > 0) yield { type: 'notice', severity: 'info', message: leftOutMessage(leftOut) };
    for (const { label: _label, ...notice } of last) yield { type: 'notice', ...notice };
  }

  async #judge(statement: string, signal: AbortSignal): Promise<Judged> {
    return await this.#judgeVerdict(verdictOf(statement, 'session'), statement, signal);
  }

  /** Planning computes what the statement has of constants, so it is judged as an EXPLAIN that a person wrote. */
  async #judgePlan(statement: string, { analyze, signal }: ExplainOptions): Promise<Judged> {
    const { text, start } = judgedText(plannedText(statement, 'session'), analyze);
    return await fromStart(start, async () => await this.#judge(text, signal));
  }

  async #explain(statement: string, options: ExplainOptions): Promise<StatementPlan> {
    const { signal, analyze } = options;
    const planned = plannedText(statement, 'session');
    const question = explainText(planned.text, analyze);
    const { encoding } = this.#at.database.facts;
    const ask = async (): Promise<readonly PgAnswer[]> => {
      try {
        const own = { ...options, agreements: this.#agreements };
        return await this.#link.batch(await judgedPlan(this.#link, this.#at.database, statement, 'session', own), signal);
      } catch (error) {
        throw withOffset(error, { ...question, start: planned.start, encoding });
      }
    };
    const [answer] = await this.#aside(ask, signal, []);
    return planOf(answer?.rows[0]?.[0] ?? '');
  }

  async #parameters(
    statement: string,
    other: SessionPlace | undefined,
    signal: AbortSignal,
  ): Promise<readonly StatementParameter[]> {
    const verdict = verdictOf(statement, 'session');
    const { text, start, tokens } = verdict;
    if (!tokens.some(({ kind }) => kind === 'parameter')) return [];
    const { database } = other ?? this.#at;
    const judged =
      other === undefined
        ? await this.#judgeVerdict(verdict, statement, signal)
        : await judgeVerdict(database, verdict, statement, signal);
    // The server would read literals, and call the checks of their types, before anybody was asked.
    if (judged.unknown === true) return unaskedParameters(tokens);
    const sent = { text, start, encoding: database.facts.encoding };
    // Parsing reads literals, and the checks of their types may call functions: nothing of it may write.
    if (other === undefined) return await this.#aside(async () => await parametersOf(this.#link, sent, signal), signal, []);
    return await database.links.use(signal, async (link) => {
      try {
        await link.run('BEGIN TRANSACTION READ ONLY', [], signal);
        return await parametersOf(link, sent, signal);
      } finally {
        await link.settled();
        await rollBack(link);
      }
    });
  }

  async #judgeVerdict(verdict: Verdict, statement: string, signal: AbortSignal): Promise<Judged> {
    const { prefix, path } = this.#at.database;
    const reader = { read: (steps: readonly PgStep[], own: AbortSignal) => this.#ask(steps, own), prefix, path };
    return await judgeVerdict(reader, verdict, statement, signal);
  }

  #planning(
    verdict: Verdict,
    text: string,
    permitted: PermittedStatement | undefined,
    signal: AbortSignal,
  ): PlannedStatements<Judged> {
    return new PlannedStatements(this.#link, this.#at.database, {
      reach: reachByWords(verdict),
      judge: (reader) => judgeVerdict(reader, verdict, text, signal),
      check: (judged, first) => requirePermitted(judged, permitted, first),
    });
  }

  /**
   * Judges a statement in the transaction in which it runs, or in a part of it, with the locks of what it reaches. Either is open afterwards.
   *
   * @throws DriverError `CONFLICT` where it does more than was permitted; nothing stays open then
   */
  async #judgedInside(planning: PlannedStatements<Judged>, signal: AbortSignal): Promise<Judged> {
    const wasOpen = this.#link.transaction === 'open';
    // Not ended by the caller: without the savepoint there would be no way back.
    await this.#link.batch(wasOpen ? [ASIDE.set] : [BEGIN, PIN_PATH], AbortSignal.timeout(MILLISECONDS));
    try {
      return await planning.judged(signal);
    } catch (error) {
      await this.#link.settled();
      if (this.#link.isOpen) await this.#goBack(wasOpen);
      throw error;
    }
  }

  /** Questions about the catalogue, as this session sees it. A transaction that failed answers nothing: then the others answer, and nothing runs before it is rolled back. */
  async #ask(steps: readonly PgStep[], signal: AbortSignal): Promise<readonly PgAnswer[]> {
    if (this.#link.transaction === 'failed') return await this.#at.database.read(steps, signal);
    return await this.#aside(async () => await this.#link.batch(steps, signal), signal, [SEE_PATH, PLAIN, SMALL]);
  }

  /** Does something that leaves no trace: in a transaction that only reads, or in a part of the open one that is rolled back whatever comes. */
  async #aside<T>(work: () => Promise<T>, signal: AbortSignal, beginning: readonly PgStep[]): Promise<T> {
    const { transaction } = this.#link;
    if (transaction === 'failed') throw transactionFailed();
    const isOpen = transaction === 'open';
    const begin = isOpen ? [ASIDE.set, { text: 'SET TRANSACTION READ ONLY' }] : [{ text: 'BEGIN TRANSACTION READ ONLY' }];
    // Not ended by the caller: without the savepoint there would be no way back.
    await this.#link.batch(begin, AbortSignal.timeout(MILLISECONDS));
    try {
      await this.#link.batch(beginning, signal);
      return await work();
    } finally {
      await this.#link.settled();
      if (this.#link.isOpen) await this.#goBack(isOpen);
    }
  }

  /** Ends the transaction that only reads, or the part of the open one. A connection on which even that fails is not used again. */
  async #goBack(wasOpen: boolean): Promise<void> {
    await this.#link
      .batch(wasOpen ? ASIDE.back : [ROLLBACK], AbortSignal.timeout(MILLISECONDS))
      .catch(() => this.#link.destroy());
  }

  /** Reads where the session is now, and gives values their forms again, which a statement may have changed. */
  async #look(signal = AbortSignal.timeout(MILLISECONDS)): Promise<void> {
    if (!this.#link.isOpen || this.#link.transaction === 'failed') return;
    const isOpen = this.#link.transaction === 'open';
    const steps = [SESSION_FORMS, CONTEXT];
    try {
      const answers = await this.#link.batch(isOpen ? [ASIDE.set, ...steps, ASIDE.release] : steps, signal);
      const [schema, role, path] = answers.at(isOpen ? -2 : -1)?.rows[0] ?? [];
      const { prefix } = this.#at.database;
      const namespace = schema === null || schema === undefined ? prefix : [...prefix, schema];
      this.#place = {
        role: role ?? '',
        path: JSON.parse(path ?? '[]') as string[],
        ...(namespace.length === 0 ? {} : { namespace }),
      };
    } catch (error) {
      await this.#link.settled();
      if (isOpen && this.#link.isOpen) await this.#goBack(true);
      throw error;
    }
  }

  #begin(signal: AbortSignal): void {
    stopIfCancelled(signal);
    if (!this.#link.isOpen) throw sessionEnded(this.#link.lost, false);
    if (this.#isBusy)
      throw new DriverError('CONFLICT', 'The session is running another statement.', {
        details: { texts: faultTexts('session.busy') },
      });
    this.#isBusy = true;
    this.#isWriting = false;
  }

  async #alone<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    this.#begin(signal);
    try {
      return await work();
    } catch (error) {
      throw this.#faultOf(error, signal);
    } finally {
      this.#rest();
    }
  }

  #faultOf(error: unknown, signal: AbortSignal, statement?: string): DriverError {
    // The last words of the server come before the end of the connection.
    if (!this.#link.isOpen || isFatal(error)) return sessionEnded(this.#link.lost ?? error, this.#isWriting);
    const found = postgresError(this.#others === undefined ? error : withConnectAdvice(error), signal, statement);
    // Another connection was lost: one of a foreign server's, or of those that answer questions about types.
    return found.code === 'CONNECTION_LOST'
      ? new DriverError('SERVER_ERROR', found.message, { cause: error, details: found.details })
      : found;
  }

  /** After a call: a connection that was lost in it is remembered as it was. */
  #rest(): void {
    this.#isBusy = false;
    if (this.#link.isOpen) this.#isWriting = false;
  }
}

/** The context of a session before the server was asked. */
function placeOfNew({ database: { facts, prefix } }: SessionPlace): Place {
  return { role: facts.user, path: facts.path, ...(prefix.length === 0 ? {} : { namespace: prefix }) };
}

/** The parameters of a statement whose types the server isn't asked for. */
function unaskedParameters(tokens: readonly SqlToken[]): readonly StatementParameter[] {
  const numbers = tokens.flatMap(({ kind, text }) => (kind === 'parameter' ? [Number(text.slice(1))] : []));
  const most = Math.min(MOST_PARAMETERS, Math.max(...numbers));
  return Array.from({ length: most }, (_, index) => ({ name: `$${index + 1}`, type: 'unknown', kind: 'text' }));
}

/** The server takes no more in one statement. */
const MOST_PARAMETERS = 65_535;

/** The parameters of a statement, which is parsed and not run. */
async function parametersOf(link: Link, sent: SentText, signal: AbortSignal): Promise<readonly StatementParameter[]> {
  const found = await link.parametersOf(sent.text, signal).catch((error: unknown) => {
    throw withOffset(error, sent);
  });
  const names = await link.run(
    `SELECT o::pg_catalog.oid, pg_catalog.format_type(o::pg_catalog.oid, NULL) FROM pg_catalog.unnest($1::pg_catalog.oid[]) AS o`,
    [arrayOf(found.map(String))],
    signal,
  );
  const byNumber = new Map(names.rows.map(([oid, name]) => [oid, name]));
  return found.map((oid, index) => ({
    name: `$${index + 1}`,
    type: byNumber.get(String(oid)) ?? 'unknown',
    kind: kindOf(oid),
  }));
}
