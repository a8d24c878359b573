import { isDeepStrictEqual } from 'node:util';
import type { Manifest } from '@tabularium/sdk/manifest';
import { approvalText, CLIENT_BOUND, WINDOW_BOUND } from '../../../common/approvalText.ts';
import type { SavedConnection } from '../../../common/connection.ts';
import { furtherDestinationsOf } from '../../../common/furtherDestinations.ts';
import { serverPermissionOf } from '../../../common/serverPermission.ts';
import type { AccessAction } from '../access/policy.ts';
import { readingWall } from '../access/readingWall.ts';
import { runAction } from '../access/runAction.ts';
import { callDigest, questionDigest } from '../approvals/approvalQuestion.ts';
import type { ApprovalQuestion } from '../approvals/approvalQuestion.ts';
import type { ApprovalGate, ApprovalOutcome } from '../approvals/approvalGate.ts';
import { CallerAccess } from './callerAccess.ts';
import type { McpLimits } from './limits.ts';
import { Progress } from './progress.ts';
import type { ConnectionSecrets } from '../../connections/connectionSecrets.ts';
import { connectionTarget } from '../../connections/connectionTarget.ts';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import type { OpenSession, Sessions } from '../../data/sessions.ts';
import type { Drivers } from '../../drivers/drivers.ts';
import type { NewSecrets } from '../approvals/newSecrets.ts';
import type { HistoryReader } from '../tools/historyReader.ts';
import type { SavedRequestReader } from '../tools/savedRequestReader.ts';
import { errorText } from './errorText.ts';
import { describeFailure } from './failures.ts';
import { wasSent } from './sentText.ts';
import { unopened } from './unopened.ts';
import type { ToolCall } from './toolCall.ts';
import { tableArgumentName } from '../tools/tableArgument.ts';
import { BadTicketError, ForbiddenError, InputNeeded, ToolFailure } from '../tools/tool.ts';
import type { Change, PreparedWork, ToolContext } from '../tools/tool.ts';
import type { UnfinishedFiles } from '../../transfer/unfinishedFiles.ts';
import { userFolder } from '../../storage/userFolder.ts';

/** The host's services for calls. */
export interface CallPorts {
  readonly connections: Pick<ConnectionStore, 'list' | 'onChange'>;
  readonly sessions: Pick<Sessions, 'use' | 'state'>;
  readonly manifests: Pick<Drivers, 'find'>;
  readonly approvals: Pick<ApprovalGate, 'approve'>;
  readonly secrets: Pick<ConnectionSecrets, 'usedBy'>;
  readonly history?: HistoryReader;
  readonly savedRequests?: SavedRequestReader;
  readonly newSecrets: Pick<NewSecrets, 'canShow' | 'show'>;
  readonly exportFolders: () => readonly string[];
  /** Where exports are recorded until they have ended. */
  readonly unfinishedFiles?: UnfinishedFiles;
  /** Called when a client has changed something, or run a statement. */
  readonly onRun?: (connectionId: string, changed: boolean) => void;
  /** An internal error, for the host's own log. */
  readonly onInternalError: (error: unknown) => void;
}

/** One running call: its time, the connections that it touches, and the only ways in which it reaches a connection. */
export class CallScope {
  readonly #call: ToolCall;
  readonly #ports: CallPorts;
  readonly #limits: McpLimits;
  readonly #access: CallerAccess;
  /** Ends the call, whatever the reason is. One for all reasons: AbortSignal.any costs 13 µs for each call. */
  readonly #end = new AbortController();
  #isCut = false;
  #timeIsUp = false;
  #mayHaveChanged = false;
  readonly #progress: Progress;
  #milliseconds: number;
  #startedAt = performance.now();
  #timer: NodeJS.Timeout | undefined;
  /** The running access, to be judged again when a setting changes. */
  #doing: { readonly connectionId: string; readonly action: AccessAction } | undefined;
  readonly context: ToolContext;
  touched: SavedConnection | undefined;
  approvedBy: string | undefined;
  statement: string | undefined;
  /** The code of the error after which the rest of a change was left, or for which nothing was done, where the answer says so of each part. */
  endedEarly: string | undefined;
  /** The time that the call itself asked for. */
  seconds: number | undefined;

  constructor(call: ToolCall, ports: CallPorts, limits: McpLimits) {
    this.#call = call;
    this.#ports = ports;
    this.#limits = limits;
    this.#access = new CallerAccess(call.principal, ports.connections);
    this.#milliseconds = limits.callMilliseconds;
    this.#progress = new Progress(call.notifyProgress);
    // Not AbortSignal.timeout: that keeps its timer, and what hangs on it, for the whole time after a call that took a millisecond.
    this.#startTimer();
    if (call.signal.aborted) this.#onCallAborted();
    else call.signal.addEventListener('abort', this.#onCallAborted, { once: true });
    this.context = this.#createContext(this.#end.signal);
  }

  /** Whether the access was revoked while the call ran. */
  get isCut(): boolean {
    return this.#isCut;
  }

  get timeIsUp(): boolean {
    return this.#timeIsUp && !this.#call.signal.aborted;
  }

  /** Whether a change was begun, so that its end decides what was carried out and not the call's. */
  get mayHaveChanged(): boolean {
    return this.#mayHaveChanged;
  }

  /** Cuts the call when what it does now would be refused. A person's approval stays one. */
  cutIfForbidden(): void {
    const doing = this.#doing;
    if (doing === undefined) return;
    try {
      this.#access.judge(doing.connectionId, doing.action, true);
    } catch {
      this.#isCut = true;
      this.#end.abort(new ForbiddenError());
    }
  }

  /**
   * The text of an error, without the host of the connection that was used and the user's home folder, and without its credentials where the
   * host adds them to requests: a server or proxy may repeat those. A value that the client sent in this very call stays: hiding it would confirm
   * a guess. Secrets of other connections are not looked for: no server has them, so only a guess could contain one.
   *
   * Nor are those of a connection whose driver signs in with them: the server isn't sent them, and computes what a client writes, so the text may
   * be a guess that the call spells in another way.
   */
  errorText(text: string): string {
    const { touched } = this;
    const known = touched === undefined ? [] : this.#valuesOf(touched);
    return errorText(
      text,
      [userFolder(), ...known].filter((value) => text.includes(value) && !wasSent([this.#call.tool, this.#call.args], value)),
    );
  }

  #valuesOf(connection: SavedConnection): readonly string[] {
    const { manifests, secrets } = this.#ports;
    const manifest = manifests.find(connection.driver);
    return [...hostsOf(connection, manifest), ...(manifest?.permissions.http === undefined ? [] : secrets.usedBy(connection.id))];
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#call.signal.removeEventListener('abort', this.#onCallAborted);
    this.#progress.end();
  }

  readonly #onCallAborted = (): void => this.#end.abort(this.#call.signal.reason);

  #startTimer(): void {
    clearTimeout(this.#timer);
    this.#startedAt = performance.now();
    this.#timer = setTimeout(() => {
      this.#timeIsUp = true;
      this.#end.abort();
    }, this.#milliseconds);
  }

  #createContext(signal: AbortSignal): ToolContext {
    const { sessions, manifests, history, savedRequests, exportFolders, newSecrets, unfinishedFiles } = this.#ports;
    return {
      principal: this.#call.principal,
      signal,
      visibleConnections: () => this.#access.visible(),
      mayDo: (connection, action) => this.#access.mayDo(connection, action),
      state: (connection) => sessions.state(connection.id),
      manifestOf: (connection) => manifests.find(connection.driver),
      connection: (named, action) => {
        const connection = this.#access.require(named, action);
        this.touched = connection;
        return connection;
      },
      withConnection: (named, action, work) => this.#use(this.#access.require(named, action), action, work),
      change: (named, change) => this.#change(named, change),
      timeLimit: (seconds) => {
        this.seconds = seconds;
        this.#milliseconds = Math.min(this.#milliseconds, seconds * 1_000);
        this.#startTimer();
      },
      timeLeft: () => Math.max(1, Math.floor(this.#startedAt + this.#milliseconds - performance.now())),
      errorText: (text) => this.errorText(text),
      failure: (error) => {
        const { code, message } = describeFailure(error, this, this.#limits, this.#ports.onInternalError);
        this.endedEarly = code;
        return this.errorText(`${code}: ${message}`);
      },
      failed: (code) => {
        this.endedEarly = code;
      },
      isCut: () => this.#isCut,
      progress: (done, total, message) => this.#progress.notify(done, total, message),
      exportFolders,
      newSecrets,
      ...(unfinishedFiles === undefined ? {} : { unfinishedFiles }),
      ...(history === undefined ? {} : { history }),
      ...(savedRequests === undefined ? {} : { savedRequests }),
    };
  }

  async #use<T>(connection: SavedConnection, action: AccessAction, work: (open: OpenSession) => Promise<T>): Promise<T> {
    this.touched = connection;
    this.#doing = { connectionId: connection.id, action };
    let isOpen = false;
    const withOpen = (open: OpenSession): Promise<T> => {
      isOpen = true;
      return work(this.#walled(connection, open));
    };
    try {
      return await this.#ports.sessions.use(connection.id, withOpen, { signal: this.context.signal });
    } catch (error) {
      throw isOpen || !holdsSecrets(this.#ports.manifests.find(connection.driver)) ? error : unopened(error, connection);
    } finally {
      this.#doing = undefined;
    }
  }

  /** Reading a table that may do more than read is a statement of which the driver doesn't say what it does. */
  #walled({ id }: SavedConnection, open: OpenSession): OpenSession {
    const session = readingWall(open.session, ({ ref, uncertainRead }) => {
      if (uncertainRead === undefined) return;
      const summary = `reading ${tableArgumentName(ref)} (${uncertainRead})`;
      const { asks } = this.#access.judge(id, runAction({ effect: 'write', unknown: true, summary }), false);
      if (asks !== undefined) throw new ToolFailure(asks.code, asks.message, asks.advice, { refused: true });
    });
    return { ...open, session };
  }

  async #change<P, T>(named: string, change: Change<P, T>): Promise<T> {
    // A call that is denied, or known to be unsupported, never reaches a driver.
    const { connection } = this.#access.judge(named, change.known ?? { kind: 'read' }, true);
    return this.#use(connection, change.known ?? { kind: 'read' }, async (open) => {
      let prepared = await change.prepare(open);
      this.statement = prepared.logged ?? prepared.text;
      const { asks } = this.#access.judge(connection.id, prepared.action, false);
      this.#doing = { connectionId: connection.id, action: prepared.action };
      if (asks !== undefined) {
        const question = this.#question(connection, prepared, asks.effect);
        const wasAsked = await this.#approve(question);
        // It may have taken minutes.
        const now = this.#access.require(connection.id, prepared.action, true);
        if (connectionTarget(now) !== connectionTarget(connection)) {
          throw new ToolFailure(
            'CONFLICT',
            `The settings of "${now.name}" were changed while a person was asked, so it may lead to another server. Nothing was changed.`,
            'Call again: the person is asked about the server that it leads to now.',
          );
        }
        // The approved change is the one that runs: what its names stand for may do something else by now, such as through a new trigger.
        const again = wasAsked ? await change.prepare(open) : prepared;
        if (!isDeepStrictEqual(again, prepared)) {
          throw new ToolFailure(
            'CONFLICT',
            'The change would do something else now than what a person was asked about. Nothing was changed.',
            'Call again: the person is asked about what it does now.',
          );
        }
        prepared = again;
      }
      this.context.signal.throwIfAborted();
      const { action } = prepared;
      const changes = action.kind !== 'run' || action.effect !== 'read';
      this.#mayHaveChanged = changes;
      try {
        return await change.run(open, prepared.plan);
      } finally {
        this.#ports.onRun?.(connection.id, changes);
      }
    });
  }

  /** The question to a person about a change. */
  #question(
    connection: SavedConnection,
    { summary, text, plan }: PreparedWork<unknown>,
    effect: ApprovalQuestion['effect'],
  ): ApprovalQuestion {
    const { principal, client, tool, args } = this.#call;
    const asked = { principalId: principal.id, tool, connectionId: connection.id, target: connectionTarget(connection), args };
    let digest: string | undefined;
    return {
      principal,
      client,
      connection: { id: connection.id, name: connection.name, target: connectionTarget(connection) },
      tool,
      effect,
      summary,
      text,
      shown: approvalText(text),
      // Only where it is needed: for a change that is too long to be asked about, it would hold up every other call.
      get digest() {
        digest ??= questionDigest({ ...asked, effect, summary, text, plan });
        return digest;
      },
      get callDigest() {
        return callDigest(asked);
      },
    };
  }

  /**
   * @returns whether a person was asked about this very change, and not about all of a connection
   * @throws ToolFailure when it is not approved, InputNeeded when the client is to ask
   */
  async #approve(question: ApprovalQuestion): Promise<boolean> {
    clearTimeout(this.#timer);
    const { approval, connection } = this.#call;
    const signal = connection === undefined ? this.context.signal : AbortSignal.any([this.context.signal, connection]);
    const outcome = await this.#ports.approvals.approve(question, approval, signal);
    // The client left in the moment of the answer.
    signal.throwIfAborted();
    this.#startTimer();
    if (outcome.outcome === 'approved') {
      this.approvedBy = outcome.by;
      return outcome.by !== 'grant';
    }
    if (outcome.outcome === 'askClient') throw new InputNeeded(question, outcome.ticket);
    if (outcome.outcome === 'badTicket') throw new BadTicketError();
    throw notApproved(outcome, question);
  }
}

function notApproved(
  refused: Exclude<ApprovalOutcome, { outcome: 'approved' | 'askClient' | 'badTicket' }>,
  { connection, text, shown }: ApprovalQuestion,
): ToolFailure {
  const fail = (code: 'APPROVAL_REQUIRED' | 'APPROVAL_DECLINED' | 'CONFLICT', message: string, advice: string): ToolFailure =>
    new ToolFailure(code, message, advice, { refused: true });
  switch (refused.outcome) {
    case 'declined':
      return fail(
        'APPROVAL_DECLINED',
        refused.by === 'window'
          ? 'A person has declined this. Nothing was changed.'
          : 'The answer that the client gave to the question does not approve this. Nothing was changed.',
        'Ask the person what to do instead; do not try it again.',
      );
    case 'changed':
      return fail(
        'CONFLICT',
        "What the call does has changed since the person was asked, so the answer doesn't count. Nothing was changed.",
        'Call again without requestState, so that the person is asked about what it does now.',
      );
    case 'noAnswer':
      return fail(
        'APPROVAL_REQUIRED',
        'The approval request expired in the window, so nothing was changed.',
        'Ask the person to answer in the Tabularium window, and call again.',
      );
    case 'tooMany':
      return fail(
        'APPROVAL_REQUIRED',
        'Too many changes are waiting for approval in the window, so nothing was changed.',
        'Let the person answer those first.',
      );
    case 'tooLong': {
      const lines = shown.lines > WINDOW_BOUND.lines ? ` in ${shown.lines} lines` : '';
      return fail(
        'APPROVAL_REQUIRED',
        `A person has to read and approve this change, and it is too long for that: ${text.length} characters${lines}; ${WINDOW_BOUND.characters} characters and ${WINDOW_BOUND.lines} lines are the most. Nothing was changed.`,
        'Split it into smaller changes, or have the person run it in the console of the Tabularium window.',
      );
    }
    case 'nobody':
      return fail(
        'APPROVAL_REQUIRED',
        `A person must approve this change, but ${WHY_NOT_CLIENT[refused.client]}, and no Tabularium window is open. Nothing was changed.`,
        `Open the Tabularium window and call again, ${refused.client === 'cannotAsk' ? 'use a client that supports elicitation, ' : ''}or set the AI policy of "${connection.name}" to Always allow in its Advanced pane.`,
      );
  }
}

const WHY_NOT_CLIENT = {
  cannotAsk: 'this client cannot ask',
  mayNotAsk: 'the owner requires approval in the window',
  tooLong: `it is too long for the dialog of a client (${CLIENT_BOUND.characters} characters and ${CLIENT_BOUND.lines} lines are the most)`,
} as const;

/** Whether the driver is given credentials to sign in with. */
function holdsSecrets(manifest: Manifest | undefined): boolean {
  return manifest?.permissions.secrets !== undefined;
}

/** The values of the form fields that name hosts, which an error of the network may repeat. */
function hostsOf(connection: SavedConnection, manifest: Manifest | undefined): string[] {
  if (manifest === undefined) return [];
  const further = furtherDestinationsOf(manifest, connection.settings).map(({ server }) => server);
  return [serverPermissionOf(manifest), ...further].flatMap((server) => {
    const value = server === undefined ? undefined : connection.settings[server.origin.host.field];
    return typeof value === 'string' && value !== '' ? [value] : [];
  });
}
