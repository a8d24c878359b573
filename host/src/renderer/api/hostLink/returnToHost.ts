import type { z } from 'zod';
import {
  CHALLENGE_PATH,
  RESUME_PATH,
  SESSION_KEY_PATH,
  SESSION_PATH,
  resumeChallengeSchema,
  resumeStatement,
  resumedSchema,
  savedSessionSchema,
  sessionRunSchema,
} from '../../../common/windowSession.ts';
import { ownPath } from './ownPath.ts';
import { digest, dropKey, keepKey, newKey, recallKey, signText } from './windowKeys.ts';

/** The program that answers at this window's address. */
export type HostFound =
  /** The host, in the run that this window belongs to. */
  | { readonly is: 'same' }
  /** A host after a restart, which has let this window in under another path. */
  | { readonly is: 'restarted'; readonly path: string }
  | { readonly is: 'nothing' }
  /** A host that doesn't let this window in any more. */
  | { readonly is: 'expired' }
  /** A program that can't prove that it is the host. */
  | { readonly is: 'stranger' };

const PATIENCE_MILLISECONDS = 10_000;
/** Tabs of one window share a key. */
const LOCK = 'tabularium-window-key ';

/** The run of the host that let this window in. */
let run: string | undefined;

/**
 * Gives the host the public key by which this window can come back after a restart. A browser that keeps nothing for pages makes windows that end with
 * their host.
 */
export async function enrol(): Promise<void> {
  const path = ownPath();
  if (path === undefined) return;
  await navigator.locks.request(`${LOCK}${path}`, async () => {
    const key = (await recallKey(path).catch(() => undefined)) ?? (await newKey());
    const answer = await ask(`${path}${SESSION_KEY_PATH}`, savedSessionSchema, key.publicKey);
    if (typeof answer === 'number') return;
    run = answer.run;
    await keepKey(path, { ...key, recognition: answer.recognition });
  });
}

/**
 * Looks who answers. Path and cookie of this window may be sent to anybody: another program can only listen here when the run of the host that they
 * open has ended.
 */
export async function findWindowHost(): Promise<HostFound> {
  const path = ownPath();
  if (path === undefined) return { is: 'same' };
  try {
    const answer = await ask(`${path}${SESSION_PATH}`, sessionRunSchema);
    if (typeof answer === 'number') return answer === 401 ? await comeBack(path) : { is: 'nothing' };
    return run === undefined || answer.run === run ? { is: 'same' } : { is: 'stranger' };
  } catch {
    return { is: 'nothing' };
  }
}

/** Proves this window to a restarted host, and has the host prove itself before anything else is sent. */
async function comeBack(path: string): Promise<HostFound> {
  const key = await recallKey(path).catch(() => undefined);
  if (key === undefined) return { is: 'expired' };
  const challenge = await ask(CHALLENGE_PATH, resumeChallengeSchema, {});
  if (typeof challenge === 'number') return { is: 'nothing' };
  const { nonce } = challenge;
  const signature = await signText(resumeStatement(location.origin, nonce), key.privateKey);
  const resumed = await ask(RESUME_PATH, resumedSchema, { session: await digest(path), nonce, signature });
  if (resumed === 401) {
    await dropKey(path).catch(() => undefined);
    return { is: 'expired' };
  }
  if (typeof resumed === 'number') return { is: 'nothing' };
  if ((await digest(resumed.proof)) !== key.recognition) return { is: 'stranger' };
  run = resumed.run;
  await keepKey(resumed.path, { ...key, recognition: resumed.recognition });
  return { is: 'restarted', path: resumed.path };
}

/** Asks the host. @returns its answer, or the status of a refusal. @throws where nothing answers, or not as a host does */
async function ask<Value>(path: string, schema: z.ZodType<Value>, body?: unknown): Promise<Value | number> {
  const sending = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(path, {
    ...sending,
    headers: { 'content-type': 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(PATIENCE_MILLISECONDS),
  });
  return response.ok ? schema.parse(await response.json()) : response.status;
}
