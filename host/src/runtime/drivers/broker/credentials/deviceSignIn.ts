import { setTimeout as sleep } from 'node:timers/promises';
import * as oauth from 'oauth4webapi';
import { DriverError } from '@tabularium/sdk';
import { tokenAddress } from '@tabularium/sdk/manifest';
import { authenticationOf, newSignInOf, requestedParameters, serverOf } from './signInClient.ts';
import type { NewSignIn, SignInClient } from './signInClient.ts';
import { tokenError, tokenRequestOptions } from './tokenServer.ts';

/** A code that a person enters at their provider, on any device. */
export interface DeviceCode {
  readonly code: string;
  readonly address: string;
  /** The address with the code in it, where the provider has one. */
  readonly completeAddress?: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** RFC 8628, 3.5. Seconds. */
const USUAL_INTERVAL = 5;
const SLOWER_BY = 5;
const LONGEST_INTERVAL = 60;
const LONGEST_LIFETIME = 30 * 60;
/** Of a server that is busy or being replaced, or of a gateway before it: the next poll may be answered. All of 5xx, too. */
const PASSING_STATUS: readonly number[] = [408, 425, 429];
const NEVER = new AbortController().signal;
/** Letters, digits and few signs: a person types it. */
const USER_CODE = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,39}$/u;

/** Replaced in tests. */
export interface DeviceClock {
  readonly now: () => number;
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

const CLOCK: DeviceClock = {
  now: Date.now,
  wait: async (milliseconds, signal) => {
    await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
  },
};

/**
 * Signs a person in by device code (RFC 8628). One that is cancelled while the provider gives the tokens returns them all the same: the caller revokes what
 * it doesn't use.
 *
 * @throws DriverError `ACCESS_REFUSED`, `TIMEOUT`, `BAD_ANSWER`, and the errors of a token server; the signal's reason
 */
export async function deviceSignIn(
  client: SignInClient & { readonly deviceUrl: URL },
  show: (code: DeviceCode) => void,
  signal: AbortSignal,
  { now, wait }: DeviceClock = CLOCK,
): Promise<NewSignIn> {
  const { deviceUrl, tokenUrl } = client;
  const server = serverOf(client);
  const registered: oauth.Client = { client_id: client.clientId };
  let begun: oauth.DeviceAuthorizationResponse;
  try {
    const response = await oauth.deviceAuthorizationRequest(
      server,
      registered,
      authenticationOf(client),
      requestedParameters(client),
      tokenRequestOptions(deviceUrl, signal),
    );
    begun = await oauth.processDeviceAuthorizationResponse(server, registered, response);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw tokenError(deviceUrl, error);
  }
  const end = now() + Math.min(begun.expires_in, LONGEST_LIFETIME) * 1_000;
  show({ ...shownOf(begun, deviceUrl), expiresAt: end });
  let interval = Math.min(Math.max(begun.interval ?? USUAL_INTERVAL, 1), LONGEST_INTERVAL);
  let pause = interval;
  let failure: DriverError | undefined;
  for (;;) {
    await wait(pause * 1_000, signal);
    if (signal.aborted) throw signal.reason;
    if (now() >= end) throw failure ?? expired(deviceUrl);
    let response: Response | undefined;
    try {
      let account: string | undefined;
      // Not cancelled: the provider may have given tokens already, which nothing could revoke then.
      const options = tokenRequestOptions(tokenUrl, NEVER, (name) => (account = name));
      response = await oauth.deviceCodeGrantRequest(server, registered, authenticationOf(client), begun.device_code, options);
      const tokens = await oauth.processDeviceCodeResponse(server, registered, response);
      return newSignInOf(client, tokens, account, now());
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      const code = error instanceof oauth.ResponseBodyError ? error.error : undefined;
      if (code === 'access_denied') throw new DriverError('ACCESS_REFUSED', `The sign-in was denied (${deviceUrl.host}).`);
      if (code === 'expired_token') throw expired(deviceUrl);
      if (code === 'authorization_pending' || code === 'slow_down') {
        failure = undefined;
        if (code === 'slow_down') interval += SLOWER_BY;
        pause = interval;
        continue;
      }
      failure = passingFailure(tokenUrl, response, error);
      // RFC 8628, 3.5: slower by a factor, until the code expires. The person may be in the middle of signing in.
      pause = Math.min(Math.max(pause * 2, retryAfter(response, now())), Math.max(LONGEST_INTERVAL, interval));
    }
  }
}

/** The error of a poll after which another one may be answered. @throws DriverError of one after which none will be */
function passingFailure(tokenUrl: URL, response: Response | undefined, error: unknown): DriverError {
  if (response !== undefined && (response.status >= 500 || PASSING_STATUS.includes(response.status)))
    return new DriverError(
      'CONNECTION_REFUSED',
      `The token server ${tokenUrl.host} is busy or failing (status ${response.status}).`,
      {
        details: { advice: 'Try again later.' },
      },
    );
  const failure = tokenError(tokenUrl, error);
  // Without a response: the network comes and goes.
  if (response === undefined && (failure.code === 'TIMEOUT' || failure.code === 'CONNECTION_REFUSED')) return failure;
  throw failure;
}

/** Seconds that a server asks to wait (RFC 9110, 10.2.3); 0 where it asks for nothing. */
function retryAfter(response: Response | undefined, now: number): number {
  const text = response?.headers.get('retry-after') ?? '';
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - now) / 1_000;
  return Number.isFinite(seconds) ? seconds : 0;
}

function expired({ host }: URL): DriverError {
  return new DriverError('TIMEOUT', `The code for signing in at ${host} has expired.`, { details: { advice: 'Sign in again.' } });
}

/** The person is sent there, and shown the code: neither may hide anything. */
function shownOf(begun: oauth.DeviceAuthorizationResponse, { host }: URL): Omit<DeviceCode, 'expiresAt'> {
  const page = tokenAddress(begun.verification_uri);
  if (page.problem !== undefined || page.url.href.length > 500 || !USER_CODE.test(begun.user_code))
    throw new DriverError('BAD_ANSWER', `${host} gave a code or an address for signing in that can't be shown safely.`);
  const complete = begun.verification_uri_complete === undefined ? undefined : tokenAddress(begun.verification_uri_complete);
  const isUsable =
    complete?.problem === undefined && complete?.url.origin === page.url.origin && complete.url.href.length <= 1_000;
  return {
    code: begun.user_code,
    address: page.url.href,
    ...(isUsable ? { completeAddress: complete.url.href } : {}),
  };
}
