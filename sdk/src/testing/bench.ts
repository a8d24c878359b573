import type { Session } from '../driver.ts';
import { DRIVER_ERRORS, isDriverError } from '../errors.ts';
import type { DriverError, DriverErrorCode } from '../errors.ts';
import { parseManifest } from '../manifest.ts';
import type { Manifest } from '../manifest.ts';
import { ConformanceError } from './plan.ts';
import type { ConformancePlan, OpenedTarget } from './plan.ts';
import { watchedSession } from './watchedSession.ts';

/** How long one call of a check may take. A driver that hangs fails its check instead of the whole run. */
const CALL_MILLISECONDS = 20_000;

/** A session under test. */
export interface Bench {
  readonly session: Session;
  readonly manifest: Manifest;
  /** For calls that are never cancelled. */
  readonly options: { readonly signal: AbortSignal };
}

/** Fails the check. */
export function fail(message: string): never {
  throw new ConformanceError(message);
}

/** Fails the check unless the condition holds. */
export function must(condition: boolean, message: string | (() => string)): asserts condition {
  if (!condition) fail(typeof message === 'string' ? message : message());
}

/** Manifests by what they were parsed from: every check asks for its plan's, and to parse it takes a tenth of their time. */
const parsed = new WeakMap<object, Manifest>();

/** The manifest, which must be valid for every check. */
export function manifestOf({ manifest }: ConformancePlan): Manifest {
  const known = typeof manifest === 'object' && manifest !== null ? parsed.get(manifest) : undefined;
  if (known !== undefined) return known;
  const result = parseManifest(manifest);
  if (!result.ok) fail(`The manifest is not valid: ${result.problems.join(' ')}`);
  if (typeof manifest === 'object' && manifest !== null) parsed.set(manifest, result.manifest);
  return result.manifest;
}

/** Options that one check may change. */
export interface BenchOptions {
  /** For all calls of the check together. */
  readonly milliseconds?: number;
  /** Wraps the context that the target grants to the driver. */
  readonly context?: (context: OpenedTarget['context']) => OpenedTarget['context'];
}

/** Opens a session, lets the check use it, closes it, and then what it was opened in. Every error of the session is looked at. */
export async function onBench<T>(
  plan: ConformancePlan,
  use: (bench: Bench) => Promise<T>,
  { milliseconds = CALL_MILLISECONDS, context: between = (context) => context }: BenchOptions = {},
): Promise<T> {
  const manifest = manifestOf(plan);
  const target = await plan.open();
  try {
    const context = {
      ...between(target.context),
      log: (_level: string, message: string) => mustNotNotify(plan, 'A log line', message),
    };
    const signal = AbortSignal.timeout(milliseconds);
    const held = (what: string, error: unknown): unknown => heldError(plan, what, error);
    const connecting = plan.driver.definition.connect(target.settings, context, { signal });
    const session = await inTime('connect', connecting).catch((error: unknown) => {
      throw held('connect', error);
    });
    for (const { message } of session.findings) mustNotNotify(plan, 'A finding', message);
    try {
      return await use({ session: watchedSession(session, held), manifest, options: { signal } });
    } finally {
      await inTime('close', session.close());
    }
  } finally {
    await target.close?.();
  }
}

/** Fails when a text holds a credential of the plan. */
export function mustNotNotify(plan: ConformancePlan, where: string, text: string): void {
  for (const secret of plan.secrets ?? []) must(!text.includes(secret), `${where} holds a credential.`);
}

const STACK = /\n[ \t]+at /;

/** Text for a person: more than one word that has a letter. */
function isSentence(text: string): boolean {
  return text.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length > 1;
}

/** The error of a session, or its fault: an error is one of the contract's, a sentence, and holds no credential. */
export function heldError(plan: ConformancePlan, what: string, error: unknown): unknown {
  if (error instanceof ConformanceError) return error;
  if (isDriverError(error)) {
    const { code, message, details } = error;
    const reported = JSON.stringify([message, details]);
    for (const secret of plan.secrets ?? []) {
      if (reported.includes(secret)) return new ConformanceError(`An error of ${what} holds a credential.`);
    }
    if (message === DRIVER_ERRORS[code].sentence || (isSentence(message) && !STACK.test(message))) return error;
    return new ConformanceError(`An error of ${what} isn't a sentence: ${JSON.stringify(message)}.`);
  }
  if (error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError')) return error;
  const code = error instanceof Error && 'code' in error ? ` (code ${String(error.code)}, which the contract does not have)` : '';
  const text = String(error);
  const secret = (plan.secrets ?? []).some((one) => text.includes(one));
  return new ConformanceError(`${what} threw ${secret ? 'an error with a credential' : text}${code} instead of a DriverError.`);
}

/** The value of a promise, or a failure of the check when it takes too long. */
export async function inTime<T>(what: string, promise: Promise<T>, milliseconds = CALL_MILLISECONDS): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new ConformanceError(`${what} did not end within ${milliseconds} ms.`)), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Fails unless an error is one of the contract's, with one of these codes. */
export function mustBeRefusal(what: string, error: unknown, codes: readonly DriverErrorCode[]): DriverError {
  if (error instanceof ConformanceError) throw error;
  if (!isDriverError(error)) fail(`${what} threw ${String(error)} instead of a DriverError.`);
  must(codes.includes(error.code), () => `${what} ended in ${error.code} (${error.message}) instead of ${codes.join(' or ')}.`);
  must(error.message.trim() !== '', `The error of ${what} says nothing.`);
  return error;
}

/** Fails unless a call was given up because of its signal: by the contract's code, or with the signal's own reason. */
export function mustBeCancelled(what: string, error: unknown): void {
  if (error instanceof Error && !isDriverError(error) && (error.name === 'AbortError' || error.name === 'TimeoutError')) return;
  mustBeRefusal(what, error, ['CANCELLED', 'TIMEOUT']);
}

/** A call whose signal was aborted before it began must not succeed. */
export async function cancelled(what: string, call: () => Promise<unknown>): Promise<void> {
  try {
    await inTime(what, call());
  } catch (error) {
    mustBeCancelled(what, error);
    return;
  }
  fail(`${what} succeeded; it must be given up.`);
}

/** The error that a call must end in. */
export async function expectedRefusal(
  what: string,
  call: () => Promise<unknown>,
  codes: readonly DriverErrorCode[],
): Promise<DriverError> {
  try {
    await inTime(what, call());
  } catch (error) {
    return mustBeRefusal(what, error, codes);
  }
  fail(`${what} succeeded; it must end in ${codes.join(' or ')}.`);
}
