import { request as httpRequest } from 'node:http';
import { DriverError } from '@tabularium/sdk';
import { describe, expect, it } from 'vitest';
import { SignedInTokens } from '../../../credentials/signedInTokens.ts';
import { testRequest, textOf } from '../broker.test-helper.ts';
import { codeSignIn } from './codeSignIn.ts';
import { brokerFor, serve } from './credentials.test-helper.ts';
import type { Credentials, Respond } from './credentials.test-helper.ts';
import { deviceSignIn } from './deviceSignIn.ts';
import { isSignInEnded, refreshTokens, revokeToken } from './signInClient.ts';
import type { SignInClient } from './signInClient.ts';

const MARKED = 'M4RKED-refresh-token';
const NEVER = new AbortController().signal;

const json =
  (answer: object, status = 200): Respond =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  };
const TOKENS = { access_token: 'M4RKED-access', token_type: 'Bearer', expires_in: 3_600, refresh_token: MARKED };

function clientAt(port: number, more: Partial<SignInClient> = {}) {
  const at = (path: string) => new URL(`http://127.0.0.1:${port}${path}`);
  return {
    tokenUrl: at('/token'),
    authorizationUrl: at('/authorize'),
    deviceUrl: at('/device'),
    revocationUrl: at('/revoke'),
    issuer: '',
    clientId: 'tabularium',
    clientSecret: undefined,
    clientIn: 'basic' as const,
    scope: 'offline_access',
    audience: '',
    ...more,
  };
}

/** Begins a sign-in; `redirect` is the browser that comes back with these parameters. */
async function begin(respond: Respond = json(TOKENS), more: Partial<SignInClient> = {}, patience?: number) {
  const tokens = await serve(respond);
  const cancel = new AbortController();
  const shown = Promise.withResolvers<URL>();
  const result = codeSignIn(clientAt(tokens.port, more), (text) => shown.resolve(new URL(text)), cancel.signal, patience);
  result.catch(() => undefined);
  const address = await shown.promise;
  const back = address.searchParams.get('redirect_uri') ?? '';
  const state = address.searchParams.get('state') ?? '';
  const redirect = (parameters: Record<string, string> | string, options: RequestInit = {}) =>
    fetch(`${back}?${new URLSearchParams(parameters).toString()}`, options);
  return { tokens, cancel, result, address, back, state, redirect };
}

describe('signing in by authorization code', () => {
  it('sends a challenge, and the verifier with the code; the page has no token in it', async () => {
    const { tokens, result, address, state, redirect } = await begin();
    const page = await redirect({ state, code: 'M4RKED-code' });
    expect(page.status).toBe(200);
    expect(await page.text()).not.toContain('M4RKED');
    expect(page.headers.get('cache-control')).toBe('no-store');
    await expect(result).resolves.toMatchObject({ refreshToken: MARKED });
    expect(address.searchParams.get('code_challenge_method')).toBe('S256');
    const sent = new URLSearchParams(tokens.requests[0]?.body);
    const digest = await crypto.subtle.digest('SHA-256', Buffer.from(sent.get('code_verifier') ?? ''));
    expect(Buffer.from(digest).toString('base64url')).toBe(address.searchParams.get('code_challenge'));
    expect(sent.get('redirect_uri')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
  });

  it('adds its parameters to those of an address, also where a value has a question mark', async () => {
    const authorizationUrl = new URL('https://login.example/authorize?policy=B2C_1?v=2&tenant=a%3Fb');
    const { address, cancel, result } = await begin(json(TOKENS), { authorizationUrl });
    expect(address.href).toMatch(/^https:\/\/login\.example\/authorize\?policy=/);
    const { searchParams } = address;
    expect([searchParams.get('policy'), searchParams.get('tenant')]).toEqual(['B2C_1?v=2', 'a?b']);
    expect(searchParams.get('response_type')).toBe('code');
    cancel.abort(new Error('stopped'));
    await expect(result).rejects.toThrow('stopped');
  });

  it('takes a code with a question mark in it', async () => {
    const { tokens, result, state, back } = await begin();
    await fetch(`${back}?state=${state}&code=a?b`);
    await result;
    expect(new URLSearchParams(tokens.requests[0]?.body).get('code')).toBe('a?b');
  });

  it('ignores an answer with another state, which another program can send, and takes the right one', async () => {
    const { result, state, redirect } = await begin();
    expect((await redirect({ state: 'guessed', code: 'x' })).status).toBe(400);
    expect((await redirect({ code: 'x' })).status).toBe(400);
    expect((await redirect(`state=${state}&state=${state}&code=x`)).status).toBe(400);
    await redirect({ state, code: 'good' });
    await expect(result).resolves.toMatchObject({ refreshToken: MARKED });
  });

  it('takes the first of two redirects', async () => {
    const { tokens, result, state, redirect } = await begin(
      (_request, response) => void setTimeout(() => json(TOKENS)(_request, response, ''), 300),
    );
    expect((await redirect({ state, code: 'first' })).status).toBe(200);
    expect((await redirect({ state, code: 'second' })).status).toBe(409);
    await expect(result).resolves.toMatchObject({ refreshToken: MARKED });
    expect(tokens.requests.map(({ body }) => new URLSearchParams(body).get('code'))).toEqual(['first']);
  });

  it('answers other paths, methods and names, and continues to wait', async () => {
    const { result, state, back, redirect } = await begin();
    expect((await fetch(new URL('/favicon.ico', back))).status).toBe(404);
    expect((await redirect({ state, code: 'x' }, { method: 'POST' })).status).toBe(405);
    const rebound = Promise.withResolvers<number | undefined>();
    httpRequest(`${back}?state=${state}&code=x`, { headers: { host: 'evil.example' } }, (response) =>
      rebound.resolve(response.resume().statusCode),
    ).end();
    expect(await rebound.promise).toBe(421);
    await redirect({ state, code: 'good' });
    await expect(result).resolves.toMatchObject({ refreshToken: MARKED });
  });

  it('closes a request that sends without end', async () => {
    const { result, state, back, redirect } = await begin();
    const ended = Promise.withResolvers<void>();
    const endless = httpRequest(back, { method: 'POST' }, (response) => response.resume());
    const timer = setInterval(() => endless.write('x'.repeat(1_000)), 20);
    endless.on('error', () => undefined).on('close', () => ended.resolve());
    await ended.promise;
    clearInterval(timer);
    await redirect({ state, code: 'good' });
    await expect(result).resolves.toMatchObject({ refreshToken: MARKED });
  });

  it.each([
    ['the person denies', { error: 'access_denied', error_description: 'M4RKED' }, 'The sign-in was denied'],
    ['an unknown error comes', { error: 'M4RKED' }, 'The provider refused the sign-in'],
    ['another issuer answers', { code: 'x', iss: 'https://evil.example' }, 'names another issuer'],
    ['there is no code', {}, 'has no code'],
  ])('fails with a sentence of our own when %s', async (_name, parameters, sentence) => {
    const { tokens, result, state, redirect } = await begin();
    await redirect({ state, ...(parameters as Record<string, string>) });
    await expect(result).rejects.toThrow(sentence);
    expect(String(await result.catch((error: unknown) => error))).not.toContain('M4RKED');
    expect(tokens.requests).toEqual([]);
  });

  it('takes exactly the issuer that the manifest declares', async () => {
    const { result, state, redirect } = await begin(json(TOKENS), { issuer: 'https://login.example/a' });
    await redirect({ state, code: 'x', iss: 'https://login.example/b' });
    await expect(result).rejects.toMatchObject({ code: 'ACCESS_REFUSED' });
  });

  it('ends in time, says that others answered, and frees the port', async () => {
    const { result, back, redirect } = await begin(json(TOKENS), {}, 500);
    await redirect({ state: 'other', code: 'x' });
    await expect(result).rejects.toMatchObject({ code: 'TIMEOUT', message: expect.stringContaining('ignored (1)') as string });
    await expect
      .poll(() =>
        fetch(back).then(
          () => 'open',
          () => 'closed',
        ),
      )
      .toBe('closed');
  });

  it('can be cancelled', async () => {
    const { result, cancel } = await begin();
    cancel.abort(new Error('stopped'));
    await expect(result).rejects.toThrow('stopped');
  });

  it.each<[string, Respond, string]>([
    [
      'sends elsewhere',
      (_request, response) => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
      'CONNECTION_REFUSED',
    ],
    ['sends without end', (_request, response) => response.end(Buffer.alloc(200_000, 'x')), 'BAD_ANSWER'],
    ['gives no refresh token', json({ access_token: 'M4RKED', token_type: 'Bearer' }), 'ACCESS_REFUSED'],
    ['refuses', json({ error: 'invalid_grant', error_description: 'M4RKED' }, 400), 'ACCESS_REFUSED'],
  ])('fails where the token server %s, without anything of its answer', async (_name, respond, code) => {
    const { result, state, redirect } = await begin(respond);
    await redirect({ state, code: 'M4RKED-code' });
    const error: unknown = await result.catch((failure: unknown) => failure);
    expect(error).toMatchObject({ code });
    expect(JSON.stringify(error) + String(error)).not.toContain('M4RKED');
  });
});

describe('signing in by device code', () => {
  const BEGUN = {
    device_code: 'M4RKED-device',
    user_code: 'ABCD-EFGH',
    verification_uri: 'https://login.example/device',
    expires_in: 20,
    interval: 2,
  };

  async function poll(answers: readonly Respond[], begun: object = BEGUN) {
    let index = 0;
    const server = await serve((request, response, body) => {
      if (request.url === '/device') json(begun)(request, response, body);
      else answers[Math.min(index++, answers.length - 1)]?.(request, response, body);
    });
    let time = 0;
    const pauses: number[] = [];
    const shown: object[] = [];
    const clock = {
      now: () => time,
      wait: async (milliseconds: number) => {
        pauses.push(milliseconds / 1_000);
        time += milliseconds;
      },
    };
    const result = deviceSignIn(clientAt(server.port), (code) => shown.push(code), NEVER, clock);
    result.catch(() => undefined);
    return { result, pauses, shown };
  }
  const pending = json({ error: 'authorization_pending' }, 400);

  it("polls by the server's interval, slower when asked to, and shows code and address", async () => {
    const { result, pauses, shown } = await poll([pending, json({ error: 'slow_down' }, 400), pending, json(TOKENS)]);
    await expect(result).resolves.toMatchObject({ refreshToken: MARKED });
    expect(pauses).toEqual([2, 2, 7, 7]);
    expect(shown).toEqual([{ code: 'ABCD-EFGH', address: 'https://login.example/device', expiresAt: 20_000 }]);
  });

  it.each<[string, readonly Respond[], string, string]>([
    ['denied', [json({ error: 'access_denied' }, 400)], 'ACCESS_REFUSED', 'was denied'],
    ['expired', [json({ error: 'expired_token' }, 400)], 'TIMEOUT', 'has expired'],
    ['never answered', [pending], 'TIMEOUT', 'has expired'],
  ])('ends when it is %s', async (_name, answers, code, sentence) => {
    const { result } = await poll(answers);
    await expect(result).rejects.toMatchObject({ code, message: expect.stringContaining(sentence) as string });
  });

  const BEGUN_FOR_LONG = { ...BEGUN, expires_in: 300 };
  const status = (code: number, headers: Record<string, string> = {}): Respond => {
    return (_request, response) => void response.writeHead(code, headers).end('<p>busy</p>');
  };
  const cut: Respond = (request) => void request.socket.destroy();

  it.each<[string, Respond]>([
    ['500', status(500)],
    ['503 with a code', json({ error: 'temporarily_unavailable' }, 503)],
    ['429', status(429)],
    ['a connection that is cut', cut],
  ])('goes slower after %s, however often it comes, and signs in when the server answers again', async (_name, fault) => {
    const { result, pauses } = await poll([fault, fault, fault, fault, pending, pending, json(TOKENS)], BEGUN_FOR_LONG);
    await expect(result).resolves.toMatchObject({ refreshToken: MARKED });
    expect(pauses).toEqual([2, 4, 8, 16, 32, 2, 2]);
  });

  it('waits as long as the server asks, within bounds', async () => {
    const { result, pauses } = await poll(
      [status(429, { 'retry-after': '20' }), status(503, { 'retry-after': '86400' }), json(TOKENS)],
      BEGUN_FOR_LONG,
    );
    await expect(result).resolves.toMatchObject({ refreshToken: MARKED });
    expect(pauses).toEqual([2, 20, 60]);
  });

  it('says why when the server fails until the code expires', async () => {
    const { result } = await poll([pending, status(503)]);
    await expect(result).rejects.toMatchObject({
      code: 'CONNECTION_REFUSED',
      message: expect.stringContaining('status 503') as string,
    });
    const { result: unreachable } = await poll([pending, cut]);
    await expect(unreachable).rejects.toMatchObject({ message: expect.stringContaining('could not be reached') as string });
  });

  it('ends at once when the server rejects the client', async () => {
    const { result, pauses } = await poll([json({ error: 'invalid_client' }, 401), json(TOKENS)]);
    await expect(result).rejects.toMatchObject({ code: 'ACCESS_REFUSED' });
    expect(pauses).toEqual([2]);
  });

  it.each([
    [{ user_code: 'A\u202eB' }],
    [{ user_code: 'x'.repeat(60) }],
    [{ verification_uri: 'javascript:alert(1)' }],
    [{ verification_uri: 'http://login.example/' }],
  ])('shows nothing that hides something: %j', async (more) => {
    const { result, shown } = await poll([json(TOKENS)], { ...BEGUN, ...more });
    await expect(result).rejects.toMatchObject({ code: 'BAD_ANSWER' });
    expect(shown).toEqual([]);
  });

  it('can be cancelled while it waits', async () => {
    const server = await serve(json(BEGUN));
    const cancel = new AbortController();
    const result = deviceSignIn(clientAt(server.port), () => cancel.abort(new Error('stopped')), cancel.signal);
    await expect(result).rejects.toThrow('stopped');
    expect(server.requests).toHaveLength(1);
  });
});

describe('the tokens of a person who signed in', () => {
  it('are refreshed by one at a time; the new refresh token is stored before the access token is used', async () => {
    const order: string[] = [];
    const tokens = new SignedInTokens('one', { keep: async (token) => void order.push(`kept ${token}`) });
    const refresh = async (token: string) => {
      order.push(`refresh ${token}`);
      return { accessToken: 'access', until: Date.now() + 60_000, refreshToken: 'two' };
    };
    const all = await Promise.all(Array.from({ length: 5 }, () => tokens.access(refresh, isSignInEnded)));
    expect(all).toEqual(Array.from({ length: 5 }, () => 'access'));
    expect(order).toEqual(['refresh one', 'kept two']);
    // Another session has renewed it already: the one that was refused late does not throw the new one away.
    expect(tokens.refuse('older')).toBe(true);
    await tokens.access(refresh, isSignInEnded);
    expect(order).toHaveLength(2);
  });

  it('ask the person when they were revoked, and the server once', async () => {
    const server = await serve(json({ error: 'invalid_grant' }, 400));
    const tokens = new SignedInTokens(MARKED);
    const ask = () => tokens.access((token) => refreshTokens(clientAt(server.port), token, 0), isSignInEnded);
    await expect(ask()).rejects.toMatchObject({
      code: 'CREDENTIALS_MISSING',
      details: { advice: expect.stringContaining('connections sign-in') as string },
    });
    await expect(ask()).rejects.toThrow('has expired or was revoked');
    expect(server.requests).toHaveLength(1);
    expect(JSON.stringify(await ask().catch((error: unknown) => error))).not.toContain('M4RKED');
  });

  it('are revoked where the manifest says so', async () => {
    const server = await serve((_request, response) => response.end());
    expect(await revokeToken(clientAt(server.port), MARKED, NEVER)).toBe(true);
    expect(new URLSearchParams(server.requests[0]?.body).get('token')).toBe(MARKED);
    expect(await revokeToken(clientAt(server.port, { revocationUrl: undefined }), MARKED, NEVER)).toBe(false);
    const away = await serve((_request, response) => response.writeHead(500).end(MARKED));
    const failed = await revokeToken(clientAt(away.port), MARKED, NEVER).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(DriverError);
    expect(JSON.stringify(failed) + String(failed)).not.toContain('M4RKED');
  });
});

describe('requests of a driver after a sign-in', () => {
  const credentials = (port: number): Credentials => [
    {
      scheme: 'oauth2',
      grant: 'signIn',
      field: 'key',
      clientId: { value: 'tabularium' },
      tokenUrl: { value: `http://127.0.0.1:${port}/token` },
      deviceUrl: { value: `http://127.0.0.1:${port}/device` },
    },
  ];

  it('have an access token, which is another one after a 401, once', async () => {
    let count = 0;
    const tokens = await serve((request, response, body) =>
      json({ ...TOKENS, access_token: `access-${++count}` })(request, response, body),
    );
    const data = await serve((request, response) => {
      response.statusCode = request.headers.authorization === 'Bearer access-1' ? 401 : 200;
      response.end('ok');
    });
    const broker = await brokerFor(credentials(tokens.port), { port: data.port }, { key: MARKED });
    expect(await textOf((await broker.request(testRequest())).body)).toBe('ok');
    expect(data.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer access-1', 'Bearer access-2']);
    expect(JSON.stringify(data.requests)).not.toContain(MARKED);
  });

  it('fail with a sentence that says who has to sign in before anybody has', async () => {
    await expect(brokerFor(credentials(1), { port: 1 }, {})).rejects.toMatchObject({
      code: 'CREDENTIALS_MISSING',
      details: { field: 'key', advice: expect.stringContaining('connections sign-in') as string },
    });
  });
});
