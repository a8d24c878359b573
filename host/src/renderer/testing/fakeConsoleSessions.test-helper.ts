import { DriverError } from '@tabularium/sdk';
import type { ConsoleContext, Statement } from '@tabularium/sdk';
import type { ConsoleSessionState, RunLine, RunStatement } from '../../common/console.ts';
import type { ApiContext } from '../../runtime/api/context.ts';
import { HostError } from '../../common/errors.ts';
import { PRODUCTS } from './exampleTable.test-helper.ts';
import { fakeContext } from './fakeContext.test-helper.ts';
import { exampleServices } from './renderWindow.test-helper.tsx';

interface Live {
  context: ConsoleContext;
  end: Extract<ConsoleSessionState, { is: 'ended' }> | undefined;
  changed: PromiseWithResolvers<void>;
}

export interface FakeConsoleSessions {
  readonly services: ApiContext;
  /** The statements that were run, in order, each with its session's place among those that were opened. */
  readonly ran: readonly { readonly session: number | undefined; readonly statement: string; readonly parameters: unknown }[];
  readonly opened: () => number;
  readonly closed: () => number;
  /** The server ends every session. */
  readonly loseAll: () => void;
  /** The host is started again: it has heard of no session. */
  readonly restart: () => void;
  /** The tables whose rows were counted. */
  readonly counted: () => number;
  /** How often the list of tables was read. */
  readonly listed: () => number;
  /** The session of each call about a plan, by its place among those that were opened. */
  readonly planned: readonly (number | undefined)[];
  /** Opening a session, leaving it, or ending a transaction, waits until what this returns is called. */
  readonly hold: (what: 'opening' | 'ending' | 'leaving') => () => void;
  /** The next ending of a transaction fails so. */
  readonly failEnding: (error: Error) => void;
}

interface Options {
  /** The message with which no session can be opened. */
  readonly refusal?: string;
  /** How many sessions can be open. */
  readonly limit?: number;
  /** The namespaces that a session can move to. */
  readonly places?: readonly string[];
  /** Those of them to which only the first session can move. */
  readonly gone?: readonly string[];
  /** Whether those are no longer among the places once a second session is open. */
  readonly unlisted?: boolean;
}

const AT_FIRST: ConsoleContext = { namespace: ['shop'], role: 'clerk', transaction: 'none' };

/**
 * A console whose tabs have sessions. One statement a line: `begin`, `change NAME`, `read NAME`, `fail NAME`, which fails the transaction, `warn NAME`
 * with two notices, `give $1 NAME` with a parameter, `lose`, in which the server ends the session, `become admin`, which changes
 * the role, `move NAME`, which changes the namespace, `change crash`, in which the driver ends, `chain`, in which one transaction follows another, `change every`, which has no condition, and
 * `change into`, which destroys and does more that isn't known.
 */
export function fakeConsoleSessions({
  refusal,
  limit = 8,
  places = [],
  gone = [],
  unlisted = false,
}: Options = {}): FakeConsoleSessions {
  const ran: FakeConsoleSessions['ran'][number][] = [];
  const sessions = new Map<string, Live>();
  let closed = 0;
  let counted = 0;
  let listed = 0;
  const planned: (number | undefined)[] = [];
  const held = { opening: Promise.resolve(), ending: Promise.resolve(), leaving: Promise.resolve() };
  const set = (live: Live, part: Partial<Pick<Live, 'context' | 'end'>>): void => {
    Object.assign(live, part);
    const { changed } = live;
    live.changed = Promise.withResolvers();
    changed.resolve();
  };
  const get = (sessionId: string): Live => {
    const live = sessions.get(sessionId);
    if (live === undefined || live.end !== undefined)
      throw new DriverError('CONNECTION_LOST', 'The session of this console ended.');
    return live;
  };
  const lose = (live: Live): void =>
    live.end === undefined
      ? set(live, { end: { is: 'ended', why: 'lost', hadTransaction: live.context.transaction !== 'none', isUncertain: false } })
      : undefined;

  async function* answer({ statement, parameters }: RunStatement, live: Live | undefined): AsyncGenerator<RunLine> {
    await Promise.resolve();
    const [verb = '', name = ''] = statement.split(' ');
    const context = (transaction: ConsoleContext['transaction']): RunLine => {
      const next = { ...(live?.context ?? AT_FIRST), transaction };
      if (live !== undefined) set(live, { context: next });
      return { type: 'context', context: next };
    };
    if (verb === 'lose' && live !== undefined) {
      lose(live);
      throw new DriverError('CONNECTION_LOST', 'The server ended the session.');
    }
    if (statement === 'change crash') throw new DriverError('DRIVER_CRASHED', 'The driver ended.');
    if (verb === 'fail') {
      if (live?.context.transaction === 'open') yield context('failed');
      throw new DriverError('NOT_FOUND', `There is no “${name}”.`);
    }
    if (verb === 'chain' && live !== undefined) yield { type: 'context', context: live.context, beginsNext: true };
    if (verb === 'become' && live !== undefined) {
      const next = { ...live.context, role: name };
      set(live, { context: next });
      yield { type: 'context', context: next };
    }
    if (verb === 'move' && sessions.size > 1 && gone.includes(name)) throw new DriverError('NOT_FOUND', `There is no “${name}”.`);
    if (verb === 'move' && live !== undefined) {
      const next = { ...live.context, namespace: [name, 'public'] };
      set(live, { context: next });
      yield { type: 'context', context: next };
    }
    if (verb === 'begin') yield context('open');
    if (verb === 'warn') {
      yield { type: 'notice', severity: 'notice', message: `First of ${name}`, code: '00000' };
      yield { type: 'progress', message: 'half', share: 0.5 };
      yield { type: 'notice', severity: 'warning', message: `Second of ${name}`, hint: 'Look again.', code: '01000' };
    }
    if (verb !== 'read' && verb !== 'give') {
      yield { type: 'done', truncated: false, milliseconds: 1, ...(verb === 'change' ? { affectedRows: 1 } : {}) };
      return;
    }
    yield { type: 'rowsBegin', columns: [{ name: 'value', kind: 'text' }] };
    yield { type: 'rows', rows: [[verb === 'give' ? JSON.stringify(parameters) : `Row of ${name}`]] };
    yield { type: 'done', truncated: false, milliseconds: 1 };
  }

  const example = exampleServices();
  return {
    ran,
    opened: () => sessions.size,
    closed: () => closed,
    loseAll: () => [...sessions.values()].forEach(lose),
    restart: () => sessions.clear(),
    counted: () => counted,
    listed: () => listed,
    planned,
    hold: (what) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      held[what] = promise;
      return resolve;
    },
    failEnding: (error) => {
      held.ending = Promise.reject(error);
      held.ending.catch(() => undefined);
    },
    services: fakeContext({
      ...example,
      openConnections: {
        ...example.openConnections,
        open: async function* (id, secrets, signal) {
          for await (const step of example.openConnections.open(id, secrets, signal)) {
            yield step.step === 'open'
              ? {
                  ...step,
                  connection: {
                    ...step.connection,
                    console: { sessions: true, requests: false },
                  },
                }
              : step;
          }
        },
      },
      explanations: {
        classify: async (request, signal) => {
          planned.push(request.sessionId === undefined ? undefined : [...sessions.keys()].indexOf(request.sessionId));
          return example.explanations.classify(request, signal);
        },
        explain: async (request, signal) => {
          planned.push(request.sessionId === undefined ? undefined : [...sessions.keys()].indexOf(request.sessionId));
          return example.explanations.explain(request, signal);
        },
      },
      tables: {
        ...example.tables,
        list: async (connectionId, signal) => {
          listed += 1;
          return example.tables.list(connectionId, signal);
        },
        count: async (connectionId, table, filter, signal) => {
          counted += 1;
          return example.tables.count(connectionId, table, filter, signal);
        },
      },
      consoleSessions: {
        open: async () => {
          if (refusal !== undefined) throw new DriverError('CONNECTION_REFUSED', refusal);
          await held.opening;
          if ([...sessions.values()].filter(({ end }) => end === undefined).length >= limit)
            throw new HostError('SESSION_LIMIT', `The connection has ${limit} console sessions open, the most there can be.`);
          const sessionId = crypto.randomUUID();
          sessions.set(sessionId, { context: AT_FIRST, end: undefined, changed: Promise.withResolvers() });
          return { sessionId, context: AT_FIRST, takesParameters: true };
        },
        parameters: async ({ sessionId, statement }) => {
          get(sessionId);
          return statement.includes('$1') ? [{ name: '$1', type: 'numeric', kind: 'decimal' }] : [];
        },
        endTransaction: async ({ sessionId }) => {
          const live = get(sessionId);
          await held.ending;
          set(live, { context: AT_FIRST });
          return AT_FIRST;
        },
        close: async (sessionId) => {
          const live = sessions.get(sessionId);
          if (live === undefined || live.end !== undefined) return;
          closed += 1;
          set(live, {
            end: { is: 'ended', why: 'closed', hadTransaction: live.context.transaction !== 'none', isUncertain: false },
          });
        },
        leave: async (sessionId) => {
          await held.leaving;
          const live = sessions.get(sessionId);
          if (live === undefined)
            return { is: 'ended', why: 'closed', hadTransaction: false, isUncertain: false, isForgotten: true };
          if (live.end === undefined)
            set(live, {
              end: { is: 'ended', why: 'closed', hadTransaction: live.context.transaction !== 'none', isUncertain: false },
            });
          return live.end ?? { is: 'open', context: live.context };
        },
        async *watch(sessionId, signal) {
          const live = sessions.get(sessionId);
          const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
          while (!signal.aborted && live !== undefined) {
            const changed = live.changed.promise;
            if (live.end !== undefined) {
              yield live.end;
              return;
            }
            yield { is: 'open', context: live.context };
            await Promise.race([changed, stopped]);
          }
        },
      },
      statements: {
        ...example.statements,
        run: async (request) => {
          const live = request.sessionId === undefined ? undefined : get(request.sessionId);
          const place = [...sessions.keys()].indexOf(request.sessionId ?? '');
          ran.push({
            session: place === -1 ? undefined : place,
            statement: request.statement,
            parameters: request.parameters,
          });
          return answer(request, live);
        },
        split: async ({ text }): Promise<readonly Statement[]> =>
          [...text.matchAll(/[^\n]+/g)].map(({ 0: line, index }) => ({ text: line, start: index, end: index + line.length })),
        classify: async ({ statement, sessionId }) => {
          if (sessionId !== undefined) get(sessionId);
          return {
            effect: statement.startsWith('change') ? 'write' : 'read',
            tables: [],
            summary: statement,
            ...(statement === 'change every' ? { everyRowOf: PRODUCTS } : {}),
            ...(statement === 'change into' ? { effect: 'destructive', unknown: true } : {}),
          };
        },
        examples: async () => [],
        places: async () =>
          places
            .filter((name) => !unlisted || sessions.size < 2 || !gone.includes(name))
            .map((name) => ({ namespace: [name], statement: `move ${name}` })),
      },
    }),
  };
}
