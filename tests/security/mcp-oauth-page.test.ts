import { describe, expect, it } from 'vitest';
import {
  MOST_CLIENTS,
  REGISTRATIONS_PER_MINUTE,
  UNUSED_CLIENT_MILLISECONDS,
} from '../../host/src/runtime/mcp/oauth/oauthClientStore.ts';
import { rawRequest } from '../../host/src/runtime/mcp/server/rawRequest.test-helper.ts';
import { ALLOW, REDIRECT, refused, useSignIn } from '../support/useSignIn.ts';

// The page in the browser, registration, metadata and the switch: attacks that need no code and no token.

const { state, openWindow, get, rawText, register, newClient, newFlow, authorize, ask, refresh, granted, call } = useSignIn();

describe('the page in the browser', () => {
  it('shows the number of the window, cannot be framed, runs no foreign script, and holds no secret', async () => {
    const flow = await newFlow();
    const page = await get(await ask(flow));
    const [pending] = state.fixture.consents.pending();
    expect(page.text).toContain(`<strong>${pending?.number}</strong>`);
    expect(pending?.number).toMatch(/^\d{3} \d{3}$/);
    const policy = String(page.headers['content-security-policy']);
    for (const part of [
      "default-src 'none'",
      "frame-ancestors 'none'",
      "form-action 'none'",
      "base-uri 'none'",
      "script-src 'self'",
    ])
      expect(policy).toContain(part);
    expect(policy).not.toContain('unsafe');
    expect(page.headers).toMatchObject({
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
    for (const secret of [flow.verifier, flow.client, flow.parameters['code_challenge']]) expect(page.text).not.toContain(secret);
  });

  it('says how to open the window when none is open', async () => {
    state.closeWindow();
    await new Promise((resolve) => setImmediate(resolve));
    const wait = await ask(await newFlow());
    const page = await get(wait);
    expect(page.text).toContain('tabularium open');
    const shown = await get(wait.replace('/wait?', '/state?'));
    expect(shown.text).toBe('noWindow');
    state.closeWindow = openWindow();
    expect((await get(wait.replace('/wait?', '/state?'))).text).toBe('waiting');
  });

  it('allows nothing: no request of a page answers the question', async () => {
    const wait = await ask(await newFlow());
    const [pending] = state.fixture.consents.pending();
    for (const path of ['/authorize', wait, '/authorize/state', '/authorize/allow', '/consent', '/mcp']) {
      for (const body of ['allow=true', JSON.stringify({ id: pending?.id, answer: ALLOW })]) {
        const answer = await rawText({ method: 'POST', path, headers: { 'content-type': 'text/plain' }, body });
        expect(answer.status).toBeGreaterThanOrEqual(400);
      }
    }
    expect(state.fixture.consents.pending()).toEqual([pending]);
    expect((await get(wait.replace('/wait?', '/state?'), { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  });
});

describe('registration', () => {
  it('is bounded in size, and what it names is not fetched or stored', async () => {
    expect((await register({ client_name: 'x'.repeat(20_000) })).status).toBe(413);
    expect(await register({ redirect_uris: Array.from({ length: 60 }, () => REDIRECT) })).toMatchObject(
      refused('invalid_redirect_uri'),
    );
    expect(await register({ grant_types: ['client_credentials'] })).toMatchObject(refused('invalid_client_metadata'));
    expect(await register({ response_types: ['token'] })).toMatchObject(refused('invalid_client_metadata'));
    const answer = await register({
      logo_uri: 'http://127.0.0.1:1/x',
      jwks_uri: 'http://127.0.0.1:1/y',
      token_endpoint_auth_method: 'client_secret_post',
    });
    expect(answer).toMatchObject({ status: 201, json: { token_endpoint_auth_method: 'none' } });
    expect(answer.text).not.toMatch(/logo_uri|jwks_uri|client_secret"/);
    expect(
      (await rawRequest(state.port, { path: '/register', headers: { 'content-type': 'text/plain' }, body: '{}' })).status,
    ).toBe(415);
  });

  it('in a flood is limited, keeps few, and forgets stale ones, but never one with access', async () => {
    const flow = await newFlow();
    await granted(flow);
    for (let count = 1; count < REGISTRATIONS_PER_MINUTE; count += 1) await newClient();
    expect(await register()).toMatchObject({ status: 429 });
    const clients = (): number =>
      Number(state.fixture.database.prepare('SELECT count(*) AS count FROM oauth_clients').get()?.['count']);
    for (let count = 0; count < MOST_CLIENTS; count += 1) {
      state.fixture.now += 60_000 / REGISTRATIONS_PER_MINUTE;
      await register();
    }
    expect(clients()).toBe(MOST_CLIENTS);
    await ask(await newFlow({}, flow.client));
    state.fixture.now += UNUSED_CLIENT_MILLISECONDS + 60_000;
    await newClient();
    expect(clients()).toBe(2);
  });
});

describe('the metadata of the authorization server', () => {
  const path = '/.well-known/oauth-authorization-server';

  it('offers S256 and public clients alone, at the address that the client used', async () => {
    const answer = await rawRequest(state.port, { method: 'GET', path, headers: { host: 'localhost:9000' } });
    expect(answer.json).toMatchObject({
      issuer: 'http://localhost:9000',
      token_endpoint: 'http://localhost:9000/token',
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      client_id_metadata_document_supported: false,
    });
  });

  it.each([path, '/register', '/token', '/authorize', '/authorize/wait', '/authorize/state', '/authorize/wait.js'])(
    '%s is refused for a foreign Host or Origin',
    async (refusedPath) => {
      const method = ['/register', '/token'].includes(refusedPath) ? 'POST' : 'GET';
      for (const headers of [{ host: 'rebound.example' }, { origin: 'https://evil.example' }, { origin: 'null' }]) {
        const body = method === 'POST' ? { body: '{}' } : {};
        expect((await rawText({ method, path: refusedPath, headers, ...body })).status).toBe(403);
      }
    },
  );

  it('is readable for the page of a listed origin', async () => {
    const origin = 'https://listed.example';
    expect(
      (await rawRequest(state.port, { method: 'GET', path, headers: { origin } })).headers['access-control-allow-origin'],
    ).toBe(origin);
    const asked = await rawRequest(state.port, {
      method: 'OPTIONS',
      path: '/token',
      headers: { origin, 'access-control-request-method': 'POST' },
    });
    expect(asked).toMatchObject({ status: 204, headers: { 'access-control-allow-methods': 'POST' } });
  });
});

describe('OAuth that is switched off', () => {
  it('grants nothing, says so, and refuses what was granted', async () => {
    const flow = await newFlow();
    const { access, refreshing } = await granted(flow);
    state.fixture.oauthEnabled = false;
    expect(await call(access)).toMatchObject({ status: 401, text: expect.stringContaining('OAuth is switched off') as string });
    expect((await call(`${access.slice(0, -1)}${access.endsWith('A') ? 'B' : 'A'}`)).text).toContain('has expired');
    expect(await refresh(flow, refreshing)).toMatchObject(refused('access_denied', 403));
    expect(await register()).toMatchObject(refused('access_denied', 403));
    expect(await authorize(flow.parameters)).toMatchObject({
      status: 403,
      text: expect.stringContaining('switched off') as string,
    });
    const metadata = await rawRequest(state.port, { method: 'GET', path: '/.well-known/oauth-protected-resource/mcp' });
    expect(metadata.json).not.toHaveProperty('authorization_servers');
  });
});
