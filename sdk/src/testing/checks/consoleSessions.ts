import type { ConsoleContext, ConsoleNotice, ConsoleSession, SessionEvent } from '../../facets/consoleSession.ts';
import type { Cell } from '../../model/cell.ts';
import type { Bench } from '../bench.ts';
import { cancelled, expectedRefusal, fail, inTime, must, onBench } from '../bench.ts';
import { absent, untried } from '../plan.ts';
import type { ConformanceCheck, ConformancePlan, KnownConsoleSession, NotChecked } from '../plan.ts';

const MANY_ROWS = 10_000;
/** Places that a session moves to. */
const MOST_PLACES = 3;
/** After which a statement runs at its database, also over a slow connection. */
const RUNNING_MILLISECONDS = 300;
const NONSENSE = ['no_such_verb everything', '💥', '(', "'"];

interface Ran {
  readonly rows: readonly (readonly Cell[])[];
  readonly notices: readonly ConsoleNotice[];
  readonly isTruncated: boolean;
}

/** A session, whose context must be what its events report. */
class WatchedConsole {
  readonly session: ConsoleSession;
  readonly #options: Bench['options'];
  #reported: ConsoleContext;

  constructor(session: ConsoleSession, options: Bench['options']) {
    this.session = session;
    this.#options = options;
    this.#reported = session.context;
  }

  get context(): ConsoleContext {
    return this.session.context;
  }

  async run(statement: string, parameters?: readonly (string | null)[], maxRows = MANY_ROWS): Promise<Ran> {
    const rows: (readonly Cell[])[] = [];
    const notices: ConsoleNotice[] = [];
    let hasEnded = false;
    let isInRows = false;
    let isTruncated = false;
    const stream = this.session.run(statement, {
      maxRows,
      signal: this.#options.signal,
      ...(parameters === undefined ? {} : { parameters }),
    });
    const events: AsyncIterator<SessionEvent> = stream[Symbol.asyncIterator]();
    for (;;) {
      const next: IteratorResult<SessionEvent> = await inTime(`An event of ${statement}`, events.next());
      if (next.done === true) break;
      const event = next.value;
      switch (event.type) {
        case 'rowsBegin':
          must(!isInRows, `${statement}: a result set begins inside another result.`);
          isInRows = true;
          break;
        case 'rows':
          must(isInRows, `${statement}: rows outside a result set.`);
          rows.push(...event.rows);
          break;
        case 'done':
          isInRows = false;
          hasEnded = true;
          isTruncated ||= event.truncated;
          break;
        case 'notice':
          must(event.message !== '', `${statement}: a notice is empty.`);
          notices.push(event);
          break;
        case 'context':
          this.#reported = event.context;
          break;
        case 'text':
        case 'progress':
          break;
      }
    }
    must(hasEnded && !isInRows, `${statement}: its result has no end.`);
    this.mustHaveReported(statement);
    return { rows, notices, isTruncated };
  }

  async count(statement: string): Promise<number> {
    return (await this.run(statement)).rows.length;
  }

  /** Stops a statement while it runs. No event reports its context: the getter has it. */
  async stop(statement: string): Promise<void> {
    const stopping = new AbortController();
    const timer = setTimeout(() => stopping.abort(), RUNNING_MILLISECONDS);
    try {
      await cancelled(`${statement}, which was stopped,`, async () => {
        const stream = this.session.run(statement, { maxRows: MANY_ROWS, signal: stopping.signal });
        const events = stream[Symbol.asyncIterator]();
        while ((await events.next()).done !== true);
      });
    } finally {
      clearTimeout(timer);
    }
    this.#reported = this.session.context;
  }

  async endTransaction(way: 'commit' | 'rollBack'): Promise<void> {
    this.#reported = await inTime('endTransaction', this.session.endTransaction(way, this.#options));
    this.mustHaveReported('endTransaction');
  }

  /** The context is a person's only sight of a transaction: what is asked for and what was reported are the same. */
  mustHaveReported(after: string): void {
    const [now, reported] = [this.context, this.#reported].map(({ namespace, role, transaction }) =>
      JSON.stringify([namespace, role, transaction]),
    );
    must(now === reported, () => `After ${after} the session's context is ${now}, and it reported ${reported}.`);
  }

  mustBe(transaction: ConsoleContext['transaction'], after: string): void {
    must(
      this.context.transaction === transaction,
      () => `After ${after} the transaction is ${this.context.transaction}; it must be ${transaction}.`,
    );
  }
}

interface Use {
  readonly bench: Bench;
  readonly known: KnownConsoleSession;
  /** Another one each time; the check closes all of them. */
  readonly open: () => Promise<WatchedConsole>;
}

async function onSessions(
  plan: ConformancePlan,
  known: KnownConsoleSession | undefined,
  use: (use: Use) => Promise<void | NotChecked>,
): Promise<void | NotChecked> {
  return onBench(plan, async (bench) => {
    const facet = bench.session.console;
    const openSession = facet?.openSession?.bind(facet);
    if (openSession === undefined) return absent('The console has no sessions.');
    if (known === undefined) return untried('The console has sessions, and the plan names no statements for them.');
    const opened: ConsoleSession[] = [];
    const open = async (): Promise<WatchedConsole> => {
      const session = await inTime('openSession', openSession(bench.options));
      opened.push(session);
      must(session.context.transaction === 'none', 'A session is opened with a transaction.');
      return new WatchedConsole(session, bench.options);
    };
    try {
      return await use({ bench, known, open });
    } finally {
      for (const session of opened) await inTime('The close of a session', session.close());
    }
  });
}

function isWithin({ namespace }: ConsoleContext, place: readonly string[]): boolean {
  return place.every((name, level) => namespace?.[level] === name);
}

/** Sessions of a console: their transactions, and that only running and ending change anything. */
export function consoleSessionChecks(plan: ConformancePlan, known: KnownConsoleSession | undefined): ConformanceCheck[] {
  return [
    {
      name: 'console: a change in a session is seen by others when it is committed, and not before',
      run: () =>
        onSessions(plan, known, async ({ known: { begin, change, undo, counted }, open }) => {
          const own = await open();
          const other = await open();
          const before = await other.count(counted);
          await own.run(begin);
          own.mustBe('open', begin);
          await own.run(change);
          must((await own.count(counted)) === before + 1, `A session doesn't see its own ${change}.`);
          must((await other.count(counted)) === before, `Another session sees ${change} before it is committed.`);
          await own.endTransaction('commit');
          own.mustBe('none', 'the commit');
          try {
            must((await other.count(counted)) === before + 1, `Another session doesn't see ${change} after the commit.`);
          } finally {
            await own.run(undo);
          }
          must((await other.count(counted)) === before, `${undo} doesn't take ${change} back.`);
          await own.endTransaction('commit');
          await own.endTransaction('rollBack');
          own.mustBe('none', 'ending no transaction');
        }),
    },
    {
      name: "console: a rollback and a close take back what isn't committed",
      run: () =>
        onSessions(plan, known, async ({ known: { begin, change, counted }, open }) => {
          const other = await open();
          const before = await other.count(counted);
          const own = await open();
          await own.run(begin);
          await own.run(change);
          await own.endTransaction('rollBack');
          own.mustBe('none', 'the rollback');
          must((await own.count(counted)) === before, `${change} is there after its rollback.`);
          const closing = await open();
          await closing.run(begin);
          await closing.run(change);
          await inTime('close', closing.session.close());
          must((await other.count(counted)) === before, `${change} is there after its session was closed.`);
        }),
    },
    {
      name: 'console: a session says when its transaction failed, and runs again after the rollback',
      run: () =>
        onSessions(plan, known, async ({ known: { begin, fails, counted }, open }) => {
          const own = await open();
          await own.run(begin);
          await expectedRefusal(`Running ${fails}`, () => own.run(fails), [
            'INVALID_INPUT',
            'CONFLICT',
            'NOT_FOUND',
            'SERVER_ERROR',
          ]);
          own.mustHaveReported(fails);
          must(own.context.transaction !== 'none', `After ${fails} no transaction is reported; it isn't rolled back yet.`);
          if (own.context.transaction === 'failed')
            await expectedRefusal('A statement in a failed transaction', () => own.run(counted), ['CONFLICT']);
          else await own.run(counted);
          await own.endTransaction('rollBack');
          own.mustBe('none', 'the rollback');
          await own.run(counted);
        }),
    },
    {
      name: 'console: classifying and asking for parameters change nothing of a session',
      run: () =>
        onSessions(plan, known, async ({ bench: { options }, known: { begin, change, counted }, open }) => {
          const own = await open();
          const before = await own.count(counted);
          await own.run(begin);
          await own.run(change);
          const { effect } = await inTime('classify', own.session.classify(change, options));
          must(effect !== 'read', `${change} is classified as a read.`);
          const read = await inTime('classify', own.session.classify(counted, options));
          must(read.effect === 'read', `${counted} is classified as ${read.effect}.`);
          for (const text of NONSENSE) {
            const found = await inTime('classify', own.session.classify(text, options)).catch(() => undefined);
            must(found?.effect !== 'read', `${JSON.stringify(text)} is classified as a read.`);
            await inTime('parameters', own.session.parameters?.(text, options) ?? Promise.resolve([])).catch(() => []);
          }
          for (const text of [change, counted])
            await inTime('parameters', own.session.parameters?.(text, options) ?? Promise.resolve([]));
          if (own.session.explain !== undefined) {
            const plan = { ...options, analyze: false };
            await inTime('explain.classify', own.session.explain.classify(counted, plan));
            await inTime('explain', own.session.explain.explain(counted, plan));
            for (const text of NONSENSE) await inTime('explain', own.session.explain.explain(text, plan)).catch(() => undefined);
            own.mustHaveReported('explaining');
          }
          const rows = await own.count(counted).catch(() => fail('A session runs nothing after a statement was classified.'));
          must(rows === before + 1, `There are ${rows} rows after ${change} was run once and classified.`);
          await own.endTransaction('rollBack');
          must((await own.count(counted)) === before, 'A transaction was ended by classifying.');
        }),
    },
    {
      name: 'console: a session can be used after a statement of it was cancelled or left early',
      run: () =>
        onSessions(plan, known, async ({ bench: { options }, known: { counted }, open }) => {
          const own = await open();
          const rows = await own.count(counted);
          await cancelled('A statement of a session with an aborted signal', async () => {
            for await (const event of own.session.run(counted, { maxRows: 10, signal: AbortSignal.abort() }))
              must(event.type === 'context', `A cancelled statement gave the event ${event.type}.`);
          });
          for await (const event of own.session.run(counted, { maxRows: 10, ...options })) {
            if (event.type !== 'context') break;
          }
          const again = await own.count(counted).catch(() => fail('A session that was left early runs nothing more.'));
          own.mustHaveReported('a statement that was left early');
          must(again === rows, `There are ${again} rows in the place of ${rows} after a statement was left early.`);
          own.mustBe('none', 'a statement that was left early');
        }),
    },
    {
      name: 'console: a session lets go of a running statement that is stopped',
      run: () =>
        onSessions(plan, known, async ({ known: { begin, change, counted, slow }, open }) => {
          if (slow === undefined) return untried('The plan names no statement that takes long.');
          const own = await open();
          const before = await own.count(counted);
          await own.stop(slow);
          own.mustBe('none', `stopping ${slow}`);
          await own.run(begin);
          await own.run(change);
          await own.stop(slow);
          const { transaction } = own.context;
          if (transaction === 'failed')
            await expectedRefusal('A statement in a failed transaction', () => own.run(counted), ['CONFLICT']);
          else {
            const rows = transaction === 'open' ? before + 1 : before;
            must(
              (await own.count(counted)) === rows,
              `The transaction is reported as ${transaction} after ${slow} was stopped, and ${change} isn't as it must be then.`,
            );
          }
          await own.endTransaction('rollBack');
          must((await own.count(counted)) === before, `${change} is there after its rollback.`);
          return undefined;
        }),
    },
    {
      name: 'console: a change runs to its end however few of its rows are asked for',
      run: () =>
        onSessions(plan, known, async ({ known: { begin, counted, changeMany }, open }) => {
          if (changeMany === undefined) return untried('The plan names no change that gives rows.');
          const { statement, rows } = changeMany;
          const own = await open();
          const before = await own.count(counted);
          await own.run(begin);
          const ran = await own.run(statement, undefined, 1);
          must(ran.rows.length <= 1, `${statement} gave ${ran.rows.length} rows; 1 was asked for.`);
          must(ran.isTruncated, `${statement} gave 1 of ${rows} rows and isn't reported as truncated.`);
          const now = await own.count(counted);
          must(now === before + rows, `${statement} added ${now - before} rows in the place of ${rows}.`);
          await own.endTransaction('rollBack');
          must((await own.count(counted)) === before, `${statement} stays after its rollback.`);
          return undefined;
        }),
    },
    {
      name: 'console: a session sends parameters beside the text, and hands notices on',
      run: () =>
        onSessions(plan, known, async ({ bench: { options }, known: { parameters: withValues, notice }, open }) => {
          const own = await open();
          const asked = own.session.parameters?.bind(own.session);
          if (withValues === undefined && notice === undefined)
            return untried('The plan names no statement with parameters and none with a notice.');
          if (withValues !== undefined) {
            const { statement, values, row } = withValues;
            const found = await inTime('parameters', asked?.(statement, options) ?? fail('A session names no parameters.'));
            must(found.length === values.length, `${statement} has ${values.length} parameters; ${found.length} are named.`);
            must(
              found.every(({ name, type }) => name !== '' && type !== ''),
              `A parameter of ${statement} has no name or no type.`,
            );
            const { rows } = await own.run(statement, values);
            must(
              JSON.stringify(rows[0]) === JSON.stringify(row),
              `${statement} gave ${JSON.stringify(rows[0])} in the place of ${JSON.stringify(row)}.`,
            );
          }
          if (notice !== undefined) {
            const { notices } = await own.run(notice.statement);
            const texts = notices.map(({ message }) => message);
            must(
              JSON.stringify(texts) === JSON.stringify(notice.messages),
              `${notice.statement} gave the notices ${JSON.stringify(texts)}.`,
            );
          }
          return undefined;
        }),
    },
    {
      name: 'console: a session begins in the first place of its console, and moves to each',
      run: () =>
        onSessions(plan, known, async ({ bench: { session, options }, open }) => {
          const { console } = session;
          if (console?.places === undefined) return absent('The sessions of the console stay where they are.');
          const places = await inTime('places', console.places(options));
          const own = await open();
          const first = places[0]?.namespace ?? [];
          must(
            isWithin(own.context, first),
            () => `A session begins in ${JSON.stringify(own.context.namespace)} and not in ${JSON.stringify(first)}.`,
          );
          for (const { namespace, statement } of places.slice(-MOST_PLACES)) {
            const { effect } = await inTime('classify', own.session.classify(statement, options));
            must(effect === 'read', `${statement} is classified as ${effect}.`);
            await own.run(statement);
            must(
              isWithin(own.context, namespace),
              () => `${statement} leads to ${JSON.stringify(own.context.namespace)} and not to ${JSON.stringify(namespace)}.`,
            );
          }
          return undefined;
        }),
    },
  ];
}
