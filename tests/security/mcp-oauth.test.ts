import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ACCESS_MILLISECONDS, REPEAT_MILLISECONDS } from '../../host/src/runtime/mcp/oauth/oauthGrantStore.ts';
import { CODE_MILLISECONDS } from '../../host/src/runtime/mcp/oauth/authorizationCodes.ts';
import { CONSENT_MILLISECONDS, CONSENTS_PER_MINUTE, MOST_CONSENTS } from '../../host/src/runtime/mcp/oauth/consentQueue.ts';
import { ARCHIVE, McpFixture, READING_ROOM } from '../../host/src/runtime/mcp/server/mcpFixture.test-helper.ts';
import { modernRequest, rawRequest } from '../../host/src/runtime/mcp/server/rawRequest.test-helper.ts';
import { resultOf } from '../support/toolAnswer.ts';
import { ALLOW, REDIRECT, refused, tokensSchema, useSignIn } from '../support/useSignIn.ts';

// Every known attack on the sign-in, over the wire, each against a server that a client with good manners signs in to.

const DAY = 86_400_000;
const { state, get, register, newClient, newFlow, authorize, ask, signIn, redeem, refresh, granted, call } = useSignIn();

describe('a client with good manners', () => {
  it('gets exactly what a person chose: one connection, to read', async () => {
    const flow = await newFlow();
    const back = await signIn(flow);
    expect(Object.fromEntries(back)).toEqual({
      code: expect.stringMatching(/^[\w-]{43}$/) as string,
      state: 'state & more',
      iss: `http://127.0.0.1:${state.port}`,
    });
    const answer = await redeem(flow, String(back.get('code')));
    expect(answer).toMatchObject({ status: 200, json: { token_type: 'Bearer', scope: 'readOnly', expires_in: 3_600 } });
    expect(answer.headers['cache-control']).toBe('no-store');
    const { access_token: access } = tokensSchema.parse(answer.json);
    expect(JSON.stringify(resultOf(await call(access)))).toContain('Reading room');
    expect(JSON.stringify(resultOf(await call(access)))).not.toContain('Archive');
    expect((await call(access, 'list_tables', { connection: ARCHIVE })).json).toMatchObject({ error: { code: -33_007 } });
  });

  it('is listed among the tokens under its name, and revoking it there ends both of its texts', async () => {
    const flow = await newFlow();
    const { access, refreshing } = await granted(flow);
    const [info] = state.fixture.tokens.list();
    expect(info).toMatchObject({ name: 'A careful client', scope: 'readOnly', connections: [READING_ROOM] });
    expect(Date.parse(String(info?.expiresAt))).toBe(state.fixture.now + 30 * DAY);
    state.fixture.tokens.revoke(String(info?.id));
    expect(await call(access)).toMatchObject({
      status: 401,
      json: { error: { message: expect.stringContaining('revoked') as string } },
    });
    expect(await refresh(flow, refreshing)).toMatchObject(refused('invalid_grant'));
  });

  it('refreshes every hour, until the day that the person chose', async () => {
    const flow = await newFlow();
    const first = await granted(flow);
    state.fixture.now += ACCESS_MILLISECONDS;
    expect(await call(first.access)).toMatchObject({ status: 401 });
    const second = tokensSchema.parse((await refresh(flow, first.refreshing, { resource: state.fixture.address.url })).json);
    expect((await call(second.access_token)).status).toBe(200);
    state.fixture.now += 30 * DAY;
    expect(await refresh(flow, second.refresh_token)).toMatchObject(refused('invalid_grant'));
    expect(await call(second.access_token)).toMatchObject({ status: 401 });
  });

  it('that refreshes twice at once, as one with requests side by side does, gets the same answer twice', async () => {
    const flow = await newFlow();
    const { refreshing } = await granted(flow);
    const [one, other] = await Promise.all([refresh(flow, refreshing), refresh(flow, refreshing)]);
    expect(one.json).toEqual(other.json);
    expect((await call(tokensSchema.parse(one.json).access_token)).status).toBe(200);
  });

  it('that signs in again leaves no second access behind', async () => {
    const flow = await newFlow();
    const { access } = await granted(flow);
    const again = await granted(await newFlow({}, flow.client));
    expect((await call(access)).status).toBe(401);
    expect((await call(again.access)).status).toBe(200);
  });

  it('is stored by hashes alone', async () => {
    const { access, refreshing, code } = await granted(await newFlow());
    const tables = ['tokens', 'oauth_grants', 'oauth_clients'];
    const stored = tables.flatMap((table) => state.fixture.database.prepare(`SELECT * FROM ${table}`).all());
    const bytes = stored
      .flatMap((row) => Object.values(row))
      .map((value) => Buffer.from(value instanceof Uint8Array ? value : String(value)));
    for (const text of [access, refreshing, code]) {
      for (const part of [text, text.slice(4, 26), text.slice(-43)]) {
        expect(bytes.some((value) => value.includes(part))).toBe(false);
      }
    }
  });
});

describe('a code', () => {
  it('that comes a second time is refused, and ends the access that it gave', async () => {
    const flow = await newFlow();
    const { access, refreshing, code } = await granted(flow);
    expect(await redeem(flow, code)).toMatchObject(refused('invalid_grant'));
    expect((await call(access)).status).toBe(401);
    expect(await refresh(flow, refreshing)).toMatchObject(refused('invalid_grant'));
  });

  it.each([
    ['another verifier', { code_verifier: randomBytes(32).toString('base64url') }],
    ['no verifier', { code_verifier: undefined }],
    ['the challenge as its verifier, as for the plain method', { code_verifier: 'challenge' }],
    ['another redirect', { redirect_uri: 'http://127.0.0.1:33419/callback' }],
    ['no redirect', { redirect_uri: undefined }],
    ['another client', { client_id: 'other' }],
    ['no client', { client_id: undefined }],
  ])('with %s is refused, and used up', async (_, changes: Record<string, string | undefined>) => {
    const flow = await newFlow();
    const code = String((await signIn(flow)).get('code'));
    const wrong = { ...changes };
    if (wrong['code_verifier'] === 'challenge') wrong['code_verifier'] = flow.parameters['code_challenge'];
    if (wrong['client_id'] === 'other') wrong['client_id'] = await newClient();
    expect(await redeem(flow, code, wrong)).toMatchObject(refused('invalid_grant'));
    expect(await redeem(flow, code)).toMatchObject(refused('invalid_grant'));
    expect(state.fixture.tokens.list()).toEqual([]);
  });

  it('for another resource is refused: a token is for this server alone', async () => {
    const flow = await newFlow();
    const code = String((await signIn(flow)).get('code'));
    for (const resource of ['https://api.example/mcp', 'http://127.0.0.1:9/mcp', `http://127.0.0.1:${state.port}/other`]) {
      expect(await redeem(flow, code, { resource })).toMatchObject(refused('invalid_target'));
    }
  });

  it('expires after a minute', async () => {
    const flow = await newFlow();
    const code = String((await signIn(flow)).get('code'));
    state.fixture.now += CODE_MILLISECONDS;
    expect(await redeem(flow, code)).toMatchObject(refused('invalid_grant'));
  });

  it('is handed out once, however often the page is opened', async () => {
    const flow = await newFlow();
    const wait = await ask(flow);
    state.fixture.consents.answer(String(state.fixture.consents.pending()[0]?.id), ALLOW);
    expect((await get(wait)).status).toBe(303);
    const again = await get(wait);
    expect(again).toMatchObject({ status: 200, text: expect.stringContaining('Access allowed') as string });
    expect(again.headers).not.toHaveProperty('location');
  });

  it('is worthless after a restart of the host, and nothing of the sign-in is left', async () => {
    const flow = await newFlow();
    const code = String((await signIn(flow)).get('code'));
    const wait = await ask(flow);
    const restarted = new McpFixture();
    try {
      restarted.oauthEnabled = true;
      const client = state.fixture.database.prepare('SELECT * FROM oauth_clients WHERE id = ?').get(flow.client);
      restarted.database
        .prepare('INSERT INTO oauth_clients (id, name, redirects, created_at) VALUES (?, ?, ?, ?)')
        .run(flow.client, String(client?.['name']), String(client?.['redirects']), Number(client?.['created_at']));
      await restarted.start();
      state.port = restarted.address.port;
      expect(await get(wait)).toMatchObject({ status: 410, text: expect.stringContaining('expired') as string });
      expect(await redeem(flow, code, { resource: undefined })).toMatchObject(refused('invalid_grant'));
      expect(restarted.tokens.list()).toEqual([]);
    } finally {
      await restarted[Symbol.asyncDispose]();
    }
  });
});

describe('a refresh token', () => {
  it('that was spent ends all access when it comes back later', async () => {
    const flow = await newFlow();
    const { refreshing } = await granted(flow);
    const next = tokensSchema.parse((await refresh(flow, refreshing)).json);
    state.fixture.now += REPEAT_MILLISECONDS;
    expect(await refresh(flow, refreshing)).toMatchObject(refused('invalid_grant'));
    expect((await call(next.access_token)).status).toBe(401);
    expect(await refresh(flow, next.refresh_token)).toMatchObject(refused('invalid_grant'));
    expect(state.fixture.tokens.list()[0]?.revokedAt).toBeDefined();
  });

  it('of another client is refused, and stays good for its own', async () => {
    const flow = await newFlow();
    const { refreshing } = await granted(flow);
    expect(await refresh(flow, refreshing, { client_id: await newClient() })).toMatchObject(refused('invalid_grant'));
    expect((await refresh(flow, refreshing)).status).toBe(200);
  });

  it('is refused as an access token, and an access token refreshes nothing', async () => {
    const flow = await newFlow();
    const { access, refreshing } = await granted(flow);
    expect((await call(refreshing)).status).toBe(401);
    expect(await refresh(flow, access)).toMatchObject(refused('invalid_grant'));
  });

  it('for another resource is refused', async () => {
    const flow = await newFlow();
    const { refreshing } = await granted(flow);
    expect(await refresh(flow, refreshing, { resource: 'https://api.example/mcp' })).toMatchObject(refused('invalid_target'));
  });
});

describe('the lockout', () => {
  it('counts wrong codes, verifiers and tokens together, and lets good ones through', async () => {
    const flow = await newFlow();
    const { access, refreshing } = await granted(flow);
    const another = await newFlow();
    const code = String((await signIn(another)).get('code'));
    expect((await redeem(flow, 'wrong')).status).toBe(400);
    expect((await refresh(flow, `tbr_${'x'.repeat(65)}`)).status).toBe(400);
    expect((await call(`tbo_${'x'.repeat(65)}`)).status).toBe(401);
    expect((await call('tbm_wrong')).status).toBe(401);
    expect((await redeem(another, code, { code_verifier: 'x'.repeat(43) })).status).toBe(400);
    expect(await redeem(flow, 'wrong')).toMatchObject({ status: 429, headers: { 'retry-after': '300' } });
    expect((await call('tbm_wrong')).status).toBe(429);
    expect((await call(access)).status).toBe(200);
    expect((await refresh(flow, refreshing)).status).toBe(200);
  });

  it('does not count requests without a token, nor texts that were good once', async () => {
    const flow = await newFlow();
    const { access, refreshing, code } = await granted(flow);
    await refresh(flow, refreshing);
    for (let time = 0; time < 6; time += 1) {
      await rawRequest(state.port, modernRequest('server/discover'));
      await call(access);
      await redeem(flow, code);
    }
    expect((await call('tbm_wrong')).status).toBe(401);
  });
});

describe('a redirect', () => {
  it.each([
    'https://evil.example/callback',
    'http://evil.example/callback',
    'http://127.0.0.1.evil.example/callback',
    'http://127.0.0.1@evil.example/callback',
    'http://evil.example\\@127.0.0.1/callback',
    'http://127.0.0.2/callback',
    'http://0.0.0.0/callback',
    'http://2130706433/callback',
    'https://127.0.0.1/callback',
    'http://127.0.0.1/callback#fragment',
    'http://127.0.0.1/callback?next=https://evil.example',
    'http://127.0.0.1/a/../callback',
    'http://127.0.0.1:99999/callback',
    'myapp://callback',
    'javascript:alert(1)',
    'http://127.0.0.1/\u202Ekcabllac',
    '',
  ])('to %j is not registered', async (uri) => {
    expect(await register({ redirect_uris: [uri] })).toMatchObject(refused('invalid_redirect_uri'));
  });

  it('beside one of this machine is left out, and leads nowhere', async () => {
    const elsewhere = 'https://vscode.example/redirect';
    const client = await newClient({ redirect_uris: [elsewhere, 'http://localhost/callback'] });
    const answer = await authorize((await newFlow({ redirect_uri: elsewhere }, client)).parameters);
    expect(answer).toMatchObject({ status: 400, text: expect.stringContaining('another address') as string });
    expect(answer.headers).not.toHaveProperty('location');
    expect(
      (await ask(await newFlow({ redirect_uri: 'http://localhost:4711/callback' }, client))).startsWith('/authorize/wait'),
    ).toBe(true);
  });

  it.each([
    ['of a client that is unknown', { client_id: 'unknown', redirect_uri: 'https://evil.example/' }],
    ['to another path', { redirect_uri: 'http://127.0.0.1:33418/other' }],
    ['to another host name', { redirect_uri: 'http://localhost:33418/callback' }],
    ['elsewhere, with an error that would lead there', { redirect_uri: 'https://evil.example/', response_type: 'token' }],
    ['that is missing', { redirect_uri: undefined }],
  ])('%s leads nowhere, not even with an error', async (_, changes: Record<string, string | undefined>) => {
    const answer = await authorize((await newFlow(changes)).parameters);
    expect(answer.status).toBe(400);
    expect(answer.headers).not.toHaveProperty('location');
    expect(state.fixture.consents.pending()).toEqual([]);
  });

  it('is read once: a second client or redirect in the same request is refused', async () => {
    const { parameters } = await newFlow();
    for (const more of ['redirect_uri=https%3A%2F%2Fevil.example', 'client_id=other', 'state=2']) {
      const answer = await get(`/authorize?${new URLSearchParams(parameters)}&${more}`);
      expect(answer.status).toBe(400);
      expect(answer.headers).not.toHaveProperty('location');
    }
  });
});

describe('a request for a sign-in', () => {
  it.each([
    ['without PKCE', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['with plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['with a challenge and no method, which means plain', { code_challenge_method: undefined }, 'invalid_request'],
    ['with a challenge that no S256 gives', { code_challenge: 'short' }, 'invalid_request'],
    ['for a token in the address', { response_type: 'token' }, 'unsupported_response_type'],
    ['for another resource', { resource: 'https://api.example/mcp' }, 'invalid_target'],
  ])(
    '%s is sent back to the client with an error, its state and the issuer',
    async (_, changes: Record<string, string | undefined>, error) => {
      const answer = await authorize((await newFlow(changes)).parameters);
      expect(answer.status).toBe(303);
      const location = new URL(String(answer.headers.location));
      expect(`${location.origin}${location.pathname}`).toBe(REDIRECT);
      expect(Object.fromEntries(location.searchParams)).toMatchObject({
        error,
        state: 'state & more',
        iss: `http://127.0.0.1:${state.port}`,
      });
      expect(state.fixture.consents.pending()).toEqual([]);
    },
  );

  it('stores nothing before a client redeems a code', async () => {
    const flow = await newFlow();
    const count = (): number => Number(state.fixture.database.prepare('SELECT total_changes() AS count').get()?.['count']);
    const before = count();
    await signIn(flow);
    expect(count()).toBe(before);
  });

  it('puts one question for a client, a few in all, and a few a minute', async () => {
    const flow = await newFlow();
    const first = await ask(flow);
    await ask(flow);
    expect(state.fixture.consents.pending()).toHaveLength(1);
    expect((await get(first)).status).toBe(410);
    for (let others = 1; others < MOST_CONSENTS; others += 1) await ask(await newFlow());
    expect(await authorize((await newFlow()).parameters)).toMatchObject({ status: 429 });
    expect(state.fixture.consents.pending()).toHaveLength(MOST_CONSENTS);
    for (let asked = MOST_CONSENTS + 1; asked < CONSENTS_PER_MINUTE; asked += 1) await ask(flow);
    expect(await authorize(flow.parameters)).toMatchObject({ status: 429 });
  });

  it('is refused for images, frames, scripts and guesses ahead, and from other pages', async () => {
    const { parameters } = await newFlow();
    for (const headers of [
      { 'sec-fetch-dest': 'image', 'sec-fetch-mode': 'no-cors' },
      { 'sec-fetch-dest': 'iframe', 'sec-fetch-mode': 'navigate' },
      { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors' },
      { 'sec-purpose': 'prefetch;prerender' },
      { origin: 'https://evil.example' },
      { host: `rebound.example:${state.port}` },
    ]) {
      expect((await authorize(parameters, headers)).status).toBe(403);
    }
    expect(state.fixture.consents.pending()).toEqual([]);
  });

  it('that a person denies comes back to the client as access_denied', async () => {
    const back = await signIn(await newFlow(), { allow: false });
    expect(Object.fromEntries(back)).toMatchObject({
      error: 'access_denied',
      state: 'state & more',
      iss: `http://127.0.0.1:${state.port}`,
    });
    expect(back.has('code')).toBe(false);
  });

  it('that a person does not answer expires, and a late answer allows nothing', async () => {
    const wait = await ask(await newFlow());
    const [pending] = state.fixture.consents.pending();
    state.fixture.now += CONSENT_MILLISECONDS;
    expect(state.fixture.consents.answer(String(pending?.id), ALLOW)).toBe(false);
    const page = await get(wait);
    expect(page.status).toBe(410);
    expect(page.text).toContain('error=access_denied');
  });

  it('shows hidden characters of a name as marks, bounded, and no reserved name', async () => {
    const names = [`Bank\u202Eknab${'x'.repeat(5_000)}`, '__stdio_bridge__', '\u200B\u200B', '<script>alert(1)</script>'];
    for (const name of names) {
      const flow = await newFlow({}, await newClient({ client_name: name, logo_uri: 'http://127.0.0.1:1/logo' }));
      const wait = await ask(flow);
      const [pending] = state.fixture.consents.pending();
      expect(pending?.clientName).not.toMatch(/[\u200B\u202E]/);
      expect(pending?.clientName.length).toBeLessThanOrEqual(80);
      expect(pending?.clientName.startsWith('__')).toBe(false);
      expect((await get(wait)).text).not.toContain('alert(1)');
      state.fixture.consents.answer(String(pending?.id), ALLOW);
      const code = new URL(String((await get(wait)).headers.location)).searchParams.get('code');
      expect((await redeem(flow, String(code))).status).toBe(200);
    }
    expect(state.fixture.tokens.list().map(({ name }) => name)[0]).toMatch(/^Bank⟨U\+202E⟩knab/);
  });
});
