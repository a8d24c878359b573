import type { DriverErrorCode } from '@tabularium/sdk';
import { boundedSchema } from '@tabularium/sdk/protocol';
import { z } from 'zod';
import type { SavedConnection } from '../../../common/connection.ts';
import type { HostErrorCode } from '../../../common/errors.ts';
import { argumentFaults } from './argumentFaults.ts';
import type { AccessAction } from '../access/policy.ts';
import type { ExternalClient } from '../access/externalClient.ts';
import type { ApprovalQuestion } from '../approvals/approvalQuestion.ts';
import type { OpenSession, Sessions } from '../../data/sessions.ts';
import type { NewSecrets } from '../approvals/newSecrets.ts';
import type { HistoryReader } from './historyReader.ts';
import type { SavedRequestReader } from './savedRequestReader.ts';
import type { Manifest } from '@tabularium/sdk/manifest';
import type { UnfinishedFiles } from '../../transfer/unfinishedFiles.ts';

/** The host as a tool sees it: connections as far as the caller may reach them. There is no other way to a connection. */
export interface ToolContext {
  readonly principal: ExternalClient;
  /** Aborted when the client gives up, the token is revoked, the access is taken away, the time is over or the server stops. */
  readonly signal: AbortSignal;
  /** The connections that exist for the caller, by name. */
  visibleConnections(): readonly SavedConnection[];
  /** Whether the caller may do that with a connection it can see. */
  mayDo(connection: SavedConnection, action: AccessAction): boolean;
  state(connection: SavedConnection): ReturnType<Sessions['state']>;
  manifestOf(connection: SavedConnection): Manifest | undefined;
  /**
   * Finds the connection that the caller names by id or name and asks the policy, without opening it.
   *
   * @throws ForbiddenError when there is none for the caller, ToolFailure when the policy refuses the action
   */
  connection(named: string, action: ReadingAction): SavedConnection;
  /**
   * Finds the connection that the caller names by id or name, asks the policy, and works with its session. For what only reads.
   *
   * @throws ForbiddenError when there is none for the caller, ToolFailure when the policy refuses the action
   */
  withConnection<T>(named: string, action: ReadingAction, work: (open: OpenSession) => Promise<T>): Promise<T>;
  /**
   * Does what may change data: prepares it, which sends nothing, asks the policy, where it says so a person, and the policy once more, and
   * only then runs it. The only way to a change.
   *
   * @throws ForbiddenError, ToolFailure, InputNeeded
   */
  change<P, T>(named: string, change: Change<P, T>): Promise<T>;
  /** Shortens the time of this call; what it waits for a person does not count. */
  timeLimit(seconds: number): void;
  /** The milliseconds that this call may still take. */
  timeLeft(): number;
  /** The text of an error that a driver or its server wrote, as it may be part of an answer. */
  errorText(text: string): string;
  /** Why work ended early, for an answer that says what was done until then. */
  failure(error: unknown): string;
  /** Marks the answer as a failure by a code, where it says of each part why nothing was done. */
  failed(code: string): void;
  /** Whether the access was taken away meanwhile, so that nothing is answered any more. */
  isCut(): boolean;
  /** Notifies a client of progress on request. Never more often than is useful. */
  progress(done: number, total?: number, message?: string): void;
  /** Where files may be written: the folders that the owner has granted. */
  exportFolders(): readonly string[];
  /** Where answers go that hold a new secret: no client reads them. */
  readonly newSecrets: Pick<NewSecrets, 'canShow' | 'show'>;
  /** Where exports are recorded until they have ended. */
  readonly unfinishedFiles?: UnfinishedFiles;
  /** The statements that were run before, newest first; absent where the host keeps none. */
  readonly history?: HistoryReader;
  /** The requests that people saved in the console; absent where the host keeps none. */
  readonly savedRequests?: SavedRequestReader;
}

/** Options of {@link ToolContext.withConnection}. */
export type ReadingAction = Extract<AccessAction, { kind: 'see' | 'describe' | 'read' }>;

/** Something that may change data, in two steps. */
export interface Change<P, T> {
  /** The effect, when it is known before the driver is asked: a denied call then never reaches the driver. */
  readonly known?: AccessAction;
  /** Says what will be done. Sends nothing that changes anything. */
  prepare(open: OpenSession): Promise<PreparedWork<P>>;
  run(open: OpenSession, plan: P): Promise<T>;
}

/** A change that can be judged, shown to a person, and run. */
export interface PreparedWork<P> {
  readonly action: AccessAction;
  /** A few words for a person. */
  readonly summary: string;
  /** The exact statement or requests. */
  readonly text: string;
  /** The activity log's entry instead of the text, where the text may hold a secret. */
  readonly logged?: string;
  readonly plan: P;
}

/**
 * Listed where they differ from what the protocol assumes of a tool that is silent, which is the worst; of a tool that only reads, the two in
 * the middle mean nothing.
 */
export interface ToolHints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** The caller's abilities in all its connections together, as far as the list of tools depends on them. */
export interface CallerAbilities {
  /** Whether there is any connection for it. */
  readonly read: boolean;
  /** Whether it may write to one of them, after an approval or without. */
  readonly write: boolean;
  /** Whether it may lose data in one of them. */
  readonly destroy: boolean;
  /** Whether the owner has granted a folder for exports. */
  readonly exportFiles: boolean;
  readonly history: boolean;
  readonly savedRequests: boolean;
}

/** One tool as it is written. */
export interface ToolDefinition<I extends z.ZodObject, O extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Strict: an unknown argument is an error and isn't ignored. */
  readonly input: I;
  /** An object in every case: other outputs are wrapped for older protocol versions and would differ between them. */
  readonly output: O;
  readonly hints: ToolHints;
  /** Default: every caller that has a connection. */
  readonly isFor?: (abilities: CallerAbilities) => boolean;
  /** Characters of an answer, for hosts that would put a longer one into a file. */
  readonly mostCharacters?: number;
  run(args: z.output<I>, context: ToolContext): Promise<z.input<O>>;
}

/** A tool as the server lists it. */
export interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: { readonly type: 'object'; readonly [key: string]: unknown };
  readonly annotations: Partial<ToolHints>;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** A tool whose types are settled: listed as it is, called with whatever a client sends. */
export interface Tool {
  readonly listed: ListedTool;
  /** The schema of its answer, for the reference. Clients aren't sent it, see `docs/decisions/0038-answers-for-models.md`. */
  readonly outputSchema: { readonly type: 'object'; readonly [key: string]: unknown };
  /** Whether a caller can use it at all; those that it cannot use are left out of its list. */
  isFor(abilities: CallerAbilities): boolean;
  /** @throws InvalidArgumentsError */
  call(args: unknown, context: ToolContext): Promise<Record<string, unknown>>;
}

/** The arguments are not what the tool's schema says. */
export class InvalidArgumentsError extends Error {
  override readonly name = 'InvalidArgumentsError';
}

/** The connection does not exist for the caller. The same for one that doesn't exist at all, so that names cannot be guessed. */
export class ForbiddenError extends Error {
  override readonly name = 'ForbiddenError';
}

/** The first word of a failed call's text: the codes of host and drivers, and one of its own. */
export type ToolFailureCode = HostErrorCode | DriverErrorCode | 'APPROVAL_DECLINED';

/** The tool failed; the model gets the message, with advice. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
  readonly code: ToolFailureCode;
  readonly advice: string;
  readonly refused: boolean;

  constructor(code: ToolFailureCode, message: string, advice: string, options: { readonly refused?: boolean } = {}) {
    super(message);
    this.code = code;
    this.advice = advice;
    this.refused = options.refused ?? false;
  }
}

/** The proof of an approval that a client brought is not one for this call. */
export class BadTicketError extends Error {
  override readonly name = 'BadTicketError';
}

/** The client is to put a question to its person, and to call again with the answer. */
export class InputNeeded extends Error {
  override readonly name = 'InputNeeded';
  readonly question: ApprovalQuestion;
  readonly ticket: string;

  constructor(question: ApprovalQuestion, ticket: string) {
    super('A person has to be asked.');
    this.question = question;
    this.ticket = ticket;
  }
}

/** Settles a tool's types. The JSON schemas are made once, and not before a client asks for them: commands start the host without any client. */
export function defineTool<I extends z.ZodObject, O extends z.ZodObject>(definition: ToolDefinition<I, O>): Tool {
  const { name, title, description, input, output, hints, isFor, mostCharacters } = definition;
  let inputSchema: JsonSchema | undefined;
  let outputSchema: JsonSchema | undefined;
  return {
    listed: {
      name,
      title,
      description,
      get inputSchema() {
        return (inputSchema ??= compactSchema(jsonSchema(input, 'input')));
      },
      annotations: listedHints(hints),
      ...(mostCharacters === undefined ? {} : { _meta: { 'anthropic/maxResultSizeChars': mostCharacters } }),
    },
    get outputSchema() {
      return (outputSchema ??= jsonSchema(output, 'output'));
    },
    isFor: isFor ?? (({ read }) => read),
    async call(args, context) {
      if (hasTooMany(args)) throw new InvalidArgumentsError(`${name}: it takes no more than ${MOST_ARGUMENTS} arguments`);
      const parsed = boundedSchema(input).safeParse(args ?? {});
      if (!parsed.success) throw new InvalidArgumentsError(`${name}: ${argumentFaults(input, parsed.error, args)}`);
      return output.parse(await definition.run(parsed.data, context));
    },
  };
}

function listedHints({ readOnlyHint, destructiveHint, idempotentHint, openWorldHint }: ToolHints): Partial<ToolHints> {
  return {
    readOnlyHint,
    ...(readOnlyHint || destructiveHint ? {} : { destructiveHint }),
    ...(readOnlyHint || !idempotentHint ? {} : { idempotentHint }),
    ...(openWorldHint ? {} : { openWorldHint }),
  };
}

type JsonSchema = ListedTool['inputSchema'];

function jsonSchema(schema: z.ZodObject, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: 'draft-2020-12', io });
  return { ...rest, type: 'object' };
}

/** Bounds that hold whether a model has read them or not; every word of a list is read before every question. */
const BOUNDS: ReadonlySet<string> = new Set(['minLength', 'maxLength', 'minItems', 'maxItems', 'minimum', 'maximum']);

function compactSchema(schema: JsonSchema): JsonSchema {
  return { ...(compact(schema) as JsonSchema), additionalProperties: false };
}

/** Without bounds, and without what is said of the whole already. */
function compact(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(compact);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(
    ([key, part]) => !(BOUNDS.has(key) && typeof part === 'number') && key !== 'additionalProperties',
  );
  return Object.fromEntries(entries.map(([key, part]) => [key, compact(part)]));
}

/** No tool has as many. Zod would name each unknown one. */
const MOST_ARGUMENTS = 100;

function hasTooMany(args: unknown): boolean {
  if (typeof args !== 'object' || args === null) return false;
  return Object.keys(args).length > MOST_ARGUMENTS;
}
