import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
// @ts-expect-error -- the package has no types
import UntypedProvider from 'oidc-provider';
import { afterEach, describe, expect, it } from 'vitest';
import { codeSignIn } from './codeSignIn.ts';
import { deviceSignIn } from './deviceSignIn.ts';
import { refreshTokens, revokeToken } from './signInClient.ts';

/** The parts of the package that this test uses. */
interface Oidc {
  readonly Grant: new (options: { accountId: string; clientId: string }) => {
    addOIDCScope: (scope: string) => void;
    save: () => Promise<string>;
  };
  readonly callback: () => (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  readonly interactionFinished: (request: IncomingMessage, response: ServerResponse, result: object) => Promise<void>;
}
const Provider = UntypedProvider as new (issuer: string, configuration: object) => Oidc;

const NEVER = new AbortController().signal;
const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** `oidc-provider`, a certified authorization server, with one person who allows everything. */
async function provider() {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const oidc = new Provider(origin, {
    clients: [
      {
        client_id: 'tabularium',
        application_type: 'native',
        token_endpoint_auth_method: 'none',
        redirect_uris: ['http://127.0.0.1/callback'],
        grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
      },
    ],
    cookies: { keys: ['a key of a test'] },
    features: { devInteractions: { enabled: false }, deviceFlow: { enabled: true }, revocation: { enabled: true } },
    findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    pkce: { required: () => true },
  });
  const answer = oidc.callback();
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/interaction/') !== true) return void answer(request, response);
    void (async () => {
      const grant = new oidc.Grant({ accountId: 'ada', clientId: 'tabularium' });
      grant.addOIDCScope('openid offline_access');
      const grantId = await grant.save();
      await oidc.interactionFinished(request, response, { login: { accountId: 'ada' }, consent: { grantId } });
    })();
  });
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const at = (path: string): URL => new URL(path, origin);
  const client = {
    tokenUrl: at('/token'),
    authorizationUrl: at('/auth'),
    deviceUrl: at('/device/auth'),
    revocationUrl: at('/token/revocation'),
    issuer: origin,
    clientId: 'tabularium',
    clientSecret: undefined,
    clientIn: 'basic' as const,
    scope: 'openid offline_access',
    audience: '',
  };
  return { client, origin };
}

/** A browser: it has cookies and follows redirects. */
function browser() {
  const cookies = new Map<string, string>();
  return async function visit(address: string, form?: Record<string, string>): Promise<string> {
    let url = new URL(address);
    let body = form === undefined ? undefined : new URLSearchParams(form);
    for (;;) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(url, {
        redirect: 'manual',
        headers: { cookie },
        ...(body === undefined ? {} : { method: 'POST', body }),
      });
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        cookies.set(name, value);
      }
      const location = response.headers.get('location');
      if (location === null) return response.text();
      url = new URL(location, url);
      body = undefined;
    }
  };
}

describe('signing in at a real authorization server', () => {
  it('works by authorization code; refresh tokens rotate, a spent one is refused, and a revoked one too', async () => {
    const { client } = await provider();
    const { refreshToken: first } = await codeSignIn(client, (address) => void browser()(address), NEVER);
    const second = await refreshTokens(client, first, Date.now());
    expect(second.accessToken).not.toBe('');
    expect(second.refreshToken).toBeTypeOf('string');
    expect(second.refreshToken).not.toBe(first);
    expect(await revokeToken(client, second.refreshToken ?? '', NEVER)).toBe(true);
    await expect(refreshTokens(client, second.refreshToken ?? '', 0)).rejects.toThrow('has expired or was revoked');
    await expect(refreshTokens(client, first, 0)).rejects.toThrow('has expired or was revoked');
  });

  it('fails by authorization code where the manifest declares another issuer', async () => {
    const { client } = await provider();
    const result = codeSignIn({ ...client, issuer: 'https://login.example' }, (address) => void browser()(address), NEVER);
    await expect(result).rejects.toThrow('names another issuer');
  });

  it('works by device code', async () => {
    const { client, origin } = await provider();
    const visit = browser();
    const hidden = (page: string): string => /name="xsrf" value="([^"]+)"/.exec(page)?.[1] ?? '';
    const { refreshToken: result } = await deviceSignIn(
      client,
      ({ code, address }) =>
        void (async () => {
          expect(address).toBe(`${origin}/device`);
          const confirm = await visit(address, { xsrf: hidden(await visit(address)), user_code: code });
          await visit(address, { xsrf: hidden(confirm), user_code: code, confirm: 'yes' });
        })(),
      NEVER,
      { now: Date.now, wait: () => new Promise((resolve) => setTimeout(resolve, 200)) },
    );
    expect((await refreshTokens(client, result, 0)).accessToken).not.toBe('');
  });
});
