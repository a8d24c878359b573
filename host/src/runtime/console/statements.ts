import type {
  CompletionList,
  ConsoleFacet,
  PermittedStatement,
  ConsolePlace,
  Statement,
  StatementClassification,
  StatementEffect,
} from '@tabularium/sdk';
import { DriverError, exceeds } from '@tabularium/sdk';
import type {
  ClassifyStatement,
  CompleteText,
  DescribeStatement,
  RunLine,
  RunStatement,
  SplitText,
} from '../../common/console.ts';
import { HostError } from '../../common/errors.ts';
import { stopOutcome } from '../../common/stopOutcome.ts';
import type { StopOutcome } from '../../common/stopOutcome.ts';
import { errorReport } from '../errors/errorReport.ts';
import type { Logger } from '../storage/logger.ts';
import type { OpenSession } from '../data/sessions.ts';
import { curlCommand } from './curlCommand.ts';
import type { StatementEnd } from './queryHistory.ts';
import { withoutSecrets } from './withoutSecrets.ts';
import { ConnectionSecrets } from '../connections/connectionSecrets.ts';
import { loggerOf } from '../storage/logger.ts';
import { requireWritable } from '../connections/readOnlyMode.ts';
import { ON_TABLES_CHANGED } from '../data/onTablesChanged.ts';
import { ConsoleSessions } from './consoleSessions.ts';
import type { StatementRunner } from './consoleSessions.ts';
import { MAY_HAVE_CHANGED, QueryHistory, STOPPED_IN_TRANSACTION } from './queryHistory.ts';
import { SavedRequests } from './savedRequests.ts';
import { Sessions } from '../data/sessions.ts';
import { from } from '../container/inject.ts';
import type { Inject } from '../container/inject.ts';

/** In the history, by what is certain. */
const STATUS_OF_STOPPED: Readonly<Record<StopOutcome, string | undefined>> = {
  notSent: undefined,
  read: undefined,
  inTransaction: STOPPED_IN_TRANSACTION,
  transactionControl: MAY_HAVE_CHANGED,
  uncertain: MAY_HAVE_CHANGED,
};

/** The most that a statement may do to which a person agreed. The owner may run what the driver doesn't understand. */
function agreed(effect: StatementEffect): PermittedStatement {
  return { effect, unknown: true };
}

interface OpenConsole extends OpenSession {
  readonly console: ConsoleFacet;
}

/** Statements for the window: taking a text apart, saying what a statement would do, running it and remembering that. */
export class Statements {
  static readonly inject: Inject<typeof Statements> = {
    sessions: Sessions,
    consoleSessions: ConsoleSessions,
    secretsOf: from(
      [ConnectionSecrets],
      (secrets) =>
        ({ connection }: OpenSession) =>
          secrets.valuesToHide(connection),
    ),
    history: QueryHistory,
    saved: SavedRequests,
    logger: loggerOf('console'),
    onWritten: ON_TABLES_CHANGED,
  };

  readonly #sessions: Pick<Sessions, 'use'>;
  readonly #consoleSessions: Pick<ConsoleSessions, 'of' | 'namespaceOf'>;
  readonly #secretsOf: (open: OpenSession) => Promise<readonly string[]>;
  readonly #logger: Logger;
  readonly #onWritten: (connectionId: string) => void;
  readonly history: QueryHistory;
  readonly saved: SavedRequests;

  constructor(services: {
    sessions: Pick<Sessions, 'use'>;
    consoleSessions: Pick<ConsoleSessions, 'of' | 'namespaceOf'>;
    /** The values of the connection's secret fields, so that none of them is remembered. */
    secretsOf: (open: OpenSession) => Promise<readonly string[]>;
    history: QueryHistory;
    saved: SavedRequests;
    logger: Logger;
    /** Called when a statement that does more than read has been run, whatever its outcome. */
    onWritten?: (connectionId: string) => void;
  }) {
    this.#sessions = services.sessions;
    this.#consoleSessions = services.consoleSessions;
    this.#secretsOf = services.secretsOf;
    this.#logger = services.logger;
    this.#onWritten = services.onWritten ?? (() => undefined);
    this.history = services.history;
    this.saved = services.saved;
  }

  async split({ connectionId, text }: SplitText, signal: AbortSignal): Promise<readonly Statement[]> {
    const { console } = await this.#open(connectionId, signal);
    return console.split(text);
  }

  async classify(
    { connectionId, statement, sessionId }: ClassifyStatement,
    signal: AbortSignal,
  ): Promise<StatementClassification> {
    const { runner } = await this.#runner(connectionId, sessionId, signal);
    return runner.classify(statement, { signal });
  }

  /** Null where the driver completes no texts. */
  async complete({ connectionId, text, position, sessionId }: CompleteText, signal: AbortSignal): Promise<CompletionList | null> {
    const { console } = await this.#open(connectionId, signal);
    const offset = Math.min(position, text.length);
    const namespace = sessionId === undefined ? undefined : this.#consoleSessions.namespaceOf(sessionId, connectionId);
    const options = { signal, ...(namespace === undefined ? {} : { namespace }) };
    return (await console.complete?.(text, offset, options)) ?? null;
  }

  /** Statements to begin with; nothing where the driver has none. Nothing is run. */
  async examples(connectionId: string, signal: AbortSignal): Promise<readonly string[]> {
    const { console } = await this.#open(connectionId, signal);
    return console.examples?.({ signal }) ?? [];
  }

  /** The places that a console session can move to; none where it stays where it is. */
  async places(connectionId: string, signal: AbortSignal): Promise<readonly ConsolePlace[]> {
    const { console } = await this.#open(connectionId, signal);
    return console.places?.({ signal }) ?? [];
  }

  /**
   * A statement as a command of curl, with a variable of the shell in place of every credential. Nothing is sent.
   *
   * @throws DriverError `UNSUPPORTED` where a statement isn't an HTTP request, `INVALID_INPUT`
   */
  async curl({ connectionId, statement }: DescribeStatement, signal: AbortSignal): Promise<string> {
    const { console, connection, manifest } = await this.#open(connectionId, signal);
    if (console.describeRequest === undefined || manifest.permissions.http === undefined) {
      throw new DriverError(
        'UNSUPPORTED',
        `A statement of ${manifest.title} isn't a single HTTP request, so it has no curl command.`,
      );
    }
    return curlCommand(await console.describeRequest(statement), manifest, connection.settings);
  }

  /**
   * Runs one statement when it does no more than was agreed to. It is classified again: the target of a name may have changed since.
   *
   * @returns its events; ending the iteration early stops it, and its error is thrown there
   * @throws HostError `CONNECTION_READ_ONLY`, `APPROVAL_REQUIRED`, DriverError `UNSUPPORTED`, and what classifying throws; nothing was run then
   */
  async run(request: RunStatement, signal: AbortSignal): Promise<AsyncIterable<RunLine>> {
    const { open, runner } = await this.#runner(request.connectionId, request.sessionId, signal);
    const classification = await runner.classify(request.statement, { signal });
    requireWritable(open.connection, classification.effect);
    if (exceeds(classification, agreed(request.agreedTo))) {
      throw new HostError('APPROVAL_REQUIRED', `${classification.summary}. Nothing was run.`, {
        details: { advice: 'Confirm it, and run it again.' },
      });
    }
    return this.#remembered(open, runner, request, classification, signal);
  }

  async *#remembered(
    open: OpenConsole,
    runner: StatementRunner,
    request: RunStatement,
    classification: StatementClassification,
    signal: AbortSignal,
  ): AsyncGenerator<RunLine> {
    const { holdsSecret, summary, effect, tables, everyRowOf } = classification;
    const { connectionId, statement, maxRows, whole, parameters } = request;
    const began = performance.now();
    // A store that does not answer now leaves it unknown what must not be kept, and then no text is.
    const known = await this.#secretsOf(open).catch(() => undefined);
    const text = holdsSecret === true || known === undefined ? summary : withoutSecrets(statement, known);
    const entry = this.history.begin(connectionId, text, text !== statement);
    const isSql = open.manifest.console?.language?.toLowerCase() === 'sql';
    const stop = stopOutcome({ statement, classification, isSent: true, isSql, transaction: runner.transaction?.() });
    const statusOfStopped = STATUS_OF_STOPPED[stop];
    const ofStopped = effect === 'read' || statusOfStopped === undefined ? {} : { status: statusOfStopped };
    let end: Omit<StatementEnd, 'milliseconds'> = { outcome: 'cancelled', ...ofStopped };
    let rows: number | undefined;
    let status: string | undefined;
    try {
      const options = {
        maxRows,
        whole,
        permitted: { ...agreed(request.agreedTo), tables, ...(everyRowOf === undefined ? {} : { everyRowOf }) },
        signal,
        ...(parameters === undefined ? {} : { parameters }),
      };
      for await (const event of runner.run(statement, options, effect)) {
        if (event.type === 'rowsBegin') rows ??= 0;
        if (event.type === 'rows') rows = (rows ?? 0) + event.rows.length;
        if (event.type === 'done') {
          rows = event.affectedRows === undefined ? rows : (rows ?? 0) + event.affectedRows;
          status = event.status ?? status;
        }
        yield event;
      }
      end = { outcome: 'ok', status, rows };
    } catch (error) {
      const report = errorReport(error);
      const cancelled = signal.aborted || report.code === 'CANCELLED';
      const status = withoutSecrets(report.message, known ?? []);
      end = cancelled ? { outcome: 'cancelled', status, rows, ...ofStopped } : { outcome: 'failed', status, rows };
      throw error;
    } finally {
      if (effect !== 'read') this.#onWritten(connectionId);
      this.#end(entry, { ...end, milliseconds: Math.round((performance.now() - began) * 10) / 10 });
    }
  }

  /** The host may be stopping: what cannot be remembered any more is interrupted. */
  #end(entry: number, end: StatementEnd): void {
    try {
      this.history.end(entry, end);
    } catch (error) {
      this.#logger.warn(`the end of a statement was not remembered: ${String(error)}`);
    }
  }

  /** The session of a tab, or the console that is shared. One that has ended is not replaced in silence: its transaction is gone. */
  async #runner(
    connectionId: string,
    sessionId: string | undefined,
    signal: AbortSignal,
  ): Promise<{ readonly open: OpenConsole; readonly runner: StatementRunner }> {
    const session = sessionId === undefined ? undefined : this.#consoleSessions.of(sessionId, connectionId);
    const open = await this.#open(connectionId, signal);
    return { open, runner: session ?? open.console };
  }

  async #open(connectionId: string, signal: AbortSignal): Promise<OpenConsole> {
    return this.#sessions.use(
      connectionId,
      async (open) => {
        const { console } = open.session;
        if (console === undefined) throw new DriverError('UNSUPPORTED', `${open.manifest.title} takes no statements.`);
        return { ...open, console };
      },
      { signal },
    );
  }
}
