import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { defineDriver } from '../driver.ts';
import { DriverError } from '../errors.ts';
import type { ConsolePlace } from '../facets/console.ts';
import type { ConsoleContext, ConsoleSession, SessionEvent, SessionRunOptions } from '../facets/consoleSession.ts';
import { ledgerBook, ledgerTables } from '../../../tests/fixtures/ledger-driver/book.test-helper.ts';
import ledgerPackage from '../../../tests/fixtures/ledger-driver/package.json' with { type: 'json' };
import { driver as ledger } from '../../../tests/fixtures/ledger-driver/src/index.ts';
import { conformanceChecks } from './conformance.ts';
import type { ConformancePlan, KnownConsoleSession, NotChecked } from './plan.ts';

const folder = mkdtempSync(join(tmpdir(), 'faulty-sessions-'));
const book = join(folder, 'book.json');
writeFileSync(book, JSON.stringify(ledgerBook));
afterAll(() => rmSync(folder, { recursive: true }));

/** The words that all sessions of the kit's database share, and those that a transaction has changed. */
class WordSession implements ConsoleSession {
  protected readonly words: { now: readonly string[] };
  protected own: readonly string[] | undefined;
  protected transaction: ConsoleContext['transaction'] = 'none';
  protected place = 'first';

  constructor(words: { now: readonly string[] }) {
    this.words = words;
  }

  get context(): ConsoleContext {
    return { namespace: [this.place], transaction: this.transaction };
  }

  async classify(statement: string): ReturnType<ConsoleSession['classify']> {
    await Promise.resolve();
    if (!/^(?:BEGIN|ADD|REMOVE|LIST|FAIL|ECHO|SAY|WAIT|GO)/.test(statement))
      throw new DriverError('INVALID_INPUT', 'Not one of its verbs.');
    return { effect: /^(?:ADD|REMOVE)/.test(statement) ? 'write' : 'read', tables: [], summary: statement };
  }

  async parameters(statement: string): ReturnType<NonNullable<ConsoleSession['parameters']>> {
    await Promise.resolve();
    return statement === 'ECHO $1' ? [{ name: '$1', type: 'word', kind: 'text' }] : [];
  }

  async *run(statement: string, { signal, maxRows, parameters = [] }: SessionRunOptions): AsyncGenerator<SessionEvent> {
    await Promise.resolve();
    if (signal.aborted) throw new DriverError('CANCELLED');
    if (this.transaction === 'failed') throw new DriverError('CONFLICT', 'The transaction has failed.');
    if (statement === 'FAIL') {
      if (this.transaction === 'open') yield this.changed('failed');
      throw new DriverError('INVALID_INPUT', 'It always fails.');
    }
    if (statement === 'BEGIN') {
      this.own = this.words.now;
      yield this.changed('open');
    }
    if (statement === 'ADD') this.set([...this.get(), 'kit']);
    if (statement === 'ADD BOTH') {
      this.set([...this.get(), 'kit', 'kit']);
      yield { type: 'rowsBegin', columns: [{ name: 'word', kind: 'text' }] };
      yield { type: 'rows', rows: [['kit'], ['kit']].slice(0, maxRows) };
      yield { type: 'done', truncated: maxRows < 2, milliseconds: 0 };
      return;
    }
    if (statement === 'WAIT') {
      await stopOf(signal);
      throw new DriverError('CANCELLED');
    }
    if (statement === 'REMOVE') this.set(this.get().filter((word) => word !== 'kit'));
    if (statement.startsWith('GO ')) {
      this.place = statement.slice(3);
      yield { type: 'context', context: this.context };
    }
    if (statement === 'SAY') yield { type: 'notice', severity: 'notice', message: 'Said.' };
    if (statement === 'LIST' || statement === 'ECHO $1') {
      yield { type: 'rowsBegin', columns: [{ name: 'word', kind: 'text' }] };
      yield { type: 'rows', rows: statement === 'LIST' ? this.get().map((word) => [word]) : [[parameters[0] ?? null]] };
    }
    yield { type: 'done', truncated: false, milliseconds: 0 };
  }

  protected readonly planning: NonNullable<ConsoleSession['explain']> = {
    classify: async (statement) => this.classify(statement),
    explain: async (statement) => {
      await this.classify(statement);
      return { nodes: [{ depth: 0, operation: 'Read the list', facts: [] }], notes: [] };
    },
  };
  readonly explain: NonNullable<ConsoleSession['explain']> = this.planning;

  async endTransaction(way: 'commit' | 'rollBack'): Promise<ConsoleContext> {
    await Promise.resolve();
    if (way === 'commit' && this.transaction === 'open') this.words.now = this.own ?? this.words.now;
    this.own = undefined;
    this.transaction = 'none';
    return this.context;
  }

  async close(): Promise<void> {
    await this.endTransaction('rollBack');
  }

  protected get(): readonly string[] {
    return this.own ?? this.words.now;
  }

  protected set(words: readonly string[]): void {
    if (this.transaction === 'none') this.words.now = words;
    else this.own = words;
  }

  protected changed(transaction: ConsoleContext['transaction']): SessionEvent {
    this.transaction = transaction;
    return { type: 'context', context: { ...this.context, transaction } };
  }
}

const KNOWN: KnownConsoleSession = {
  begin: 'BEGIN',
  counted: 'LIST',
  change: 'ADD',
  undo: 'REMOVE',
  fails: 'FAIL',
  slow: 'WAIT',
  changeMany: { statement: 'ADD BOTH', rows: 2 },
  parameters: { statement: 'ECHO $1', values: ['a; b'], row: ['a; b'] },
  notice: { statement: 'SAY', messages: ['Said.'] },
};

/** Waits until a call is stopped. */
function stopOf(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

type Open = (words: { now: readonly string[] }) => ConsoleSession;

function planWith(open: Open | undefined, known: KnownConsoleSession | 'none' = KNOWN): ConformancePlan {
  const words = { now: ['first', 'second'] };
  return {
    driver: defineDriver({
      id: 'ledger',
      async connect(...parameters) {
        const session = await ledger.definition.connect(...parameters);
        if (session.console === undefined) throw new Error('The ledger lacks a console.');
        const openSession = open === undefined ? {} : { openSession: async () => open(words) };
        const places = async (): Promise<readonly ConsolePlace[]> =>
          ['first', 'second'].map((place) => ({ namespace: [place], statement: `GO ${place}` }));
        return { ...session, console: { ...session.console, ...openSession, places } };
      },
    }),
    manifest: ledgerPackage.tabularium,
    tables: ledgerTables.slice(0, 1),
    open: () => ({ settings: {}, context: { file: { paths: { book } } } }),
    console: {
      script: { text: 'SELECT * FROM main.account', statements: 1 },
      classified: [],
      reads: [],
      refused: [],
      ...(known === 'none' ? {} : { sessions: known }),
    },
  };
}

const OF_SESSIONS = /^console: (?:a change in a session|a rollback|a session|a change runs|classifying and)/;

async function outcomes(plan: ConformancePlan): Promise<{ readonly failed: string[]; readonly others: NotChecked[] }> {
  const failed: string[] = [];
  const others: NotChecked[] = [];
  const checks = conformanceChecks(plan).filter(({ name }) => OF_SESSIONS.test(name));
  expect(checks).toHaveLength(9);
  for (const { name, run } of checks) {
    try {
      const answer = await run();
      if (answer !== undefined) others.push(answer);
    } catch (error) {
      failed.push(`${name} | ${String(error)}`);
    }
  }
  return { failed, others };
}

describe('the checks of console sessions', () => {
  it('pass a session that keeps the contract', async () => {
    expect(await outcomes(planWith((words) => new WordSession(words)))).toEqual({ failed: [], others: [] });
  });

  it('are absent without sessions, and not tried without statements for them', async () => {
    expect((await outcomes(planWith(undefined))).others.map(({ notChecked }) => notChecked)).toEqual(Array(9).fill('absent'));
    const { others } = await outcomes(planWith((words) => new WordSession(words), 'none'));
    expect(others.map(({ notChecked }) => notChecked)).toEqual(Array(9).fill('untried'));
  });

  const faults: readonly [string, Open, RegExp][] = [
    [
      'a change that others see before its commit',
      (words) =>
        new (class extends WordSession {
          protected override set(changed: readonly string[]): void {
            super.set(changed);
            this.words.now = changed;
          }
        })(words),
      /^console: a change in a session/,
    ],
    [
      'a commit that is lost',
      (words) =>
        new (class extends WordSession {
          override async endTransaction(): Promise<ConsoleContext> {
            return super.endTransaction('rollBack');
          }
        })(words),
      /^console: a change in a session.*after the commit/,
    ],
    [
      'a transaction that is not reported',
      (words) =>
        new (class extends WordSession {
          override async *run(...call: Parameters<WordSession['run']>): AsyncGenerator<SessionEvent> {
            for await (const event of super.run(...call)) if (event.type !== 'context') yield event;
          }
        })(words),
      /After BEGIN the session's context is .*open.*it reported .*none/,
    ],
    [
      'a context that stays as it was',
      (words) =>
        new (class extends WordSession {
          override get context(): ConsoleContext {
            return { transaction: 'none' };
          }
        })(words),
      /After BEGIN the session's context is .*none.*it reported .*open/,
    ],
    [
      'a rollback that commits',
      (words) =>
        new (class extends WordSession {
          override async endTransaction(): Promise<ConsoleContext> {
            return super.endTransaction('commit');
          }
        })(words),
      /^console: a rollback.*after its rollback/,
    ],
    [
      'a close that commits',
      (words) =>
        new (class extends WordSession {
          override async close(): Promise<void> {
            await this.endTransaction('commit');
          }
        })(words),
      /^console: a rollback.*after its session was closed/,
    ],
    [
      'a failed transaction that is reported as ended',
      (words) =>
        new (class extends WordSession {
          protected override changed(transaction: ConsoleContext['transaction']): SessionEvent {
            const event = super.changed(transaction);
            return transaction === 'failed' ? { type: 'context', context: { transaction: 'none' } } : event;
          }
        })(words),
      /^console: a session says when its transaction failed.*failed.*it reported.*none/,
    ],
    [
      'a failed transaction in which statements run',
      (words) =>
        new (class extends WordSession {
          override async *run(...call: Parameters<WordSession['run']>): AsyncGenerator<SessionEvent> {
            const hasFailed = this.transaction === 'failed';
            if (hasFailed) this.transaction = 'open';
            yield* super.run(...call);
            if (hasFailed) this.transaction = 'failed';
          }
        })(words),
      /^console: a session says when its transaction failed.*A statement in a failed transaction/,
    ],
    [
      'classifying that runs',
      (words) =>
        new (class extends WordSession {
          override async classify(statement: string): ReturnType<ConsoleSession['classify']> {
            if (statement === 'ADD') this.set([...this.get(), 'kit']);
            return super.classify(statement);
          }
        })(words),
      /^console: classifying and.*There are 4 rows/,
    ],
    [
      'classifying that fails the transaction',
      (words) =>
        new (class extends WordSession {
          override async classify(statement: string): ReturnType<ConsoleSession['classify']> {
            return super.classify(statement).catch((error: unknown) => {
              this.transaction = 'failed';
              throw error;
            });
          }
        })(words),
      /^console: classifying and.*failed/,
    ],
    [
      'a change that is classified as a read',
      (words) =>
        new (class extends WordSession {
          override async classify(statement: string): ReturnType<ConsoleSession['classify']> {
            return { ...(await super.classify(statement)), effect: 'read' };
          }
        })(words),
      /^console: classifying and.*is classified as a read/,
    ],
    [
      'a cancelled statement that runs',
      (words) =>
        new (class extends WordSession {
          override run(statement: string, options: SessionRunOptions): AsyncGenerator<SessionEvent> {
            return super.run(statement, { ...options, signal: new AbortController().signal });
          }
        })(words),
      /^console: a session can be used after.*A cancelled statement gave/,
    ],
    [
      'a session that is blocked by a statement that was left early',
      (words) =>
        new (class extends WordSession {
          #isBusy = false;
          override async *run(...call: Parameters<WordSession['run']>): AsyncGenerator<SessionEvent> {
            if (this.#isBusy) throw new DriverError('CONFLICT', 'It runs another statement.');
            this.#isBusy = !call[1].signal.aborted;
            yield* super.run(...call);
            this.#isBusy = false;
          }
        })(words),
      /^console: a session can be used after.*left early runs nothing more/,
    ],
    [
      'parameters that are found by running',
      (words) =>
        new (class extends WordSession {
          override async parameters(statement: string): ReturnType<NonNullable<ConsoleSession['parameters']>> {
            if (statement === 'ADD') this.set([...this.get(), 'kit']);
            return super.parameters(statement);
          }
        })(words),
      /^console: classifying and.*There are 4 rows/,
    ],
    [
      'a stopped statement after which the transaction is gone and reported as open',
      (words) =>
        new (class extends WordSession {
          override async *run(...call: Parameters<WordSession['run']>): AsyncGenerator<SessionEvent> {
            try {
              yield* super.run(...call);
            } catch (error) {
              if (call[0] === 'WAIT') this.own = this.own === undefined ? undefined : this.words.now;
              throw error;
            }
          }
        })(words),
      /^console: a session lets go.*reported as open/,
    ],
    [
      'a stopped statement that ends as if it had been whole',
      (words) =>
        new (class extends WordSession {
          override async *run(...call: Parameters<WordSession['run']>): AsyncGenerator<SessionEvent> {
            const [statement, { signal }] = call;
            if (statement === 'WAIT') {
              await stopOf(signal);
              yield { type: 'done', truncated: false, milliseconds: 0 };
            } else yield* super.run(...call);
          }
        })(words),
      /^console: a session lets go.*succeeded; it must be given up/,
    ],
    [
      'a session that is blocked by a statement that was stopped',
      (words) =>
        new (class extends WordSession {
          #isBusy = false;
          override async *run(...call: Parameters<WordSession['run']>): AsyncGenerator<SessionEvent> {
            if (this.#isBusy) throw new DriverError('CONFLICT', 'It runs another statement.');
            this.#isBusy = call[0] === 'WAIT';
            yield* super.run(...call);
          }
        })(words),
      /^console: a session lets go.*runs another statement/,
    ],
    [
      'a change that is cut off with its rows',
      (words) =>
        new (class extends WordSession {
          override async *run(...call: Parameters<WordSession['run']>): AsyncGenerator<SessionEvent> {
            const before = this.get();
            yield* super.run(...call);
            if (call[0] === 'ADD BOTH') this.set([...before, 'kit']);
          }
        })(words),
      /^console: a change runs.*added 1 rows in the place of 2/,
    ],
    [
      'a cut-off result that is not reported',
      (words) =>
        new (class extends WordSession {
          override async *run(...call: Parameters<WordSession['run']>): AsyncGenerator<SessionEvent> {
            for await (const event of super.run(...call)) yield event.type === 'done' ? { ...event, truncated: false } : event;
          }
        })(words),
      /^console: a change runs.*reported as truncated/,
    ],
    [
      'an explanation that runs',
      (words) =>
        new (class extends WordSession {
          override readonly explain: NonNullable<ConsoleSession['explain']> = {
            ...this.planning,
            explain: async (statement, options) => {
              if (statement === 'LIST') this.set([...this.get(), 'kit']);
              return this.planning.explain(statement, options);
            },
          };
        })(words),
      /^console: classifying and.*There are 4 rows/,
    ],
    [
      'an explanation that changes the transaction',
      (words) =>
        new (class extends WordSession {
          override readonly explain: NonNullable<ConsoleSession['explain']> = {
            ...this.planning,
            explain: async (statement, options) => {
              this.transaction = 'failed';
              return this.planning.explain(statement, options);
            },
          };
        })(words),
      /^console: classifying and.*After explaining the session's context/,
    ],
    [
      'parameters that are not sent',
      (words) =>
        new (class extends WordSession {
          override run(statement: string, options: SessionRunOptions): AsyncGenerator<SessionEvent> {
            return super.run(statement, { ...options, parameters: [] });
          }
        })(words),
      /^console: a session sends parameters.*\[null\]/,
    ],
    [
      'parameters that are not named',
      (words) =>
        new (class extends WordSession {
          override async parameters(): ReturnType<NonNullable<ConsoleSession['parameters']>> {
            return [];
          }
        })(words),
      /^console: a session sends parameters.*0 are named/,
    ],
    [
      'a place that a session is not moved to',
      (words) =>
        new (class extends WordSession {
          override get context(): ConsoleContext {
            return { ...super.context, namespace: ['first'] };
          }
        })(words),
      /^console: a session begins in the first place.*GO second leads to \["first"\]/,
    ],
    [
      'a session that begins in no place',
      (words) =>
        new (class extends WordSession {
          override place = 'nowhere';
        })(words),
      /^console: a session begins in the first place.*begins in \["nowhere"\]/,
    ],
    [
      'notices that are lost',
      (words) =>
        new (class extends WordSession {
          override async *run(...call: Parameters<WordSession['run']>): AsyncGenerator<SessionEvent> {
            for await (const event of super.run(...call)) if (event.type !== 'notice') yield event;
          }
        })(words),
      /^console: a session sends parameters.*gave the notices \[\]/,
    ],
  ];

  it('have none that nothing can fail', async () => {
    const failing = new Set<string>();
    for (const [, open] of faults)
      for (const one of (await outcomes(planWith(open))).failed) failing.add(one.slice(0, one.indexOf(' | ')));
    const all = conformanceChecks(planWith((words) => new WordSession(words))).map(({ name }) => name);
    expect([...failing].sort()).toEqual(all.filter((name) => OF_SESSIONS.test(name)).sort());
  });

  it.each(faults)('find %s', async (_name, open, found) => {
    const { failed } = await outcomes(planWith(open));
    expect(
      failed.some((one) => found.test(one)),
      failed.join('\n'),
    ).toBe(true);
  });
});
